/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Distribution of keys of one width among buckets.
 *
 * Template parameters, all required, undefined again at the end:
 *   PIECES_BITS   8, 16, 32, 64 or 128
 *   PIECES_KEY    the unsigned type of that width
 *
 * Defines `pieces_scatter_uN`.
 */
#if !defined(PIECES_BITS) || !defined(PIECES_KEY)
#error "pieces_scatter_template.h needs PIECES_BITS and PIECES_KEY"
#endif

#define PIECES_PASTE_(a, b, c) a##b##c
#define PIECES_PASTE(a, b, c)  PIECES_PASTE_(a, b, c)
#define PIECES_CODEC(name)     PIECES_PASTE(codec_u, PIECES_BITS, name)

/* Cells first, in a loop of their own, which compilers vectorize. */
static void PIECES_PASTE(pieces_scatter_u,
                         PIECES_BITS, )(struct pieces_writer *writer, const struct pieces_map *map,
                                        const struct codec *codec, const void *from, uint64_t count)
{
    const PIECES_KEY *keys = from;
    const struct PIECES_CODEC() c = PIECES_CODEC(_of)(codec);
    const PIECES_KEY low = (PIECES_KEY)map->low, high = (PIECES_KEY)map->high;
    const uint32_t shift = map->shift, width = sizeof(PIECES_KEY), line = PIECES_LINE / width;
    const uint32_t above = (uint32_t)((PIECES_KEY)(high - low) >> shift) + 2;
    PIECES_KEY *const lines = (PIECES_KEY *)(void *)writer->lines;
    uint32_t cells[PIECES_BATCH];
    for (uint64_t i = 0; i < count; i += PIECES_BATCH) {
        uint32_t size = count - i < PIECES_BATCH ? (uint32_t)(count - i) : PIECES_BATCH;
        for (uint32_t j = 0; j < size; j++) {
            PIECES_KEY code = PIECES_CODEC(_encode)(c, keys[i + j]);
            uint32_t cell = (uint32_t)((PIECES_KEY)(code - low) >> shift) + 1;
            cells[j] = code < low ? 0 : code > high ? above : cell;
        }
        for (uint32_t j = 0; j < size; j++) {
            uint32_t bucket = map->bucket[cells[j]], slot = writer->cursor[bucket];
            lines[slot++] = keys[i + j];
            writer->cursor[bucket] = slot;
            if (slot % line == 0)
                pieces_writer_flush(writer, bucket, width);
        }
    }
}

#undef PIECES_CODEC
#undef PIECES_PASTE
#undef PIECES_PASTE_
#undef PIECES_BITS
#undef PIECES_KEY
