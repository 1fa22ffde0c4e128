/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The exchange proper: every range comes together from all members and is sorted there, while the
 * next ones arrive. In a step every destination takes from another source, and all steps are queued
 * one after the other for all members: copies from one device keep the order in which the host
 * queues them, whoever takes them, so that one that is queued late would hold up its destination
 * until all before it have been served.
 */
#include "core/status.h"
#include "multi/exchange/exchange.h"

enum {
    RANGES_AHEAD = STAGING_FLIGHTS - 1 /* ranges that are queued before the host waits for one */
};

/* What the host queues for a member: the range of this turn, and from whom. */
struct ranges_turn {
    uint32_t turn, step;
};

/* Some of one member's items, to `place` of the part. */
static consort_status ranges_copy(const struct exchange *x, const struct exchange_member *to,
                                  const struct exchange_member *from, uint64_t begin,
                                  uint64_t items, uint64_t place)
{
    const struct driver *driver = driver_get();
    const struct staging_lane *lane = to->lane;
    CUresult result = CUDA_SUCCESS;
    for (uint32_t c = 0; c < x->column_count && items > 0 && result == CUDA_SUCCESS; c++) {
        uint64_t bytes = to->columns[c].bytes;
        CUdeviceptr target = to->columns[c].arrive + place * bytes;
        CUdeviceptr source = from->columns[c].send + begin * bytes;
        result =
            from->device == to->device
                ? driver->cuMemcpyDtoDAsync(target, source, items * bytes, lane->bus[STAGING_DOWN])
                : driver->cuMemcpyPeerAsync(target, to->device->context, source,
                                            from->device->context, items * bytes,
                                            lane->bus[STAGING_UP]);
    }
    return result == CUDA_SUCCESS ? CONSORT_OK
                                  : driver_fail(driver, result, "copying between GPUs");
}

static uint32_t ranges_number(const struct exchange *x, const struct exchange_member *member,
                              const struct ranges_turn *now)
{
    return (uint32_t)(member - x->members) * x->ranges + now->turn;
}

static bool ranges_empty(const struct exchange *x, uint32_t range)
{
    return exchange_range_begin(x, range) == exchange_range_begin(x, range + 1);
}

/* The piece of the member that stands so many steps behind; the last is its own. What the partition
 * stored where it belongs lies somewhere in it. */
static consort_status ranges_bring(struct exchange *x, struct exchange_member *to, void *context)
{
    const struct ranges_turn *now = context;
    uint32_t range = ranges_number(x, to, now);
    uint32_t number = ((uint32_t)(to - x->members) + now->step) % x->member_count;
    const struct exchange_member *from = &x->members[number];
    const struct exchange_stretch *stored = &from->stored[range];
    uint64_t begin = from->cuts[range], end = from->cuts[range + 1];
    uint64_t place = exchange_piece_place(x, from, range);
    if (now->step == 1)
        multi_clock_begin(&to->clock, now->turn, MULTI_UP, to->lane->bus[STAGING_UP]);
    if (begin == end)
        return CONSORT_OK;
    if (from->device != to->device)
        x->run->outcome->counters[EXCHANGE_COUNT_CROSSED] += end - begin;
    if (stored->begin == stored->end)
        return ranges_copy(x, to, from, begin, end - begin, place);
    consort_status status = ranges_copy(x, to, from, begin, stored->begin - begin, place);
    return status == CONSORT_OK ? ranges_copy(x, to, from, stored->end, end - stored->end,
                                              place + stored->end - begin)
                                : status;
}

static consort_status ranges_sort(const struct exchange *x, const struct exchange_member *member,
                                  uint32_t range)
{
    uint64_t begin = exchange_range_begin(x, range) - member->first;
    uint64_t items = exchange_range_begin(x, range + 1) - member->first - begin;
    for (uint32_t c = 1; c < x->column_count; c++) {
        const struct exchange_column *column = &member->columns[c];
        void *place = (void *)(uintptr_t)(column->arrive + begin * column->bytes);
        member->values[c - 1] =
            (consort_column){.in = place, .out = place, .element_bytes = column->bytes};
    }
    void *keys = (void *)(uintptr_t)(member->columns[0].arrive + begin * member->columns[0].bytes);
    return multi_chunk_sort(&member->sort, keys, member->values, items,
                            (void *)(uintptr_t)member->control.scratch, member->lane->sort);
}

