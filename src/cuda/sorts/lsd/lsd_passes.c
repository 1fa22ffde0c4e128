/* SPDX-License-Identifier: Apache-2.0 */
/* The launches of `lsd` for any arrays of plain codes in device memory. */
#include "cuda/sorts/lsd/lsd_passes.h"

#include <stddef.h>
#include <stdio.h>

#include "core/status.h"
#include "cuda/sorts/lsd/lsd_tuning.h"

enum {
    LSD_RESIDENT_KEYS = 1 << 20 /* at most */
};

#define LSD_SHAPE(...)       {__VA_ARGS__, 0, 0},
#define LSD_SHORT_SHAPE(...) {__VA_ARGS__},
static const struct lsd_shape lsd_shapes[] = {LSD_SHAPES(LSD_SHAPE)};
static const struct lsd_shape lsd_short_shapes[] = {LSD_SHORT_SHAPES(LSD_SHORT_SHAPE)};
static const struct lsd_shape lsd_round_shapes[] = {LSD_ROUND_SHAPES(LSD_SHAPE)};
static const struct lsd_shape lsd_resident_shapes[] = {LSD_RESIDENT_SHAPES(LSD_SHAPE)};
#undef LSD_SHAPE
#undef LSD_SHORT_SHAPE

static const struct lsd_shape *lsd_passes_look_up(const struct lsd_shape *shapes, size_t count,
                                                  uint32_t key_bytes, uint32_t value_bytes)
{
    for (size_t i = 0; i < count; i++)
        if (shapes[i].key_bits == 8 * key_bytes && shapes[i].value_bytes == value_bytes)
            return &shapes[i];
    return NULL;
}

const struct lsd_shape *lsd_passes_shape(uint32_t key_bytes, uint32_t value_bytes)
{
    return lsd_passes_look_up(lsd_shapes, sizeof lsd_shapes / sizeof lsd_shapes[0], key_bytes,
                              value_bytes);
}

static const struct lsd_shape *lsd_passes_short_shape(uint32_t key_bytes, uint32_t value_bytes)
{
    return lsd_passes_look_up(lsd_short_shapes,
                              sizeof lsd_short_shapes / sizeof lsd_short_shapes[0], key_bytes,
                              value_bytes);
}

static const struct lsd_shape *lsd_passes_round_shape(uint32_t key_bytes, uint32_t value_bytes)
{
    return lsd_passes_look_up(lsd_round_shapes,
                              sizeof lsd_round_shapes / sizeof lsd_round_shapes[0], key_bytes,
                              value_bytes);
}

static const struct lsd_shape *lsd_passes_resident_shape(uint32_t key_bytes, uint32_t value_bytes)
{
    return lsd_passes_look_up(lsd_resident_shapes,
                              sizeof lsd_resident_shapes / sizeof lsd_resident_shapes[0], key_bytes,
                              value_bytes);
}

bool lsd_passes_are_short(uint32_t key_bytes, uint32_t value_bytes, uint64_t count)
{
    const struct lsd_shape *shape = lsd_passes_short_shape(key_bytes, value_bytes);
    return shape && count <= (uint64_t)1 << shape->most_bits;
}

bool lsd_passes_exist(uint32_t key_bytes, uint32_t value_bytes)
{
    return lsd_passes_shape(key_bytes, value_bytes) != NULL;
}

const struct lsd_shape *lsd_passes_at_once(uint32_t key_bytes, uint32_t value_bytes, uint64_t count)
{
    return count <= LSD_RESIDENT_KEYS ? lsd_passes_resident_shape(key_bytes, value_bytes) : NULL;
}

/* H200, CUDA 13.0, 2026-11, 2^28 items: 8 (u32 + 4) 0.0070 ns, 12 (u32 + 8) 0.0090, 16 (u64 + 8)
 * 0.0111, 20 (u32 + 16) 0.0140. Keys alone, 2^20 and 2^24 of them: u16 0.0045, u32 0.0045, u64
 * 0.0063. */
