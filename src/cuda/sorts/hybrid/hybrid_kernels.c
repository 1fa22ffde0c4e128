/* SPDX-License-Identifier: Apache-2.0 */
/* Which kernels of `hybrid` a request has, and finding them. */
#include "cuda/sorts/hybrid/hybrid_kernels.h"

#include <stdio.h>
#include <stdlib.h>

#include "core/status.h"
#include "cuda/sorts/gather/cuda_gather.h"
#include "cuda/sorts/hybrid/hybrid_layout.h"
#include "cuda/sorts/hybrid/hybrid_tuning.h"
#include "cuda/sorts/lsd/lsd_request.h"
#include "cuda/sorts/lsd/lsd_tuning.h"

static const struct hybrid_shape hybrid_shapes[] = {
#define HYBRID_SHAPE(bits, value_bytes, threads, items, blocks) {bits, value_bytes, threads, items},
    HYBRID_SHAPES(HYBRID_SHAPE)
#undef HYBRID_SHAPE
};

const struct hybrid_shape *hybrid_shape_of(const struct request *request)
{
    for (size_t i = 0; i < sizeof hybrid_shapes / sizeof hybrid_shapes[0]; i++)
        if (hybrid_shapes[i].key_bits == 8 * request->item_bytes &&
            hybrid_shapes[i].value_bytes == lsd_request_value_bytes(request))
            return &hybrid_shapes[i];
    return NULL;
}

bool hybrid_is_wide(const struct request *request, uint32_t bucket_bits)
{
    return request->item_bytes == 4 && lsd_request_value_bytes(request) == 4 &&
           bucket_bits > LSD_DIGIT_BITS && bucket_bits <= HYBRID_WIDE_BITS;
}

bool hybrid_has_halves(const struct request *request)
{
    return request->operation == CONSORT_OPERATION_ARGSORT && request->item_bytes == 4 &&
           lsd_request_value_bytes(request) == 4;
}

static const uint32_t hybrid_count_bytes = HYBRID_CELLS / 2 * 4 + 1792;

/* Passes of their own where values are wide: `lsd` makes do with what every GPU's blocks have. */
static bool hybrid_has_pass(const struct hybrid_shape *shape)
{
    return shape->key_bits == 32 && shape->value_bytes == 16;
}

static uint32_t hybrid_pass_bytes(void)
{
    return lsd_ahead_bytes(4, 16, HYBRID_PASS_THREADS, HYBRID_PASS_ITEMS);
}

enum {
#define HYBRID_LSD_TILE(bits, bytes, threads, items, blocks)                                       \
    HYBRID_LSD_TILE_##bits##_##bytes = (threads) * (items),
    LSD_SHAPES(HYBRID_LSD_TILE)
#undef HYBRID_LSD_TILE
#define HYBRID_LSD_ROUND(bits, bytes, threads, items, blocks)                                      \
    HYBRID_LSD_ROUND_##bits##_##bytes = (threads) * (items),
    LSD_ROUND_SHAPES(HYBRID_LSD_ROUND)
#undef HYBRID_LSD_ROUND
};
_Static_assert(HYBRID_PASS_THREADS *HYBRID_PASS_ITEMS >= HYBRID_LSD_TILE_32_16,
               "look-back words are reserved for tiles of `lsd`");
