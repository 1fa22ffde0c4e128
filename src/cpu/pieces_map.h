/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which bucket a key belongs to: the codes between the least and the greatest of a sample are cut
 * into 2^16 cells of equal width, four times as many if keys crowd in few of them, and neighbouring
 * cells join until a bucket has its share of the sample. What lies outside goes to a bucket on
 * either side.
 */
#ifndef CONSORT_CPU_PIECES_MAP_H
#define CONSORT_CPU_PIECES_MAP_H

#include "core/codec.h"
#include "cpu/pieces_store.h"

enum {
    PIECES_CELL_BITS = 16,
    PIECES_FINER_BITS = 2, /* half a megabyte of buckets: a second-level cache still holds them */
    PIECES_CELLS = 1 << (PIECES_CELL_BITS + PIECES_FINER_BITS)
};

struct pieces_map {
    uint128 low;
    uint128 high;
    uint32_t shift;
    uint32_t buckets;
    uint32_t tally[PIECES_CELLS];
    uint16_t bucket[PIECES_CELLS + 2]; /* of the codes below `low`, of each cell, of those above */
    bool equal[PIECES_MAX_BUCKETS];    /* all its keys are the same */
};

/* `sample` is not empty and nothing but keys; of its blocks every `step`th is looked at. A bucket
 * gets `share` of the chain's bytes or less, unless a cell has more; at most `most` buckets, at
 * least 3. */
void pieces_map_make(struct pieces_map *map, const struct codec *codec,
                     const struct pieces_store *store, const struct pieces_chain *sample,
                     uint32_t step, double share, uint32_t most);

/* Distributes `count` keys among the buckets of `writer`. `width` is the codec's. */
typedef void (*pieces_scatter)(struct pieces_writer *writer, const struct pieces_map *map,
                               const struct codec *codec, const void *keys, uint64_t count);
pieces_scatter pieces_scatter_of(uint32_t width);

#endif
