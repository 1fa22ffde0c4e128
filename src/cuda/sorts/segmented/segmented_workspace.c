/* SPDX-License-Identifier: Apache-2.0 */
/* How much workspace `segmented` needs. */
#include "cuda/sorts/segmented/segmented_workspace.h"

#include <stddef.h>

#include "cuda/carried_values.h"
#include "cuda/sorts/segmented/segmented_tuning.h"

enum {
    SEGMENTED_ALIGNMENT = 256
};

static const struct segmented_shape segmented_shapes[] = {
#define SEGMENTED_SHAPE(bits, paired, items, threads, blocks, tiny_items, tiny_blocks)             \
    {bits, paired, items, threads, tiny_items},
    SEGMENTED_SHAPES(SEGMENTED_SHAPE)
#undef SEGMENTED_SHAPE
};

static const uint32_t segmented_tiles[][2] = {
#define SEGMENTED_TILE(bits, paired, items) {bits, items},
    SEGMENTED_TILES(SEGMENTED_TILE)
#undef SEGMENTED_TILE
};

/* Keys of 128 bits take the kernels of pairs, whose comparators are cheaper, without values. */
const struct segmented_shape *segmented_shape_of(const struct request *request)
{
    uint32_t bits = 8 * (uint32_t)request->item_bytes;
    uint32_t paired = request->value_count > 0 || bits == 128;
    for (size_t i = 0; i < sizeof segmented_shapes / sizeof segmented_shapes[0]; i++)
        if (segmented_shapes[i].key_bits == bits && segmented_shapes[i].paired == paired)
            return &segmented_shapes[i];
    return NULL;
}

bool segmented_is_counted(const struct segmented_shape *shape)
{
    return shape->key_bits == 8 && !shape->paired;
}

uint32_t segmented_classes_of(const struct segmented_shape *shape)
{
    uint32_t classes = 1;
    while (2u << (classes - 1) < shape->threads)
        classes++;
    return classes;
}

uint32_t segmented_tile_items(const struct segmented_shape *shape)
{
    uint32_t items = 0;
    for (size_t i = 0; i < sizeof segmented_tiles / sizeof segmented_tiles[0]; i++)
        if (segmented_tiles[i][0] == shape->key_bits)
            items = segmented_tiles[i][1];
    return items * SEGMENTED_TILE_THREADS;
}

static uint32_t segmented_tiles_a_unit(const struct segmented_shape *shape)
{
    return segmented_is_counted(shape) ? SEGMENTED_TILES_COUNTED : SEGMENTED_TILES_A_UNIT;
}

uint32_t segmented_start_bits(uint64_t maximum_count)
{
    uint32_t bits = 1;
    while (maximum_count >> bits > 0)
        bits++;
    return bits;
}

static uint32_t segmented_most_units(const struct segmented_shape *shape)
{
    return segmented_is_counted(shape) ? SEGMENTED_MOST_COUNTED : SEGMENTED_MOST_UNITS;
}

/* As many as blocks that count are resident, or half, as blocks that move are. */
static uint64_t segmented_units_for(const struct segmented_shape *shape, uint32_t processors)
{
    uint64_t most = segmented_most_units(shape), units = 4 * (uint64_t)processors;
    if (units > most && !segmented_is_counted(shape))
        units /= 2;
    return units < most ? units : most;
}

/* Less than two units are one. */
static uint64_t segmented_most_of_a_unit(uint32_t start_bits)
{
    return (uint64_t)1 << (SEGMENTED_SINGLE_COARSE_SHIFT - start_bits - 1);
}

uint32_t segmented_unit_items(const struct segmented_shape *shape, uint64_t count,
                              uint32_t start_bits, uint32_t processors)
{
    uint64_t tile = segmented_tile_items(shape), units = segmented_units_for(shape, processors);
    uint64_t tiles = (count + units * tile - 1) / (units * tile);
    uint32_t least = segmented_tiles_a_unit(shape);
    uint64_t items = tile * (tiles < least ? least : tiles);
    uint64_t most = segmented_most_of_a_unit(start_bits);
    return (uint32_t)(items < most ? items : most);
}

bool segmented_moves_index(const struct request *request)
{
    uint64_t bytes = request->value_count == 1 ? request->value_bytes[0] : 0;
    return request->value_count > 0 && bytes != 4 && bytes != 8 && bytes != 16;
}

uint32_t segmented_value_bytes(const struct request *request)
{
    if (segmented_moves_index(request))
        return request->maximum_count <= (uint64_t)1 << 32 ? 4 : 8;
    return request->value_count == 1 ? (uint32_t)request->value_bytes[0] : 0;
}

uint64_t segmented_most_of_a_block(const struct segmented_shape *shape)
{
    return (uint64_t)shape->items * shape->threads;
}

