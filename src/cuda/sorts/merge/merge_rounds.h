/* SPDX-License-Identifier: Apache-2.0 */
/* The launches of `merge`: sorting tiles, merging runs by two or four. The device must be entered.
 */
#ifndef CONSORT_MERGE_ROUNDS_H
#define CONSORT_MERGE_ROUNDS_H

#include "core/request.h"
#include "cuda/launch.h"
#include "cuda/sorts/merge/merge_layout.h"

enum {
    MERGE_SINGLES = 3 /* kernels for a list that is one tile */
};

struct merge_rounds {
    struct launch tile, single[MERGE_SINGLES], cut, straighten, round, cut_four, four;
    uint32_t tile_keys, single_keys[MERGE_SINGLES], round_keys; /* 0: there is no such kernel */
    uint64_t few_tiles, few_cuts;                               /* of the device */
    uint64_t key_bytes;
    bool early; /* a launch may begin while the one before it ends */
};

/* True if codes need their places beside them: something follows them, or equal ones differ. */
bool merge_rounds_placed(const struct request *request);

/* True if there are kernels for such keys. */
bool merge_rounds_exist(const struct request *request);

/* Items from which on runs are merged by four, if that is so from so many bytes on. */
uint64_t merge_rounds_four_from(const struct request *request, uint64_t bytes);

consort_status merge_rounds_prepare(struct merge_rounds *rounds, const struct request *request,
                                    const struct device *device);

/* Length of the runs before the first round. */
uint32_t merge_rounds_tile_keys(const struct request *request);

/* How many runs the next round merges at a time, of runs of `run` items. */
uint32_t merge_rounds_ways(uint64_t four_from, uint64_t run, uint64_t count);

/* How many rounds leave one run of those of `run` items. */
uint32_t merge_rounds_needed(uint64_t four_from, uint64_t run, uint64_t count);

/* What all launches of a run have in common. */
struct merge_arguments merge_rounds_arguments(const struct request *request, uint64_t count);

consort_status merge_rounds_sort_tiles(const struct merge_rounds *rounds, struct merge_arguments *a,
                                       consort_stream stream);

/* Merges the runs of a sort by `ways`, or (a->run_tiles = 0) two lists, which need not be sorted.
 */
consort_status merge_rounds_merge(const struct merge_rounds *rounds, struct merge_arguments *a,
                                  uint32_t ways, consort_stream stream);

#endif