/* When its pieces are there a range is sorted, up to the event that says that it is done. */
static consort_status ranges_queue(struct exchange *x, struct exchange_member *member,
                                   void *context)
{
    const struct ranges_turn *now = context;
    const struct staging_lane *lane = member->lane;
    uint32_t range = ranges_number(x, member, now);
    if (ranges_empty(x, range))
        return CONSORT_OK;
    multi_clock_end(&member->clock, now->turn, MULTI_UP, lane->bus[STAGING_UP]);
    CUresult result = staging_lane_order(lane, lane->bus[STAGING_UP], lane->sort);
    if (result == CUDA_SUCCESS)
        result = staging_lane_order(lane, lane->bus[STAGING_DOWN], lane->sort);
    if (result != CUDA_SUCCESS)
        return driver_fail(driver_get(), result, "cuStreamWaitEvent");
    multi_clock_begin(&member->clock, now->turn, MULTI_SORT, lane->sort);
    consort_status status = ranges_sort(x, member, range);
    if (status != CONSORT_OK)
        return status;
    multi_clock_end(&member->clock, now->turn, MULTI_SORT, lane->sort);
    result = driver_get()->cuEventRecord(lane->flights[STAGING_UP][now->turn % STAGING_FLIGHTS],
                                         lane->sort);
    return result == CUDA_SUCCESS ? CONSORT_OK : driver_fail(driver_get(), result, "cuEventRecord");
}

static consort_status ranges_await(struct exchange *x, struct exchange_member *member,
                                   void *context)
{
    const struct ranges_turn *now = context;
    if (ranges_empty(x, ranges_number(x, member, now)))
        return CONSORT_OK;
    CUresult result = driver_get()->cuEventSynchronize(
        member->lane->flights[STAGING_UP][now->turn % STAGING_FLIGHTS]);
    if (result != CUDA_SUCCESS)
        return driver_fail(driver_get(), result, "sorting on the GPU");
    exchange_tell_range(x, member, now->turn);
    return CONSORT_OK;
}

/* The second half of the work: the first was done when the items were in order of ranges. */
static consort_status ranges_report(const struct exchange *x, uint32_t turn)
{
    uint64_t total = x->run->arguments->count;
    uint64_t done = (uint64_t)((double)total * (turn + 1) / x->ranges);
    return checkpoint_pass(x->run->checkpoint, total + (done < total ? done : total), 2 * total)
               ? status_fail(CONSORT_ERROR_CANCELLED, "the run was cancelled")
               : CONSORT_OK;
}

static consort_status ranges_turn(struct exchange *x, uint32_t turn)
{
    struct ranges_turn now = {.turn = turn};
    consort_status status = CONSORT_OK;
    for (now.step = 1; now.step <= x->member_count && status == CONSORT_OK; now.step++)
        status = exchange_each(x, ranges_bring, &now);
    return status == CONSORT_OK ? exchange_each(x, ranges_queue, &now) : status;
}

consort_status exchange_sort_ranges(struct exchange *x)
{
    consort_status status = CONSORT_OK;
    for (uint32_t turn = 0; turn < x->ranges + RANGES_AHEAD && status == CONSORT_OK; turn++) {
        struct ranges_turn over = {.turn = turn - RANGES_AHEAD};
        if (turn < x->ranges)
            status = ranges_turn(x, turn);
        if (turn < RANGES_AHEAD || status != CONSORT_OK)
            continue;
        status = exchange_each(x, ranges_await, &over);
        if (status == CONSORT_OK)
            status = ranges_report(x, over.turn);
    }
    return status;
}