double lsd_passes_cost(uint32_t key_bytes, uint32_t value_bytes)
{
    if (value_bytes == 0)
        return key_bytes <= 4 ? 0.0045 : 0.0027 + 0.00045 * key_bytes;
    return 0.0031 + 0.00053 * (key_bytes + value_bytes);
}

static uint64_t lsd_passes_tiles(uint64_t keys, uint32_t tile_keys)
{
    return keys / tile_keys + (keys % tile_keys != 0);
}

/* Of a list of so many keys at most, for which a shape, if there is one, is used. */
static uint64_t lsd_passes_most_tiles(const struct lsd_shape *shape, uint64_t count, uint64_t most)
{
    return shape ? lsd_passes_tiles(count < most ? count : most, shape->threads * shape->items) : 0;
}

/* Bytes of their look-back words. */
static uint64_t lsd_passes_most_words(const struct lsd_shape *shape, uint64_t count, uint64_t most)
{
    return shape ? lsd_rows_bytes(lsd_row_bytes(shape->most_bits),
                                  lsd_passes_most_tiles(shape, count, most))
                 : 0;
}

static uint64_t lsd_passes_held_tiles(uint32_t key_bytes, uint32_t value_bytes, uint64_t count)
{
    return lsd_passes_most_tiles(lsd_passes_resident_shape(key_bytes, value_bytes), count,
                                 LSD_RESIDENT_KEYS);
}

uint64_t lsd_passes_control_bytes(uint32_t key_bytes, uint32_t value_bytes, uint64_t count)
{
    const uint32_t rows = count > LSD_PORTION_KEYS ? 2 * key_bytes : key_bytes;
    return launch_aligned(
        lsd_control_bytes(rows, lsd_passes_held_tiles(key_bytes, value_bytes, count)));
}

uint64_t lsd_passes_scratch(uint32_t key_bytes, uint32_t value_bytes, uint64_t count)
{
    const struct lsd_shape *shape = lsd_passes_shape(key_bytes, value_bytes);
    const struct lsd_shape *short_shape = lsd_passes_short_shape(key_bytes, value_bytes);
    const struct lsd_shape *round = lsd_passes_round_shape(key_bytes, value_bytes);
    uint64_t words = lsd_passes_most_words(shape, count, LSD_PORTION_KEYS);
    uint64_t rounded = lsd_passes_most_words(round, count, LSD_ROUND_KEYS);
    uint64_t more = lsd_passes_most_words(short_shape, count,
                                          short_shape ? (uint64_t)1 << short_shape->most_bits : 0);
    uint64_t held = lsd_passes_held_tiles(key_bytes, value_bytes, count);
    uint64_t counts = held * LSD_BINS * sizeof(lsd_held_count);
    words = words > more ? words : more;
    words = words > rounded ? words : rounded;
    return lsd_passes_control_bytes(key_bytes, value_bytes, count) +
           launch_aligned(words > counts ? words : counts);
}

static bool lsd_passes_find(const struct device *device, struct launch *launch, const char *name,
                            uint32_t threads, uint32_t shared)
{
    *launch = (struct launch){kernels_find(device, "lsd", name, shared), threads, shared};
    return launch->function != NULL;
}

static bool lsd_passes_find_pass(const struct device *device, struct lsd_pass_launch *pass,
                                 const struct lsd_shape *shape, const char *role)
{
    char name[32];
    snprintf(name, sizeof name, "lsd_%s_%u_%u", role, shape->key_bits, shape->value_bytes);
    pass->tile_keys = shape->threads * shape->items;
    pass->row_bytes = lsd_row_bytes(shape->most_bits);
    if (!lsd_passes_find(device, &pass->launch, name, shape->threads,
                         lsd_shared_bytes(shape->key_bits / 8, shape->value_bytes, shape->threads,
                                          shape->items)))
        return false;
    pass->blocks = launch_resident(&pass->launch) * (uint32_t)device->processors;
    return pass->blocks > 0;
}

