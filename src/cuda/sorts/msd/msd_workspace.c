/* SPDX-License-Identifier: Apache-2.0 */
#include "cuda/sorts/msd/msd_workspace.h"

#include "cuda/driver/driver.h"
#include "cuda/launch.h"
#include "cuda/sorts/lsd/lsd_request.h"
#include "cuda/sorts/msd/msd_kernels.h"
#include "cuda/sorts/msd/msd_tuning.h"

bool msd_uses_both_buffers(const struct request *request)
{
    return request->form == CONSORT_FORM_DOUBLE_BUFFER && request->memory == CONSORT_MEMORY_DEVICE;
}

uint32_t msd_small_leaf(const int64_t *parameters)
{
    return (uint32_t)parameters[MSD_PARAMETER_LEAF];
}

uint32_t msd_cell_bits(uint64_t count, const int64_t *parameters)
{
    uint64_t wanted = (uint64_t)msd_small_leaf(parameters) * 16 / 17;
    uint32_t bits = MSD_DIGIT_BITS;
    while (bits < MSD_CELL_BITS && count >> bits > wanted)
        bits++;
    return bits;
}

bool msd_has_numbers(const struct request *request)
{
    return request->order.pieces[0].codec.magnitude != 0;
}

bool msd_is_short(uint64_t count, const int64_t *parameters)
{
    return count / msd_small_leaf(parameters) < MSD_WHOLE_LEAVES;
}

bool msd_is_held(const struct request *request, const int64_t *parameters)
{
    const uint64_t held = lsd_request_held_keys(request, MSD_WHOLE_THREADS * MSD_WHOLE_ITEMS,
                                                msd_whole_bytes((uint32_t)request->item_bytes));
    return request->item_bytes <= MSD_WHOLE_HELD_KEY_BYTES && request->maximum_count <= held &&
           msd_is_short(request->maximum_count, parameters);
}

bool msd_is_long(const struct request *request, uint64_t count, const int64_t *parameters)
{
    return request->item_bytes <= MSD_LONG_WIDE_KEY_BYTES &&
           count >= (uint64_t)parameters[MSD_PARAMETER_LONG];
}

uint32_t msd_pass_keys(const struct request *request, const int64_t *parameters)
{
    if (request->item_bytes == MSD_LONG_WIDE_KEY_BYTES &&
        msd_is_long(request, request->maximum_count, parameters))
        return MSD_LONG_PASS_THREADS * MSD_LONG_PASS_ITEMS;
    return MSD_PASS_THREADS * msd_shape_of(request->item_bytes)->pass_items;
}

uint32_t msd_counted_bits(uint64_t count)
{
    uint32_t bits = MSD_DIGIT_BITS;
    while (bits < MSD_CELL_BITS && count >> bits > 64)
        bits++;
    return bits;
}

/* Of a bucket's number, as msd_second_bits() leaves them to the first partition. */
static uint32_t msd_room_bits(uint64_t count, const int64_t *parameters)
{
    const uint32_t bits = msd_cell_bits(count, parameters);
    return bits - bits / 2;
}

uint32_t msd_room_keys(uint64_t count, const int64_t *parameters)
{
    uint64_t mean = (count >> msd_room_bits(count, parameters)) + 1, spare = 0;
    while (spare * spare < 25 * mean)
        spare += 16;
    return (uint32_t)((mean + spare + mean / MSD_ROOM_SPARE + 31) / 32 * 32);
}

uint64_t msd_room_bytes(const struct request *request, uint64_t count, const int64_t *parameters)
{
    return ((uint64_t)msd_room_keys(count, parameters) << msd_room_bits(count, parameters)) *
           request->item_bytes;
}

bool msd_may_have_rooms(const struct request *request, uint64_t count, const int64_t *parameters)
{
    const uint32_t bits = msd_cell_bits(count, parameters);
    return request->item_bytes <= MSD_ROOMY_KEY_BYTES && !msd_uses_both_buffers(request) &&
           count <= (uint64_t)parameters[MSD_PARAMETER_ROOMS] && bits > MSD_DIGIT_BITS &&
           count >> bits <= msd_small_leaf(parameters) && !msd_is_short(count, parameters);
}

/* Of lists of so many keys at most, of which a plan has shorter ones, too. */
static uint64_t msd_tiles_of(uint64_t count, uint64_t most, uint32_t tile_keys)
{
    return (count < most ? count : most) / tile_keys + 1;
}

