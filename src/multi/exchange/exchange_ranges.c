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

/* What is copied: a member's items, to a place of the part or of what is put aside. */
struct ranges_items {
    const struct exchange_member *from;
    uint64_t begin, items, place;
    bool aside;
};

static consort_status ranges_copy(const struct exchange *x, const struct exchange_member *to,
                                  const struct ranges_items *copy)
{
    const struct driver *driver = driver_get();
    const struct staging_lane *lane = to->lane;
    const struct exchange_member *from = copy->from;
    CUresult result = CUDA_SUCCESS;
    for (uint32_t c = 0; c < x->column_count && copy->items > 0 && result == CUDA_SUCCESS; c++) {
        uint64_t bytes = to->columns[c].bytes, items = copy->items;
        CUdeviceptr base = copy->aside ? to->columns[c].send : to->columns[c].arrive;
        CUdeviceptr target = base + copy->place * bytes;
        CUdeviceptr source = from->columns[c].send + copy->begin * bytes;
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

/* Seams come last, when nothing else is copied that their copies would wait for; the last member
 * has none. */
static uint32_t ranges_number(const struct exchange *x, const struct exchange_member *member,
                              uint32_t turn)
{
    uint32_t number = (uint32_t)(member - x->members);
    if (turn < x->ranges)
        return number * x->ranges + turn;
    return number + 1 < x->member_count ? x->member_count * x->ranges + number : EXCHANGE_NO_RANGE;
}

static uint32_t ranges_turns(const struct exchange *x)
{
    return x->ranges + (x->sampled ? 1 : 0);
}

static bool ranges_empty(const struct exchange *x, uint32_t range)
{
    struct exchange_stretch extent = {0};
    if (range != EXCHANGE_NO_RANGE)
        extent = exchange_range_extent(x, range);
    return extent.begin == extent.end;
}

/* All have put a range's items aside where it is sorted, and nobody sees their order. */
static bool ranges_closes(const struct exchange *x, uint32_t range)
{
    return exchange_gathers(x, range) && exchange_moves_freely(&x->plan->request);
}

/* Where a sampled range comes together: around its owner's piece, or behind the first one's. */
static uint64_t ranges_gathered(const struct exchange *x, const struct exchange_member *owner,
                                uint32_t range)
{
    return ranges_closes(x, range)
               ? x->members[0].pieces[range].begin
               : owner->pieces[range].begin - exchange_piece_offset(x, owner, range);
}

/* Gaps between pieces are filled with the last items of the last pieces. */
static consort_status ranges_close(const struct exchange *x, const struct exchange_member *to,
                                   uint32_t range)
{
    uint32_t first = 0, last = x->member_count - 1;
    uint64_t gap = x->members[0].pieces[range].end, end = x->members[last].pieces[range].end;
    consort_status status = CONSORT_OK;
    while (first < last && status == CONSORT_OK) {
        uint64_t room = x->members[first + 1].pieces[range].begin - gap;
        uint64_t left = end - x->members[last].pieces[range].begin;
        uint64_t items = room < left ? room : left;
        struct ranges_items copy = {to, end - items, items, gap, true};
        status = ranges_copy(x, to, &copy);
        gap += items;
        end -= items;
        if (items == room)
            gap = x->members[++first].pieces[range].end;
        else
            end = x->members[--last].pieces[range].end;
    }
    return status;
}

/* One member's piece. What all have put aside there still has gaps: they are closed, or pieces go
 * where they belong. */
static consort_status ranges_gather(const struct exchange *x, const struct exchange_member *to,
                                    const struct exchange_member *from, uint32_t range)
{
    bool gathers = exchange_gathers(x, range);
    const struct exchange_stretch *piece = &from->pieces[range];
    struct ranges_items copy = {.from = gathers ? to : from,
                                .begin = piece->begin,
                                .items = piece->end - piece->begin,
                                .place = exchange_piece_offset(x, from, range),
                                .aside = !gathers};
    if (gathers && from->device != to->device)
        x->run->outcome->counters[EXCHANGE_COUNT_STORED] += copy.items;
    if (ranges_closes(x, range))
        return from == to ? ranges_close(x, to, range) : CONSORT_OK;
    if (!gathers && from == to)
        return CONSORT_OK;
    copy.place += gathers ? x->extents[range].begin - to->first : ranges_gathered(x, to, range);
    return ranges_copy(x, to, &copy);
}

/* What the partition stored where it belongs lies somewhere in the piece. */
static consort_status ranges_bring_rest(const struct exchange *x, const struct exchange_member *to,
                                        const struct exchange_member *from, uint32_t range)
{
    const struct exchange_stretch *stored = &from->stored[range], *piece = &from->pieces[range];
    uint64_t place = exchange_range_begin(x, range) - to->first;
    place += exchange_piece_offset(x, from, range);
    struct ranges_items copy = {from, piece->begin, piece->end - piece->begin, place, false};
    if (stored->begin == stored->end)
        return ranges_copy(x, to, &copy);
    copy.items = stored->begin - piece->begin;
    consort_status status = ranges_copy(x, to, &copy);
    copy.begin = stored->end;
    copy.items = piece->end - stored->end;
    copy.place = place + stored->end - piece->begin;
    return status == CONSORT_OK ? ranges_copy(x, to, &copy) : status;
}

/* The piece of the member that stands so many steps behind; the last is its own. */
static consort_status ranges_bring(struct exchange *x, struct exchange_member *to, void *context)
{
    const struct ranges_turn *now = context;
    uint32_t range = ranges_number(x, to, now->turn);
    uint32_t number = ((uint32_t)(to - x->members) + now->step) % x->member_count;
    const struct exchange_member *from = &x->members[number];
    if (now->step == 1)
        multi_clock_begin(&to->clock, now->turn, MULTI_UP, to->lane->bus[STAGING_UP]);
    if (range == EXCHANGE_NO_RANGE)
        return CONSORT_OK;
    if (from->device != to->device)
        x->run->outcome->counters[EXCHANGE_COUNT_CROSSED] +=
            from->pieces[range].end - from->pieces[range].begin;
    return x->sampled ? ranges_gather(x, to, from, range) : ranges_bring_rest(x, to, from, range);
}

/* Exact ranges are sorted where they are, and so are those whose pieces went there from where they
 * had been put aside with gaps; others from where they came together, seams but to where they
 * belong. */
static consort_status ranges_sort(const struct exchange *x, const struct exchange_member *member,
                                  uint32_t range)
{
    struct exchange_stretch extent = exchange_range_extent(x, range);
    bool placed = exchange_gathers(x, range) && !ranges_closes(x, range);
    bool moves = x->sampled && !placed, seam = exchange_is_seam(x, range);
    uint64_t begin = extent.begin - member->first;
    uint64_t place = moves ? ranges_gathered(x, member, range) : begin;
    for (uint32_t c = 0; c < x->column_count; c++) {
        const struct exchange_column *column = &member->columns[c];
        CUdeviceptr in = (moves ? column->send : column->arrive) + place * column->bytes;
        CUdeviceptr out = seam ? in : column->arrive + begin * column->bytes;
        member->values[c] = (consort_column){.in = (void *)(uintptr_t)in,
                                             .out = (void *)(uintptr_t)out,
                                             .element_bytes = column->bytes};
    }
    return multi_chunk_sort(&member->sort, member->values[0].in, member->values[0].out,
                            member->values + 1, extent.end - extent.begin,
                            (void *)(uintptr_t)member->control.scratch, member->lane->sort);
}

/* A sorted seam: what is this part's, and what the next part begins with. */
static consort_status ranges_share_out(const struct exchange *x,
                                       const struct exchange_member *member, uint32_t range)
{
    const struct driver *driver = driver_get();
    const struct exchange_member *next = member + 1;
    struct exchange_stretch extent = x->extents[range];
    uint64_t own = next->first - extent.begin, others = extent.end - next->first;
    CUresult result = CUDA_SUCCESS;
    for (uint32_t c = 0; c < x->column_count && result == CUDA_SUCCESS; c++) {
        const struct exchange_column *column = &member->columns[c];
        CUdeviceptr in = (CUdeviceptr)(uintptr_t)member->values[c].in;
        CUdeviceptr out = column->arrive + (extent.begin - member->first) * column->bytes;
        if (own > 0)
            result = driver->cuMemcpyDtoDAsync(out, in, own * column->bytes, member->lane->sort);
        if (others > 0 && result == CUDA_SUCCESS)
            result = driver->cuMemcpyPeerAsync(next->columns[c].arrive, next->device->context,
                                               in + own * column->bytes, member->device->context,
                                               others * column->bytes, member->lane->sort);
    }
    return result == CUDA_SUCCESS ? CONSORT_OK
                                  : driver_fail(driver, result, "copying between GPUs");
}

/* When its pieces are there a range is sorted, up to the event that says that it is done. */
static consort_status ranges_queue(struct exchange *x, struct exchange_member *member,
                                   void *context)
{
    const struct ranges_turn *now = context;
    const struct staging_lane *lane = member->lane;
    uint32_t range = ranges_number(x, member, now->turn);
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
    if (status == CONSORT_OK && exchange_is_seam(x, range))
        status = ranges_share_out(x, member, range);
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
    uint32_t range = ranges_number(x, member, now->turn);
    if (ranges_empty(x, range))
        return CONSORT_OK;
    CUresult result = driver_get()->cuEventSynchronize(
        member->lane->flights[STAGING_UP][now->turn % STAGING_FLIGHTS]);
    if (result != CUDA_SUCCESS)
        return driver_fail(driver_get(), result, "sorting on the GPU");
    exchange_tell_range(member, now->turn, range);
    return CONSORT_OK;
}

/* The second half of the work: the first was done when the items were in order of ranges. */
static consort_status ranges_report(const struct exchange *x, uint32_t turn)
{
    uint64_t total = x->run->arguments->count;
    uint64_t done = (uint64_t)((double)total * (turn + 1) / ranges_turns(x));
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
    uint32_t turns = ranges_turns(x);
    for (uint32_t turn = 0; turn < turns + RANGES_AHEAD && status == CONSORT_OK; turn++) {
        struct ranges_turn over = {.turn = turn - RANGES_AHEAD};
        if (turn < turns)
            status = ranges_turn(x, turn);
        if (turn < RANGES_AHEAD || status != CONSORT_OK)
            continue;
        status = exchange_each(x, ranges_await, &over);
        if (status == CONSORT_OK)
            status = ranges_report(x, over.turn);
    }
    return status;
}
