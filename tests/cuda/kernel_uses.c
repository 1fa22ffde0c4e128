/* SPDX-License-Identifier: Apache-2.0 */
/* Which kernels of the emulator in this process have run. */
#include "kernel_uses.h"

#include <dlfcn.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum {
    MOST_KERNELS = 4096,
    MOST_TRIES = 16 /* of plans that have a kernel and do not launch it */
};

static const char *(*emulator_kernel)(uint64_t index, uint64_t *lookups, uint64_t *launches);

bool kernel_uses_find(void)
{
    const char *name = getenv("CONSORT_CUDA_LIBRARY");
    void *library = name ? dlopen(name, RTLD_NOW) : NULL;
    void *kernel = library ? dlsym(library, "consort_emu_kernel") : NULL;
    memcpy(&emulator_kernel, &kernel, sizeof kernel);
    return kernel != NULL;
}

bool kernel_uses_new(const consort_descriptor *descriptor)
{
    static uint64_t before[MOST_KERNELS], tries[MOST_KERNELS];
    uint64_t lookups, launches;
    consort_plan *plan;
    for (uint64_t i = 0; emulator_kernel(i, &lookups, &launches); i++) {
        assert_true(i < MOST_KERNELS);
        before[i] = lookups;
    }
    if (consort_plan_create(descriptor, &plan) != CONSORT_OK)
        return false;
    consort_plan_destroy(plan);
    bool fresh = false;
    for (uint64_t i = 0; emulator_kernel(i, &lookups, &launches); i++)
        if (lookups > before[i] && launches == 0 && tries[i] < MOST_TRIES) {
            tries[i]++;
            fresh = true;
        }
    return fresh;
}

uint64_t kernel_uses_unlike(bool (*wanted)(const char *name))
{
    uint64_t lookups, launches, unlike = 0;
    const char *name;
    for (uint64_t i = 0; (name = emulator_kernel(i, &lookups, &launches)); i++)
        if (wanted(name) != (launches > 0)) {
            print_message("%s launched: %s\n", launches ? "nevertheless" : "never", name);
            unlike++;
        }
    return unlike;
}
