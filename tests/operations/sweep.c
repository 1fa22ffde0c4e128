/* SPDX-License-Identifier: Apache-2.0 */
/* Sweeps: all the cases of one operation that a tier of tests asks for. */
#include "operations/sweep.h"

#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "operations/attempt.h"
#include "operations/covering.h"
#include "operations/datasets.h"
#include "support/random.h"

enum {
    SWEEP_ALGORITHMS = 64,
    SWEEP_FAILURES = 10,
    /* Under ThreadSanitizer a case takes half a second; the first rows hold the most new pairs. */
    SWEEP_PARALLEL_CASES = 100,
    SWEEP_SEED = 20260101
};

struct sweep_state {
    enum sweep_kind kind;
    int32_t operation;
    uint64_t seed;
    uint64_t passed, refused, failed;
    const char *names[SWEEP_ALGORITHMS];
    uint64_t runs[SWEEP_ALGORITHMS];
};

static const char *const sweep_kinds[] = {"product", "pairwise", "full", "parallel", "middle"};

/* What a crash prints: kept ready, because a signal handler may not format. */
static char sweep_now[640];

static void sweep_crash(int number)
{
    ssize_t ignored = write(STDERR_FILENO, sweep_now, strlen(sweep_now));
    (void)ignored;
    signal(number, SIG_DFL);
    raise(number);
}

/* Sanitizers call this before they end the process. */
void __sanitizer_set_death_callback(void (*callback)(void)) __attribute__((weak));

static void sweep_death(void)
{
    fprintf(stderr, "%s", sweep_now);
}

static void sweep_watch_crashes(void)
{
    if (__sanitizer_set_death_callback) {
        __sanitizer_set_death_callback(sweep_death);
        return;
    }
    signal(SIGSEGV, sweep_crash);
    signal(SIGBUS, sweep_crash);
    signal(SIGABRT, sweep_crash);
    signal(SIGFPE, sweep_crash);
}

static uint64_t sweep_number(const char *name, uint64_t standard)
{
    const char *text = getenv(name);
    return text && *text ? strtoull(text, NULL, 0) : standard;
}

static void sweep_count(struct sweep_state *state, const char *algorithm)
{
    for (int i = 0; algorithm && i < SWEEP_ALGORITHMS; i++) {
        if (!state->names[i])
            state->names[i] = algorithm;
        if (strcmp(state->names[i], algorithm) == 0) {
            state->runs[i]++;
            return;
        }
    }
}

static void sweep_run(struct sweep_state *state, const struct test_case *test, uint64_t number)
{
    struct attempt_report report;
    char what[400];
    factors_describe(test, what, sizeof what);
    snprintf(sweep_now, sizeof sweep_now,
             "case: %s\nagain: CONSORT_TEST_SEED=%" PRIu64 " CONSORT_TEST_CASE=%" PRIu64
             " test_operations %s %s\n",
             what, state->seed, number, sweep_kinds[state->kind],
             consort_operation_name(state->operation));
    enum attempt_result result = attempt(test, NULL, &report);
    state->passed += result == ATTEMPT_PASSED;
    state->refused += result == ATTEMPT_REFUSED;
    state->failed += result == ATTEMPT_FAILED;
    if (result == ATTEMPT_PASSED)
        sweep_count(state, report.algorithm);
    if (result == ATTEMPT_FAILED && state->failed <= SWEEP_FAILURES)
        fprintf(stderr, "FAILED: %s\n%s", report.text, sweep_now);
}

/* The factors whose product is taken; the others are drawn from the case's seed. */
static bool sweep_is_product(const struct sweep_state *state, enum factor factor)
{
    switch (factor) {
    case FACTOR_KEY:
    case FACTOR_ORDER:
    case FACTOR_ENTRY:
    case FACTOR_LENGTH:
    case FACTOR_PLACE:
        return true;
    case FACTOR_DATASET:
    case FACTOR_THREADS:
    case FACTOR_WORKSPACE:
        return state->kind == SWEEP_FULL;
    default:
        return false;
    }
}

static uint32_t sweep_levels(const struct sweep_state *state, enum factor factor)
{
    if (factor != FACTOR_LENGTH)
        return factor_levels(factor);
    return state->kind == SWEEP_MIDDLE ? 1 : FACTOR_SMALL_LENGTHS;
}

/* Lists just too long for what algorithms do with short ones, half of them without values. */
static void sweep_set_middle(struct test_case *test)
{
    test->level[FACTOR_LENGTH] = FACTOR_MIDDLE_LENGTH;
    if (test->seed % 4 < 2)
        test->level[FACTOR_VALUES] = 0;
}

