/* SPDX-License-Identifier: Apache-2.0 */
/* Long segments of keys alone, of 8 to 64 bits: kernels that take the place of those of
 * `segmented` that keep equal keys in order. */
#ifndef CONSORT_SEGMENTED_LONG_H
#define CONSORT_SEGMENTED_LONG_H

#include "cuda/launch.h"
#include "cuda/sorts/segmented/segmented_workspace.h"

/* Finds the kernel that sorts leaves of class `c`, counts units, says where they go, or moves them;
 * false if there is none for such keys, or, with the error recorded, if it cannot be loaded. */
bool segmented_long_find_leaves(const struct device *device, struct launch *launch,
                                const struct segmented_shape *shape, uint32_t c);
bool segmented_long_find_count(const struct device *device, struct launch *launch,
                               const struct segmented_shape *shape);
bool segmented_long_find_scan(const struct device *device, struct launch *launch);
bool segmented_long_find_move(const struct device *device, struct launch *launch,
                              const struct segmented_shape *shape);

/* The same of single bytes: "leaves" of all classes that take a block, and for large segments
 * "count", "scan" and "write". */
bool segmented_long_find_bytes(const struct device *device, struct launch *launch,
                               const char *name);

/* Which leaves neighbouring parts make, and of which lengths the classes are. */
void segmented_long_set_classes(const struct segmented_shape *shape, struct segmented_arguments *a);

/* Whether there is one; leaves need the shared memory of the GPU's blocks. */
bool segmented_long_has_leaves(const struct device *device, const struct segmented_shape *shape,
                               uint32_t c);
bool segmented_long_has_move(const struct segmented_shape *shape);
bool segmented_long_counts(const struct segmented_shape *shape); /* with values, too */

/* The items of a tile that it moves. */
uint32_t segmented_long_tile_items(const struct segmented_shape *shape);

#endif
