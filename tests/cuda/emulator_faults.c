/* SPDX-License-Identifier: Apache-2.0 */
/* Driver calls that fail on demand: the emulator in this process. */
#include "emulator_faults.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int (*emulator_set)(const char *name, const char *value);
static uint64_t (*emulator_count)(void);

bool emulator_find(void)
{
    const char *name = getenv("CONSORT_CUDA_LIBRARY");
    void *library = name ? dlopen(name, RTLD_NOW) : NULL;
    void *set = library ? dlsym(library, "consort_emu_set") : NULL;
    void *calls = library ? dlsym(library, "consort_emu_calls") : NULL;
    memcpy(&emulator_set, &set, sizeof set);
    memcpy(&emulator_count, &calls, sizeof calls);
    return set && calls;
}

void emulator_fail(const char *what, uint64_t at)
{
    char text[64] = "";
    if (what)
        snprintf(text, sizeof text, "%s:%llu", what, (unsigned long long)at);
    if (emulator_set("FAIL", text) != 0) {
        fprintf(stderr, "the emulator does not know the failure %s\n", text);
        exit(3);
    }
}

uint64_t emulator_calls(void)
{
    return emulator_count();
}

bool emulator_caused(consort_status status)
{
    return status == CONSORT_ERROR_DEVICE_MEMORY || status == CONSORT_ERROR_NO_DEVICE ||
           status == CONSORT_ERROR_NO_KERNEL || status == CONSORT_ERROR_DRIVER ||
           status == CONSORT_ERROR_DEVICE_LOST;
}