#define HYBRID_UNEVEN_TILE(bits, bytes, threads, items, blocks)                                    \
    _Static_assert((threads) * (items) == HYBRID_LSD_TILE_##bits##_##bytes, "the same");
HYBRID_UNEVEN_SHAPES(HYBRID_UNEVEN_TILE)
#undef HYBRID_UNEVEN_TILE
#define HYBRID_ROUND_TILE(bits, bytes, threads, items, blocks)                                     \
    _Static_assert((threads) * (items) == HYBRID_LSD_ROUND_##bits##_##bytes, "the same");
HYBRID_ROUND_SHAPES(HYBRID_ROUND_TILE)
#undef HYBRID_ROUND_TILE
_Static_assert(HYBRID_INDEX_THREADS *HYBRID_INDEX_ITEMS == HYBRID_LSD_TILE_32_4, "the same");

static uint32_t hybrid_wide_shared(void)
{
    return lsd_tile_bytes(HYBRID_WIDE_BITS, 4, 4, HYBRID_WIDE_THREADS, HYBRID_WIDE_ITEMS);
}

uint64_t hybrid_shared(const struct request *request)
{
    const struct hybrid_shape *shape = hybrid_shape_of(request);
    uint32_t leaf =
        hybrid_leaf_bytes(shape->key_bits / 8, shape->value_bytes, shape->threads, shape->items);
    uint32_t alone = hybrid_leaf_bytes(shape->key_bits / 8, shape->value_bytes,
                                       HYBRID_ALONE_THREADS, HYBRID_ALONE_ITEMS);
    uint32_t most = leaf > alone ? leaf : alone;
    if (hybrid_has_pass(shape) && most < hybrid_pass_bytes())
        most = hybrid_pass_bytes();
    if (hybrid_is_wide(request, HYBRID_WIDE_BITS) && most < hybrid_wide_shared())
        most = hybrid_wide_shared();
    return most > hybrid_count_bytes ? most : hybrid_count_bytes;
}

/* The kernel of a role for a shape's keys and values; without a function, and with the error
 * recorded, if there is none. */
static struct launch hybrid_launch_of(const char *role, const struct hybrid_shape *shape,
                                      uint32_t threads, uint32_t shared,
                                      const struct device *device)
{
    char name[40];
    snprintf(name, sizeof name, "hybrid_%s_%u_%u", role, shape->key_bits, shape->value_bytes);
    return (struct launch){kernels_find(device, "hybrid", name, shared), threads, shared};
}

/* How many blocks of a kernel live at once on the device; false if the driver does not tell. */
static bool hybrid_find_blocks(const struct launch *launch, const struct device *device,
                               uint32_t *blocks)
{
    *blocks = launch_resident(launch) * (uint32_t)device->processors;
    return *blocks > 0;
}

static bool hybrid_find_leaves(struct hybrid_state *state, const struct hybrid_shape *shape,
                               const struct device *device, bool keys_follow)
{
    struct launch *leaves = &state->leaves[keys_follow];
    *leaves = hybrid_launch_of("leaves", shape, shape->threads,
                               hybrid_leaf_bytes(keys_follow ? shape->key_bits / 8 : 0,
                                                 shape->value_bytes, shape->threads, shape->items),
                               device);
    return leaves->function && hybrid_find_blocks(leaves, device, &state->leaf_blocks[keys_follow]);
}

static bool hybrid_find_pass(struct hybrid_state *state, const struct hybrid_shape *shape,
                             const struct device *device)
{
    if (!hybrid_has_pass(shape))
        return true;
    uint32_t shared = hybrid_pass_bytes();
    struct lsd_pass_launch *pass = &state->passes.pass[LSD_TILES_USUAL];
    pass->launch = (struct launch){kernels_find(device, "hybrid", "hybrid_pass_32_16", shared),
                                   HYBRID_PASS_THREADS, shared};
    pass->tile_keys = HYBRID_PASS_THREADS * HYBRID_PASS_ITEMS;
    return pass->launch.function != NULL;
}

static bool hybrid_find_wide(struct hybrid_state *state, const struct request *request,
                             const struct device *device)
{
    if (!hybrid_is_wide(request, HYBRID_WIDE_BITS))
        return true;
    uint32_t shared = hybrid_wide_shared();
    state->wide = (struct launch){kernels_find(device, "hybrid", "hybrid_wide_32_4", shared),
                                  HYBRID_WIDE_THREADS, shared};
    return state->wide.function != NULL;
}

static bool hybrid_find_halves(struct hybrid_state *state, const struct request *request,
                               const struct device *device)
{
    if (!hybrid_has_halves(request))
        return true;
    uint32_t tile = lsd_shared_bytes(4, 4, HYBRID_INDEX_THREADS, HYBRID_INDEX_ITEMS);
    uint32_t leaf = hybrid_leaf_bytes(0, 4, HYBRID_HALF_THREADS, HYBRID_HALF_ITEMS);
    struct lsd_pass_launch *pass = &state->halved.pass[LSD_TILES_USUAL];
    state->halved = state->passes;
    state->halved.short_keys = 0;
    state->halved.pass[LSD_TILES_ROUND].launch.function = NULL;
    pass->launch = (struct launch){kernels_find(device, "hybrid", "hybrid_pass_32_4", tile),
                                   HYBRID_INDEX_THREADS, tile};
    pass->tile_keys = HYBRID_INDEX_THREADS * HYBRID_INDEX_ITEMS;
    state->halves = (struct launch){kernels_find(device, "hybrid", "hybrid_halves_32_4", leaf),
                                    HYBRID_HALF_THREADS, leaf};
    return pass->launch.function && state->halves.function &&
           hybrid_find_blocks(&state->halves, device, &state->half_blocks);
}

/* By tiles of the passes: look-back words are those of either. */
static bool hybrid_find_uneven(struct hybrid_state *state, const struct hybrid_shape *shape,
                               const struct device *device)
{
    static const char *const role[LSD_TILES] = {"uneven", "short", "round"};
    for (unsigned i = 0; i < LSD_TILES; i++) {
        const struct launch *tile = &state->passes.pass[i].launch;
        if (!tile->function)
            continue;
        state->uneven[i] = hybrid_launch_of(role[i], shape, tile->threads, tile->shared, device);
        if (!state->uneven[i].function)
            return false;
    }
    return true;
}

static bool hybrid_find_alone(struct hybrid_state *state, const struct hybrid_shape *shape,
                              const struct device *device)
{
    uint32_t shared = hybrid_leaf_bytes(shape->key_bits / 8, shape->value_bytes,
                                        HYBRID_ALONE_THREADS, HYBRID_ALONE_ITEMS);
    state->alone = hybrid_launch_of("alone", shape, HYBRID_ALONE_THREADS, shared, device);
    return state->alone.function != NULL;
}

/* Blocks wait for each other. */
static bool hybrid_find_groups(struct hybrid_state *state, const struct hybrid_shape *shape,
                               const struct device *device)
{
    if (shape->key_bits < 8 * HYBRID_PREFIX_KEY_BYTES || !device->cooperative)
        return true;
    uint32_t shared = hybrid_leaf_bytes(shape->key_bits / 8, shape->value_bytes,
                                        HYBRID_GROUP_THREADS, HYBRID_GROUP_ITEMS);
    state->groups = hybrid_launch_of("groups", shape, HYBRID_GROUP_THREADS, shared, device);
    return state->groups.function &&
           hybrid_find_blocks(&state->groups, device, &state->group_blocks);
}

static bool hybrid_find(struct hybrid_state *state, const struct request *request,
                        const struct device *device)
{
    const struct hybrid_shape *shape = hybrid_shape_of(request);
    char name[40];
    snprintf(name, sizeof name, "hybrid_count_%u", shape->key_bits);
    state->count = (struct launch){kernels_find(device, "hybrid", name, hybrid_count_bytes),
                                   HYBRID_COUNT_THREADS, hybrid_count_bytes};
    state->count_blocks = (uint32_t)device->processors;
    state->counts_together = device->cooperative;
    return state->count.function && hybrid_find_pass(state, shape, device) &&
           hybrid_find_leaves(state, shape, device, false) &&
           hybrid_find_leaves(state, shape, device, true) &&
           hybrid_find_uneven(state, shape, device) && hybrid_find_wide(state, request, device) &&
           hybrid_find_halves(state, request, device) && hybrid_find_groups(state, shape, device) &&
           hybrid_find_alone(state, shape, device);
}

consort_status hybrid_prepare(struct consort_plan *plan, const struct device *device)
{
    const struct request *request = &plan->request;
    struct hybrid_state *state = calloc(1, sizeof *state);
    if (!state)
        return status_fail(CONSORT_ERROR_MEMORY, "plan: out of memory");
    plan->state = state;
    consort_status status = lsd_passes_prepare(&state->passes, (uint32_t)request->item_bytes,
                                               lsd_request_value_bytes(request), device);
    if (status == CONSORT_OK && !hybrid_find(state, request, device))
        status = consort_last_error()->status;
    return status == CONSORT_OK ? cuda_gather_prepare(&state->gather, device) : status;
}
