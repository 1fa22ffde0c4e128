/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Handing the segments of an array to a team: many small ones in batches of about equal work, and
 * large ones one after the other to the whole team.
 */
#ifndef CONSORT_CPU_SEGMENTS_H
#define CONSORT_CPU_SEGMENTS_H

#include <stdatomic.h>

#include "core/plan.h"
#include "cpu/team.h"

struct segments {
    const struct request *request;
    const struct run *run;
    struct team *team;
    /* Sorts items [first, last), at least 1, on the calling member. */
    void (*small)(void *context, uint32_t member, uint64_t first, uint64_t last);
    /* The same by the whole team; false: cancelled. NULL: no segment is too large for `small`. */
    bool (*large)(void *context, uint64_t first, uint64_t last);
    void *context;
    uint64_t most_small; /* items of the largest segment for `small`; 0: what balances the team */
    /* set by segments_run */
    _Atomic uint64_t next;
    _Atomic uint64_t done;
    _Atomic uint64_t larges;
    atomic_bool cancelled;
};

/* False: cancelled. */
bool segments_run(struct segments *segments);

/* Offset number `index` of the run's segments. */
static inline uint64_t segments_offset(const struct segments *segments, uint64_t index)
{
    const void *offsets = segments->run->arguments->offsets;
    return segments->request->offset_bytes == 4 ? ((const uint32_t *)offsets)[index]
                                                : ((const uint64_t *)offsets)[index];
}

/* Copies the items that no segment covers, in all columns, from in to out. */
void segments_copy_rest(const struct consort_plan *plan, const struct run *run, struct team *team);

#endif
