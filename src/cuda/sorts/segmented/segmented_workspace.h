/* SPDX-License-Identifier: Apache-2.0 */
/* What `segmented` needs for a request: its shape, how values move, and where the workspace holds
 * what. */
#ifndef CONSORT_SEGMENTED_WORKSPACE_H
#define CONSORT_SEGMENTED_WORKSPACE_H

#include "core/request.h"
#include "cuda/sorts/segmented/segmented_layout.h"

struct segmented_shape {
    uint32_t key_bits, paired, items, threads, tiny_items;
};

/* Counted in bytes from the start of the workspace. */
struct segmented_workspace {
    uint64_t pages, cleared; /* the latter: where what is zero before a run ends */
    uint64_t lists;
    uint64_t singles[2], shared[2], units[2], bins, few, chains;
    uint64_t keys, values, index, column;
    uint64_t total;
    uint64_t page_room, bucket_room, unit_room;
};

/* NULL if there are no kernels for such keys. */
const struct segmented_shape *segmented_shape_of(const struct request *request);

/* Single bytes alone, of which long segments are counted and written, not moved. */
bool segmented_is_counted(const struct segmented_shape *shape);

/* How many classes of leaves the shape has. */
uint32_t segmented_classes_of(const struct segmented_shape *shape);

/* The longest segment that one block sorts. */
uint64_t segmented_most_of_a_block(const struct segmented_shape *shape);

/* The items of a tile of the partition. */
uint32_t segmented_tile_items(const struct segmented_shape *shape);

/* How many bits tell where one of so many items is. */
uint32_t segmented_start_bits(uint64_t maximum_count);

/* The items of a unit, of `count` on a GPU of so many multiprocessors: as many units as blocks that
 * count or move are resident, but no more than have room, nor of more items than the word of a
 * bucket of one unit can tell beside so many bits of its start. */
uint32_t segmented_unit_items(const struct segmented_shape *shape, uint64_t count,
                              uint32_t start_bits, uint32_t processors);

/* True if values follow a sorted index, because they are not one column of 4, 8 or 16 bytes. */
bool segmented_moves_index(const struct request *request);

/* Bytes of what moves with a key. */
uint32_t segmented_value_bytes(const struct request *request);

/* True if some segment may be too large for one block. */
bool segmented_may_be_large(const struct request *request);

/* True if `in` and `out` take turns, so that the workspace has no third buffer. Host arrays are
 * sorted in place in a device copy, whatever form the caller asked for. */
bool segmented_uses_both_buffers(const struct request *request);

/* Bytes of a count of items of a digit. */
uint32_t segmented_bin_bytes(const struct request *request);

/* Of a segment's number in a list. */
uint32_t segmented_list_bytes(const struct request *request);

/* Of where a part too small for a link starts, and its length. */
uint32_t segmented_few_bytes(const struct request *request);

struct segmented_workspace segmented_lay_out(const struct request *request);

#endif
