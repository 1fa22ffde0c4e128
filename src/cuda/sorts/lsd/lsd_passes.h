/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The launches of `lsd` for any arrays of plain codes in device memory: what the algorithm itself
 * and others that sort codes of their own making share.
 */
#ifndef CONSORT_CUDA_LSD_PASSES_H
#define CONSORT_CUDA_LSD_PASSES_H

#include "consort.h"
#include "cuda/launch.h"
#include "cuda/sorts/lsd/lsd_layout.h"

/* By which tiles a list is moved. */
enum lsd_tiles {
    LSD_TILES_USUAL,
    LSD_TILES_SHORT, /* of short lists, which have few */
    LSD_TILES_ROUND, /* of lists whose last round of the others would be mostly empty */
    LSD_TILES
};

/* The kernels of one key width and value class. */
struct lsd_passes {
    struct launch histogram, finish;
    struct lsd_pass_launch {
        struct launch launch;
        uint32_t tile_keys, blocks; /* blocks that live at once, of which each has a tile */
        uint32_t row_bytes;         /* of a tile's look-back words */
    } pass[LSD_TILES], resident;    /* without a function: there is none */
    uint64_t short_keys;            /* the longest list that tiles of short ones move; 0: none */
    uint64_t resident_keys;         /* of the last, which does all passes at once; 0: none */
    uint32_t histogram_blocks, finish_blocks;
    bool early; /* launches may begin while the one before them ends */
    uint32_t key_bytes, value_bytes;
};

/* How the kernels of a key width and value class are launched. */
struct lsd_shape {
    uint32_t key_bits, value_bytes, threads, items, blocks;
    uint32_t tiles, most_bits; /* of short lists: for each resident block; 1 << most_bits keys */
};

/* NULL if there are no kernels for these sizes; 0 bytes of values: keys alone. */
const struct lsd_shape *lsd_passes_shape(uint32_t key_bytes, uint32_t value_bytes);

/* Whether there are kernels for these sizes. */
bool lsd_passes_exist(uint32_t key_bytes, uint32_t value_bytes);

/* Whether so many keys go by tiles for short lists. */
bool lsd_passes_are_short(uint32_t key_bytes, uint32_t value_bytes, uint64_t count);

/* By which one launch sorts so many keys in place of passes, if its blocks hold them; NULL: by
 * none.
 */
const struct lsd_shape *lsd_passes_at_once(uint32_t key_bytes, uint32_t value_bytes,
                                           uint64_t count);

/* Bytes of scratch memory for at most `count` keys. */
uint64_t lsd_passes_scratch(uint32_t key_bytes, uint32_t value_bytes, uint64_t count);

/* Of which the look-back words begin here. */
uint64_t lsd_passes_control_bytes(uint32_t key_bytes, uint32_t value_bytes, uint64_t count);

/* Nanoseconds for each item of one pass. */
double lsd_passes_cost(uint32_t key_bytes, uint32_t value_bytes);

/* Finds the kernels; the device must be entered. */
consort_status lsd_passes_prepare(struct lsd_passes *passes, uint32_t key_bytes,
                                  uint32_t value_bytes, const struct device *device);

/* The parts of lsd_passes_run, for callers with launches of their own between them; they set
 * `control` and `lookback`, and clear the control block and so many bytes of words first.
 * `follows`: the launch before the histogram is that of a kernel. Passes go from number `first` on.
 */
uint64_t lsd_passes_words_to_clear(const struct lsd_passes *passes, uint64_t count);
consort_status lsd_passes_histogram(const struct lsd_passes *passes, struct lsd_arguments *a,
                                    bool follows, consort_stream stream);
enum lsd_tiles lsd_passes_tiles_of(const struct lsd_passes *passes, uint64_t count);
consort_status lsd_passes_launch(const struct lsd_passes *passes, struct lsd_arguments *a,
                                 uint32_t first, consort_stream stream);

/* Queues a sort of a->count > 0 keys. `control` and `lookback` of the arguments are set here, to
 * places in `scratch`. The same launches whatever the data: clear, histogram, one launch for each
 * digit (and portion of 2^29 keys), finish; or clear and one for all, if its blocks hold the list.
 */
consort_status lsd_passes_run(const struct lsd_passes *passes, struct lsd_arguments *a,
                              void *scratch, consort_stream stream);

#endif