bool segmented_may_be_large(const struct request *request)
{
    return request->maximum_count > segmented_most_of_a_block(segmented_shape_of(request));
}

bool segmented_uses_both_buffers(const struct request *request)
{
    return request->form == CONSORT_FORM_DOUBLE_BUFFER && request->memory == CONSORT_MEMORY_DEVICE;
}

uint32_t segmented_bin_bytes(const struct request *request)
{
    return request->maximum_count < (uint64_t)1 << 32 ? 4 : 8;
}

uint32_t segmented_list_bytes(const struct request *request)
{
    return request->maximum_segments <= (uint64_t)1 << 32 ? 4 : 8;
}

/* Such a part is shorter than two links. */
uint32_t segmented_few_bytes(const struct request *request)
{
    uint64_t lengths = 2 * sizeof(uint64_t) / request->item_bytes;
    return lengths << segmented_start_bits(request->maximum_count) <= (uint64_t)1 << 32 ? 4 : 8;
}

static uint64_t segmented_take(struct segmented_workspace *w, uint64_t bytes)
{
    uint64_t at = w->total;
    w->total += (bytes + SEGMENTED_ALIGNMENT - 1) / SEGMENTED_ALIGNMENT * SEGMENTED_ALIGNMENT;
    return at;
}

/* How many segments all lists have together, which take pages from the same memory: as many as
 * disjoint segments of their classes can be many. */
static uint64_t segmented_listed_room(const struct request *request)
{
    const struct segmented_shape *shape = segmented_shape_of(request);
    uint64_t segments = request->maximum_count / (shape->tiny_items + 1);
    return segments < request->maximum_segments ? segments : request->maximum_segments;
}

/* Every list but ends within a page. */
static void segmented_lay_out_lists(const struct request *request, struct segmented_workspace *w)
{
    uint32_t classes = segmented_classes_of(segmented_shape_of(request));
    w->page_room = segmented_listed_room(request) / SEGMENTED_PAGE + classes;
    w->pages = segmented_take(w, classes * w->page_room * sizeof(uint32_t));
    w->cleared = w->total;
    w->lists = segmented_take(w, w->page_room * SEGMENTED_PAGE * segmented_list_bytes(request));
}

static void segmented_lay_out_large(const struct request *request, struct segmented_workspace *w)
{
    const struct segmented_shape *shape = segmented_shape_of(request);
    uint64_t count = request->maximum_count;
    uint64_t unit = (uint64_t)segmented_tile_items(shape) * segmented_tiles_a_unit(shape);
    w->bucket_room = count / (segmented_most_of_a_block(shape) + 1);
    uint64_t units = count / segmented_most_of_a_unit(segmented_start_bits(count));
    w->unit_room = segmented_most_units(shape);
    if (w->unit_room < units)
        w->unit_room = units;
    if (w->unit_room > count / unit)
        w->unit_room = count / unit;
    for (int parity = 0; parity < 2; parity++) {
        w->singles[parity] = segmented_take(w, w->bucket_room * sizeof(uint64_t));
        w->shared[parity] = segmented_take(w, w->unit_room / 2 * sizeof(struct segmented_bucket));
        w->units[parity] = segmented_take(w, w->unit_room * sizeof(uint32_t));
    }
    w->bins = segmented_take(w, w->unit_room * SEGMENTED_BINS * segmented_bin_bytes(request));
    bool spares = !segmented_uses_both_buffers(request), moves = !segmented_is_counted(shape);
    uint64_t chains = SEGMENTED_CHAINS_OF_ALL * sizeof(uint64_t);
    /* From one of a bucket to the next are more items than a block sorts (segmented_next_leaf): if
     * the bucket has q times so many, which is at least once, those are at most q + 1, or 2 q. */
    bool few = moves && request->item_bytes < sizeof(uint64_t);
    w->few = segmented_take(w, few ? 2 * w->bucket_room * segmented_few_bytes(request) : 0);
    w->chains = segmented_take(w, moves ? chains : 0);
    w->keys = segmented_take(w, moves && spares ? count * request->item_bytes : 0);
    bool spare_values = spares || segmented_moves_index(request);
    w->values = segmented_take(w, spare_values ? count * segmented_value_bytes(request) : 0);
}

struct segmented_workspace segmented_lay_out(const struct request *request)
{
    struct segmented_workspace w = {0};
    segmented_take(&w, sizeof(struct segmented_control));
    segmented_lay_out_lists(request, &w);
    if (segmented_may_be_large(request))
        segmented_lay_out_large(request, &w);
    if (!segmented_moves_index(request))
        return w;
    w.index = segmented_take(&w, request->maximum_count * segmented_value_bytes(request));
    w.column = segmented_take(&w, carried_values_widest_column(request));
    return w;
}
