/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Host side of `hybrid`: which requests it takes, and the launches, which are the same whatever the
 * data. A list no longer than a leaf is one. Else: count cells, for middling lists a pass by
 * ten bits, count digits, a pass for few different keys or the first over bytes (in a launch each
 * for long lists of wide keys), the other passes of `lsd` (of wide values its own), leaves. Either
 * the passes over the top digits and the leaves find something to do, or the pass for few keys
 * does, or all passes do, behind the second count, unless the first has found out from a sample and
 * counted digits instead.
 */
#include "cuda/sorts/hybrid/hybrid.h"

#include "core/status.h"
#include "cuda/driver/driver.h"
#include "cuda/sorts/hybrid/hybrid_kernels.h"
#include "cuda/sorts/hybrid/hybrid_layout.h"
#include "cuda/sorts/hybrid/hybrid_tuning.h"
#include "cuda/sorts/lsd/lsd_request.h"

enum {
    HYBRID_PARAMETER_LEAF = 0,
    HYBRID_PARAMETER_PREFIX = 1,
    HYBRID_PARAMETER_GROUP = 2,
    HYBRID_PARAMETER_APART = 3,
    HYBRID_PARAMETER_DIGITS = 4,
    HYBRID_PARAMETERS = 5,
    HYBRID_COUNTED_KEYS = 1 << 15 /* for which one more block counts */
};

static const consort_parameter_info hybrid_parameters[HYBRID_PARAMETERS] = {
    {"leaf", "most keys of a bucket that a block sorts in shared memory", 16, 4864, 4864},
    {"prefix", "fewest items that a prefix of their keys may sort, if keys are wide and uneven", 1,
     UINT32_MAX, HYBRID_PREFIX_FROM},
    {"group", "most items with the same prefix, but for equal keys, as a sample tells it", 1, 65536,
     HYBRID_PREFIX_GROUP},
    {"apart",
     "fewest items of which wide keys take the first pass over bytes in a launch that does no "
     "other",
     1, UINT32_MAX, HYBRID_APART_FROM},
    {"digits", "fewest items whose digits are counted by the launch that finds their keys uneven",
     1, UINT32_MAX, HYBRID_DIGITS_FROM},
};

/* Above, buckets of uniform keys would come too close to the size of a leaf. */
static const uint64_t hybrid_most_items = (uint64_t)HYBRID_CELLS * (HYBRID_AIM + HYBRID_AIM / 32);

static const char *hybrid_refuses(const struct request *request)
{
    const char *refusal = lsd_request_refuses(request);
    if (refusal)
        return refusal;
    if (!hybrid_shape_of(request) || request->order.pieces[0].codec.bits != 8 * request->item_bytes)
        return "the GPU's hybrid sorts keys of 4, 8 or 16 bytes, at most 24 with what moves along";
    if (request->maximum_count > hybrid_most_items)
        return "the GPU's hybrid sorts at most 276824064 items";
    return NULL;
}

static uint32_t hybrid_leaf(const struct hybrid_shape *shape, const int64_t *parameters)
{
    uint32_t leaf = (uint32_t)parameters[HYBRID_PARAMETER_LEAF];
    return leaf < shape->threads * shape->items ? leaf : shape->threads * shape->items;
}

/* Keys of a bucket on average for which there are no more buckets yet. */
static uint64_t hybrid_most_aimed(uint64_t wanted)
{
    return wanted + wanted / HYBRID_AIM_SPARE;
}

/* The fewest bits by which buckets have on average at most the share of a leaf that is aimed at. */
static uint32_t hybrid_bucket_bits(uint64_t count, uint32_t leaf)
{
    uint64_t wanted = (uint64_t)leaf * HYBRID_AIM / HYBRID_LEAST_LEAF;
    if (wanted > HYBRID_AIM)
        wanted = HYBRID_AIM;
    uint32_t bits = LSD_DIGIT_BITS;
    while (bits < HYBRID_CELL_BITS && count >> bits > hybrid_most_aimed(wanted))
        bits++;
    return bits;
}

