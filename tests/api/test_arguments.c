/* SPDX-License-Identifier: Apache-2.0 */
/* Arguments that cannot be: a run refuses them before it writes anything. */
#include "api/api_test.h"

#include <stdalign.h>
#include <stdbool.h>
#include <stdlib.h>

enum {
    COUNT = 64
};

/* Plenty of room for places that overlap and are out of line. */
static alignas(64) unsigned char room[16384];
static unsigned char room_before[sizeof room];

static void room_reset(void)
{
    for (size_t i = 0; i < sizeof room; i++)
        room[i] = (unsigned char)(i * 37 + i / 251);
    memcpy(room_before, room, sizeof room);
}

static int room_setup(void **state)
{
    (void)state;
    room_reset();
    return 0;
}

/* Whatever was refused, nothing was written. */
static int room_untouched(void **state)
{
    (void)state;
    return memcmp(room, room_before, sizeof room) == 0 ? 0 : -1;
}

struct run {
    consort_plan *plan;
    consort_descriptor descriptor;
    consort_options options;
    consort_arguments arguments;
    consort_column columns[2];
    consort_outcome outcome;
    void *workspace;
    uint64_t workspace_bytes;
};

static uint64_t const value_bytes[2] = {4, 4};

static struct run run_of(int32_t operation)
{
    struct run run = {
        .columns = {{room + 4096, room + 6144, NULL, 4}, {room + 8192, room + 10240, NULL, 4}}};
    bool values = operation == CONSORT_OPERATION_SORT || operation == CONSORT_OPERATION_MERGE ||
                  operation == CONSORT_OPERATION_SEGMENTED_SORT;
    consort_options_init(&run.options);
    consort_descriptor_init(&run.descriptor);
    consort_arguments_init(&run.arguments);
    run.descriptor.operation = operation;
    run.descriptor.type = CONSORT_U32;
    run.descriptor.maximum_count = COUNT;
    run.descriptor.index_type = run.descriptor.offset_type = CONSORT_U32;
    run.descriptor.maximum_segments = 4;
    run.descriptor.maximum_k = 8;
    run.descriptor.maximum_rows = 4;
    run.descriptor.value_bytes = value_bytes;
    run.descriptor.value_count = values ? 2 : 0;
    run.arguments.count = COUNT;
    run.arguments.in = room;
    if (operation != CONSORT_OPERATION_ARGSORT && operation != CONSORT_OPERATION_IS_SORTED)
        run.arguments.out = room + 2048;
    if (operation == CONSORT_OPERATION_ARGSORT || operation == CONSORT_OPERATION_TOP_K)
        run.arguments.indices = room + 12288;
    run.arguments.k = operation == CONSORT_OPERATION_TOP_K ? 8 : 0;
    return run;
}

static consort_status run_now(struct run *run)
{
    if (run->descriptor.value_count > 0 && !run->arguments.values)
        run->arguments.values = run->columns;
    if (run->arguments.values == (void *)1)
        run->arguments.values = NULL;
    run->descriptor.options = &run->options;
    assert_works(consort_plan_create(&run->descriptor, &run->plan));
    consort_status status =
        consort_plan_run(run->plan, &run->arguments, run->workspace, run->workspace_bytes, NULL);
    consort_plan_destroy(run->plan);
    return status;
}

