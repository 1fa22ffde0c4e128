/* SPDX-License-Identifier: Apache-2.0 */
/* How items come to a sort in pieces and go. */
#include "cpu/pieces_flow.h"

bool pieces_flow_whole(const struct pieces_flow *flow)
{
    return flow->plan->request.form != CONSORT_FORM_PIECES;
}

const void *pieces_flow_read(struct pieces_flow *flow, uint64_t first, uint64_t count, void *buffer,
                             uint32_t member)
{
    const consort_arguments *arguments = flow->run->arguments;
    if (pieces_flow_whole(flow))
        return (const char *)arguments->in + first * flow->plan->request.item_bytes;
    if (arguments->read(arguments->pieces_context, first, count, buffer, member) != 0)
        atomic_store(&flow->stopped, true);
    return buffer;
}

void pieces_flow_write(struct pieces_flow *flow, uint64_t first, uint64_t count, const void *items,
                       uint32_t member)
{
    const consort_arguments *arguments = flow->run->arguments;
    if (!pieces_flow_whole(flow) &&
        arguments->write(arguments->pieces_context, first, count, items, member) != 0)
        atomic_store(&flow->stopped, true);
}

bool pieces_flow_stopped(struct pieces_flow *flow)
{
    if (checkpoint_cancelled(flow->run->checkpoint))
        atomic_store(&flow->stopped, true);
    return atomic_load(&flow->stopped);
}

void pieces_flow_count(struct pieces_flow *flow, uint64_t count, uint32_t member)
{
    uint64_t done = atomic_fetch_add(&flow->done, count) + count;
    uint64_t total = 2 * flow->run->arguments->count;
    if (member == 0 && checkpoint_pass(flow->run->checkpoint, done, total))
        atomic_store(&flow->stopped, true);
}