static uint64_t hybrid_tiles(uint64_t count, uint32_t tile_keys)
{
    return count / tile_keys + (count % tile_keys != 0);
}

static uint64_t hybrid_wide_tiles(uint64_t count)
{
    return hybrid_tiles(count, HYBRID_WIDE_THREADS * HYBRID_WIDE_ITEMS);
}

/* Of `lsd`. */
static uint64_t hybrid_control_bytes(const struct request *request)
{
    return lsd_passes_control_bytes((uint32_t)request->item_bytes, lsd_request_value_bytes(request),
                                    request->maximum_count);
}

/* Bytes of the look-back words of the pass of middling lists. */
static uint64_t hybrid_wide_words(uint64_t count)
{
    const uint64_t most = (hybrid_most_aimed(HYBRID_AIM) + 1) << HYBRID_WIDE_BITS;
    return hybrid_wide_tiles(count < most ? count : most) * (4u << HYBRID_WIDE_BITS);
}

/* By how many bits of their keys, from the highest, items are told apart. Of shorter lists none of
 * them are more. */
struct hybrid_bits {
    uint32_t bucket, digit, cell;
};

static struct hybrid_bits hybrid_bits_of(const struct request *request, uint64_t count,
                                         uint32_t leaf)
{
    struct hybrid_bits bits = {.bucket = hybrid_bucket_bits(count, leaf)};
    bits.digit = bits.bucket > LSD_DIGIT_BITS ? HYBRID_CELL_BITS : LSD_DIGIT_BITS;
    if (hybrid_is_wide(request, bits.bucket))
        bits.digit = HYBRID_WIDE_BITS;
    bits.cell = bits.bucket + HYBRID_FINER_BITS;
    if (bits.cell > bits.digit)
        bits.cell = bits.digit;
    return bits;
}

/* Counted in bytes from the start of the workspace. */
struct hybrid_workspace {
    struct lsd_workspace lists;
    uint64_t control, passes;
};

/* The pass of middling lists. Pairs that are apart it takes to where the result goes, and look-back
 * words, a byte for four items, may lie in the spare arrays, which only passes over bytes need. */
static uint64_t hybrid_wide_reserved(const struct request *request)
{
    const bool apart = request_is_apart(request) && request->operation == CONSORT_OPERATION_SORT;
    return hybrid_is_wide(request, HYBRID_WIDE_BITS) && !apart
               ? hybrid_control_bytes(request) + hybrid_wide_words(request->maximum_count)
               : 0;
}

static struct hybrid_workspace hybrid_lay_out(const struct request *request,
                                              const int64_t *parameters)
{
    const uint64_t count = request->maximum_count;
    const uint32_t leaf = hybrid_leaf(hybrid_shape_of(request), parameters);
    const uint32_t cell_bits = hybrid_bits_of(request, count, leaf).cell;
    const uint64_t wide = hybrid_wide_reserved(request);
    const uint64_t passes =
        lsd_passes_scratch((uint32_t)request->item_bytes, lsd_request_value_bytes(request), count);
    struct hybrid_workspace w;
    w.control = (4u << cell_bits) + 16; /* the end of all in a row, as memory is cleared by */
    w.passes = launch_aligned(w.control + sizeof(struct hybrid_control));
    w.lists = lsd_request_lay_out(request, w.passes + (passes > wide ? passes : wide));
    return w;
}

uint64_t hybrid_unless_workspace(const struct request *request)
{
    int64_t standard[HYBRID_PARAMETERS];
    algorithm_standards(&hybrid_argsort, standard);
    return hybrid_lay_out(request, standard).lists.total;
}

/* Lists that one block sorts in shared memory. */
static bool hybrid_is_leaf(uint64_t count, uint32_t leaf)
{
    return count <= leaf && count <= HYBRID_ALONE_THREADS * HYBRID_ALONE_ITEMS;
}

