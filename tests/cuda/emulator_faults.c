/* SPDX-License-Identifier: Apache-2.0 */
/* Driver calls that fail on demand: the emulator in this process. */
#include "emulator_faults.h"

#include <dlfcn.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "cuda/driver/device.h"
#include "trial_share.h"

enum {
    MOST_CALLS = 20000 /* of a test that does not end; 16 devices take 6800 */
};

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
    emulator_fail_all(text);
}

void emulator_fail_all(const char *failures)
{
    if (emulator_set("FAIL", failures) != 0) {
        fprintf(stderr, "the emulator does not know the failure %s\n", failures);
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

bool emulator_blames(int32_t ordinal)
{
    char name[16];
    snprintf(name, sizeof name, "GPU %d (", ordinal);
    return strstr(consort_last_error()->message, name) != NULL;
}

bool emulator_blames_some(void)
{
    const char *message = consort_last_error()->message;
    return strstr(message, "GPU ") != NULL || strstr(message, "cuPointerGetAttributes") == message;
}

uint64_t emulator_unused_memory(void)
{
    uint64_t all = 0;
    for (int32_t d = 0; d < device_count(); d++) {
        size_t unused = 0, total = 0;
        const struct device *device = device_open(d);
        assert_true(device && device_enter(device) == CONSORT_OK);
        assert_int_equal(driver_get()->cuMemGetInfo(&unused, &total), CUDA_SUCCESS);
        device_leave(device);
        all += unused;
    }
    return all;
}

void emulator_fail_each_call(emulator_use *use, void *context, uint64_t *survived, uint64_t *failed)
{
    uint64_t at = 1;
    *survived = *failed = 0;
    for (bool over = false; !over; at++) {
        assert_true(at < MOST_CALLS);
        consort_status status = use(context, at, &over);
        if (status != CONSORT_OK && (over || !emulator_caused(status) || !emulator_blames_some()))
            fail_msg("any:%llu: %s", (unsigned long long)at, consort_last_error()->message);
        *survived += status == CONSORT_OK;
        *failed += status != CONSORT_OK;
    }
    print_message("%llu calls: %llu runs survive, %llu fail\n", (unsigned long long)at,
                  (unsigned long long)*survived, (unsigned long long)*failed);
}

void emulator_lose_at_each_call(int (*child)(const void *context, uint64_t at), const void *context)
{
    int result = 0;
    for (uint64_t at = 1; result == 0; at++) {
        assert_true(at < MOST_CALLS);
        if (!trial_share_takes_next())
            continue;
        pid_t process = fork();
        assert_true(process >= 0);
        if (process == 0)
            _exit(child(context, at));
        assert_int_equal(waitpid(process, &result, 0), process);
        if (!WIFEXITED(result) || WEXITSTATUS(result) > 1)
            fail_msg("lost at call %llu: exit status %d", (unsigned long long)at, result);
        result = WEXITSTATUS(result);
        if (result == 1)
            print_message("lost at calls 1 to %llu\n", (unsigned long long)at - 1);
    }
}
