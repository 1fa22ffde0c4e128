/* SPDX-License-Identifier: Apache-2.0 */
#include "cuda/sorts/msd/msd_kernels.h"

#include <stdio.h>

#include "cuda/sorts/msd/msd_layout.h"
#include "cuda/sorts/msd/msd_tuning.h"

static const struct msd_shape msd_shapes[] = {
#define MSD_SHAPE(...) {__VA_ARGS__},
    MSD_SHAPES(MSD_SHAPE)
#undef MSD_SHAPE
};

const struct msd_shape *msd_shape_of(uint64_t key_bytes)
{
    for (size_t i = 0; i < sizeof msd_shapes / sizeof msd_shapes[0]; i++)
        if (msd_shapes[i].key_bits == 8 * key_bytes)
            return &msd_shapes[i];
    return NULL;
}

uint32_t msd_most_shared(const struct msd_shape *shape)
{
    const uint32_t bytes = shape->key_bits / 8;
    uint32_t front = msd_front_bytes(bytes);
    uint32_t partition = msd_first_bytes(bytes, shape->threads, shape->items);
    if (bytes == MSD_LONG_KEY_BYTES) /* the second takes more than the first */
        partition = msd_long_second_bytes();
    if (bytes == MSD_LONG_WIDE_KEY_BYTES)
        partition = msd_first_bytes(bytes, MSD_LONG_THREADS, MSD_LONG_WIDE_ITEMS);
    uint32_t large =
        msd_leaf_bytes(bytes, shape->large_threads, shape->large_items, shape->large_bins);
    uint32_t most = front > partition ? front : partition;
    return most > large ? most : large;
}

bool msd_find(const struct device *device, struct msd_kernel *kernel, const char *image,
              const char *name, uint32_t threads, uint32_t shared)
{
    kernel->launch = (struct launch){kernels_find(device, image, name, shared), threads, shared};
    if (!kernel->launch.function)
        return false;
    kernel->blocks = launch_resident(&kernel->launch) * (uint32_t)device->processors;
    return kernel->blocks > 0;
}

static bool msd_find_role(const struct device *device, struct msd_kernel *kernel, const char *role,
                          uint32_t key_bits, uint32_t threads, uint32_t shared)
{
    char name[32];
    snprintf(name, sizeof name, "msd_%s_%u", role, key_bits);
    return msd_find(device, kernel, "msd", name, threads, shared);
}

/* Where a block may have so much shared memory (8.0 lacks a kilobyte): else they go as longer
 * lists. */
static bool msd_find_middling(const struct device *device, const struct msd_shape *shape,
                              struct msd_state *state)
{
    const uint32_t key_bytes = shape->key_bits / 8;
    const uint32_t shared = msd_middling_bytes();
    return key_bytes != MSD_MIDDLING_KEY_BYTES || device->shared_optin < (int32_t)shared ||
           (msd_find_role(device, &state->middling, "middling", 8 * key_bytes, MSD_MIDDLING_THREADS,
                          shared) &&
            msd_find_role(device, &state->uneven, "uneven", 8 * key_bytes, shape->threads,
                          msd_first_bytes(key_bytes, shape->threads, shape->items)) &&
            msd_find_role(device, &state->middling_passes, "middling_passes", 8 * key_bytes,
                          MSD_MIDDLING_PASS_THREADS,
                          lsd_shared_bytes(key_bytes, 0, MSD_MIDDLING_PASS_THREADS,
                                           MSD_MIDDLING_PASS_ITEMS)));
}

static bool msd_find_long(const struct device *device, uint32_t bytes, struct msd_state *state)
{
    const uint32_t bits = 8 * bytes, threads = MSD_LONG_THREADS;
    const bool wide = bytes == MSD_LONG_WIDE_KEY_BYTES;
    const uint32_t items = wide ? MSD_LONG_WIDE_ITEMS : MSD_LONG_ITEMS;
    if (!msd_find_role(device, &state->long_first, "long_first", bits, threads,
                       msd_first_bytes(bytes, threads, items)))
        return false;
    if (wide)
        return msd_find_role(
            device, &state->long_passes, "long_passes", bits, MSD_LONG_PASS_THREADS,
            lsd_shared_bytes(bytes, 0, MSD_LONG_PASS_THREADS, MSD_LONG_PASS_ITEMS));
    return msd_find_role(device, &state->long_second, "long_second", bits, threads,
                         msd_long_second_bytes()) &&
           msd_find_role(device, &state->halves, "halves", bits, MSD_HALVES_THREADS,
                         msd_halves_bytes()) &&
           msd_find_role(device, &state->numbers, "numbers", bits, MSD_HALVES_THREADS,
                         msd_halves_bytes()) &&
           msd_find_role(device, &state->crowded, "crowded", bits, MSD_HALVES_THREADS,
                         msd_crowded_bytes());
}

bool msd_find_all(const struct device *device, const struct msd_shape *shape, bool longer,
                  struct msd_state *state)
{
    const uint32_t bits = shape->key_bits, bytes = bits / 8;
    const uint32_t threads = shape->threads, items = shape->items;
    return msd_find_role(device, &state->front, "front", bits, MSD_HISTOGRAM_THREADS,
                         msd_front_bytes(bytes)) &&
           msd_find_role(device, &state->first, "first", bits, threads,
                         msd_first_bytes(bytes, threads, items)) &&
           msd_find_role(device, &state->second, "second", bits, threads,
                         msd_second_bytes(bytes, threads, items)) &&
           msd_find_role(device, &state->levels, "levels", bits, shape->level_threads,
                         msd_levels_bytes(bytes, shape->level_threads, shape->level_items)) &&
           msd_find_role(device, &state->small, "small", bits, shape->small_threads,
                         msd_small_bytes(bytes, shape->small_threads, shape->small_items,
                                         shape->small_bins)) &&
           msd_find_role(device, &state->alone, "alone", bits, MSD_WHOLE_THREADS,
                         msd_alone_bytes(bytes)) &&
           msd_find_role(device, &state->whole, "whole", bits, MSD_WHOLE_THREADS,
                         msd_whole_bytes(bytes)) &&
           msd_find_role(device, &state->large, "large", bits, shape->large_threads,
                         msd_leaf_bytes(bytes, shape->large_threads, shape->large_items,
                                        shape->large_bins)) &&
           (bytes > MSD_PASSED_KEY_BYTES ||
            msd_find_role(device, &state->passes, "passes", bits, MSD_PASS_THREADS,
                          lsd_shared_bytes(bytes, 0, MSD_PASS_THREADS, shape->pass_items))) &&
           (bytes < MSD_OCTAVE_KEY_BYTES ||
            msd_find_role(device, &state->octaves, "octaves", bits, shape->level_threads,
                          msd_levels_bytes(bytes, shape->level_threads, shape->level_items))) &&
           msd_find_middling(device, shape, state) &&
           (!longer || msd_find_long(device, bytes, state));
}