/* Of a plan whose every list is such a one, or of any. */
static struct hybrid_workspace hybrid_lay_out_plan(const struct request *request,
                                                   const int64_t *parameters)
{
    const uint32_t leaf = hybrid_leaf(hybrid_shape_of(request), parameters);
    return hybrid_is_leaf(request->maximum_count, leaf)
               ? (struct hybrid_workspace){.lists = lsd_request_lay_out_at_once(request, 0)}
               : hybrid_lay_out(request, parameters);
}

static uint64_t hybrid_workspace_bytes(const struct request *request, const int64_t *parameters)
{
    return hybrid_lay_out_plan(request, parameters).lists.total;
}

/* Launches, of which most find nothing to do. H200, CUDA 13.0, 2026-11, replayed: 2^14 u32 + 4, u64
 * + 4, u32 + 16 bytes 32 µs, 2^16 34, 2^18 36, 2^20 44 to 54. */
static double hybrid_launches_cost(const struct request *request)
{
    double key = (double)request->item_bytes;
    if (request->replay)
        return key > 8.0 ? 42e3 : 34e3;
    return 35e3 + 3.3e3 * key;
}

/* H200, CUDA 13.0, 2026-11, uniform keys: a list that is one leaf 9 to 12 µs; 2^18 u32 + 4 bytes 57
 * µs, 2^20 66, u64 + 4 70 and 77 µs, of which launches take most; by one pass of ten bits 2^21 u32
 * + 4 83, 2^22 129 µs; with two digits 2^22 u64 + 8 0.21 ms, 2^24 0.41 and 0.69 ms; 2^28 5.0
 * and 9.4 ms. Floats crowd around few exponents: then all digits are sorted by, as by `lsd`, but
 * later; or those of a prefix: f64 + 8 bytes 2^22 0.33 ms (`lsd` 0.49), 2^24 1.11 (1.59), 2^28 15.9
 * (23.6), argsorts of 2^24 0.92 (1.30). */
static double hybrid_cost(const struct request *request)
{
    double count = (double)request->maximum_count, key = (double)request->item_bytes;
    double value = lsd_request_value_bytes(request);
    double moved = lsd_passes_cost((uint32_t)request->item_bytes, (uint32_t)value);
    if (count <= HYBRID_ALONE_THREADS * HYBRID_ALONE_ITEMS)
        return 12e3;
    bool prefixed = key >= HYBRID_PREFIX_KEY_BYTES && count >= HYBRID_PREFIX_FROM;
    if (request->order.pieces[0].codec.magnitude != 0)
        return 30e3 + lsd_request_cost(request) * (prefixed ? 0.67 : 1.0);
    double passes = 1.0, cells = 0.0;
    const uint32_t bits = hybrid_bucket_bits(request->maximum_count, HYBRID_LEAST_LEAF);
    if (bits > LSD_DIGIT_BITS) {
        const bool wide = hybrid_is_wide(request, bits);
        passes = wide ? 1.4 : 2.0;
        cells = wide ? 0.0 : 5e3 + 25e3 * (count < 1 << 22 ? count / (1 << 22) : 1.0);
    }
    double counted = 0.0009 + 0.00015 * key, finished = 0.0017 + 0.00047 * (key + value);
    return hybrid_launches_cost(request) + cells + count * (passes * moved + counted + finished);
}