static uint64_t msd_larger(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* A row for each tile of a pass; those of short and of middling lists are smaller. */
static uint64_t msd_lookback_bytes(const struct request *request, const int64_t *parameters)
{
    const uint64_t count = request->maximum_count, leaf = msd_small_leaf(parameters);
    const uint64_t most_short = leaf * MSD_WHOLE_LEAVES;
    uint64_t tiles = msd_tiles_of(count, most_short, MSD_WHOLE_THREADS * MSD_WHOLE_ITEMS);
    if (request->item_bytes <= MSD_MIDDLING_KEY_BYTES)
        tiles =
            msd_larger(tiles, msd_tiles_of(count, leaf << MSD_MIDDLING_BITS,
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

/*
 * Leaves: a split segment makes at most 3 for each half leaf of its keys that reach leaves, 2 for
 * each part that is split again, and 2 more; there are at most item_bytes depths. A split by
 * octaves takes 8 bits from seven eighths of the keys only: these make at most a seventh more.
 *
 * Counters: segments that wait together are disjoint, and larger than a small leaf. Lists of cells
 * that lie in the same place, 4 bytes each, are shorter: cells are at most three to a small leaf.
 */
struct msd_workspace msd_lay_out(const struct request *request, const int64_t *parameters,
                                 bool passes)
{
    const struct msd_shape *shape = msd_shape_of(request->item_bytes);
    uint64_t count = request->maximum_count, small = msd_small_leaf(parameters);
    if (count <= small)
        return (struct msd_workspace){0};
    uint64_t batch = count / small < MSD_BATCH ? count / small + 1 : MSD_BATCH;
    uint64_t segments = msd_most_segments(request, parameters);
    uint64_t tiles =
        count / ((uint64_t)shape->level_threads * shape->level_items) + MSD_BATCH + MSD_DIGITS + 1;
    uint64_t segment_bytes = 2 * request->item_bytes + 16;
    struct msd_workspace w = {.leaf_capacity =
                                  (uint32_t)(7 * (count / small + 1) +
                                             5 * request->item_bytes * segments + 2 * MSD_DIGITS),
                              .queue_capacity = (uint32_t)(segments + MSD_BATCH + MSD_DIGITS)};
    w.passes = launch_aligned(sizeof(struct msd_control));
    w.cells = w.passes + launch_aligned(sizeof(struct lsd_control));
    bool is_short = msd_is_short(count, parameters);
    uint32_t cell_bits = msd_cell_bits(count, parameters), counted = msd_counted_bits(count);
    uint32_t bits = counted > cell_bits ? counted : cell_bits;
    w.singles = w.cells + (is_short ? 0 : launch_aligned(4u << cell_bits));
    w.tallies = w.singles + (is_short ? 0 : launch_aligned((4u << bits) + 4));
    w.bounds = w.tallies + (is_short ? 0 : launch_aligned(4u << cell_bits));
    w.leaves = w.bounds;
    if (!is_short && msd_has_numbers(request))
        w.leaves += launch_aligned(((1u << cell_bits) + 1) * request->item_bytes);
    w.queue = w.leaves + launch_aligned(w.leaf_capacity * sizeof(struct msd_leaf));
    w.counters = w.queue + launch_aligned(w.queue_capacity * segment_bytes);
    w.extremes = w.counters + batch * MSD_DIGITS * 4;
    w.keys = w.extremes + launch_aligned(2 * request->item_bytes * tiles);
    w.rooms = w.counters;  /* what follows levels need, if there are no rooms or no longer */
    w.lookback = w.bounds; /* nor do passes need what follows */
    uint64_t words = passes ? launch_aligned(msd_lookback_bytes(request, parameters)) : 0;
    uint64_t end = w.lookback + words;
    w.keys = w.keys > end ? w.keys : end;
    w.total =
        w.keys + (msd_uses_both_buffers(request) ? 0 : launch_aligned(count * request->item_bytes));
    if (msd_may_have_rooms(request, count, parameters)) {
        end = w.rooms + msd_room_bytes(request, count, parameters);
        w.total = w.total > end ? w.total : end;
    }
    return w;
}

struct msd_workspace msd_lay_out_held(const struct request *request, const int64_t *parameters)
{
    struct msd_workspace w = {0};
    if (request->maximum_count <= msd_small_leaf(parameters))
        return w;
    w.passes = launch_aligned(sizeof(struct msd_control));
    w.cells = w.passes + launch_aligned(sizeof(struct lsd_control));
    w.lookback = w.cells;
    w.total = w.lookback + msd_lookback_bytes(request, parameters);
    return w;
}

struct msd_arguments msd_arguments_within(const struct request *request,
                                          const struct msd_workspace *w, void *workspace,
                                          uint64_t count, const int64_t *parameters)
{
    return (struct msd_arguments){.control = workspace,
                                  .cells = launch_place(workspace, w->cells),
                                  .singles = launch_place(workspace, w->singles),
                                  .tallies = launch_place(workspace, w->tallies),
                                  .extremes = launch_place(workspace, w->extremes),
                                  .bounds = launch_place(workspace, w->bounds),
                                  .leaves = launch_place(workspace, w->leaves),
                                  .queue = launch_place(workspace, w->queue),
                                  .counters = launch_place(workspace, w->counters),
                                  .count = count,
                                  .cell_bits = msd_cell_bits(count, parameters),
                                  .counted_bits = msd_counted_bits(count),
                                  .small_leaf = msd_small_leaf(parameters),
                                  .large_leaf =
                                      msd_large_leaf(msd_shape_of(request->item_bytes), parameters),
                                  .leaf_capacity = w->leaf_capacity,
                                  .queue_capacity = w->queue_capacity,
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
    const uint32_t keys = msd_room_keys(a->count, parameters);
    if (keys / a->tile_keys >= (blocks < MSD_MOST_TILES ? blocks : MSD_MOST_TILES))
        return;
    a->rooms = launch_place(workspace, w->rooms);
    a->room_keys = keys;
}
