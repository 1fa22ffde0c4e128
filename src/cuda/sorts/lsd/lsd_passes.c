/* SPDX-License-Identifier: Apache-2.0 */
/* The launches of `lsd` for any arrays of plain codes in device memory. */
#include "cuda/sorts/lsd/lsd_passes.h"

#include <stddef.h>
#include <stdio.h>

#include "core/status.h"
#include "cuda/sorts/lsd/lsd_tuning.h"

enum {
    LSD_PASSES_ALIGNMENT = 256
};

static const struct lsd_shape lsd_shapes[] = {
#define LSD_SHAPE(bits, value_bytes, threads, items, blocks) {bits, value_bytes, threads, items},
    LSD_SHAPES(LSD_SHAPE)
#undef LSD_SHAPE
};

const struct lsd_shape *lsd_passes_shape(uint32_t key_bytes, uint32_t value_bytes)
{
    for (size_t i = 0; i < sizeof lsd_shapes / sizeof lsd_shapes[0]; i++)
        if (lsd_shapes[i].key_bits == 8 * key_bytes && lsd_shapes[i].value_bytes == value_bytes)
            return &lsd_shapes[i];
    return NULL;
}

bool lsd_passes_exist(uint32_t key_bytes, uint32_t value_bytes)
{
    return lsd_passes_shape(key_bytes, value_bytes) != NULL;
}

/* H200, CUDA 13.0, 2026-11, 2^28 items: 4 bytes (u32) 0.0052 ns, 8 (u32 + 4) 0.0070, 12 (u32 + 8)
 * 0.0090, 16 (u64 + 8) 0.0111, 20 (u32 + 16) 0.0140. */
double lsd_passes_cost(uint32_t key_bytes, uint32_t value_bytes)
{
    return 0.0031 + 0.00053 * (key_bytes + value_bytes);
}

uint64_t lsd_passes_control_bytes(void)
{
    return (sizeof(struct lsd_control) + LSD_PASSES_ALIGNMENT - 1) / LSD_PASSES_ALIGNMENT *
           LSD_PASSES_ALIGNMENT;
}

static uint64_t lsd_passes_tiles(uint64_t keys, uint32_t tile_keys)
{
    return keys / tile_keys + (keys % tile_keys != 0);
}

uint64_t lsd_passes_scratch(uint32_t key_bytes, uint32_t value_bytes, uint64_t count)
{
    const struct lsd_shape *shape = lsd_passes_shape(key_bytes, value_bytes);
    uint64_t portion = count < LSD_PORTION_KEYS ? count : LSD_PORTION_KEYS;
    return lsd_passes_control_bytes() +
           lsd_passes_tiles(portion, shape->threads * shape->items) * LSD_BINS * 4;
}

static bool lsd_passes_find(const struct device *device, struct launch *launch, const char *name,
                            uint32_t threads, uint32_t shared)
{
    *launch = (struct launch){kernels_find(device, "lsd", name, shared), threads, shared};
    return launch->function != NULL;
}

consort_status lsd_passes_prepare(struct lsd_passes *passes, uint32_t key_bytes,
                                  uint32_t value_bytes, const struct device *device)
{
    const struct lsd_shape *shape = lsd_passes_shape(key_bytes, value_bytes);
    passes->key_bytes = key_bytes;
    passes->value_bytes = value_bytes;
    passes->tile_keys = shape->threads * shape->items;
    passes->histogram_blocks = LSD_HISTOGRAM_BLOCKS * (uint32_t)device->processors;
    char pass[32], histogram[32];
    snprintf(pass, sizeof pass, "lsd_pass_%u_%u", shape->key_bits, shape->value_bytes);
    snprintf(histogram, sizeof histogram, "lsd_histogram_%u", shape->key_bits);
    bool found =
        lsd_passes_find(device, &passes->pass, pass, shape->threads,
                        lsd_shared_bytes(key_bytes, value_bytes, shape->threads, shape->items)) &&
        lsd_passes_find(device, &passes->histogram, histogram, LSD_HISTOGRAM_THREADS, 0) &&
        lsd_passes_find(device, &passes->finish, "lsd_finish_all", LSD_FINISH_THREADS, 0);
    return found ? CONSORT_OK : consort_last_error()->status;
}

consort_status lsd_passes_histogram(const struct lsd_passes *passes, struct lsd_arguments *a,
                                    consort_stream stream)
{
    void *parameters[] = {a};
    return launch_kernel(&passes->histogram, passes->histogram_blocks, stream, parameters);
}

consort_status lsd_passes_finish(const struct lsd_passes *passes, struct lsd_arguments *a,
                                 consort_stream stream)
{
    uint32_t key_bytes = passes->key_bytes, value_bytes = passes->value_bytes;
    void *parameters[] = {a, &key_bytes, &value_bytes};
    return launch_kernel(&passes->finish, passes->histogram_blocks, stream, parameters);
}

consort_status lsd_passes_launch(const struct lsd_passes *passes, struct lsd_arguments *a,
                                 consort_stream stream)
{
    uint32_t portions = (uint32_t)lsd_passes_tiles(a->count, (uint32_t)LSD_PORTION_KEYS);
    consort_status status = CONSORT_OK;
    for (uint32_t pass = 0; pass < a->passes; pass++) {
        for (uint32_t portion = 0; portion < portions && status == CONSORT_OK; portion++) {
            uint64_t left = a->count - portion * LSD_PORTION_KEYS;
            uint64_t keys = left < LSD_PORTION_KEYS ? left : LSD_PORTION_KEYS;
            uint64_t tiles = lsd_passes_tiles(keys, passes->tile_keys);
            if (portions > 1)
                status = launch_clear(a->lookback, tiles * LSD_BINS * 4, stream);
            void *parameters[] = {a, &pass, &portion, &portions};
            if (status == CONSORT_OK)
                status = launch_kernel(&passes->pass, tiles, stream, parameters);
        }
    }
    return status;
}

uint64_t lsd_passes_clear_bytes(const struct lsd_passes *passes, uint64_t count)
{
    uint64_t lookback = lsd_passes_tiles(count, passes->tile_keys) * LSD_BINS * 4;
    return lsd_passes_control_bytes() + (count <= LSD_PORTION_KEYS ? lookback : 0);
}

consort_status lsd_passes_run(const struct lsd_passes *passes, struct lsd_arguments *a,
                              void *scratch, consort_stream stream)
{
    a->control = scratch;
    a->lookback = (uint32_t *)((char *)scratch + lsd_passes_control_bytes());
    consort_status status = launch_clear(scratch, lsd_passes_clear_bytes(passes, a->count), stream);
    if (status == CONSORT_OK)
        status = lsd_passes_histogram(passes, a, stream);
    if (status == CONSORT_OK)
        status = lsd_passes_launch(passes, a, stream);
    if (status == CONSORT_OK)
        status = lsd_passes_finish(passes, a, stream);
    return status;
}