static uint64_t sweep_product_size(const struct sweep_state *state)
{
    uint64_t size = 1;
    for (enum factor f = 0; f < FACTOR_COUNT; f++)
        if (sweep_is_product(state, f))
            size *= sweep_levels(state, f);
    return size;
}

/* False if the case repeats another: an order or a factor that nothing looks at. */
static bool sweep_product_case(const struct sweep_state *state, uint64_t number,
                               struct test_case *test)
{
    uint64_t rest = number;
    *test = (struct test_case){.seed = random_mix(state->seed + number * 0x9e3779b97f4a7c15u)};
    uint64_t random = test->seed ^ 0xfac7;
    for (enum factor f = 0; f < FACTOR_COUNT; f++) {
        uint32_t levels = sweep_levels(state, f);
        test->level[f] =
            (uint32_t)(sweep_is_product(state, f) ? rest % levels : random_below(&random, levels));
        if (sweep_is_product(state, f))
            rest /= levels;
    }
    if (state->kind == SWEEP_MIDDLE)
        sweep_set_middle(test);
    struct test_case plain = *test;
    factors_normalise(&plain);
    for (enum factor f = 0; f < FACTOR_COUNT; f++)
        if (sweep_is_product(state, f) && plain.level[f] != test->level[f])
            return false;
    *test = plain;
    return key_order_is_distinct(test->level[FACTOR_KEY], test->level[FACTOR_ORDER]);
}

static void sweep_product(struct sweep_state *state)
{
    uint64_t only = sweep_number("CONSORT_TEST_CASE", UINT64_MAX);
    uint64_t size = sweep_product_size(state) * sweep_number("CONSORT_TEST_ROUNDS", 1);
    struct test_case test;
    for (uint64_t number = 0; number < size && state->failed < SWEEP_FAILURES; number++)
        if ((only == UINT64_MAX || only == number) && sweep_product_case(state, number, &test))
            sweep_run(state, &test, number);
}

static void sweep_pairwise(struct sweep_state *state)
{
    uint64_t only = sweep_number("CONSORT_TEST_CASE", UINT64_MAX), number = 0;
    bool parallel = state->kind == SWEEP_PARALLEL;
    struct covering covering;
    struct test_case row = {0};
    covering_begin(&covering, state->seed);
    uint64_t most = parallel ? SWEEP_PARALLEL_CASES : sweep_number("CONSORT_TEST_MOST", UINT64_MAX);
    for (; state->failed < SWEEP_FAILURES && state->passed < most &&
           covering_next(&covering, attempt_is_possible, &row);
         number++)
        if ((only == UINT64_MAX || only == number) &&
            (!parallel || (row.level[FACTOR_THREADS] > 0 && factor_length(&row) > 4000)))
            sweep_run(state, &row, number);
    printf("%s: %u pairs in %" PRIu64 " rows, %u pairs impossible\n",
           consort_operation_name(state->operation), covering.pairs, number, covering.given_up);
    covering_end(&covering);
}

/* An algorithm that refuses everything would pass unseen. */
static bool sweep_all_ran(const struct sweep_state *state)
{
    bool all = true;
    for (uint32_t e = 0; e < factor_levels(FACTOR_ENTRY); e++) {
        const char *name = entry_at(e)->algorithm;
        bool ran = !name;
        for (int i = 0; name && i < SWEEP_ALGORITHMS && state->names[i]; i++)
            ran = ran || strcmp(state->names[i], name) == 0;
        if (!ran)
            fprintf(stderr, "FAILED: %s by %s never ran\n",
                    consort_operation_name(state->operation), name);
        all = all && ran;
    }
    return all;
}

bool sweep(enum sweep_kind kind, int32_t operation)
{
    struct sweep_state state = {.kind = kind,
                                .operation = operation,
                                .seed = sweep_number("CONSORT_TEST_SEED", SWEEP_SEED)};
    factors_select(operation);
    sweep_watch_crashes();
    if (kind != SWEEP_PAIRWISE && kind != SWEEP_PARALLEL)
        sweep_product(&state);
    else
        sweep_pairwise(&state);
    printf("%s %s, seed %" PRIu64 ": %" PRIu64 " passed, %" PRIu64 " refused, %" PRIu64 " failed;",
           sweep_kinds[kind], consort_operation_name(operation), state.seed, state.passed,
           state.refused, state.failed);
    for (int i = 0; i < SWEEP_ALGORITHMS && state.names[i]; i++)
        printf(" %s %" PRIu64, state.names[i], state.runs[i]);
    printf("\n");
    bool whole = kind != SWEEP_PARALLEL && !getenv("CONSORT_TEST_CASE");
    return state.failed == 0 && (!whole || sweep_all_ran(&state));
}

void sweep_finish(void)
{
    attempt_finish();
}
