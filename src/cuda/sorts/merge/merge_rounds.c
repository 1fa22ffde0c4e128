/* SPDX-License-Identifier: Apache-2.0 */
/* The launches of `merge`: sorting tiles, merging runs by two or four. */
#include "cuda/sorts/merge/merge_rounds.h"

#include <stdio.h>

#include "core/status.h"
#include "cuda/carried_values.h"
#include "cuda/codec_constants.h"
#include "cuda/sorts/merge/merge_tuning.h"

struct merge_shape {
    uint32_t key_bits, placed, threads, items;
};

#define MERGE_SHAPE(bits, placed, threads, items, blocks) {bits, placed, threads, items},
static const struct merge_shape merge_tile_shapes[] = {MERGE_TILE_SHAPES(MERGE_SHAPE)};
static const struct merge_shape merge_short_shapes[] = {MERGE_SHORT_SHAPES(MERGE_SHAPE)};
static const struct merge_shape merge_middle_shapes[] = {MERGE_MIDDLE_SHAPES(MERGE_SHAPE)};
static const struct merge_shape merge_alone_shapes[] = {MERGE_ALONE_SHAPES(MERGE_SHAPE)};
static const struct merge_shape merge_round_shapes[] = {MERGE_ROUND_SHAPES(MERGE_SHAPE)};
static const struct merge_shape merge_four_shapes[] = {MERGE_FOUR_SHAPES(MERGE_SHAPE)};
#undef MERGE_SHAPE

enum {
    MERGE_SHAPE_COUNT = sizeof merge_tile_shapes / sizeof merge_tile_shapes[0],
    MERGE_FOUR_SHAPE_COUNT = sizeof merge_four_shapes / sizeof merge_four_shapes[0]
};

/* The shortest first. */
static const struct merge_single {
    const char *what;
    const struct merge_shape *shapes;
    uint32_t count;
} merge_singles[MERGE_SINGLES] = {
    {"short", merge_short_shapes, sizeof merge_short_shapes / sizeof merge_short_shapes[0]},
    {"middle", merge_middle_shapes, sizeof merge_middle_shapes / sizeof merge_middle_shapes[0]},
    {"alone", merge_alone_shapes, sizeof merge_alone_shapes / sizeof merge_alone_shapes[0]},
};

_Static_assert(sizeof merge_tile_shapes == sizeof merge_round_shapes,
               "tiles that merge are sorted");

bool merge_rounds_placed(const struct request *request)
{
    return carried_values_bytes(request) > 0 || request->order.pieces[0].codec.equal_floats;
}

static const struct merge_shape *merge_rounds_shape_among(const struct merge_shape *shapes,
                                                          uint32_t count,
                                                          const struct request *request)
{
    for (uint32_t i = 0; i < count; i++)
        if (shapes[i].key_bits == 8 * request->item_bytes &&
            shapes[i].placed == merge_rounds_placed(request))
            return &shapes[i];
    return NULL;
}

static const struct merge_shape *merge_rounds_shape(const struct merge_shape *shapes,
                                                    const struct request *request)
{
    return merge_rounds_shape_among(shapes, MERGE_SHAPE_COUNT, request);
}

static const struct merge_shape *merge_rounds_four_shape(const struct request *request)
{
    return merge_rounds_shape_among(merge_four_shapes, MERGE_FOUR_SHAPE_COUNT, request);
}

bool merge_rounds_exist(const struct request *request)
{
    return codec_constants_suffice(&request->order) && request_is_aligned(request) &&
           merge_rounds_shape(merge_tile_shapes, request);
}

static uint32_t merge_rounds_tile(const struct merge_shape *shapes, const struct request *request)
{
    const struct merge_shape *shape = merge_rounds_shape(shapes, request);
    return shape->threads * shape->items;
}

uint32_t merge_rounds_tile_keys(const struct request *request)
{
    return merge_rounds_tile(merge_tile_shapes, request);
}

static uint64_t merge_rounds_tiles(uint64_t count, uint64_t tile_keys)
{
    return (count + tile_keys - 1) / tile_keys;
}

uint64_t merge_rounds_four_from(const struct request *request, uint64_t bytes)
{
    return merge_rounds_four_shape(request)
               ? bytes / (request->item_bytes + carried_values_bytes(request))
               : UINT64_MAX;
}

static bool merge_rounds_find(const struct device *device, struct launch *launch, const char *name,
                              uint32_t threads, uint32_t shared)
{
    *launch = (struct launch){kernels_find(device, "merge", name, shared), threads, shared};
    return launch->function != NULL;
}