#define REFUSED(expected, operation, change)                                                       \
    do {                                                                                           \
        struct run r = run_of(CONSORT_OPERATION_##operation);                                      \
        change;                                                                                    \
        assert_fails(CONSORT_ERROR_##expected, run_now(&r));                                       \
        assert_memory_equal(room, room_before, sizeof room);                                       \
    } while (0)

static void test_null_arrays(void **state)
{
    (void)state;
    REFUSED(ARGUMENT, SORT, r.arguments.in = NULL);
    REFUSED(ARGUMENT, SORT, r.arguments.out = NULL);
    REFUSED(ARGUMENT, SORT, r.columns[1].in = NULL);
    assert_message_has("column 1");
    REFUSED(ARGUMENT, SORT, r.columns[0].out = NULL);
    REFUSED(ARGUMENT, SORT, r.arguments.values = (void *)1);
    REFUSED(ARGUMENT, ARGSORT, r.arguments.indices = NULL);
    REFUSED(ARGUMENT, ARGSORT, r.arguments.in = NULL);
    REFUSED(ARGUMENT, TOP_K, (r.arguments.out = NULL, r.arguments.indices = NULL));
    REFUSED(ARGUMENT, IS_SORTED, r.arguments.in = NULL);
    REFUSED(ARGUMENT, IS_SORTED, (void)0); /* no outcome */
    REFUSED(ARGUMENT, SORT, r.descriptor.form = CONSORT_FORM_DOUBLE_BUFFER);
}

static void test_counts(void **state)
{
    (void)state;
    uint64_t device_count = 3;
    REFUSED(ARGUMENT, SORT, r.arguments.count = COUNT + 1);
    REFUSED(ARGUMENT, SORT, r.arguments.count = UINT64_MAX);
    REFUSED(ARGUMENT, SORT, r.arguments.count_b = 1);
    REFUSED(ARGUMENT, SORT, r.arguments.device_count = &device_count);
    REFUSED(ARGUMENT, SORT, r.columns[0].element_bytes = 8);
    REFUSED(ARGUMENT, SORT, r.columns[1].element_bytes = 0);
    REFUSED(ARGUMENT, TOP_K, r.arguments.k = 9);
    REFUSED(ARGUMENT, TOP_K, r.arguments.rows = 0);
    REFUSED(ARGUMENT, TOP_K, r.arguments.rows = 5);
    REFUSED(ARGUMENT, TOP_K, r.arguments.rows = 3);
    REFUSED(ARGUMENT, TOP_K, r.descriptor.index_type = 0);
    REFUSED(ARGUMENT, SEGMENTED_SORT, r.arguments.segment_count = 5);
    REFUSED(ARGUMENT, SEGMENTED_SORT, r.arguments.segment_count = 4);
}

static void test_merge_counts(void **state)
{
    (void)state;
    REFUSED(ARGUMENT, MERGE, (r.arguments.in_b = room + 1024, r.arguments.count_b = 1));
    REFUSED(ARGUMENT, MERGE, (r.arguments.in_b = room + 1024, r.arguments.count_b = UINT64_MAX));
    REFUSED(ARGUMENT, MERGE, (r.arguments.count = 32, r.arguments.count_b = 32));
    REFUSED(ARGUMENT, MERGE,
            (r.arguments.count = 32, r.arguments.count_b = 32, r.arguments.in_b = room + 1024));
}

static void test_alignment(void **state)
{
    (void)state;
    static const uint32_t offsets[] = {0, 64};
    REFUSED(ALIGNMENT, SORT, r.arguments.in = room + 1);
    REFUSED(ALIGNMENT, SORT, r.arguments.in = room + 2);
    REFUSED(ALIGNMENT, SORT, r.arguments.out = room + 2049);
    REFUSED(ALIGNMENT, ARGSORT, r.arguments.indices = room + 12290);
    REFUSED(ALIGNMENT, ARGSORT,
            (r.descriptor.index_type = CONSORT_U64, r.arguments.indices = room + 12292));
    REFUSED(ALIGNMENT, SEGMENTED_SORT,
            (r.arguments.offsets = (const char *)offsets + 1, r.arguments.segment_count = 1));
    REFUSED(ALIGNMENT, SORT,
            (r.descriptor.type = CONSORT_U128, r.descriptor.value_count = 0,
             r.arguments.in = room + 8));
    REFUSED(ALIGNMENT, SORT,
            (r.workspace = room + 14336 + 8, r.workspace_bytes = 1024,
             r.options.workspace_limit = 1024));
}

static void test_overlap_of_keys(void **state)
{
    (void)state;
    REFUSED(OVERLAP, SORT, r.arguments.out = room + 4);
    REFUSED(OVERLAP, SORT, r.arguments.out = room + 4 * COUNT - 4);
    REFUSED(OVERLAP, SORT, (r.arguments.in = room + 4, r.arguments.out = room));
    REFUSED(OVERLAP, ARGSORT, r.arguments.indices = room);
    REFUSED(OVERLAP, ARGSORT, r.arguments.indices = room + 128);
    REFUSED(OVERLAP, TOP_K, r.arguments.out = room);
    REFUSED(OVERLAP, TOP_K, r.arguments.out = room + 64);
    REFUSED(OVERLAP, TOP_K, r.arguments.indices = room + 64);
    REFUSED(OVERLAP, TOP_K, r.arguments.indices = room + 2048 + 16);
}

static void test_overlap_of_values(void **state)
{
    (void)state;
    REFUSED(OVERLAP, SORT, r.columns[0].out = room + 4096 + 4);
    REFUSED(OVERLAP, SORT, r.columns[0].out = room + 8192);
    REFUSED(OVERLAP, SORT, r.columns[1].out = room + 6144 + 1);
    REFUSED(OVERLAP, SORT, r.columns[0].out = room + 8);
    REFUSED(OVERLAP, SORT, r.arguments.out = room + 4096);
    REFUSED(OVERLAP, SORT, r.columns[0].out = room + 2048 + 7);
    REFUSED(OVERLAP, SORT, (r.columns[0].in = room + 8192, r.columns[1].out = room + 8192));
    REFUSED(OVERLAP, SORT, (r.columns[0].in = room, r.columns[0].out = room));
    REFUSED(OVERLAP, SORT,
            (r.descriptor.form = CONSORT_FORM_DOUBLE_BUFFER, r.arguments.outcome = &r.outcome,
             r.arguments.out = room));
    REFUSED(OVERLAP, SORT,
            (r.descriptor.form = CONSORT_FORM_DOUBLE_BUFFER, r.arguments.outcome = &r.outcome,
             r.columns[0].out = room + 4096));
    REFUSED(OVERLAP, SORT,
            (r.descriptor.form = CONSORT_FORM_DOUBLE_BUFFER, r.arguments.outcome = &r.outcome,
             r.columns[1].in = room + 4096));
    REFUSED(OVERLAP, SORT, (r.descriptor.form = CONSORT_FORM_APART, r.arguments.out = room));
    REFUSED(OVERLAP, SORT,
            (r.descriptor.form = CONSORT_FORM_APART, r.columns[0].out = room + 4096));
    REFUSED(OVERLAP, MERGE,
            (r.arguments.count = 0, r.arguments.in_b = room + 2048, r.arguments.count_b = 4,
             r.columns[0].in_b = room + 4096, r.columns[1].in_b = room + 8192));
    REFUSED(OVERLAP, MERGE, r.arguments.out = room);
    REFUSED(OVERLAP, MERGE, r.columns[1].out = room + 8192);
}

static void test_wrapping_addresses(void **state)
{
    (void)state;
    void *last = (void *)(UINTPTR_MAX - 3);
    REFUSED(ARGUMENT, SORT, r.arguments.in = last);
    REFUSED(ARGUMENT, SORT, r.arguments.out = last);
    REFUSED(ARGUMENT, ARGSORT, r.arguments.indices = last);
}

static void test_offsets(void **state)
{
    (void)state;
    static const uint32_t decreasing[] = {0, 10, 9, 20}, past[] = {0, 10, 20, COUNT + 1},
                          far[] = {0, 10, UINT32_MAX, UINT32_MAX};
    consort_outcome outcome;
    REFUSED(OFFSETS, SEGMENTED_SORT,
            (r.arguments.offsets = decreasing, r.arguments.segment_count = 3,
             r.arguments.outcome = &outcome));
    assert_int_equal(outcome.status, CONSORT_ERROR_OFFSETS);
    assert_int_equal(outcome.position, 1);
    REFUSED(OFFSETS, SEGMENTED_SORT,
            (r.arguments.offsets = past, r.arguments.segment_count = 3,
             r.arguments.outcome = &outcome));
    assert_int_equal(outcome.position, 2);
    REFUSED(OFFSETS, SEGMENTED_SORT, (r.arguments.offsets = far, r.arguments.segment_count = 3));
    assert_message_has("segment 1");
}

static void test_workspace(void **state)
{
    (void)state;
    enum {
        LIMIT = 1024
    };
    struct run first = run_of(CONSORT_OPERATION_SORT);
    first.options.workspace_limit = LIMIT;
    first.descriptor.options = &first.options;
    assert_works(consort_plan_create(&first.descriptor, &first.plan));
    uint64_t bytes = consort_plan_workspace(first.plan);
    consort_plan_destroy(first.plan);
    assert_true(bytes > 0 && bytes <= LIMIT);
    void *workspace = room + 14336;
    REFUSED(WORKSPACE, SORT,
            (r.options.workspace_limit = LIMIT, r.workspace = workspace,
             r.workspace_bytes = bytes - 1));
    REFUSED(WORKSPACE, SORT, (r.options.workspace_limit = LIMIT, r.workspace = workspace));
    REFUSED(ARGUMENT, SORT, (r.options.workspace_limit = LIMIT, r.workspace_bytes = bytes));
}

/* The workspace and the outcome are outputs, too. */
static void test_overlap_of_the_run(void **state)
{
    (void)state;
    const uint64_t bytes = 1024, limit = bytes;
#define WORKSPACE(place)                                                                           \
    (r.options.workspace_limit = limit, r.workspace_bytes = bytes, r.workspace = (place))
#define OUTCOME(place) r.arguments.outcome = (void *)(place)
    REFUSED(OVERLAP, SORT, WORKSPACE(room));
    assert_message_has("overlaps workspace");
    REFUSED(OVERLAP, SORT, WORKSPACE(room + 2048 + 192));
    REFUSED(OVERLAP, SORT, WORKSPACE(room + 4096 + 192));
    REFUSED(OVERLAP, SORT, WORKSPACE(room + 10240 - 64));
    REFUSED(OVERLAP, ARGSORT, WORKSPACE(room + 12288));
    REFUSED(OVERLAP, SORT, (WORKSPACE(room + 14336), OUTCOME(room + 14336)));
    REFUSED(OVERLAP, SORT, OUTCOME(room + 8));
    assert_message_has("overlaps outcome");
    REFUSED(OVERLAP, SORT, OUTCOME(room + 2048 - 120));
    REFUSED(OVERLAP, IS_SORTED, OUTCOME(room + 4 * COUNT - 8));
    REFUSED(ALIGNMENT, IS_SORTED, OUTCOME(room + 14336 + 4));
}

static void test_null_plan(void **state)
{
    (void)state;
    struct run r = run_of(CONSORT_OPERATION_SORT);
    assert_fails(CONSORT_ERROR_ARGUMENT, consort_plan_run(NULL, &r.arguments, NULL, 0, NULL));
    assert_works(consort_plan_create(&r.descriptor, &r.plan));
    assert_fails(CONSORT_ERROR_ARGUMENT, consort_plan_run(r.plan, NULL, NULL, 0, NULL));
    consort_plan_destroy(r.plan);
}

/* 0 items: every array may be NULL. */
static void test_nothing(void **state)
{
    (void)state;
    for (int32_t operation = CONSORT_OPERATION_SORT; operation <= CONSORT_OPERATION_IS_SORTED;
         operation++) {
        struct run r = run_of(operation);
        uint32_t values = r.descriptor.value_count;
        consort_arguments_init(&r.arguments);
        memset(r.columns, 0, sizeof r.columns);
        r.columns[0].element_bytes = r.columns[1].element_bytes = 4;
        r.arguments.outcome = &r.outcome;
        assert_works(run_now(&r));
        assert_int_equal(r.outcome.position, 0);
        r.arguments.segment_count = operation == CONSORT_OPERATION_SEGMENTED_SORT ? 4 : 0;
        assert_works(run_now(&r));
        r.arguments.segment_count = 0;
        r.arguments.values = values ? (void *)1 : NULL;
        assert_works(run_now(&r));
        r.descriptor.maximum_count = r.descriptor.maximum_segments = r.descriptor.maximum_k = 0;
        assert_works(run_now(&r));
    }
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, room_setup, room_untouched)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_null_arrays),        TEST(test_counts),          TEST(test_merge_counts),
        TEST(test_alignment),          TEST(test_overlap_of_keys), TEST(test_overlap_of_values),
        TEST(test_wrapping_addresses), TEST(test_offsets),         TEST(test_workspace),
        TEST(test_overlap_of_the_run), TEST(test_null_plan),       TEST(test_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
