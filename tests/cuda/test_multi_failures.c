/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Long lists on GPUs that fail. Every driver call of a run fails once: what comes out is the right
 * result or an error of the right kind, with an input that is as it says, and the next run works. A
 * GPU that is lost for good at any call leaves the work to the others. Emulator only.
 */
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
#include "emulator_faults.h"
#include "multi_trial.h"

enum {
    COUNT = 500,
    MOST_CALLS = 5000
};

static struct multi_trial trial_of(enum multi_kind kind, bool in_place)
{
    return (struct multi_trial){.kind = kind,
                                .type = CONSORT_U32,
                                .distribution = distribution_find("few-unique"),
                                .count = COUNT,
                                .seed = 7,
                                .chunks = 2,
                                .in_place = in_place,
                                .workspace = PLACE_PINNED};
}

/* A whole use of the library, in a context of its own. */
static consort_status use(struct multi_trial *trial, const struct multi_arrays *arrays,
                          const char *failure, uint64_t at)
{
    consort_context_options options;
    consort_context_options_init(&options);
    options.threads = 2;
    assert_int_equal(consort_context_create(&options, &trial->context), CONSORT_OK);
    emulator_fail(failure, at);
    consort_plan *plan = multi_trial_plan(trial);
    consort_status status =
        plan ? multi_trial_run(trial, plan, arrays, NULL) : consort_last_error()->status;
    consort_plan_destroy(plan);
    consort_context_destroy(trial->context);
    return status;
}

/* The failures that a test's own calls meet are not the library's: the arrays are pageable here. */
static void try_every_call(struct multi_trial trial)
{
    trial.workspace = PLACE_KINDS;
    struct multi_trial plain = trial;
    struct multi_arrays arrays = multi_arrays_of(&trial);
    uint64_t survived = 0, failed = 0, at = 1;
    for (bool over = false; !over; at++) {
        consort_status status = use(&trial, &arrays, "any", at);
        over = emulator_calls() < at;
        emulator_fail(NULL, 0);
        if (status != CONSORT_OK && (over || !emulator_caused(status)))
            fail_msg("any:%llu: %s", (unsigned long long)at, consort_last_error()->message);
        survived += status == CONSORT_OK;
        failed += status != CONSORT_OK;
        assert_true(at < MOST_CALLS);
    }
    assert_int_equal(use(&plain, &arrays, NULL, 0), CONSORT_OK);
    print_message("%llu calls: %llu runs survive, %llu fail\n", (unsigned long long)at,
                  (unsigned long long)survived, (unsigned long long)failed);
    if (device_count() > 1)
        assert_true(survived > 2 * failed);
    else
        assert_true(failed > 20);
    multi_arrays_free(&arrays);
}

/* The argsort measures its steps, too. */
static void test_every_call_fails_once(void **state)
{
    (void)state;
    struct multi_trial pairs = trial_of(MULTI_PAIRS, true);
    pairs.silent = true;
    try_every_call(pairs);
    if (device_count() == 1)
        try_every_call(trial_of(MULTI_ARGSORT, false));
}

/* In a process of its own: a GPU is lost. 0: right, 1: right, and nothing was lost, else wrong. */
static int child(int32_t ordinal, uint64_t at, enum place_kind kind)
{
    struct multi_trial trial = trial_of(MULTI_PAIRS, true);
    trial.from = trial.workspace = kind;
    struct multi_arrays arrays = multi_arrays_of(&trial);
    char what[32];
    snprintf(what, sizeof what, "lost:%d", ordinal);
    if (use(&trial, &arrays, what, at) != CONSORT_OK) {
        fprintf(stderr, "%s:%llu: %s\n", what, (unsigned long long)at,
                consort_last_error()->message);
        return 4;
    }
    const struct device *device = device_open(ordinal);
    bool lost =
        device_enter(device) != CONSORT_OK || driver_get()->cuCtxSynchronize() != CUDA_SUCCESS;
    return lost ? 0 : 1;
}

/* At every call of the run: in each phase and between them. Pinned memory is on its way while the
 * GPU is lost; pageable memory is carried by threads. */
static void try_lost_devices(int32_t ordinal, enum place_kind kind)
{
    int result = 0;
    for (uint64_t at = 1; result == 0; at++) {
        assert_true(at < MOST_CALLS);
        pid_t process = fork();
        assert_true(process >= 0);
        if (process == 0)
            _exit(child(ordinal, at, kind));
        assert_int_equal(waitpid(process, &result, 0), process);
        if (!WIFEXITED(result) || WEXITSTATUS(result) > 1)
            fail_msg("lost:%d:%llu: exit status %d", ordinal, (unsigned long long)at, result);
        result = WEXITSTATUS(result);
        if (result == 1)
            print_message("GPU %d lost at each of %llu calls\n", ordinal,
                          (unsigned long long)at - 1);
    }
}

int main(int count, char **words)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_every_call_fails_once)};
    if (!emulator_find()) {
        print_message("skipped: not the emulator\n");
        return 77;
    }
    if (count > 1 && strcmp(words[1], "lost") == 0) { /* before anything opens the driver */
        /* The first is driven by the caller's own thread. */
        try_lost_devices(0, PLACE_PAGEABLE);
        try_lost_devices(1, PLACE_PAGEABLE);
        try_lost_devices(1, PLACE_PINNED);
        return 0;
    }
    if (device_count() == 0) { /* a driver that does not start is another test's */
        print_message("skipped: %s\n", driver_absence());
        return 77;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
