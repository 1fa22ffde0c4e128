/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sorts over several GPUs that meet trouble at random: driver calls of any kind that fail, kernels
 * that do, GPUs that are lost, host memory that runs out, a caller who cancels, and several of them
 * in one run. What comes out is the right result or an error that says what happened, with arrays
 * that are as it says; progress never falls, and nothing leaks. Emulator only.
 *
 * CONSORT_TEST_SEED sets the seed, CONSORT_TEST_TRIALS how many trials there are, CONSORT_TEST_CASE
 * runs one alone.
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

#include "api/wrapped.h"
#include "cuda/driver/device.h"
#include "emulator_faults.h"
#include "multi_trial.h"
#include "spread_trial.h"
#include "support/random.h"
#include "trial_share.h"

enum {
    TRIALS = 160,
    MOST_CALLS = 400,       /* of a run, about */
    MOST_ALLOCATIONS = 100, /* the same */
    MOST_REPORTS = 12,      /* the same */
    ALLOCATING = 8,         /* sorts all of whose allocations fail, */
    STRINGS = 4,            /* and so many of strings */
    SECONDS = 60            /* that a trial may take, whatever the machine */
};

/* What goes wrong in a trial. */
struct trouble {
    char failures[128];             /* for the emulator; "": none */
    bool sick;                      /* a GPU is no use afterwards */
    int32_t lost;                   /* the only one that fails; -1: not so */
    uint64_t allocation, allocated; /* the one that fails, or 0: none; how many there were */
    bool once;                      /* only that one */
    uint64_t stop_at;               /* the report that cancels; 0: none */
    struct progress_watch watch;
};

static uint64_t below(uint64_t *random, uint64_t bound)
{
    return random_below(random, bound);
}

/* As often early as late. */
static uint64_t some_call(uint64_t *random)
{
    return 1 + below(random, 1 + below(random, MOST_CALLS));
}

static void draw_failure(struct trouble *trouble, uint64_t *random)
{
    static const char *const kinds[] = {"any", "any", "copy", "sync", "launch", "alloc", "other"};
    char one[40];
    uint64_t kind = below(random, 12), at = some_call(random);
    int32_t device = (int32_t)below(random, (uint64_t)device_count());
    bool alone = trouble->failures[0] == 0;
    if (kind < 7) {
        snprintf(one, sizeof one, "%s:%llu", kinds[kind], (unsigned long long)at);
    } else if (kind == 7) {
        snprintf(one, sizeof one, "kernel:%llu", (unsigned long long)(1 + at / 4));
    } else {
        snprintf(one, sizeof one, "lost:%d:%llu", device, (unsigned long long)at);
    }
    trouble->sick |= kind >= 7;
    trouble->lost = kind > 7 && alone ? device : -1;
    snprintf(trouble->failures + strlen(trouble->failures),
             sizeof trouble->failures - strlen(trouble->failures), "%s%s", alone ? "" : ",", one);
}

static struct trouble draw_trouble(uint64_t *random)
{
    struct trouble trouble = {.lost = -1};
    for (uint64_t left = below(random, 4); left > 0; left--)
        draw_failure(&trouble, random);
    if (below(random, 4) == 0)
        trouble.allocation = 1 + below(random, MOST_ALLOCATIONS);
    trouble.once = below(random, 2);
    if (below(random, 4) == 0)
        trouble.stop_at = 1 + below(random, MOST_REPORTS);
    return trouble;
}

static consort_context *draw_context(uint64_t *random)
{
    consort_context_options options;
    consort_context *context;
    consort_context_options_init(&options);
    options.threads = 1 + (uint32_t)below(random, 4);
    assert_int_equal(consort_context_create(&options, &context), CONSORT_OK);
    return context;
}

static void trouble_begin(struct trouble *trouble, consort_arguments *with)
{
    consort_arguments_init(with);
    progress_watch_begin(&trouble->watch, with, trouble->stop_at);
    emulator_fail_all(trouble->failures);
    wrapped_fail_allocation(trouble->allocation, trouble->once);
}

static void trouble_end(struct trouble *trouble)
{
    trouble->allocated = wrapped_allocations();
    wrapped_fail_allocation(0, 0);
    emulator_fail(NULL, 0);
}

/* Is this what such trouble may lead to, and does the error say what there is to say? */
static void check_status(const struct trouble *trouble, consort_status status, const char *what)
{
    const struct progress_watch *watch = &trouble->watch;
    const char *message = consort_last_error()->message;
    bool cancelled = trouble->stop_at > 0 && watch->calls >= trouble->stop_at;
    if (cancelled && (status == CONSORT_OK || watch->calls > trouble->stop_at))
        fail_msg("%s: it went on when it was cancelled", what);
    if (status == CONSORT_OK) {
        assert_int_equal(watch->last, watch->total);
        return;
    }
    bool due = status == CONSORT_ERROR_CANCELLED ? cancelled
               : status == CONSORT_ERROR_MEMORY  ? trouble->allocation > 0
                                                 : emulator_caused(status) && trouble->failures[0];
    if (!due)
        fail_msg("%s: %s: %s", what, consort_status_name(status), message);
    if (emulator_caused(status) && !emulator_blames_some())
        fail_msg("%s: no GPU is named: %s", what, message);
    if (emulator_caused(status) && trouble->lost >= 0 && !emulator_blames(trouble->lost))
        fail_msg("%s: GPU %d is not named: %s", what, trouble->lost, message);
}

