/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Lists in the memory of several GPUs that fail. Every driver call of a run fails once: what comes
 * out is the right result or an error of the right kind that names the GPU, with an input that is
 * as it says, and the next run works. A GPU that is lost for good at any call is reported lost, and
 * what the others hold stands if they are not sorted in place. Emulator only.
 *
 *   cuda_exchange_failures [once|lost [ALGORITHM]]
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
#include "progress_watch.h"
#include "spread_trial.h"
#include "tenants.h"

enum {
    COUNT = 200,
    LOST = 1,         /* the device that is lost */
    LEFT = 128 << 10, /* bytes of a device's memory */
    SAMPLED = 9       /* a counter */
};

static const char *algorithm; /* NULL: exchange */

/* Strings whose first window leaves a disorder, for what sorts windows. */
static struct spread_trial of_strings(struct spread_trial trial)
{
    trial.algorithm = algorithm;
    trial.type = consort_type_bytes(20);
    trial.letters = 3;
    trial.alike = 16;
    trial.ranges = 1;
    for (uint32_t p = 0; p < trial.parts; p++)
        trial.counts[p] = 20 + p;
    return trial;
}

/* Short keys: the calls are what fails, and wider keys take the emulator twice as long. */
static struct spread_trial trial_of(enum spread_kind kind, bool in_place)
{
    struct spread_trial trial = {.kind = kind,
                                 .type = CONSORT_U16,
                                 .distribution = distribution_find("few-unique"),
                                 .parts = 3,
                                 .seed = 7,
                                 .ranges = 2,
                                 .stored = 1,
                                 .in_place = in_place};
    for (uint32_t p = 0; p < trial.parts; p++)
        trial.counts[p] = COUNT + 10 * p;
    return algorithm ? of_strings(trial) : trial;
}

/* The same with ranges that a sample cuts, of two parts, each sorted at once but for the seam. */
static struct spread_trial of_a_sample(enum spread_kind kind)
{
    struct spread_trial trial = trial_of(kind, true);
    trial.distribution = distribution_find("uniform");
    trial.parts = 2;
    trial.ranges = 1;
    trial.sample = 160;
    trial.room = 2000;
    for (uint32_t p = 0; p < trial.parts; p++)
        trial.counts[p] = 16 * (uint64_t)trial.sample;
    return trial;
}

/* A whole use of the library, in a context of its own. *planned: the plan could be made. */
static consort_status use(struct spread_trial *trial, const struct spread_parts *parts,
                          const char *failure, uint64_t at, bool *planned)
{
    consort_context_options options;
    consort_context_options_init(&options);
    options.threads = 2;
    assert_int_equal(consort_context_create(&options, &trial->context), CONSORT_OK);
    emulator_fail(failure, at);
    consort_plan *plan = spread_trial_plan(trial);
    *planned = plan != NULL;
    struct progress_watch watch;
    consort_arguments with;
    consort_arguments_init(&with);
    progress_watch_begin(&watch, &with, 0);
    consort_status status =
        plan ? spread_trial_run(trial, plan, parts, &with) : consort_last_error()->status;
    if (status == CONSORT_OK)
        assert_int_equal(watch.last, watch.total);
    consort_plan_destroy(plan);
    consort_context_destroy(trial->context);
    return status;
}

struct faults {
    struct spread_trial trial;
    struct spread_data data;
};

/* One run with one failure; the arrays are made and read while nothing fails. */
static consort_status try_failure(void *context, uint64_t at, bool *over)
{
    struct faults *faults = context;
    struct spread_trial *trial = &faults->trial;
    struct spread_parts parts;
    bool planned;
    spread_parts_make(&parts, trial, &faults->data);
    uint64_t unused = emulator_unused_memory();
    consort_status status = use(trial, &parts, "any", at, &planned);
    *over = emulator_calls() < at;
    emulator_fail(NULL, 0);
    assert_int_equal(emulator_unused_memory(), unused);
    bool apart = !trial->in_place || trial->kind == SPREAD_ARGSORT;
    bool whole = apart || (status != CONSORT_OK && consort_last_error()->input_whole);
    spread_trial_check(trial, &faults->data, &parts, status == CONSORT_OK, whole);
    spread_parts_free(&parts, trial);
    return status;
}

static void try_every_call(struct spread_trial trial)
{
    struct faults faults = {.trial = trial, .data = spread_data_of(&trial)};
    uint64_t survived, failed;
    spread_trial_try(&trial);
    if (trial.sample > 0)
        assert_int_equal(trial.outcome.counters[SAMPLED], 1);
    emulator_fail_each_call(try_failure, &faults, &survived, &failed);
    assert_true(failed > 50);
    spread_data_free(&faults.data);
}