static bool merge_rounds_find_shape(const struct device *device, struct launch *launch,
                                    const char *what, const struct merge_shape *shape,
                                    uint32_t slack)
{
    char name[48];
    snprintf(name, sizeof name, "merge_%s_%u_%u", what, shape->key_bits, shape->placed);
    return merge_rounds_find(device, launch, name, shape->threads,
                             merge_shared_bytes(shape->key_bits / 8, shape->placed, shape->threads,
                                                shape->items + slack));
}

static bool merge_rounds_find_singles(const struct device *device, struct merge_rounds *rounds,
                                      const struct request *request)
{
    for (uint32_t i = 0; i < MERGE_SINGLES; i++) {
        const struct merge_single *single = &merge_singles[i];
        const struct merge_shape *shape =
            merge_rounds_shape_among(single->shapes, single->count, request);
        rounds->single_keys[i] = shape ? shape->threads * shape->items : 0;
        if (shape && !merge_rounds_find_shape(device, &rounds->single[i], single->what, shape, 0))
            return false;
    }
    return true;
}

static bool merge_rounds_find_four(const struct device *device, struct merge_rounds *rounds,
                                   const struct request *request)
{
    const struct merge_shape *shape = merge_rounds_four_shape(request);
    char cut[32];
    if (!shape)
        return true;
    snprintf(cut, sizeof cut, "merge_cut_four_%u", shape->key_bits);
    return merge_rounds_find(device, &rounds->cut_four, cut, MERGE_CUT_THREADS, 0) &&
           merge_rounds_find_shape(device, &rounds->four, "four", shape, MERGE_FOUR_SLACK);
}

consort_status merge_rounds_prepare(struct merge_rounds *rounds, const struct request *request,
                                    const struct device *device)
{
    const struct merge_shape *tile = merge_rounds_shape(merge_tile_shapes, request);
    const struct merge_shape *round = merge_rounds_shape(merge_round_shapes, request);
    char cut[32];
    snprintf(cut, sizeof cut, "merge_cut_%u", round->key_bits);
    rounds->key_bytes = request->item_bytes;
    rounds->tile_keys = merge_rounds_tile_keys(request);
    rounds->round_keys = merge_rounds_tile(merge_round_shapes, request);
    rounds->few_tiles = (uint64_t)device->processors * MERGE_FEW_TILES;
    rounds->few_cuts = (uint64_t)device->processors * MERGE_FEW_CUTS;
    if (merge_rounds_find_shape(device, &rounds->tile, "tile", tile, 0) &&
        merge_rounds_find_singles(device, rounds, request) &&
        merge_rounds_find_shape(device, &rounds->round, "round", round, 0) &&
        merge_rounds_find_four(device, rounds, request) &&
        merge_rounds_find(device, &rounds->cut, cut, MERGE_CUT_THREADS, 0) &&
        merge_rounds_find(device, &rounds->straighten, "merge_straighten", MERGE_STRAIGHTEN_THREADS,
                          0)) {
        rounds->early = launch_can_wait(&rounds->round);
        return CONSORT_OK;
    }
    return consort_last_error()->status;
}

uint32_t merge_rounds_ways(uint64_t four_from, uint64_t run, uint64_t count)
{
    return count >= four_from && run < (count + 1) / 2 && run <= UINT32_MAX ? MERGE_FOUR : 2;
}

uint32_t merge_rounds_needed(uint64_t four_from, uint64_t run, uint64_t count)
{
    uint32_t needed = 0;
    for (; run < count; needed++)
        run *= merge_rounds_ways(four_from, run, count);
    return needed;
}

struct merge_arguments merge_rounds_arguments(const struct request *request, uint64_t count)
{
    const struct codec *codec = &request->order.pieces[0].codec;
    struct merge_arguments a = {.count = count,
                                .value_bytes = carried_values_bytes(request),
                                .equal_floats = codec->equal_floats,
                                .codec = codec_constants_of(codec)};
    if (codec->equal_floats) {
        /* Codes of numbers come first; the bias is the number of NaNs of each sign. */
        uint128 nans = 2 * codec->bias, all = (uint128)1 << codec->bits;
        struct codec apart = *codec;
        apart.equal_floats = false;
        uint64_t positive = 0, negative = 1ull << (codec->bits - 1);
        if (codec->swap)
            negative = 0x80;
        uint128 zeros[] = {codec_load(&apart, &positive), codec_load(&apart, &negative)};
        a.first_nan = (uint64_t)(all - nans);
        a.zero = (uint64_t)(zeros[0] > zeros[1] ? zeros[0] : zeros[1]);
    }
    return a;
}