static void try_host_arrays(struct trouble *trouble, uint64_t *random)
{
    static const char *const algorithms[] = {NULL, "exchange-host"};
    struct multi_trial trial =
        multi_trial_of((enum multi_kind)below(random, MULTI_KINDS), 50 + below(random, 400));
    consort_arguments with;
    trial.type = CONSORT_U16;
    trial.algorithm = algorithms[below(random, 2)];
    trial.auto_chosen = below(random, 4) == 0;
    trial.in_place = below(random, 2);
    trial.from = below(random, 2) ? PLACE_PINNED : PLACE_PAGEABLE;
    trial.to = below(random, 2) ? PLACE_PINNED : PLACE_PAGEABLE;
    struct multi_arrays arrays = multi_arrays_of(&trial);
    struct multi_copies copies = multi_copies_of(&trial, &arrays);
    trial.context = draw_context(random);
    trouble_begin(trouble, &with);
    consort_plan *plan = multi_trial_plan(&trial);
    consort_status status =
        plan ? multi_copies_sort(&trial, plan, &copies, NULL, &with) : consort_last_error()->status;
    consort_plan_destroy(plan);
    consort_context_destroy(trial.context);
    trouble_end(trouble);
    check_status(trouble, status, multi_trial_name(&trial));
    bool whole = status != CONSORT_OK && consort_last_error()->input_whole;
    if (status != CONSORT_OK && !whole)
        assert_non_null(strstr(consort_last_error()->message, "partly written over"));
    multi_copies_check(&trial, &arrays, &copies, status == CONSORT_OK, whole);
    if (status == CONSORT_ERROR_MEMORY)
        multi_copies_check_untouched(&trial, &arrays, &copies);
    multi_copies_free(&trial, &arrays, &copies);
    multi_arrays_free(&arrays);
}

static void check_unset(int32_t ordinal, const void *array, uint64_t bytes)
{
    const struct device *device = device_open(ordinal);
    unsigned char *read = malloc(bytes + 1);
    assert_true(device && read && device_enter(device) == CONSORT_OK);
    assert_int_equal(driver_get()->cuMemcpyDtoH(read, (CUdeviceptr)(uintptr_t)array, bytes),
                     CUDA_SUCCESS);
    for (uint64_t i = 0; i < bytes; i++)
        assert_int_equal(read[i], SPREAD_UNSET);
    device_leave(device);
    free(read);
}

static void check_outputs_unset(const struct spread_trial *trial, const struct spread_data *data,
                                const struct spread_parts *all)
{
    for (uint32_t p = 0; p < trial->parts; p++) {
        const consort_part *part = &all->parts[p];
        const void *result = trial->kind == SPREAD_ARGSORT ? part->indices : part->out;
        if (part->count > 0 && result != part->in)
            check_unset(part->device, result, part->count * data->result_bytes);
        for (uint32_t c = 0; c < data->columns && part->count > 0; c++)
            if (all->columns[p][c].in != all->columns[p][c].out)
                check_unset(part->device, all->columns[p][c].out,
                            part->count * all->columns[p][c].element_bytes);
    }
}

/* Whose first window leaves a disorder, so that all are sorted. */
static struct spread_trial of_strings(struct spread_trial trial)
{
    trial.algorithm = "exchange-records";
    trial.type = consort_type_bytes(20);
    trial.letters = 3;
    trial.alike = 16;
    return trial;
}

static struct spread_trial draw_spread(uint64_t *random)
{
    struct spread_trial trial = {.kind = (enum spread_kind)below(random, SPREAD_KINDS),
                                 .type = CONSORT_U16,
                                 .distribution = distribution_find("few-unique"),
                                 .parts = 3,
                                 .seed = random_next(random),
                                 .ranges = 1 + (int64_t)below(random, 2),
                                 .stored = (int64_t)below(random, 2),
                                 .in_place = below(random, 2)};
    for (uint32_t p = 0; p < trial.parts; p++)
        trial.counts[p] = below(random, 200);
    return below(random, 2) ? of_strings(trial) : trial;
}

