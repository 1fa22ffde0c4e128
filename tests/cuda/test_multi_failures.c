/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Long lists on GPUs that fail. Every driver call of a run fails once: what comes out is the right
 * result or an error of the right kind, with an input that is as it says, and the next run works. A
 * GPU that is lost for good at any call leaves the work to the others. Emulator only.
 *
 *   cuda_multi_failures [once|lost [ALGORITHM]]
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "cuda/driver/device.h"
#include "emulator_faults.h"
#include "multi_trial.h"

enum {
    COUNT = 500
};

static const char *algorithm; /* NULL: merge-chunks */

/* Short keys: the calls are what fails, and wider keys take the emulator four times as long. */
static struct multi_trial trial_of(enum multi_kind kind, bool in_place)
{
    return (struct multi_trial){.kind = kind,
                                .algorithm = algorithm,
                                .type = CONSORT_U16,
                                .distribution = distribution_find("few-unique"),
                                .count = COUNT,
                                .seed = 7,
                                .chunks = 2,
                                .in_place = in_place,
                                .workspace = PLACE_PINNED};
}

/* Progress goes on where it was when others take over. */
static consort_status plan_and_sort(struct multi_trial *trial, const struct multi_copies *copies)
{
    struct progress_watch watch;
    consort_arguments with;
    consort_arguments_init(&with);
    progress_watch_begin(&watch, &with, 0);
    consort_plan *plan = multi_trial_plan(trial);
    bool own = plan && trial->workspace != PLACE_KINDS;
    void *workspace = own ? place_new(trial->workspace, NULL, consort_plan_workspace(plan)) : NULL;
    consort_status status = plan ? multi_copies_sort(trial, plan, copies, workspace, &with)
                                 : consort_last_error()->status;
    if (status == CONSORT_OK)
        assert_int_equal(watch.last, watch.total);
    consort_plan_destroy(plan);
    if (own)
        place_free(trial->workspace, workspace);
    return status;
}

/* A whole use of the library, in a context of its own. The arrays are made and read while nothing
 * fails. *calls: the driver's. */
static consort_status use(struct multi_trial *trial, const struct multi_arrays *arrays,
                          const char *failure, uint64_t at, uint64_t *calls)
{
    consort_context_options options;
    consort_context_options_init(&options);
    options.threads = 2;
    struct multi_copies copies = multi_copies_of(trial, arrays);
    assert_int_equal(consort_context_create(&options, &trial->context), CONSORT_OK);
    emulator_fail(failure, at);
    consort_status status = plan_and_sort(trial, &copies);
    consort_context_destroy(trial->context);
    *calls = emulator_calls();
    emulator_fail(NULL, 0);
    bool whole = status != CONSORT_OK && consort_last_error()->input_whole;
    multi_copies_check(trial, arrays, &copies, status == CONSORT_OK, whole);
    multi_copies_free(trial, arrays, &copies);
    return status;
}

struct faults {
    struct multi_trial trial;
    struct multi_arrays arrays;
    uint64_t unused; /* memory of the GPUs, after the last run */
};

/* What the caller's thread has current stays so. */
static CUcontext enter_as_caller(void)
{
    CUdevice device;
    CUcontext context;
    const struct driver *driver = driver_get();
    assert_int_equal(driver->cuDeviceGet(&device, 0), CUDA_SUCCESS);
    assert_int_equal(driver->cuDevicePrimaryCtxRetain(&context, device), CUDA_SUCCESS);
    assert_int_equal(driver->cuCtxPushCurrent(context), CUDA_SUCCESS);
    return context;
}

static void leave_as_caller(CUcontext context)
{
    CUcontext left = NULL;
    const struct driver *driver = driver_get();
    assert_int_equal(driver->cuCtxPopCurrent(&left), CUDA_SUCCESS);
    assert_ptr_equal(left, context);
    assert_int_equal(driver->cuDevicePrimaryCtxRelease(0), CUDA_SUCCESS);
}

static consort_status try_failure(void *context, uint64_t at, bool *over)
{
    struct faults *faults = context;
    uint64_t calls;
    CUcontext caller = enter_as_caller();
    consort_status status = use(&faults->trial, &faults->arrays, "any", at, &calls);
    leave_as_caller(caller);
    uint64_t unused = emulator_unused_memory();
    if (at > 1)
        assert_int_equal(unused, faults->unused);
    faults->unused = unused;
    *over = calls < at;
    return status;
}

