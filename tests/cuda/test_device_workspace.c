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
#include "cuda/sorts/msd/msd.h"
#include "cuda/sorts/msd/msd_tuning.h"
#include "cuda/sorts/msd/msd_workspace.h"
#include "cuda/sorts/segmented/segmented_workspace.h"

enum {
    PAGE = 2 << 20, /* bytes */
    H200_PROCESSORS = 132
};

struct asked {
    int32_t operation;
    consort_type type;
    uint64_t value_bytes; /* argsort: of the index */
    uint64_t count, segments;
    uint64_t cub;
    uint64_t k;
    const char *algorithm; /* NULL: the planner's choice */
};

#define KEYS_OF(type, count, cub)                                                                  \
    {                                                                                              \
        CONSORT_OPERATION_SORT, type, 0, count, 0, cub, 0, NULL                                    \
    }
#define KEYS(type, count, cub) KEYS_OF(type, UINT64_C(1) << (count), cub)
#define PAIRS(type, bytes, count, cub)                                                             \
    {                                                                                              \
        CONSORT_OPERATION_SORT, type, bytes, UINT64_C(1) << (count), 0, cub, 0, NULL               \
    }
#define ARGSORT(type, bytes, count, cub)                                                           \
    {                                                                                              \
        CONSORT_OPERATION_ARGSORT, type, bytes, UINT64_C(1) << (count), 0, cub, 0, NULL            \
    }
#define MERGE(type, bytes, count, cub)                                                             \
    {                                                                                              \
        CONSORT_OPERATION_MERGE, type, bytes, UINT64_C(1) << (count), 0, cub, 0, NULL              \
    }
#define MERGE_SORT(type, bytes, count, cub)                                                        \
    {                                                                                              \
        CONSORT_OPERATION_SORT, type, bytes, UINT64_C(1) << (count), 0, cub, 0, "merge"            \
    }
#define SEGMENTS_OF(type, bytes, count, items, cub)                                                \
    {                                                                                              \
        CONSORT_OPERATION_SEGMENTED_SORT, type, bytes, count, (count) / (items), cub, 0, NULL      \
    }
#define SEGMENTS(type, bytes, items, cub) SEGMENTS_OF(type, bytes, 100000000, items, cub)

#define TOP_K(type, k, count, cub)                                                                 \
    {                                                                                              \
        CONSORT_OPERATION_TOP_K, type, 0, UINT64_C(1) << (count), 0, cub, k, NULL                  \
    }

