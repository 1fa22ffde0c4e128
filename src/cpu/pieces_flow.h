/* SPDX-License-Identifier: Apache-2.0 */
/* How items come to a sort in pieces and go: through the caller's functions, or as whole arrays. */
#ifndef CONSORT_CPU_PIECES_FLOW_H
#define CONSORT_CPU_PIECES_FLOW_H

#include <stdatomic.h>

#include "core/plan.h"

/* Members of a team share it. */
struct pieces_flow {
    const struct consort_plan *plan;
    const struct run *run;
    _Atomic uint64_t next; /* what no member has taken yet */
    _Atomic uint64_t done; /* items read, and items written */
    atomic_bool stopped;
};

bool pieces_flow_whole(const struct pieces_flow *flow);

/* Items [first, first + count) of the input: where they stand, or read into `buffer`. */
const void *pieces_flow_read(struct pieces_flow *flow, uint64_t first, uint64_t count, void *buffer,
                             uint32_t member);

/* Items of the result go; whole arrays' are where they belong already. */
void pieces_flow_write(struct pieces_flow *flow, uint64_t first, uint64_t count, const void *items,
                       uint32_t member);

/* By a function that failed, or by the caller. */
bool pieces_flow_stopped(struct pieces_flow *flow);

/* Reports `count` items more, once as they came and once as they go. */
void pieces_flow_count(struct pieces_flow *flow, uint64_t count, uint32_t member);

#endif
