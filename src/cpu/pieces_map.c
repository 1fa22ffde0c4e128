/* SPDX-License-Identifier: Apache-2.0 */
/* Buckets of about equal size, found from a sample. */
#include "cpu/pieces_map.h"

#include <string.h>

enum {
    PIECES_CROWD = 8 /* a part of the sample above one in so many is notable */
};

/* Calls `see` with the code of each key in every `step`th block of the sample. */
static void pieces_map_look(struct pieces_map *map, const struct codec *codec,
                            const struct pieces_store *store, const struct pieces_chain *sample,
                            uint32_t step, void (*see)(struct pieces_map *map, uint128 code))
{
    uint32_t place = 0;
    for (uint32_t block = sample->first; block != PIECES_NO_BLOCK;
         block = store->blocks[block].next, place++) {
        if (place % step != 0)
            continue;
        const unsigned char *keys = pieces_store_at(store, block);
        for (uint32_t i = 0; i < store->blocks[block].bytes; i += codec->width)
            see(map, codec_load(codec, keys + i));
    }
}

static void pieces_map_widen(struct pieces_map *map, uint128 code)
{
    map->low = code < map->low ? code : map->low;
    map->high = code > map->high ? code : map->high;
}

static void pieces_map_tally(struct pieces_map *map, uint128 code)
{
    map->tally[(uint32_t)((code - map->low) >> map->shift)]++;
}

static uint32_t pieces_map_cells(const struct pieces_map *map)
{
    return (uint32_t)((map->high - map->low) >> map->shift) + 1;
}

/* Cells join while together they have no more than their share. */
static void pieces_map_join(struct pieces_map *map, uint64_t share, uint32_t most)
{
    uint32_t cells = pieces_map_cells(map), first = 0, bucket = 1;
    uint64_t mass = 0;
    for (uint32_t cell = 0; cell < cells; cell++) {
        bool full = mass > 0 && (mass >= share || mass + map->tally[cell] > share);
        if (full && bucket + 2 < most) {
            map->equal[bucket++] = map->shift == 0 && cell - first == 1;
            first = cell;
            mass = 0;
        }
        mass += map->tally[cell];
        map->bucket[1 + cell] = (uint16_t)bucket;
    }
    map->equal[bucket] = map->shift == 0 && cells - first == 1;
    map->bucket[0] = 0;
    map->bucket[1 + cells] = (uint16_t)(bucket + 1);
    map->equal[0] = map->equal[bucket + 1] = false;
    map->buckets = bucket + 2;
}

/* Returns the size of the sample. */
static uint64_t pieces_map_count(struct pieces_map *map, const struct codec *codec,
                                 const struct pieces_store *store,
                                 const struct pieces_chain *sample, uint32_t step)
{
    uint64_t seen = 0;
    memset(map->tally, 0, pieces_map_cells(map) * sizeof *map->tally);
    pieces_map_look(map, codec, store, sample, step, pieces_map_tally);
    for (uint32_t cell = 0; cell < pieces_map_cells(map); cell++)
        seen += map->tally[cell];
    return seen;
}

/* Whether cells that have more than a bucket's share hold a notable part of the sample. */
static bool pieces_map_is_crowded(const struct pieces_map *map, uint64_t share, uint64_t seen)
{
    uint64_t crowd = 0;
    for (uint32_t cell = 0; cell < pieces_map_cells(map); cell++)
        crowd += map->tally[cell] > share ? map->tally[cell] : 0;
    return crowd > seen / PIECES_CROWD;
}

void pieces_map_make(struct pieces_map *map, const struct codec *codec,
                     const struct pieces_store *store, const struct pieces_chain *sample,
                     uint32_t step, double share, uint32_t most)
{
    map->low = ~(uint128)0;
    map->high = 0;
    map->shift = 0;
    pieces_map_look(map, codec, store, sample, step, pieces_map_widen);
    while ((map->high - map->low) >> map->shift >> PIECES_CELL_BITS != 0)
        map->shift++;
    uint64_t seen = pieces_map_count(map, codec, store, sample, step);
    uint64_t most_keys = (uint64_t)(share * (double)seen) + 1;
    if (map->shift >= PIECES_FINER_BITS && pieces_map_is_crowded(map, most_keys, seen)) {
        map->shift -= PIECES_FINER_BITS;
        (void)pieces_map_count(map, codec, store, sample, step);
    }
    pieces_map_join(map, most_keys, most);
}
