/* SPDX-License-Identifier: Apache-2.0 */
#include "cuda/sorts/segmented_long/segmented_long.h"

#include <stdio.h>

#include "cuda/sorts/segmented_long/segmented_long_tuning.h"

struct segmented_long_leaf {
    uint32_t key_bits, class_number, most, threads, items, bin_bits;
};

static const struct segmented_long_leaf segmented_long_leaves[] = {
#define SEGMENTED_LONG_LEAF(bits, c, most, threads, items, bin_bits, blocks)                       \
    {bits, c, most, threads, items, bin_bits},
    SEGMENTED_LONG_LEAVES(SEGMENTED_LONG_LEAF)
#undef SEGMENTED_LONG_LEAF
};

static const struct segmented_long_leaf *segmented_long_leaf_of(const struct segmented_shape *shape,
                                                                uint32_t c)
{
    for (size_t i = 0; i < sizeof segmented_long_leaves / sizeof segmented_long_leaves[0]; i++)
        if (!shape->paired && segmented_long_leaves[i].key_bits == shape->key_bits &&
            segmented_long_leaves[i].class_number == c)
            return &segmented_long_leaves[i];
    return NULL;
}

void segmented_long_set_classes(const struct segmented_shape *shape, struct segmented_arguments *a)
{
    a->stretched_class = SEGMENTED_CLASSES; /* none */
    a->shared_items = a->thread_items << (SEGMENTED_PAIRS + 1);
    for (uint32_t c = segmented_classes_of(shape); c-- > 0;) {
        const struct segmented_long_leaf *leaf = segmented_long_leaf_of(shape, c);
        if (!leaf)
            continue;
        if (a->stretched_class == SEGMENTED_CLASSES)
            a->shared_items = leaf->most;
        if (leaf->most > a->thread_items << (c + 1)) {
            a->stretched_class = c;
            a->stretched_items = leaf->most;
        }
    }
}

static uint32_t segmented_long_shared(const struct segmented_long_leaf *leaf)
{
    return msd_small_bytes(leaf->key_bits / 8, leaf->threads, leaf->items, leaf->bin_bits);
}

bool segmented_long_has_leaves(const struct device *device, const struct segmented_shape *shape,
                               uint32_t c)
{
    const struct segmented_long_leaf *leaf = segmented_long_leaf_of(shape, c);
    return leaf && segmented_long_shared(leaf) <= (uint32_t)device->shared_optin;
}

bool segmented_long_find_leaves(const struct device *device, struct launch *launch,
                                const struct segmented_shape *shape, uint32_t c)
{
    const struct segmented_long_leaf *leaf = segmented_long_leaf_of(shape, c);
    char name[48];
    snprintf(name, sizeof name, "segmented_long_leaves_%u_%u", leaf->key_bits, c);
    uint32_t shared = segmented_long_shared(leaf);
    *launch = (struct launch){kernels_find(device, "segmented_long", name, shared), leaf->threads,
                              shared};
    return launch->function != NULL;
}

/* Of a thread; 0: no kernel moves such keys. */
static uint32_t segmented_long_items(const struct segmented_shape *shape)
{
    uint32_t items = 0;
#define SEGMENTED_LONG_TILE(bits, tile_items)                                                      \
    if (shape->key_bits == (bits) && !shape->paired)                                               \
        items = tile_items;
    SEGMENTED_LONG_TILES(SEGMENTED_LONG_TILE)
#undef SEGMENTED_LONG_TILE
    return items;
}

bool segmented_long_counts(const struct segmented_shape *shape)
{
    return shape->key_bits >= 16 && shape->key_bits <= 64;
}

bool segmented_long_find_count(const struct device *device, struct launch *launch,
                               const struct segmented_shape *shape)
{
    char name[32];
    snprintf(name, sizeof name, "segmented_long_count_%u", shape->key_bits);
    *launch =
        (struct launch){kernels_find(device, "segmented_long", name, 0), SEGMENTED_TILE_THREADS, 0};
    return launch->function != NULL;
}

bool segmented_long_find_scan(const struct device *device, struct launch *launch)
{
    *launch = (struct launch){kernels_find(device, "segmented_long", "segmented_long_scan_all", 0),
                              SEGMENTED_SCAN_THREADS, 0};
    return launch->function != NULL;
}

bool segmented_long_has_move(const struct segmented_shape *shape)
{
    return segmented_long_items(shape) > 0;
}

uint32_t segmented_long_tile_items(const struct segmented_shape *shape)
{
    return segmented_long_items(shape) * SEGMENTED_TILE_THREADS;
}

bool segmented_long_find_move(const struct device *device, struct launch *launch,
                              const struct segmented_shape *shape)
{
    char name[32];
    snprintf(name, sizeof name, "segmented_long_move_%u", shape->key_bits);
    uint32_t shared = segmented_long_tile_bytes(shape->key_bits / 8, segmented_long_items(shape));
    *launch = (struct launch){kernels_find(device, "segmented_long", name, shared),
                              SEGMENTED_TILE_THREADS, shared};
    return launch->function != NULL;
}

bool segmented_long_find_bytes(const struct device *device, struct launch *launch, const char *name)
{
    char full[40];
    snprintf(full, sizeof full, "segmented_long_%s_8", name);
    *launch = (struct launch){kernels_find(device, "segmented_long", full, 0),
                              SEGMENTED_LONG_BYTES_THREADS, 0};
    return launch->function != NULL;
}