static struct hybrid_arguments hybrid_arguments_of(const struct consort_plan *plan,
                                                   const struct run *run,
                                                   const struct hybrid_workspace *w)
{
    const struct hybrid_shape *shape = hybrid_shape_of(&plan->request);
    const struct hybrid_state *state = plan->state;
    char *workspace = run->workspace, *scratch = workspace + w->passes;
    const uint32_t leaf = hybrid_leaf(shape, plan->parameters);
    const struct hybrid_bits bits = hybrid_bits_of(&plan->request, run->arguments->count, leaf);
    struct hybrid_arguments a = {.sort = lsd_request_arguments(&plan->request, run, &w->lists),
                                 .control = (struct hybrid_control *)(workspace + w->control),
                                 .cells = run->workspace,
                                 .digit_bits = bits.digit,
                                 .cell_bits = bits.cell,
                                 .bucket_bits = bits.bucket,
                                 .seed = driver_get()->seed,
                                 .leaf = leaf};
    a.sort.control = (struct lsd_control *)scratch;
    a.sort.lookback = (uint32_t *)(scratch + hybrid_control_bytes(&plan->request));
    a.few_codes = (uint64_t *)a.cells;
    a.counts = (uint64_t *)a.control - (1u << a.cell_bits) / 4;
    a.low_digit = a.digit_bits == HYBRID_CELL_BITS ? (uint32_t *)a.counts - LSD_BINS : NULL;
    a.keys_follow = shape->key_bits - a.bucket_bits > 32 - HYBRID_PLACE_BITS; /* finer: fewer */
    if (shape->key_bits - a.bucket_bits == 32 - HYBRID_PLACE_BITS + 1 &&
        a.cell_bits > a.bucket_bits) {
        a.halved_bits = a.bucket_bits;
        a.keys_follow = 0;
    }
    a.prefixes = state->groups.function &&
                 a.sort.count >= (uint64_t)plan->parameters[HYBRID_PARAMETER_PREFIX];
    const uint64_t late = HYBRID_PREFIX_LATE * (uint64_t)plan->parameters[HYBRID_PARAMETER_PREFIX];
    a.late_saved = HYBRID_PREFIX_SAVED + (a.sort.count < late);
    a.digits = a.sort.count >= (uint64_t)plan->parameters[HYBRID_PARAMETER_DIGITS];
    a.group = a.prefixes ? (uint32_t)plan->parameters[HYBRID_PARAMETER_GROUP] : 0;
    a.first_apart =
        shape->key_bits > 32 && a.sort.count >= (uint64_t)plan->parameters[HYBRID_PARAMETER_APART];
    a.sort.halves =
        hybrid_has_halves(&plan->request) && !a.sort.keys_out && a.bucket_bits == HYBRID_CELL_BITS;
    return a;
}

static consort_status hybrid_count_cells(const struct hybrid_state *state,
                                         const struct lsd_passes *passes,
                                         struct hybrid_arguments *a, consort_stream stream)
{
    uint64_t words = lsd_passes_words_to_clear(passes, a->sort.count);
    uint64_t wide = a->digit_bits == HYBRID_WIDE_BITS ? hybrid_wide_words(a->sort.count) : 0;
    char *begin = a->low_digit ? (char *)a->low_digit : (char *)a->counts;
    char *end = (char *)a->sort.lookback + (words > wide ? words : wide);
    uint64_t blocks = (a->sort.count + HYBRID_COUNTED_KEYS - 1) / HYBRID_COUNTED_KEYS;
    blocks = blocks < state->count_blocks ? blocks : state->count_blocks;
    void *parameters[] = {a};
    a->clear = (uint64_t)(end - begin);
    if (state->counts_together)
        return launch_cooperative(&state->count, blocks, stream, parameters);
    consort_status status = launch_clear(begin, a->clear, stream);
    a->clear = 0;
    return status == CONSORT_OK ? launch_kernel(&state->count, blocks, stream, parameters) : status;
}

/* The pass of few keys, or the first over bytes, by the tiles of the passes that follow. */
static consort_status hybrid_launch_uneven(const struct hybrid_state *state,
                                           const struct lsd_passes *passes,
                                           struct hybrid_arguments *a, consort_stream stream)
{
    const enum lsd_tiles which = lsd_passes_tiles_of(passes, a->sort.count);
    void *parameters[] = {a};
    return launch_following(&state->uneven[which], passes->early,
                            hybrid_tiles(a->sort.count, passes->pass[which].tile_keys), stream,
                            parameters);
}

static consort_status hybrid_launch_leaves(const struct hybrid_state *state,
                                           struct hybrid_arguments *a, consort_stream stream)
{
    void *parameters[] = {a};
    bool early = state->passes.early;
    if (a->sort.halves)
        return launch_following(&state->halves, early, state->half_blocks, stream, parameters);
    return launch_following(&state->leaves[a->keys_follow], early,
                            state->leaf_blocks[a->keys_follow], stream, parameters);
}