static void try_every_call(struct multi_trial trial)
{
    trial.workspace = PLACE_KINDS;
    struct multi_trial plain = trial;
    uint64_t calls;
    struct faults faults = {.trial = trial, .arrays = multi_arrays_of(&trial)};
    uint64_t survived, failed;
    emulator_fail_each_call(try_failure, &faults, &survived, &failed);
    assert_int_equal(use(&plain, &faults.arrays, NULL, 0, &calls), CONSORT_OK);
    if (device_count() > 1)
        assert_true(survived > 2 * failed);
    else
        assert_true(failed > 20);
    multi_arrays_free(&faults.arrays);
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

/* What the planner gives to the first GPU alone the others do if that one fails. */
static void test_every_call_of_a_short_list_fails_once(void **state)
{
    (void)state;
    if (device_count() == 1 || algorithm)
        skip();
    struct multi_trial trial = trial_of(MULTI_KEYS, false);
    trial.auto_chosen = true;
    try_every_call(trial);
    trial.in_place = true;
    trial.from = PLACE_PINNED;
    try_every_call(trial);
}

/* Which GPU, where the arrays are, whether the result goes there, too, and whether the planner
 * chooses: one GPU, the list is short. */
struct loss {
    int32_t ordinal;
    enum place_kind kind;
    bool in_place, chosen;
};

/* What sorts in place and only once cannot begin again when results are on their way to the input:
 * `exchange-host`, and one GPU alone. */
static bool may_be_over(const struct loss *loss, consort_status status)
{
    const consort_error *error = consort_last_error();
    return (algorithm || loss->chosen) && loss->in_place && emulator_caused(status) &&
           !error->input_whole && emulator_blames(loss->ordinal) &&
           strstr(error->message, "partly written over") != NULL;
}

/* In a process of its own: a GPU is lost. 0: right, 1: right, and nothing was lost, else wrong. */
static int child(const void *context, uint64_t at)
{
    const struct loss *loss = context;
    struct multi_trial trial = trial_of(MULTI_PAIRS, loss->in_place);
    trial.from = loss->kind;
    trial.auto_chosen = loss->chosen;
    trial.workspace = algorithm || loss->chosen ? PLACE_KINDS : loss->kind;
    struct multi_arrays arrays = multi_arrays_of(&trial);
    char what[32];
    snprintf(what, sizeof what, "lost:%d", loss->ordinal);
    uint64_t calls;
    consort_status status = use(&trial, &arrays, what, at, &calls);
    if (status != CONSORT_OK && !may_be_over(loss, status)) {
        fprintf(stderr, "%s:%llu: %s\n", what, (unsigned long long)at,
                consort_last_error()->message);
        return 4;
    }
    const struct device *device = device_open(loss->ordinal);
    bool lost =
        device_enter(device) != CONSORT_OK || driver_get()->cuCtxSynchronize() != CUDA_SUCCESS;
    return lost ? 0 : 1;
}

static int32_t lose_all(void *none, uint64_t done, uint64_t total)
{
    (void)none;
    (void)done;
    (void)total;
    emulator_fail_all("lost:0:1,lost:1:1,lost:2:1");
    return 0;
}

/* Midway, at once: all are named. */
static void lose_three_of_three(void)
{
    struct multi_trial trial = trial_of(MULTI_PAIRS, false);
    struct multi_arrays arrays = multi_arrays_of(&trial);
    struct multi_copies copies = multi_copies_of(&trial, &arrays);
    consort_arguments with;
    consort_arguments_init(&with);
    with.progress = lose_all;
    assert_int_equal(consort_context_create(NULL, &trial.context), CONSORT_OK);
    consort_plan *plan = multi_trial_plan(&trial);
    assert_non_null(plan);
    consort_status status = multi_copies_sort(&trial, plan, &copies, NULL, &with);
    assert_true(emulator_caused(status) && emulator_blames(0));
    assert_non_null(strstr(consort_last_error()->message, "; GPUs 1 and 2 fail, too"));
    assert_int_equal(consort_last_error()->input_whole, 1);
}

int main(int count, char **words)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_call_fails_once),
        cmocka_unit_test(test_every_call_of_a_short_list_fails_once),
    };
    if (!emulator_find()) {
        print_message("skipped: not the emulator\n");
        return 77;
    }
    if (count > 1)
        algorithm = words[2];
    if (count > 1 && strcmp(words[1], "lost") == 0) { /* before anything opens the driver */
        /* The first is driven by the caller's own thread. Pinned memory is on its way while the
         * GPU is lost; pageable memory is carried by threads. */
        static const struct loss losses[] = {
            {0, PLACE_PAGEABLE, true, false}, {1, PLACE_PAGEABLE, true, false},
            {1, PLACE_PINNED, true, false},   {1, PLACE_PAGEABLE, false, false},
            {0, PLACE_PAGEABLE, false, true}, {0, PLACE_PINNED, true, true}};
        for (size_t i = 0; i < sizeof losses / sizeof *losses; i++)
            emulator_lose_at_each_call(child, &losses[i]);
        if (!algorithm)
            lose_three_of_three();
        return 0;
    }
    if (device_count() == 0) { /* a driver that does not start is another test's */
        print_message("skipped: %s\n", driver_absence());
        return 77;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
