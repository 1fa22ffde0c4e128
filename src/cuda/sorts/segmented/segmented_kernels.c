/* SPDX-License-Identifier: Apache-2.0 */
/* Which kernels sort, and move, items of a shape. */
#include "cuda/sorts/segmented/segmented_kernels.h"

#include <stdio.h>

#include "cuda/sorts/segmented/segmented_tuning.h"
#include "cuda/sorts/segmented_long/segmented_long.h"

enum {
    SEGMENTED_BLOCKS_A_PROCESSOR = 16 /* resident threads: 2048 */
};

/* A kernel of `name` or, for the shapes, "name_bits" or "name_bits_paired". */
static bool segmented_find(const struct device *device, struct launch *launch, const char *name,
                           uint32_t threads, uint32_t shared)
{
    *launch = (struct launch){kernels_find(device, "segmented", name, shared), threads, shared};
    return launch->function != NULL;
}

static bool segmented_find_shaped(const struct device *device, struct launch *launch,
                                  const char *name, const struct segmented_shape *shape,
                                  uint32_t threads, uint32_t shared)
{
    char full[48];
    snprintf(full, sizeof full, "segmented_%s_%u_%u", name, shape->key_bits, shape->paired);
    return segmented_find(device, launch, full, threads, shared);
}

bool segmented_picks(const struct segmented_shape *shape)
{
    return !shape->paired && shape->key_bits <= 32;
}

uint32_t segmented_blocks_for(const struct launch *launch, uint32_t processors)
{
    uint32_t blocks = 2048 / launch->threads;
    if (blocks > SEGMENTED_BLOCKS_A_PROCESSOR)
        blocks = SEGMENTED_BLOCKS_A_PROCESSOR;
    return blocks * processors;
}

/* What sorts the leaves of class `c`, which take a block each. */
static bool segmented_find_blocks(const struct device *device, struct segmented_state *state,
                                  const struct segmented_shape *shape, uint32_t c)
{
    struct launch *blocks = &state->blocks[c];
    uint32_t threads = 2u << c;
    uint32_t in_block = segmented_shared_bytes(shape->key_bits / 8, shape->paired, shape->items, 0);
    bool counted = segmented_is_counted(shape);
    if (counted || segmented_long_has_leaves(device, shape, c)) {
        if (counted ? !segmented_long_find_bytes(device, blocks, "leaves")
                    : !segmented_long_find_leaves(device, blocks, shape, c))
            return false;
        state->blocks_blocks[c] = launch_resident(blocks) * state->processors;
    } else {
        if (!segmented_find_shaped(device, blocks, "blocks", shape, threads, threads * in_block))
            return false;
        state->blocks_blocks[c] = segmented_blocks_for(blocks, state->processors);
    }
    return state->blocks_blocks[c] > 0;
}

static bool segmented_find_networks(const struct device *device, struct segmented_state *state,
                                    const struct segmented_shape *shape)
{
    uint32_t key_bytes = shape->key_bits / 8;
    uint32_t in_warp = segmented_shared_bytes(key_bytes, shape->paired, shape->items, 1);
    bool picks = segmented_picks(shape);
    uint32_t in_run = picks ? 0 : segmented_shared_bytes(key_bytes, 1, SEGMENTED_RUN_ITEMS, 1);
    char runs[32];
    snprintf(runs, sizeof runs, "segmented_%s_%u", picks ? "picks" : "runs", shape->key_bits);
    if (!segmented_find_shaped(device, &state->tiny, "tiny", shape, SEGMENTED_TINY_THREADS, 0) ||
        !segmented_find_shaped(device, &state->warps, "warps", shape, SEGMENTED_WARPS_THREADS,
                               SEGMENTED_WARPS_THREADS * in_warp) ||
        !segmented_find(device, &state->runs, runs, SEGMENTED_WARPS_THREADS,
                        SEGMENTED_WARPS_THREADS * in_run))
        return false;
    state->blocks_end =
        segmented_is_counted(shape) ? SEGMENTED_WARP_CLASSES + 1 : segmented_classes_of(shape);
    for (uint32_t c = SEGMENTED_WARP_CLASSES; c < state->blocks_end; c++)
        if (!segmented_find_blocks(device, state, shape, c))
            return false;
    state->classify_blocks = launch_resident(&state->classify) * state->processors;
    state->tiny_blocks = launch_resident(&state->tiny) * state->processors;
    state->runs_blocks = launch_resident(&state->runs) * state->processors;
    state->warps_blocks = launch_resident(&state->warps) * state->processors;
    return state->classify_blocks > 0 && state->tiny_blocks > 0 && state->runs_blocks > 0 &&
           state->warps_blocks > 0;
}

static bool segmented_find_count(const struct device *device, struct launch *launch,
                                 const struct segmented_shape *shape)
{
    if (segmented_long_counts(shape))
        return segmented_long_find_count(device, launch, shape);
    char name[32];
    snprintf(name, sizeof name, "segmented_count_%u", shape->key_bits);
    return segmented_find(device, launch, name, SEGMENTED_TILE_THREADS, 0);
}

/* Of single bytes all levels are one. */
static bool segmented_find_counted(const struct device *device, struct segmented_state *state)
{
    return segmented_long_find_bytes(device, &state->count, "count") &&
           segmented_long_find_bytes(device, &state->scan, "scan") &&
           segmented_long_find_bytes(device, &state->move, "write");
}

static bool segmented_find_moves(const struct device *device, struct segmented_state *state,
                                 const struct segmented_shape *shape)
{
    uint32_t threads = SEGMENTED_TILE_THREADS, items = segmented_tile_items(shape) / threads;
    uint32_t shared = segmented_move_bytes(shape->key_bits / 8, shape->paired, items);
    bool moves =
        segmented_long_has_move(shape)
            ? segmented_long_find_scan(device, &state->scan) &&
                  segmented_long_find_move(device, &state->move, shape)
            : segmented_find(device, &state->scan, "segmented_scan_all", SEGMENTED_SCAN_THREADS,
                             0) &&
                  segmented_find_shaped(device, &state->move, "move", shape, threads, shared);
    if (!moves || !segmented_find_count(device, &state->count, shape) ||
        !segmented_find_shaped(device, &state->deep, "deep", shape, threads, shared))
        return false;
    state->deep_blocks = launch_resident(&state->deep) * state->processors;
    return state->deep_blocks > 0;
}

static bool segmented_find_large(const struct device *device, struct segmented_state *state,
                                 const struct segmented_shape *shape)
{
    bool found = segmented_is_counted(shape) ? segmented_find_counted(device, state)
                                             : segmented_find_moves(device, state, shape);
    state->early = found && launch_can_wait(&state->count) && launch_can_wait(&state->scan);
    return found;
}

bool segmented_find_all(const struct device *device, const struct segmented_shape *shape,
                        struct segmented_state *state)
{
    state->processors = (uint32_t)device->processors;
    return segmented_find(device, &state->classify, "segmented_classify_all",
                          SEGMENTED_CLASSIFY_THREADS, 0) &&
           segmented_find_networks(device, state, shape) &&
           segmented_find_large(device, state, shape);
}
