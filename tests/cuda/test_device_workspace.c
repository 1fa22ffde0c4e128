/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How much workspace the planner's choices take on an H200 beside CUB's answers there for the same
 * arrays, input and output apart: no more, of segments no more pages of memory, as CUB has no
 * tables for long ones. CUB 3.0.1, for top-k 3.4.2, was asked on an H200 (2026-11); an argsort's
 * user also gives CUB a place for the keys and an index to begin with. Only plans are made, so that
 * the emulator, called an H200, has no less to say. And what a run in place takes more.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "consort.h"
#include "core/plan.h"
#include "cuda/driver/device.h"
#include "one_block.h"
#include "workspace_questions.h"

enum {
    PAGE = 2 << 20, /* bytes */
    H200_PROCESSORS = 132
};

static consort_status make(const struct asked *q, int32_t form, consort_plan **plan)
{
    consort_descriptor descriptor;
    consort_options options;
    consort_descriptor_init(&descriptor);
    consort_options_init(&options);
    options.engine = CONSORT_ENGINE_CUDA;
    descriptor.operation = q->operation;
    descriptor.type = q->type;
    descriptor.maximum_count = q->count;
    descriptor.memory = CONSORT_MEMORY_DEVICE;
    descriptor.form = form;
    descriptor.maximum_k = q->k;
    options.algorithm = q->algorithm;
    descriptor.options = &options;
    if (q->operation == CONSORT_OPERATION_ARGSORT) {
        descriptor.index_type = q->value_bytes == 4 ? CONSORT_U32 : CONSORT_U64;
    } else if (q->value_bytes > 0) {
        descriptor.value_bytes = &q->value_bytes;
        descriptor.value_count = 1;
    }
    if (q->segments > 0) {
        descriptor.offset_type = CONSORT_U32;
        descriptor.maximum_segments = q->segments;
    }
    return consort_plan_create(&descriptor, plan);
}

static uint64_t workspace_of(const struct asked *q, int32_t form)
{
    consort_plan *plan;
    assert_int_equal(make(q, form, &plan), CONSORT_OK);
    uint64_t bytes = consort_plan_workspace(plan);
    consort_plan_destroy(plan);
    return bytes;
}

static uint64_t pages_of(uint64_t bytes)
{
    return (bytes + PAGE - 1) / PAGE;
}

static int own_processors;

static int be_an_h200(void **state)
{
    (void)state;
    struct device *device = (struct device *)device_describe(0);
    own_processors = device->processors;
    device->processors = H200_PROCESSORS;
    return 0;
}

static int be_half_an_h200(void **state)
{
    const int failed = be_an_h200(state);
    ((struct device *)device_describe(0))->processors = H200_PROCESSORS / 2;
    return failed;
}

static int be_oneself(void **state)
{
    (void)state;
    ((struct device *)device_describe(0))->processors = own_processors;
    return 0;
}

static bool is_more(const struct asked *q, uint64_t ours, uint64_t cub)
{
    return q->segments > 0 ? pages_of(ours) > pages_of(cub) : ours > cub;
}

static void test_no_more_than_cub(void **state)
{
    (void)state;
    int more = 0;
    for (size_t i = 0; i < workspace_question_count; i++) {
        const struct asked *q = &workspace_questions[i];
        bool argsort = q->operation == CONSORT_OPERATION_ARGSORT;
        uint64_t arrays = argsort ? q->count * (consort_type_size(q->type) + q->value_bytes) : 0;
        uint64_t ours = workspace_of(q, CONSORT_FORM_APART), cub = q->cub + arrays;
        if (!is_more(q, ours, cub))
            continue;
        print_error("operation %d, type 0x%x, %llu bytes of value, %llu items in %llu segments: "
                    "%llu bytes, CUB %llu\n",
                    q->operation, (unsigned)q->type, (unsigned long long)q->value_bytes,
                    (unsigned long long)q->count, (unsigned long long)q->segments,
                    (unsigned long long)ours, (unsigned long long)cub);
        more++;
    }
    assert_int_equal(more, 0);
}

/* What CUB 3.0.1 says of any number of items: both arrays once more, 2048 bytes for each byte of a
 * key, 1024 for each tile of so many. */
static const struct {
    consort_type type;
    uint64_t value_bytes, tile;
} cub_tiles[] = {{CONSORT_U32, 0, 7296}, {CONSORT_F32, 0, 6912},  {CONSORT_U64, 0, 5760},
                 {CONSORT_F64, 0, 5760}, {CONSORT_U128, 0, 2688}, {CONSORT_U32, 4, 6528},
                 {CONSORT_U32, 8, 5376}, {CONSORT_U64, 4, 5760},  {CONSORT_U64, 8, 4608}};