/* For lists whose tiles find room at once, or in a few turns. */
static consort_status lsd_passes_find_short(const struct device *device, struct lsd_passes *passes,
                                            const struct lsd_shape *shape)
{
    struct lsd_pass_launch *pass = &passes->pass[LSD_TILES_SHORT];
    if (!lsd_passes_find_pass(device, pass, shape, "short"))
        return consort_last_error()->status;
    uint64_t held = (uint64_t)shape->tiles * pass->blocks * pass->tile_keys;
    uint64_t most = (uint64_t)1 << shape->most_bits;
    passes->short_keys = held < most ? held : most;
    return CONSORT_OK;
}

/* For lists of which each resident block holds a tile. */
static consort_status lsd_passes_find_resident(const struct device *device,
                                               struct lsd_passes *passes,
                                               const struct lsd_shape *shape)
{
    if (!lsd_passes_find_pass(device, &passes->resident, shape, "resident"))
        return consort_last_error()->status;
    uint64_t keys = (uint64_t)passes->resident.blocks * passes->resident.tile_keys;
    passes->resident_keys = keys < LSD_RESIDENT_KEYS ? keys : LSD_RESIDENT_KEYS;
    return CONSORT_OK;
}

consort_status lsd_passes_prepare(struct lsd_passes *passes, uint32_t key_bytes,
                                  uint32_t value_bytes, const struct device *device)
{
    const struct lsd_shape *short_shape = lsd_passes_short_shape(key_bytes, value_bytes);
    const struct lsd_shape *round = lsd_passes_round_shape(key_bytes, value_bytes);
    passes->key_bytes = key_bytes;
    passes->value_bytes = value_bytes;
    passes->histogram_blocks = LSD_HISTOGRAM_BLOCKS * (uint32_t)device->processors;
    passes->finish_blocks = LSD_FINISH_BLOCKS * (uint32_t)device->processors;
    char histogram[32];
    snprintf(histogram, sizeof histogram, "lsd_histogram_%u", 8 * key_bytes);
    bool found =
        lsd_passes_find_pass(device, &passes->pass[LSD_TILES_USUAL],
                             lsd_passes_shape(key_bytes, value_bytes), "pass") &&
        (!round || lsd_passes_find_pass(device, &passes->pass[LSD_TILES_ROUND], round, "round")) &&
        lsd_passes_find(device, &passes->histogram, histogram, LSD_HISTOGRAM_THREADS, 0) &&
        lsd_passes_find(device, &passes->finish, "lsd_finish_all", LSD_FINISH_THREADS, 0);
    passes->short_keys = passes->resident_keys = 0;
    if (!found)
        return consort_last_error()->status;
    passes->early = launch_can_wait(&passes->finish);
    const struct lsd_shape *resident = lsd_passes_resident_shape(key_bytes, value_bytes);
    if (resident && device->cooperative)
        return lsd_passes_find_resident(device, passes, resident);
    return short_shape ? lsd_passes_find_short(device, passes, short_shape) : CONSORT_OK;
}

/* Keys that a block would move if no round were shorter than others. */
static uint64_t lsd_passes_block_keys(const struct lsd_pass_launch *pass, uint64_t count)
{
    uint64_t tiles = lsd_passes_tiles(count, pass->tile_keys);
    return lsd_passes_tiles(tiles, pass->blocks) * pass->tile_keys;
}

enum lsd_tiles lsd_passes_tiles_of(const struct lsd_passes *passes, uint64_t count)
{
    if (count <= passes->short_keys)
        return LSD_TILES_SHORT;
    const struct lsd_pass_launch *pass = passes->pass;
    if (!pass[LSD_TILES_ROUND].launch.function || count > LSD_ROUND_KEYS)
        return LSD_TILES_USUAL;
    return (100 + LSD_ROUND_PERCENT) * lsd_passes_block_keys(&pass[LSD_TILES_ROUND], count) <
                   100 * lsd_passes_block_keys(&pass[LSD_TILES_USUAL], count)
               ? LSD_TILES_ROUND
               : LSD_TILES_USUAL;
}