/* Of GPUs that are sick nobody can read what they hold. */
static void try_spread_trial(struct trouble *trouble, struct spread_trial trial, uint64_t *random)
{
    struct spread_data data = spread_data_of(&trial);
    struct spread_parts parts;
    consort_arguments with;
    spread_parts_make(&parts, &trial, &data);
    trial.context = draw_context(random);
    trouble_begin(trouble, &with);
    consort_plan *plan = spread_trial_plan(&trial);
    consort_status status =
        plan ? spread_trial_run(&trial, plan, &parts, &with) : consort_last_error()->status;
    consort_plan_destroy(plan);
    consort_context_destroy(trial.context);
    trouble_end(trouble);
    check_status(trouble, status, spread_trial_name(&trial));
    if (!trouble->sick) {
        bool apart = !trial.in_place || trial.kind == SPREAD_ARGSORT;
        bool whole = apart || (status != CONSORT_OK && consort_last_error()->input_whole);
        spread_trial_check(&trial, &data, &parts, status == CONSORT_OK, whole);
        if (status == CONSORT_ERROR_MEMORY)
            assert_true(consort_last_error()->input_whole);
        if (status == CONSORT_ERROR_MEMORY)
            check_outputs_unset(&trial, &data, &parts);
        spread_parts_free(&parts, &trial);
    }
    spread_data_free(&data);
}

static void try_spread_list(struct trouble *trouble, uint64_t *random)
{
    try_spread_trial(trouble, draw_spread(random), random);
}

/* In a process of its own, because a GPU that is lost stays so. */
static void child(uint64_t seed, uint64_t number, bool alone)
{
    uint64_t random = random_mix(seed) + number;
    alarm(SECONDS);
    random = random_next(&random);
    struct trouble trouble = draw_trouble(&random);
    if (alone)
        print_message("fail %s, allocation %llu%s, cancel at %llu\n", trouble.failures,
                      (unsigned long long)trouble.allocation, trouble.once ? " alone" : "",
                      (unsigned long long)trouble.stop_at);
    if (below(&random, 5) < 3)
        try_host_arrays(&trouble, &random);
    else
        try_spread_list(&trouble, &random);
    if (trouble.sick) /* and keeps what was on it: nobody looks for leaks */
        _exit(0);
    exit(0);
}

/* Each allocation of some sorts, alone and with all after it. */
static void test_every_allocation(void **state)
{
    (void)state;
    void (*const uses[])(struct trouble *, uint64_t *) = {try_host_arrays, try_spread_list};
    uint64_t most = 0;
    for (uint64_t i = 0; i < ALLOCATING; i++) {
        struct trouble trouble = {.lost = -1, .once = i / 2 % 2};
        if (!trial_share_takes_next())
            continue;
        do {
            uint64_t random = i / 4;
            trouble.allocation++;
            uses[i % 2](&trouble, &random);
        } while (trouble.allocated >= trouble.allocation);
        most = trouble.allocated > most ? trouble.allocated : most;
    }
    print_message("%llu allocations at most\n", (unsigned long long)most);
    assert_true(most > 20);
}

/* All windows of strings have their memory before anything is written, in place or not. */
static void test_every_allocation_of_strings(void **state)
{
    (void)state;
    for (uint64_t i = 0; i < STRINGS; i++) {
        struct spread_trial trial = {.kind = i % 2 ? SPREAD_ARGSORT : SPREAD_PAIRS,
                                     .distribution = distribution_find("few-unique"),
                                     .parts = 3,
                                     .counts = {20, 21, 22},
                                     .seed = 7,
                                     .ranges = 1,
                                     .in_place = i % 2 == 0};
        struct trouble trouble = {.lost = -1, .once = i / 2 % 2};
        if (!trial_share_takes_next())
            continue;
        do {
            uint64_t random = 0;
            trouble.allocation++;
            try_spread_trial(&trouble, of_strings(trial), &random);
        } while (trouble.allocated >= trouble.allocation);
        assert_true(trouble.allocation > 20);
    }
}

static uint64_t number_of(const char *name, uint64_t usual)
{
    const char *text = getenv(name);
    return text ? strtoull(text, NULL, 10) : usual;
}

static void test_random_trouble(void **state)
{
    (void)state;
    uint64_t seed = number_of("CONSORT_TEST_SEED", 1), only = number_of("CONSORT_TEST_CASE", 0);
    uint64_t trials = number_of("CONSORT_TEST_TRIALS", TRIALS);
    print_message("seed %llu\n", (unsigned long long)seed);
    for (uint64_t number = 1; number <= trials; number++) {
        int result;
        if ((only > 0 && number != only) || !trial_share_takes_next())
            continue;
        fflush(stdout);
        pid_t process = fork();
        assert_true(process >= 0);
        if (process == 0)
            child(seed, number, only > 0);
        assert_int_equal(waitpid(process, &result, 0), process);
        if (result != 0)
            fail_msg("status %d; again: CONSORT_TEST_SEED=%llu CONSORT_TEST_CASE=%llu", result,
                     (unsigned long long)seed, (unsigned long long)number);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_trouble), /* before anything opens the driver */
        cmocka_unit_test(test_every_allocation),
        cmocka_unit_test(test_every_allocation_of_strings),
    };
    if (!emulator_find()) {
        print_message("skipped: not the emulator\n");
        return 77;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