static const struct asked questions[] = {
    KEYS(CONSORT_U8, 20, 113151),
    KEYS(CONSORT_U8, 24, 1768959),
    KEYS(CONSORT_U8, 28, 28260863),
    KEYS(CONSORT_I8, 26, 7067135),
    KEYS(CONSORT_U16, 20, 2212351),
    KEYS(CONSORT_U16, 22, 8835583),
    KEYS(CONSORT_U16, 26, 141286911),
    KEYS(CONSORT_F16, 26, 141286911),
    KEYS(CONSORT_U16, 28, 565135871),
    KEYS(CONSORT_U32, 16, 280063),
    KEYS(CONSORT_U32, 20, 4350463),
    KEYS(CONSORT_U32, 21, 8692223),
    KEYS_OF(CONSORT_U32, 3 << 20, 13033983),
    KEYS(CONSORT_U32, 22, 17374719),
    KEYS(CONSORT_U32, 23, 34740735),
    KEYS_OF(CONSORT_U32, 3 << 22, 52106751),
    KEYS(CONSORT_F32, 20, 4358655),
    KEYS(CONSORT_F32, 21, 8708607),
    KEYS_OF(CONSORT_F32, 3 << 20, 13058559),
    KEYS(CONSORT_F32, 22, 17407487),
    KEYS(CONSORT_F32, 23, 34806271),
    KEYS(CONSORT_U32, 24, 69472767),
    KEYS(CONSORT_U32, 25, 138936831),
    KEYS(CONSORT_U32, 26, 277863935),
    KEYS(CONSORT_F32, 26, 278387199),
    KEYS(CONSORT_U32, 28, 1111433727),
    KEYS(CONSORT_U32, 30, UINT64_C(4332683775)),
    KEYS(CONSORT_U64, 16, 553471),
    KEYS(CONSORT_U64, 20, 8592895),
    KEYS(CONSORT_U64, 21, 17167871),
    KEYS_OF(CONSORT_U64, 3 << 20, 25742847),
    KEYS(CONSORT_U64, 22, 34317823),
    KEYS(CONSORT_U64, 23, 68617727),
    KEYS_OF(CONSORT_U64, 3 << 22, 102917631),
    KEYS(CONSORT_F64, 20, 8592895),
    KEYS(CONSORT_F64, 21, 17167871),
    KEYS_OF(CONSORT_F64, 3 << 20, 25742847),
    KEYS(CONSORT_F64, 22, 34317823),
    KEYS(CONSORT_F64, 23, 68617727),
    KEYS(CONSORT_U64, 24, 137217535),
    KEYS(CONSORT_U64, 26, 548818431),
    KEYS(CONSORT_F64, 26, 548818431),
    KEYS(CONSORT_U64, 28, UINT64_C(2195238399)),
    KEYS(CONSORT_U128, 20, 17210879),
    KEYS(CONSORT_U128, 21, 34387455),
    KEYS_OF(CONSORT_U128, 3 << 20, 51564031),
    KEYS(CONSORT_U128, 22, 68740607),
    KEYS(CONSORT_U128, 23, 137446911),
    KEYS(CONSORT_U128, 26, 1099341311),
    KEYS(CONSORT_U128, 27, UINT64_C(2198648319)),
    PAIRS(CONSORT_U8, 4, 26, 9590271),
    PAIRS(CONSORT_U8, 8, 26, 19887615),
    PAIRS(CONSORT_U8, 16, 26, 26846719),
    PAIRS(CONSORT_U16, 4, 26, 413842943),
    PAIRS(CONSORT_U16, 8, 26, 683295231),
    PAIRS(CONSORT_U16, 16, 26, 1231825407),
    PAIRS(CONSORT_U32, 4, 16, 544255),
    PAIRS(CONSORT_U32, 4, 18, 2147839),
    PAIRS(CONSORT_U32, 4, 20, 8562175),
    PAIRS(CONSORT_U32, 4, 21, 17115647),
    PAIRS(CONSORT_U32, 4, 22, 34221567),
    PAIRS(CONSORT_U32, 4, 23, 68434431),
    PAIRS(CONSORT_U32, 4, 24, 136859135),
    PAIRS(CONSORT_U32, 4, 26, 547407359),
    PAIRS(CONSORT_U32, 8, 26, 818098687),
    PAIRS(CONSORT_U32, 16, 26, 1367752191),
    PAIRS(CONSORT_U32, 4, 28, UINT64_C(2189607423)),
    PAIRS(CONSORT_U32, 8, 28, UINT64_C(3272372735)),
    PAIRS(CONSORT_U32, 16, 28, UINT64_C(5470986751)),
    PAIRS(CONSORT_U64, 4, 26, 817253887),
    PAIRS(CONSORT_U64, 8, 21, 34038271),
    PAIRS(CONSORT_U64, 8, 22, 68058623),
    PAIRS(CONSORT_U64, 8, 26, 1088672255),
    PAIRS(CONSORT_U64, 16, 26, 1640456703),
    PAIRS(CONSORT_U64, 4, 28, UINT64_C(3268980223)),
    PAIRS(CONSORT_U64, 8, 28, UINT64_C(4354652671)),
    PAIRS(CONSORT_U128, 4, 26, 1367776767),
    PAIRS(CONSORT_U128, 8, 26, 1640473087),
    PAIRS(CONSORT_U128, 16, 26, UINT64_C(2177343999)),
    ARGSORT(CONSORT_U8, 4, 26, 9590271),
    ARGSORT(CONSORT_U8, 8, 26, 19887615),
    ARGSORT(CONSORT_U16, 4, 26, 413842943),
    ARGSORT(CONSORT_U16, 8, 26, 683295231),
    ARGSORT(CONSORT_U32, 4, 24, 136859135),
    ARGSORT(CONSORT_U32, 4, 25, 273708543),
    ARGSORT(CONSORT_U32, 4, 26, 547407359),
    ARGSORT(CONSORT_U32, 8, 26, 818098687),
    ARGSORT(CONSORT_U32, 4, 28, UINT64_C(2189607423)),
    ARGSORT(CONSORT_U64, 4, 26, 817253887),
    ARGSORT(CONSORT_U64, 8, 26, 1088672255),
    ARGSORT(CONSORT_U64, 4, 28, UINT64_C(3268980223)),
    ARGSORT(CONSORT_U128, 4, 26, 1367776767),
    ARGSORT(CONSORT_U128, 8, 26, 1640473087),
    MERGE(CONSORT_U32, 0, 26, 70399),
    MERGE(CONSORT_U32, 0, 28, 280063),
    MERGE(CONSORT_U64, 0, 28, 599551),
    MERGE(CONSORT_U128, 0, 26, 349951),
    MERGE(CONSORT_U32, 4, 26, 150271),
    MERGE(CONSORT_U32, 8, 26, 210175),
    MERGE(CONSORT_U8, 0, 28, 280063),
    MERGE(CONSORT_U16, 0, 28, 280063),
    MERGE(CONSORT_U32, 4, 28, 599551),
    MERGE(CONSORT_U32, 16, 28, 1398527),
    MERGE(CONSORT_U64, 4, 28, 839167),
    MERGE(CONSORT_U64, 8, 28, 1398527),
    MERGE(CONSORT_U64, 16, 28, 2097663),
    MERGE(CONSORT_U128, 0, 28, 1398527),
    MERGE_SORT(CONSORT_U32, 0, 12, 16895),
    MERGE_SORT(CONSORT_U32, 0, 20, 4196607),
    MERGE_SORT(CONSORT_U32, 0, 24, 67140095),
    MERGE_SORT(CONSORT_U32, 0, 28, 1074235647),
    MERGE_SORT(CONSORT_U64, 0, 12, 33279),
    MERGE_SORT(CONSORT_U64, 0, 24, 134283775),
    MERGE_SORT(CONSORT_U64, 0, 28, UINT64_C(2148532735)),
    MERGE_SORT(CONSORT_U128, 0, 12, 66047),
    MERGE_SORT(CONSORT_U128, 0, 24, 268567039),
    MERGE_SORT(CONSORT_U32, 8, 16, 786943),
    MERGE_SORT(CONSORT_U32, 8, 24, 201357823),
    MERGE_SORT(CONSORT_U64, 8, 12, 66047),
    MERGE_SORT(CONSORT_U64, 8, 24, 268501503),
    /* As of those: the items, 8 bytes for each tile of 4352 (of 8 bytes 2048) and one more. */
    MERGE_SORT(CONSORT_U32, 4, 28, UINT64_C(2147977471)),
    MERGE_SORT(CONSORT_U64, 8, 28, UINT64_C(4296016383)),
    SEGMENTS(CONSORT_U32, 0, 1, UINT64_C(1200000511)),
    SEGMENTS(CONSORT_U32, 0, 10, 480000511),
    SEGMENTS(CONSORT_U32, 0, 100, 408000511),
    SEGMENTS(CONSORT_U32, 0, 1000, 400800767),
    SEGMENTS(CONSORT_U32, 0, 10000, 400080895),
    SEGMENTS(CONSORT_U32, 0, 100000, 400008703),
    SEGMENTS(CONSORT_U32, 0, 1000000, 400000255),
    SEGMENTS(CONSORT_U64, 8, 1000, UINT64_C(1600800767)),
    /* As of u32 and the last: the items, 8 bytes for each segment, 767. */
    SEGMENTS(CONSORT_U32, 4, 1000, 800800767),
    SEGMENTS(CONSORT_U64, 0, 1000, 800800767),
    SEGMENTS(CONSORT_U128, 0, 1000, UINT64_C(1600800767)),
    SEGMENTS_OF(CONSORT_U32, 0, 1 << 28, 1024, UINT64_C(1075839743)),
    SEGMENTS_OF(CONSORT_U64, 0, 1 << 28, 1024, UINT64_C(2149581567)),
    SEGMENTS_OF(CONSORT_U128, 0, 1 << 27, 1024, UINT64_C(2148532991)),
    SEGMENTS_OF(CONSORT_U32, 4, 268435000, 1000, UINT64_C(2149628415)),
    SEGMENTS_OF(CONSORT_U64, 8, 268435000, 1000, UINT64_C(4297108479)),
    TOP_K(CONSORT_F32, 10, 26, 4211711),
    TOP_K(CONSORT_F32, 1000, 26, 4211711),
    TOP_K(CONSORT_F32, 100000, 26, 4211711),
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
    for (size_t i = 0; i < sizeof questions / sizeof questions[0]; i++) {
        const struct asked *q = &questions[i];
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

static CUresult one_block(int *blocks, CUfunction function, int threads, size_t shared)
{
    (void)function;
    (void)threads;
    (void)shared;
    *blocks = 1;
    return CUDA_SUCCESS;
}

static consort_status make_with_one_block(const struct asked *q)
{
    struct driver *driver = (struct driver *)driver_get();
    cuOccupancyMaxActiveBlocksPerMultiprocessor_call *kept =
        driver->cuOccupancyMaxActiveBlocksPerMultiprocessor;
    consort_plan *plan;
    driver->cuOccupancyMaxActiveBlocksPerMultiprocessor = one_block;
    const consort_status status = make(q, CONSORT_FORM_COPY, &plan);
    driver->cuOccupancyMaxActiveBlocksPerMultiprocessor = kept;
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

/* Leaves that are runs, which passes by a prefix leave, of any list that a plan may have. */
static void test_runs_have_room(void **state)
{
    (void)state;
    static const uint64_t counts[] = {5000,    1 << 20, 1048831, 1048832,          1100000,
                                      3 << 20, 1 << 23, 8388609, UINT64_C(3) << 23};
    int64_t standard[MSD_PARAMETERS];
    struct order_piece piece = {0};
    algorithm_standards(&msd_sort, standard);
    for (uint32_t bytes = 8; bytes <= 16; bytes *= 2)
        for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
            const struct request request = {
                .item_bytes = bytes, .maximum_count = counts[i], .order = {.pieces = &piece}};
            const struct msd_workspace w = msd_lay_out(&request, standard, true);
            const uint64_t most = bytes == 8 ? 1 << 23 : 1048831;
            const uint64_t longest = counts[i] < most ? counts[i] : most;
            assert_true(w.counters - w.leaves >=
                        longest / (msd_longest_run(bytes) + 1) * sizeof(struct msd_leaf));
        }
}

/* Units that have counts of digits, of lists of any length on GPUs of any size; and of one that
 * is one segment, as many as two blocks on each multiprocessor move. */
static void test_units_have_room(void **state)
{
    (void)state;
    static const uint64_t lists[] = {17000, 300000, 100000000, UINT64_C(1) << 32,
                                     UINT64_C(1) << 36};
    static const uint32_t processors[] = {1, 4, 46, 66, 84, 108, 114, 132, 148, 264, 1000};
    for (uint64_t bytes = 1; bytes <= 16; bytes *= 2)
        for (size_t l = 0; l < sizeof lists / sizeof lists[0]; l++) {
            const struct request request = {
                .item_bytes = bytes, .maximum_count = lists[l], .maximum_segments = 1};
            const struct segmented_shape *shape = segmented_shape_of(&request);
            const uint64_t room = segmented_lay_out(&request).unit_room;
            const uint32_t start_bits = segmented_start_bits(lists[l]);
            for (size_t p = 0; p < sizeof processors / sizeof processors[0]; p++)
                for (uint64_t count = lists[l]; count > 1000; count -= count / 7) {
                    const uint32_t items =
                        segmented_unit_items(shape, count, start_bits, processors[p]);
                    assert_true(count < 2 * (uint64_t)items || count / items <= room);
                }
            if (lists[l] != 100000000 || segmented_is_counted(shape))
                continue;
            assert_in_range(lists[l] / segmented_unit_items(shape, lists[l], start_bits, 132), 250,
                            264);
            assert_in_range(lists[l] / segmented_unit_items(shape, lists[l], start_bits, 84), 160,
                            168);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_no_more_than_cub, be_an_h200, be_oneself),
        cmocka_unit_test(test_short_lists_take_none),
        cmocka_unit_test(test_held_lists_take_tables),
        cmocka_unit_test(test_fewer_blocks_than_believed),
        cmocka_unit_test(test_held_pairs_take_less),
        cmocka_unit_test(test_in_place_takes_more),
        cmocka_unit_test(test_runs_have_room),
        cmocka_unit_test(test_units_have_room),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