static consort_status hybrid_launch_all(const struct hybrid_state *state,
                                        struct hybrid_arguments *a, consort_stream stream)
{
    const struct lsd_passes *passes = a->sort.halves ? &state->halved : &state->passes;
    void *parameters[] = {a};
    consort_status status = hybrid_count_cells(state, passes, a, stream);
    if (status == CONSORT_OK && a->digit_bits == HYBRID_WIDE_BITS)
        status = launch_following(&state->wide, passes->early, hybrid_wide_tiles(a->sort.count),
                                  stream, parameters);
    if (status == CONSORT_OK)
        status = lsd_passes_histogram(passes, &a->sort, true, stream);
    if (status == CONSORT_OK)
        status = hybrid_launch_uneven(state, passes, a, stream);
    if (status == CONSORT_OK)
        status = lsd_passes_launch(passes, &a->sort, a->first_apart ? 0 : 1, stream);
    if (status == CONSORT_OK)
        status = hybrid_launch_leaves(state, a, stream);
    if (status == CONSORT_OK && a->prefixes)
        status = launch_cooperative(&state->groups, state->group_blocks, stream, parameters);
    return status;
}

/* `lists` are the first member of what hybrid_run() has laid out. */
static consort_status hybrid_launch(const struct consort_plan *plan, const struct run *run,
                                    const struct lsd_workspace *lists)
{
    const struct hybrid_state *state = plan->state;
    const uint32_t leaf = hybrid_leaf(hybrid_shape_of(&plan->request), plan->parameters);
    if (hybrid_is_leaf(run->arguments->count, leaf)) {
        struct lsd_arguments list = lsd_request_arguments(&plan->request, run, lists);
        void *alone[] = {&list};
        return launch_kernel(&state->alone, 1, run->stream, alone);
    }
    struct hybrid_arguments a =
        hybrid_arguments_of(plan, run, (const struct hybrid_workspace *)lists);
    return hybrid_launch_all(state, &a, run->stream);
}

static consort_status hybrid_run(const struct consort_plan *plan, const struct run *run)
{
    const struct hybrid_state *state = plan->state;
    const struct hybrid_workspace w = hybrid_lay_out_plan(&plan->request, plan->parameters);
    return lsd_request_run(plan, run, &w.lists, &state->gather, hybrid_launch);
}

consort_status hybrid_run_unless(const struct consort_plan *plan, const struct run *run,
                                 const uint32_t *sorted)
{
    const struct hybrid_workspace w = hybrid_lay_out(&plan->request, plan->parameters);
    struct hybrid_arguments a = hybrid_arguments_of(plan, run, &w);
    a.sorted = sorted;
    return hybrid_launch_all(plan->state, &a, run->stream);
}

const struct algorithm hybrid_sort = {
    .name = "hybrid",
    .summary = "stable radix sort by the top digits, buckets finished in shared memory; pairs",
    .operation = CONSORT_OPERATION_SORT,
    .engine = CONSORT_ENGINE_CUDA,
    .stable = true,
    .steps = true,
    .parameters = hybrid_parameters,
    .parameter_count = HYBRID_PARAMETERS,
    .refuses = hybrid_refuses,
    .workspace = hybrid_workspace_bytes,
    .shared = hybrid_shared,
    .cost = hybrid_cost,
    .prepare = hybrid_prepare,
    .run = hybrid_run,
};

const struct algorithm hybrid_argsort = {
    .name = "hybrid",
    .summary = "stable radix sort by the top digits, buckets finished in shared memory",
    .operation = CONSORT_OPERATION_ARGSORT,
    .engine = CONSORT_ENGINE_CUDA,
    .stable = true,
    .parameters = hybrid_parameters,
    .parameter_count = HYBRID_PARAMETERS,
    .refuses = hybrid_refuses,
    .workspace = hybrid_workspace_bytes,
    .shared = hybrid_shared,
    .cost = hybrid_cost,
    .prepare = hybrid_prepare,
    .run = hybrid_run,
};