static const struct lsd_pass_launch *lsd_passes_pass(const struct lsd_passes *passes,
                                                     uint64_t count)
{
    return &passes->pass[lsd_passes_tiles_of(passes, count)];
}

consort_status lsd_passes_histogram(const struct lsd_passes *passes, struct lsd_arguments *a,
                                    bool follows, consort_stream stream)
{
    uint64_t blocks = lsd_passes_tiles(a->count, LSD_HISTOGRAM_KEYS);
    void *parameters[] = {a};
    return launch_following(&passes->histogram, follows && passes->early,
                            blocks < passes->histogram_blocks ? blocks : passes->histogram_blocks,
                            stream, parameters);
}

static consort_status lsd_passes_finish(const struct lsd_passes *passes, struct lsd_arguments *a,
                                        consort_stream stream)
{
    uint32_t key_bytes = passes->key_bytes, value_bytes = passes->value_bytes;
    void *parameters[] = {a, &key_bytes, &value_bytes};
    return launch_following(&passes->finish, passes->early, passes->finish_blocks, stream,
                            parameters);
}

consort_status lsd_passes_launch(const struct lsd_passes *passes, struct lsd_arguments *a,
                                 uint32_t first, consort_stream stream)
{
    const struct lsd_pass_launch *kernel = lsd_passes_pass(passes, a->count);
    uint32_t portions = (uint32_t)lsd_passes_tiles(a->count, (uint32_t)LSD_PORTION_KEYS);
    consort_status status = CONSORT_OK;
    for (uint32_t pass = first; pass < a->passes; pass++) {
        for (uint32_t portion = 0; portion < portions && status == CONSORT_OK; portion++) {
            uint64_t left = a->count - portion * LSD_PORTION_KEYS;
            uint64_t keys = left < LSD_PORTION_KEYS ? left : LSD_PORTION_KEYS;
            uint64_t tiles = lsd_passes_tiles(keys, kernel->tile_keys);
            if (portions > 1)
                status =
                    launch_clear(a->lookback, lsd_rows_bytes(kernel->row_bytes, tiles), stream);
            void *parameters[] = {a, &pass, &portion, &portions};
            if (status == CONSORT_OK)
                status = launch_following(&kernel->launch, passes->early && portions == 1, tiles,
                                          stream, parameters);
        }
    }
    return status;
}

uint64_t lsd_passes_words_to_clear(const struct lsd_passes *passes, uint64_t count)
{
    const struct lsd_pass_launch *pass = lsd_passes_pass(passes, count);
    uint64_t tiles = lsd_passes_tiles(count, pass->tile_keys);
    return count <= LSD_PORTION_KEYS ? lsd_rows_bytes(pass->row_bytes, tiles) : 0;
}

static consort_status lsd_passes_run_resident(const struct lsd_passes *passes,
                                              struct lsd_arguments *a, consort_stream stream)
{
    void *parameters[] = {a};
    return launch_cooperative(&passes->resident.launch,
                              lsd_passes_tiles(a->count, passes->resident.tile_keys), stream,
                              parameters);
}

consort_status lsd_passes_run(const struct lsd_passes *passes, struct lsd_arguments *a,
                              void *scratch, consort_stream stream)
{
    const uint64_t control =
        lsd_passes_control_bytes(passes->key_bytes, passes->value_bytes, a->count);
    a->control = scratch;
    a->lookback = (uint32_t *)((char *)scratch + control);
    if (a->count <= passes->resident_keys && a->cuttable == 0)
        return lsd_passes_run_resident(passes, a, stream);
    consort_status status =
        launch_clear(scratch, control + lsd_passes_words_to_clear(passes, a->count), stream);
    if (status == CONSORT_OK)
        status = lsd_passes_histogram(passes, a, false, stream);
    if (status == CONSORT_OK)
        status = lsd_passes_launch(passes, a, 0, stream);
    if (status == CONSORT_OK)
        status = lsd_passes_finish(passes, a, stream);
    return status;
}