enum {
    CUB_TILES = sizeof cub_tiles / sizeof cub_tiles[0],
    CUB_PORTION = 1 << 28, /* from which on it takes more */
    SHORTEST = 4400        /* one block sorts fewer, of which ours takes none */
};

static uint64_t in_lines(uint64_t bytes)
{
    return (bytes + 255) / 256 * 256;
}

static uint64_t cub_workspace(size_t of, uint64_t count)
{
    const uint64_t key = consort_type_size(cub_tiles[of].type), value = cub_tiles[of].value_bytes;
    const uint64_t tiles = (count + cub_tiles[of].tile - 1) / cub_tiles[of].tile;
    return in_lines(count * key) + in_lines(count * value) + 2048 * key + 511 + 1024 * tiles;
}

static struct asked list_of(size_t number, uint64_t count)
{
    return (struct asked){.operation = CONSORT_OPERATION_SORT,
                          .type = cub_tiles[number].type,
                          .value_bytes = cub_tiles[number].value_bytes,
                          .count = count};
}

/* As asked of some. */
static void test_rule_of_cub(void **state)
{
    (void)state;
    unsigned asked = 0;
    for (size_t i = 0; i < workspace_question_count; i++)
        for (size_t k = 0; k < CUB_TILES; k++) {
            const struct asked *q = &workspace_questions[i];
            if (q->count >= CUB_PORTION || q->operation != CONSORT_OPERATION_SORT || q->algorithm ||
                q->segments > 0 || q->type != cub_tiles[k].type ||
                q->value_bytes != cub_tiles[k].value_bytes)
                continue;
            assert_int_equal(cub_workspace(k, q->count), q->cub);
            asked++;
        }
    assert_true(asked >= 4 * CUB_TILES);
}

/* CUB's answers are a byte less than the lines of 256 bytes in which it counts. */
static void test_no_more_than_cub_of_any_number(void **state)
{
    (void)state;
    for (size_t k = 0; k < CUB_TILES; k++)
        for (uint64_t count = SHORTEST; count < 1 << 25; count += count / 1021 + 1) {
            const struct asked q = list_of(k, count);
            const uint64_t cub = cub_workspace(k, count);
            const uint64_t ours = workspace_of(&q, CONSORT_FORM_APART);
            if (in_lines(ours) > in_lines(cub))
                fail_msg("type 0x%x, %llu bytes of value, %llu items: %llu bytes, CUB %llu",
                         (unsigned)q.type, (unsigned long long)q.value_bytes,
                         (unsigned long long)count, (unsigned long long)ours,
                         (unsigned long long)cub);
        }
}

/* One pass over keys of one byte needs another array only in place. */
static void test_in_place_takes_more(void **state)
{
    (void)state;
    const struct asked q = PAIRS(CONSORT_U8, 4, 26, 0);
    assert_true(workspace_of(&q, CONSORT_FORM_COPY) ==
                workspace_of(&q, CONSORT_FORM_APART) + q.count * (1 + q.value_bytes));
}

/* What one block sorts in shared memory. */
static void test_short_lists_take_none(void **state)
{
    (void)state;
    static const struct asked lists[] = {
        KEYS(CONSORT_U8, 14, 0),           KEYS(CONSORT_F16, 13, 0),
        KEYS(CONSORT_U32, 12, 0),          KEYS(CONSORT_F32, 12, 0),
        KEYS(CONSORT_I64, 12, 0),          KEYS(CONSORT_U128, 12, 0),
        PAIRS(CONSORT_U32, 4, 12, 0),      PAIRS(CONSORT_I64, 8, 12, 0),
        PAIRS(CONSORT_U32, 16, 11, 0),     ARGSORT(CONSORT_U64, 4, 12, 0),
        ARGSORT(CONSORT_F32, 4, 12, 0),    MERGE_SORT(CONSORT_U32, 0, 13, 0),
        MERGE_SORT(CONSORT_U64, 0, 12, 0),
    };
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++)
        assert_int_equal(workspace_of(&lists[i], CONSORT_FORM_COPY), 0);
}

enum {
    TILE = 4096,      /* keys that a block holds */
    WIDE = 110 << 10, /* bytes of shared memory that two blocks with 8-byte keys need */
    HELD = 1 << 20    /* keys of a list, at most */
};

