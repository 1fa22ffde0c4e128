/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The exchange proper: every range comes together from all members and is sorted there, while the
 * next ones arrive. A destination takes from its neighbour first, then from that one's neighbour,
 * so that no member is asked by all at once.
 */
#include "core/status.h"
#include "multi/exchange/exchange.h"

enum {
    RANGES_AHEAD = STAGING_FLIGHTS - 1 /* ranges that are queued before the host waits for one */
};

static uint64_t ranges_piece(const struct exchange_member *source, uint32_t range)
{
    return source->cuts[range + 1] - source->cuts[range];
}

/* One member's piece of a range, which begins at item `place` of the part. */
static consort_status ranges_copy(const struct exchange *x, const struct exchange_member *to,
                                  const struct exchange_member *from, uint32_t range,
                                  uint64_t place)
{
    const struct driver *driver = driver_get();
    const struct staging_lane *lane = to->lane;
    uint64_t items = ranges_piece(from, range);
    CUresult result = CUDA_SUCCESS;
    for (uint32_t c = 0; c < x->column_count && items > 0 && result == CUDA_SUCCESS; c++) {
        uint64_t bytes = to->columns[c].bytes;
        CUdeviceptr target = to->columns[c].arrive + place * bytes;
        CUdeviceptr source = from->columns[c].send + from->cuts[range] * bytes;
        result =
            from->device == to->device
                ? driver->cuMemcpyDtoDAsync(target, source, items * bytes, lane->bus[STAGING_DOWN])
                : driver->cuMemcpyPeerAsync(target, to->device->context, source,
                                            from->device->context, items * bytes,
                                            lane->bus[STAGING_UP]);
    }
    if (from->device != to->device)
        x->run->outcome->counters[EXCHANGE_COUNT_CROSSED] += items;
    return result == CUDA_SUCCESS ? CONSORT_OK
                                  : driver_fail(driver, result, "copying between GPUs");
}

static consort_status ranges_bring(const struct exchange *x, uint32_t number, uint32_t range)
{
    const struct exchange_member *to = &x->members[number];
    uint64_t places[REQUEST_MOST_PARTS];
    uint64_t place = exchange_range_begin(x, range) - to->first;
    for (uint32_t m = 0; m < x->member_count; m++) {
        places[m] = place;
        place += ranges_piece(&x->members[m], range);
    }
    consort_status status = CONSORT_OK;
    for (uint32_t step = 1; step <= x->member_count && status == CONSORT_OK; step++) {
        uint32_t m = (number + step) % x->member_count;
        status = ranges_copy(x, to, &x->members[m], range, places[m]);
    }
    CUresult result = staging_lane_order(to->lane, to->lane->bus[STAGING_UP], to->lane->sort);
    if (result == CUDA_SUCCESS)
        result = staging_lane_order(to->lane, to->lane->bus[STAGING_DOWN], to->lane->sort);
    return status != CONSORT_OK || result == CUDA_SUCCESS
               ? status
               : driver_fail(driver_get(), result, "cuStreamWaitEvent");
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

/* One range of a part, up to the event that says that it is done. */
static consort_status ranges_queue(const struct exchange *x, uint32_t number, uint32_t turn)
{
    const struct exchange_member *member = &x->members[number];
    uint32_t range = number * x->ranges + turn;
    consort_status status = CONSORT_OK;
    if (exchange_range_begin(x, range) == exchange_range_begin(x, range + 1))
        return CONSORT_OK;
    status = ranges_bring(x, number, range);
    if (status == CONSORT_OK)
        status = ranges_sort(x, member, range);
    if (status != CONSORT_OK)
        return status;
    CUresult result = driver_get()->cuEventRecord(
        member->lane->flights[STAGING_UP][turn % STAGING_FLIGHTS], member->lane->sort);
    return result == CUDA_SUCCESS ? CONSORT_OK : driver_fail(driver_get(), result, "cuEventRecord");
}

static consort_status ranges_await(const struct exchange *x, uint32_t number, uint32_t turn)
{
    const struct exchange_member *member = &x->members[number];
    uint32_t range = number * x->ranges + turn;
    if (exchange_range_begin(x, range) == exchange_range_begin(x, range + 1))
        return CONSORT_OK;
    CUresult result =
        driver_get()->cuEventSynchronize(member->lane->flights[STAGING_UP][turn % STAGING_FLIGHTS]);
    return result == CUDA_SUCCESS ? CONSORT_OK
                                  : driver_fail(driver_get(), result, "sorting on the GPU");
}

static consort_status ranges_each(const struct exchange *x, uint32_t turn,
                                  consort_status (*step)(const struct exchange *, uint32_t,
                                                         uint32_t))
{
    consort_status status = CONSORT_OK;
    for (uint32_t m = 0; m < x->member_count && status == CONSORT_OK; m++) {
        const struct exchange_member *member = &x->members[m];
        status = device_enter(member->device);
        if (status == CONSORT_OK) {
            status = step(x, m, turn);
            device_leave(member->device);
        }
        if (status != CONSORT_OK)
            exchange_blame(member->part->device);
    }
    return status;
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

consort_status exchange_sort_ranges(struct exchange *x)
{
    consort_status status = CONSORT_OK;
    for (uint32_t turn = 0; turn < x->ranges + RANGES_AHEAD && status == CONSORT_OK; turn++) {
        if (turn < x->ranges)
            status = ranges_each(x, turn, ranges_queue);
        if (turn < RANGES_AHEAD || status != CONSORT_OK)
            continue;
        status = ranges_each(x, turn - RANGES_AHEAD, ranges_await);
        if (status == CONSORT_OK)
            status = ranges_report(x, turn - RANGES_AHEAD);
    }
    return status;
}