static void test_every_call_fails_once(void **state)
{
    (void)state;
    try_every_call(trial_of(SPREAD_PAIRS, true));
    try_every_call(trial_of(SPREAD_ARGSORT, false));
}

static void test_every_call_of_a_sampled_run_fails_once(void **state)
{
    (void)state;
    if (algorithm)
        skip();
    try_every_call(of_a_sample(SPREAD_PAIRS));
}

/* Others hold so much of the second GPU's memory that there is none for ranges of a sample: what
 * the first one has taken for a first try is given back. */
static void test_every_call_with_little_memory_fails_once(void **state)
{
    (void)state;
    struct spread_trial trial = of_a_sample(SPREAD_KEYS);
    if (algorithm)
        skip();
    CUdeviceptr held = tenant_comes(1, device_describe(1)->memory - LEFT);
    trial.in_place = false;
    struct faults faults = {.trial = trial, .data = spread_data_of(&trial)};
    uint64_t survived, failed;
    spread_trial_try(&trial);
    assert_int_equal(trial.outcome.counters[SAMPLED], 0);
    emulator_fail_each_call(try_failure, &faults, &survived, &failed);
    assert_true(failed > 50);
    spread_data_free(&faults.data);
    tenant_goes(1, held);
}

/* In a process of its own: a GPU is lost. 0: said so; 1: nothing was lost, and the result is right;
 * else wrong. */
static int child(const void *none, uint64_t at)
{
    (void)none;
    char what[32];
    struct spread_trial trial = trial_of(SPREAD_PAIRS, false);
    struct spread_data data = spread_data_of(&trial);
    struct spread_parts parts;
    spread_parts_make(&parts, &trial, &data);
    snprintf(what, sizeof what, "lost:%d", LOST);
    bool planned;
    consort_status status = use(&trial, &parts, what, at, &planned);
    char message[512];
    snprintf(message, sizeof message, "%s", consort_last_error()->message);
    const struct device *device = device_open(LOST);
    bool lost =
        device_enter(device) != CONSORT_OK || driver_get()->cuCtxSynchronize() != CUDA_SUCCESS;
    if (!lost && status == CONSORT_OK)
        return 1;
    if (status == CONSORT_OK)
        return 0; /* lost afterwards */
    bool said = strstr(message, "GPU 1") != NULL &&
                (planned ? status == CONSORT_ERROR_DEVICE_LOST : emulator_caused(status));
    if (!said)
        fprintf(stderr, "%s:%llu: %s\n", what, (unsigned long long)at, message);
    return said ? 0 : 4;
}

static int32_t lose_two(void *none, uint64_t done, uint64_t total)
{
    (void)none;
    (void)done;
    (void)total;
    emulator_fail_all("lost:1:1,lost:2:1");
    return 0;
}

/* Midway, at once: both are named. */
static void lose_two_of_three(void)
{
    struct spread_trial trial = trial_of(SPREAD_PAIRS, false);
    struct spread_data data = spread_data_of(&trial);
    struct spread_parts parts;
    consort_arguments with;
    consort_arguments_init(&with);
    with.progress = lose_two;
    spread_parts_make(&parts, &trial, &data);
    assert_int_equal(consort_context_create(NULL, &trial.context), CONSORT_OK);
    consort_plan *plan = spread_trial_plan(&trial);
    assert_non_null(plan);
    consort_status status = spread_trial_run(&trial, plan, &parts, &with);
    assert_int_equal(status, CONSORT_ERROR_DEVICE_LOST);
    assert_non_null(strstr(consort_last_error()->message,
                           "GPUs 1 and 2 are lost, and what was in their memory: GPU 1 ("));
    assert_int_equal(consort_last_error()->input_whole, 0);
}

int main(int count, char **words)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_call_fails_once),
        cmocka_unit_test(test_every_call_of_a_sampled_run_fails_once),
        cmocka_unit_test(test_every_call_with_little_memory_fails_once),
    };
    if (!emulator_find()) {
        print_message("skipped: not the emulator\n");
        return 77;
    }
    if (count > 1)
        algorithm = words[2];
    if (count > 1 && strcmp(words[1], "lost") == 0) { /* before anything opens the driver */
        emulator_lose_at_each_call(child, NULL);
        lose_two_of_three();
        return 0;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