/* What blocks of one launch hold: two on each multiprocessor, if they find room. */
static uint64_t held_keys(consort_type type)
{
    const struct device *device = device_describe(0);
    const bool two = consort_type_size(type) < 8 || device->shared_optin >= WIDE;
    const uint64_t keys = (uint64_t)device->processors * (two ? 2 : 1) * TILE;
    return keys < HELD ? keys : HELD;
}

static const struct {
    const char *algorithm;
    consort_type type;
} held_lists[] = {{"msd", CONSORT_U32}, {"msd", CONSORT_F32}, {"msd", CONSORT_I64},
                  {"msd", CONSORT_F64}, {"lsd", CONSORT_U16}, {"lsd", CONSORT_BF16}};

enum {
    HELD_LISTS = sizeof held_lists / sizeof held_lists[0]
};

/* The same of pairs. */
static const struct asked held_pairs = {.operation = CONSORT_OPERATION_SORT,
                                        .type = CONSORT_U32,
                                        .value_bytes = 4,
                                        .algorithm = "fused"};

static struct asked held_list(size_t number, uint64_t count)
{
    return (struct asked){.operation = CONSORT_OPERATION_SORT,
                          .type = held_lists[number].type,
                          .count = count,
                          .algorithm = held_lists[number].algorithm};
}

/* Tables, of at most 192 KiB, whether in place or not; a second array as soon as blocks do not hold
 * the list, or where keys are so wide that levels may split them. */
static void test_held_lists_take_tables(void **state)
{
    (void)state;
    for (size_t i = 0; i < HELD_LISTS; i++) {
        const uint64_t most = held_keys(held_lists[i].type);
        const struct asked held = held_list(i, most), longer = held_list(i, most + 256);
        const uint64_t bytes = longer.count * consort_type_size(longer.type);
        assert_true(workspace_of(&held, CONSORT_FORM_COPY) <= 192 << 10);
        assert_true(workspace_of(&held, CONSORT_FORM_APART) <= 192 << 10);
        assert_true(workspace_of(&longer, CONSORT_FORM_COPY) >= bytes);
    }
    const struct asked wide = {.operation = CONSORT_OPERATION_SORT,
                               .type = CONSORT_U128,
                               .count = 8192,
                               .algorithm = "msd"};
    assert_true(workspace_of(&wide, CONSORT_FORM_COPY) >= wide.count * 16);
}

static consort_status make_with_one_block(const struct asked *q)
{
    consort_plan *plan;
    one_block_begin();
    const consort_status status = make(q, CONSORT_FORM_COPY, &plan);
    one_block_end();
    consort_plan_destroy(plan);
    return status;
}

/* As on a GPU that others use, too: what blocks were to hold they do not. */
static void test_fewer_blocks_than_believed(void **state)
{
    (void)state;
    const uint64_t count = ((uint64_t)device_describe(0)->processors + 1) * TILE;
    struct asked pairs = held_pairs;
    pairs.count = count;
    for (size_t i = 0; i < HELD_LISTS; i++) {
        const struct asked q = held_list(i, count);
        if (count <= held_keys(q.type))
            assert_int_equal(make_with_one_block(&q), CONSORT_ERROR_NO_KERNEL);
    }
    if (count <= held_keys(pairs.type))
        assert_int_equal(make_with_one_block(&pairs), CONSORT_ERROR_NO_KERNEL);
}

/* Two arrays and tables; counts of a tile take half of what its look-back words do. */
static void test_held_pairs_take_less(void **state)
{
    (void)state;
    const uint64_t most = held_keys(held_pairs.type), row = 1024;
    struct asked held = held_pairs, longer = held_pairs;
    held.count = most;
    longer.count = most + TILE;
    if (longer.count > HELD)
        return;
    const uint64_t of_held = workspace_of(&held, CONSORT_FORM_APART);
    const uint64_t of_longer = workspace_of(&longer, CONSORT_FORM_APART);
    assert_true(of_held >= held.count * 8 && of_longer >= longer.count * 8);
    assert_true(of_longer - longer.count * 8 >= of_held - held.count * 8 + most / TILE * row / 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_no_more_than_cub, be_an_h200, be_oneself),
        cmocka_unit_test(test_rule_of_cub),
        cmocka_unit_test_setup_teardown(test_no_more_than_cub_of_any_number, be_an_h200,
                                        be_oneself),
        cmocka_unit_test(test_short_lists_take_none),
        cmocka_unit_test(test_held_lists_take_tables),
        cmocka_unit_test(test_fewer_blocks_than_believed),
        cmocka_unit_test_setup_teardown(test_held_pairs_take_less, be_half_an_h200, be_oneself),
        cmocka_unit_test(test_in_place_takes_more),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