consort_status merge_rounds_sort_tiles(const struct merge_rounds *rounds, struct merge_arguments *a,
                                       consort_stream stream)
{
    void *parameters[] = {a};
    for (uint32_t i = 0; i < MERGE_SINGLES && a->count <= rounds->tile_keys; i++)
        if (a->count <= rounds->single_keys[i])
            return launch_kernel(&rounds->single[i], 1, stream, parameters);
    return launch_kernel(&rounds->tile, merge_rounds_tiles(a->count, rounds->tile_keys), stream,
                         parameters);
}

/* What comes before on the stream is a launch of the same run. */
static consort_status merge_rounds_launch(const struct merge_rounds *rounds,
                                          const struct launch *launch, uint64_t blocks,
                                          consort_stream stream, void **parameters)
{
    return launch_following(launch, rounds->early, blocks, stream, parameters);
}

/* Each tile's cuts lie in its part of the output, aligned, though the list is not. */
static void merge_rounds_place_cuts(const struct merge_rounds *rounds, struct merge_arguments *a)
{
    const uintptr_t out = (uintptr_t)(a->keys_out ? a->keys_out : a->values_out);
    const uint64_t bytes = a->keys_out ? rounds->key_bytes : a->value_bytes;
    a->cuts = (char *)((out + MERGE_CUT_BYTES - 1) / MERGE_CUT_BYTES * MERGE_CUT_BYTES);
    a->cut_stride = rounds->round_keys * bytes;
}

/* Blocks of few tiles cut their own. */
static consort_status merge_rounds_merge_few(const struct merge_rounds *rounds,
                                             struct merge_arguments *a, uint64_t tiles,
                                             consort_stream stream)
{
    void *parameters[] = {a};
    a->cuts = NULL;
    return merge_rounds_launch(rounds, &rounds->round, tiles, stream, parameters);
}

/* A run has one tile or more, so that no group of four has tiles of the next. */
static consort_status merge_rounds_merge_four(const struct merge_rounds *rounds,
                                              struct merge_arguments *a, uint64_t tiles,
                                              consort_stream stream)
{
    uint32_t tile_keys = rounds->round_keys;
    void *parameters[] = {a, &tile_keys};
    uint64_t cut_blocks = merge_rounds_tiles(MERGE_FOUR * tiles, MERGE_CUT_THREADS);
    consort_status status =
        merge_rounds_launch(rounds, &rounds->cut_four, cut_blocks, stream, parameters);
    return status == CONSORT_OK
               ? merge_rounds_launch(rounds, &rounds->four, tiles, stream, parameters)
               : status;
}

consort_status merge_rounds_merge(const struct merge_rounds *rounds, struct merge_arguments *a,
                                  uint32_t ways, consort_stream stream)
{
    uint32_t tile_keys = rounds->round_keys;
    uint64_t tiles = merge_rounds_tiles(a->count, tile_keys);
    bool two_lists = a->run_tiles == 0;
    merge_rounds_place_cuts(rounds, a);
    if (ways == MERGE_FOUR)
        return merge_rounds_merge_four(rounds, a, tiles, stream);
    if (!two_lists && tiles <= rounds->few_tiles)
        return merge_rounds_merge_few(rounds, a, tiles, stream);
    uint32_t group = tiles <= rounds->few_cuts ? 1 : MERGE_CUT_GROUP;
    /* The end of a block's last group is found by another warp. */
    uint32_t cut_tiles = (MERGE_CUT_THREADS / 32 - 1) * group;
    uint64_t cut_blocks = merge_rounds_tiles(tiles, cut_tiles);
    void *parameters[] = {a, &tile_keys, &group}, *straighten[] = {a, &tile_keys, &cut_tiles};
    consort_status status =
        two_lists ? launch_kernel(&rounds->cut, cut_blocks, stream, parameters)
                  : merge_rounds_launch(rounds, &rounds->cut, cut_blocks, stream, parameters);
    if (status == CONSORT_OK && two_lists)
        status = merge_rounds_launch(rounds, &rounds->straighten, 1, stream, straighten);
    return status == CONSORT_OK
               ? merge_rounds_launch(rounds, &rounds->round, tiles, stream, parameters)
               : status;
}
