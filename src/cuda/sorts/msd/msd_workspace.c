/* SPDX-License-Identifier: Apache-2.0 */
#include "cuda/sorts/msd/msd_workspace.h"

#include <stddef.h>

#include "cuda/driver/driver.h"
#include "cuda/launch.h"
#include "cuda/sorts/msd/msd_kernels.h"
#include "cuda/sorts/msd/msd_tuning.h"

/* Of lists of so many keys at most, of which a plan has shorter ones, too. */
static uint64_t msd_tiles_of(uint64_t count, uint64_t most, uint32_t tile_keys)
{
    return ((count < most ? count : most) + tile_keys - 1) / tile_keys;
}

static uint64_t msd_larger(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* Of a plan's short lists. */
static uint64_t msd_short_tiles(const struct request *request, const int64_t *parameters)
{
    const uint64_t longest = msd_longest_short(request, parameters);
    return msd_tiles_of(longest, longest, MSD_WHOLE_THREADS * MSD_WHOLE_ITEMS);
}

/* A row for each tile of a pass; those of short and of middling lists are smaller. Short lists that
 * blocks hold have none. */
static uint64_t msd_lookback_bytes(const struct request *request, const int64_t *parameters,
                                   bool holds_short)
{
    const uint64_t count = request->maximum_count;
    const uint64_t middling = (uint64_t)msd_small_leaf(parameters) << MSD_MIDDLING_BITS;
    uint64_t tiles = holds_short ? 0 : msd_short_tiles(request, parameters);
    if (request->item_bytes <= MSD_MIDDLING_KEY_BYTES)
        tiles =
            msd_larger(tiles, msd_tiles_of(count, middling,
                                           MSD_MIDDLING_PASS_THREADS * MSD_MIDDLING_PASS_ITEMS));
    if (count <= MSD_MOST_PASSED && request->item_bytes <= MSD_PASSED_KEY_BYTES)
        tiles = msd_larger(tiles, msd_tiles_of(count, count, msd_pass_keys(request, parameters)));
    return tiles * LSD_BINS * 4;
}

/* The larger leaves' share of their shape is that of the smaller ones. */
static uint32_t msd_large_leaf(const struct msd_shape *shape, const int64_t *parameters)
{
    uint32_t larger =
        shape->large_threads * shape->large_items / (shape->small_threads * shape->small_items);
    return larger * msd_small_leaf(parameters);
}

/* How many parts of the same depth are split again at most: they are disjoint, and larger than a
 * large leaf; in short lists, and in middling ones of narrow keys, than a small one. */
static uint64_t msd_most_segments(const struct request *request, const int64_t *parameters)
{
    const uint64_t count = request->maximum_count, small = msd_small_leaf(parameters);
    const uint64_t longer = count / msd_large_leaf(msd_shape_of(request->item_bytes), parameters);
    const uint64_t most =
        request->item_bytes <= MSD_MIDDLING_KEY_BYTES ? MSD_MIDDLING_CELLS : MSD_WHOLE_LEAVES;
    const uint64_t shorter = count / small < most ? count / small + 1 : most;
    return msd_larger(longer, shorter);
}

/* How many segments the levels split at a time: about as many as are larger than a large leaf; of
 * short lists, whose leaves are small, half as many. */
static uint32_t msd_batch(uint64_t count, const int64_t *parameters)
{
    const uint64_t least = 64, most = count / msd_small_leaf(parameters) + 1;
    uint64_t batch = count >> (msd_is_short(count, parameters) ? 13 : 14);
    batch = batch > least ? batch : least;
    batch = batch < most ? batch : most;
    return batch < MSD_BATCH ? (uint32_t)batch : MSD_BATCH;
}

/* Lists of cells lie there, too, and the table of buckets, which is smaller. */
static uint64_t msd_counters_bytes(uint64_t count, uint32_t batch, const int64_t *parameters)
{
    const uint64_t rows = batch * (MSD_DIGITS + 2) * sizeof(uint32_t) + sizeof(uint32_t);
    return msd_larger(rows, 4u << msd_cell_bits(count, parameters));
}

/*
 * Small leaves that levels make. Neighbouring parts are a leaf as long as it holds them, so that it
 * and the next have more keys than one holds: what lies between two parts that are split again
 * makes at most 2 leaves for each that its keys would fill, and one more. At each of so many
 * depths, one for each byte in which keys differ, at most `segments` are split, each into one such
 * stretch more than parts that are split again. A split by octaves takes 8 bits from seven eighths
 * of the keys only: a seventh more in all. Buckets may be leaves, too.
 */
static uint64_t msd_most_small_leaves(const struct request *request, uint64_t segments,
                                      uint64_t depths, const int64_t *parameters)
{
    const uint64_t filled = request->maximum_count / msd_small_leaf(parameters) + 1;
    return 2 * filled + 16 * depths * segments / 7 + MSD_DIGITS;
}

/* The same where passes by a prefix may leave runs that are leaves: of the longest of a plan's
 * lists that may take them. */
static uint64_t msd_most_listed(const struct request *request, uint64_t small,
                                const int64_t *parameters)
{
    const uint64_t longest = request->item_bytes == MSD_PREFIX_KEY_BYTES
                                 ? (uint64_t)parameters[MSD_PARAMETER_PREFIXES]
                                 : (uint64_t)msd_small_leaf(parameters) * MSD_WHOLE_LEAVES;
    const uint64_t count = request->maximum_count < longest ? request->maximum_count : longest;
    const uint64_t runs = count / (msd_longest_run((uint32_t)request->item_bytes) + 1);
    return request->item_bytes < MSD_PREFIX_KEY_BYTES ? small
                                                      : msd_larger(small, runs + MSD_DIGITS);
}

/* How many keys have each code, if they are counted one by one; where halves of keys are written,
 * where cells begin. */
static uint64_t msd_singles_bytes(uint64_t count, const int64_t *parameters)
{
    const uint32_t cell_bits = msd_cell_bits(count, parameters), counted = msd_counted_bits(count);
    return msd_is_short(count, parameters)
               ? 0
               : (4u << (counted > cell_bits ? counted : cell_bits)) + 4;
}

static uint64_t msd_control_bytes(const struct request *request, uint64_t count,
                                  const int64_t *parameters)
{
    const uint64_t some = offsetof(struct msd_control, cell_keys) + 2 * MSD_DIGITS * 4;
    return msd_counts_in_words(request, parameters)
               ? offsetof(struct msd_control, few)
               : launch_aligned(msd_is_short(count, parameters) ? some
                                                                : sizeof(struct msd_control));
}

/* Lists without memory for rooms have none: those that are middling on the largest GPUs. */
static bool msd_takes_rooms(const struct request *request, const int64_t *parameters)
{
    const uint64_t count = request->maximum_count;
    const bool middling =
        request->item_bytes <= MSD_MIDDLING_KEY_BYTES && msd_may_be_middling(count, parameters);
    return !middling && msd_may_have_rooms(request, count, parameters);
}

/* Of a batch's tiles, or of a launch's blocks. */
static uint64_t msd_most_ranges(const struct request *request, uint32_t batch,
                                const int64_t *parameters)
{
    const struct msd_shape *shape = msd_shape_of(request->item_bytes);
    const uint64_t count = request->maximum_count;
    const uint64_t most =
        msd_is_short(count, parameters)
            ? count / MSD_WHOLE_BLOCK_KEYS
            : count / ((uint64_t)shape->level_threads * shape->level_items) + 2 * MSD_DIGITS;
    return most + batch + 1;
}

/* What the first launch empties, behind it look-back words; returns where the longest of it ends.
 * Where halves of keys are written, cells begin where others are counted, while leaves are listed.
 */
static uint64_t msd_lay_out_counts(const struct request *request, const int64_t *parameters,
                                   bool passes, bool holds_short, struct msd_workspace *w)
{
    const uint64_t count = request->maximum_count;
    const uint32_t cell_bits = msd_cell_bits(count, parameters);
    const uint64_t cells = msd_is_short(count, parameters) ? 0 : 4u << cell_bits;
    const uint64_t singles = passes ? msd_singles_bytes(count, parameters) : 0;
    const bool halves = msd_has_halves(request, count, parameters);
    uint64_t end = msd_control_bytes(request, count, parameters);
    w->cells = launch_take(&end, cells);
    w->tallies = launch_take(&end, cell_bits > MSD_DIGIT_BITS ? cells : 0);
    if (halves)
        w->singles = launch_take(&end, singles);
    w->passes = launch_take(&end, passes ? lsd_control_bytes((uint32_t)request->item_bytes, 0) : 0);
    w->lookback = end;
    if (!halves)
        w->singles = launch_take(&end, singles);
    if (cells == 0 && request->item_bytes > MSD_WHOLE_HELD_KEY_BYTES) {
        const uint64_t words = launch_take(&end, MSD_DIGITS * 4);
        w->cells = msd_counts_in_words(request, parameters)
                       ? words
                       : offsetof(struct msd_control, cell_keys);
    }
    w->cleared = end;
    return passes
               ? msd_larger(end, w->lookback + msd_lookback_bytes(request, parameters, holds_short))
               : end;
}

/* What partitions and levels know, behind what passes say before `bins`, as runs that these leave
 * may become leaves; returns where it ends. Extremes are noted while others clear tables, and, by
 * the histogram, beside the counts: they lie behind. The queue: segments that wait are disjoint,
 * and those of a batch are in it while their parts come. */
static uint64_t msd_lay_out_levels(const struct request *request, const int64_t *parameters,
                                   bool passes, struct msd_workspace *w)
{
    const uint64_t count = request->maximum_count, leaf = sizeof(struct msd_leaf);
    const uint64_t segments = msd_most_segments(request, parameters);
    const bool shifted = !passes && count <= 1 << 24; /* words, whose lowest byte is 0 */
    const uint64_t leaves =
        msd_most_small_leaves(request, segments, request->item_bytes - shifted, parameters);
    const bool numbers = !msd_is_short(count, parameters) && msd_has_numbers(request);
    const uint64_t bounds = (1u << msd_cell_bits(count, parameters)) + 1;
    uint64_t end = w->passes + (passes ? launch_aligned(offsetof(struct lsd_control, bins)) : 0);
    w->batch = msd_batch(count, parameters);
    w->queue_capacity = (uint32_t)segments + w->batch;
    w->bounds = launch_take(&end, numbers ? bounds * request->item_bytes : 0);
    w->queue = launch_take(&end, w->queue_capacity * (2 * request->item_bytes + 16));
    w->leaves = end + (count / msd_small_leaf(parameters) + 1) * leaf; /* behind large ones */
    w->rooms = launch_aligned(w->leaves + leaves * leaf);
    end = launch_aligned(w->leaves + msd_most_listed(request, leaves, parameters) * leaf);
    w->counters = launch_take(&end, msd_counters_bytes(count, w->batch, parameters));
    w->extremes = msd_larger(end, w->cleared);
    return w->extremes + 2 * request->item_bytes * msd_most_ranges(request, w->batch, parameters);
}

struct msd_workspace msd_lay_out_held(const struct request *request, uint64_t count,
                                      const int64_t *parameters)
{
    const uint64_t tiles = msd_tiles_of(count, count, MSD_WHOLE_THREADS * MSD_WHOLE_ITEMS);
    struct msd_workspace w = {0};
    if (count <= msd_small_leaf(parameters))
        return w;
    w.passes = msd_control_bytes(request, count, parameters);
    w.lookback = w.passes + launch_aligned(lsd_control_bytes(0, tiles));
    w.total = w.lookback + tiles * LSD_BINS * sizeof(lsd_held_count);
    return w;
}

/* What is used at different times shares memory: look-back words of passes; counts of keys that are
 * counted one by one; bounds, leaves and rooms of partitions, and what levels need; all that and
 * the spare array, and tables of short lists that blocks hold. */
struct msd_workspace msd_lay_out(const struct request *request, const int64_t *parameters,
                                 bool passes, bool holds_short)
{
    const uint64_t count = request->maximum_count, held = msd_longest_short(request, parameters);
    struct msd_workspace w = {0};
    if (count <= msd_small_leaf(parameters))
        return w;
    const uint64_t counts = msd_lay_out_counts(request, parameters, passes, holds_short, &w);
    const uint64_t levels = msd_lay_out_levels(request, parameters, passes, &w);
    w.keys = msd_larger(counts, levels);
    w.keys =
        msd_counts_in_words(request, parameters) ? (w.keys + 31) / 32 * 32 : launch_aligned(w.keys);
    w.total =
        w.keys + (msd_uses_both_buffers(request) ? 0 : launch_aligned(count * request->item_bytes));
    if (msd_takes_rooms(request, parameters))
        w.total = msd_larger(w.total, w.rooms + msd_room_bytes(request, count, parameters));
    if (passes && request->item_bytes <= MSD_WHOLE_HELD_KEY_BYTES)
        w.total = msd_larger(w.total, msd_lay_out_held(request, held, parameters).total);
    return w;
}

struct msd_arguments msd_arguments_within(const struct request *request,
                                          const struct msd_workspace *w, void *workspace,
                                          uint64_t count, const int64_t *parameters)
{
    return (struct msd_arguments){
        .control = workspace,
        .cells = launch_place(workspace, w->cells),
        .singles = launch_place(workspace, w->singles),
        .tallies = launch_place(workspace, w->tallies),
        .extremes = launch_place(workspace, w->extremes),
        .bounds = launch_place(workspace, w->bounds),
        .leaves = launch_place(workspace, w->leaves),
        .queue = launch_place(workspace, w->queue),
        .counters = launch_place(workspace, w->counters),
        .moves = launch_place(workspace, w->counters + w->batch * MSD_DIGITS * 4),
        .tiles = launch_place(workspace, w->counters + w->batch * (MSD_DIGITS + 1) * 4),
        .cleared = launch_place(workspace, w->cleared),
        .count = count,
        .cell_bits = msd_cell_bits(count, parameters),
        .counted_bits = msd_counted_bits(count),
        .second_bits = msd_second_bits(request, count, parameters),
        .small_leaf = msd_small_leaf(parameters),
        .large_leaf = msd_large_leaf(msd_shape_of(request->item_bytes), parameters),
        .queue_capacity = w->queue_capacity,
        .batch = w->batch,
        .seed = driver_get()->seed,
        .salt = driver_get()->seed * 2654435761u | 1};
}

void msd_give_rooms(struct msd_arguments *a, const struct request *request,
                    const struct msd_workspace *w, void *workspace, const int64_t *parameters,
                    uint32_t blocks)
{
    if (!msd_may_have_rooms(request, a->count, parameters) ||
        w->rooms + msd_room_bytes(request, a->count, parameters) > w->total)
        return;
    const uint32_t keys = msd_room_keys(request, a->count, parameters);
    if (keys / a->tile_keys >= (blocks < MSD_MOST_TILES ? blocks : MSD_MOST_TILES))
        return;
    a->rooms = launch_place(workspace, w->rooms);
    a->room_keys = keys;
}
