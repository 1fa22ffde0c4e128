/* SPDX-License-Identifier: Apache-2.0 */
/* What a sort moves: column 0 is the items, the rest are the values; and moving all of it. */
#ifndef CONSORT_CPU_COLUMNS_H
#define CONSORT_CPU_COLUMNS_H

#include "core/plan.h"
#include "cpu/team.h"

struct column {
    const void *in;
    void *out;
    uint64_t bytes;
};

static inline uint32_t columns_count(const struct request *request)
{
    return request->value_count + 1;
}

static inline struct column columns_at(const struct request *request,
                                       const consort_arguments *arguments, uint32_t index)
{
    if (index == 0)
        return (struct column){arguments->in, arguments->out, request->item_bytes};
    const consort_column *values = &arguments->values[index - 1];
    return (struct column){values->in, values->out, values->element_bytes};
}

/* Bytes of an index into the most items of a request. */
static inline uint32_t columns_index_bytes(const struct request *request)
{
    return request->maximum_count <= (uint64_t)1 << 32 ? 4 : 8;
}

/* Bytes of a buffer through which each column of the request can be gathered: 0 for double
 * buffers, whose input and output are apart. */
uint64_t columns_buffer_bytes(const struct request *request);

/* True if some column is sorted in place. */
bool columns_in_place(const struct request *request, const consort_arguments *arguments);

/* Moves every column from in to out: by a permutation; reversed; as it stands. They tell the run
 * before they write over an input. */
void columns_gather(const struct consort_plan *plan, const struct run *run, struct team *team,
                    const void *indices, uint32_t index_bytes, void *buffer);
void columns_reverse(const struct consort_plan *plan, const struct run *run);
void columns_copy(const struct consort_plan *plan, const struct run *run, struct team *team);

/* If the items are sorted or strictly reversed, finishes the sort and returns true. */
bool columns_finish_monotone(const struct consort_plan *plan, const struct run *run,
                             struct team *team);

#endif
