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
    RANGES_AHEAD = STAGING_FLIGHTS - 1, /* ranges that are queued before the host waits for one */
    RANGES_LAST = 2,                    /* own ones that come after what is borrowed */
    RANGES_RANKS = 4
};

/* The ranges that each member sorts, one after the other. */
struct ranges_schedule {
    uint32_t turns[REQUEST_MOST_PARTS], most;
    uint8_t ranges[REQUEST_MOST_PARTS][EXCHANGE_MOST_RANGES];
};

/* What the host queues for a member: the range of this turn, and from whom. */
struct ranges_turn {
    const struct ranges_schedule *schedule;
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

/* What a member does in which turn. What it has borrowed arrives while it sorts its own, and is
 * back in time if it sorts two of them afterwards; seams come last, when nothing else is copied
 * that their copies would wait for. */
static uint32_t ranges_rank(const struct exchange *x, uint32_t range)
{
    if (exchange_is_seam(x, range))
        return RANGES_RANKS - 1;
    if (exchange_is_lent(x, range))
        return 1;
    return range % x->ranges + RANGES_LAST < x->ranges ? 0 : 2;
}

static void ranges_schedule(const struct exchange *x, struct ranges_schedule *schedule)
{
    for (uint32_t rank = 0; rank < RANGES_RANKS; rank++)
        for (uint32_t range = 0; range < exchange_range_count(x); range++) {
            uint32_t owner = exchange_range_owner(x, range);
            if (ranges_rank(x, range) != rank)
                continue;
            schedule->ranges[owner][schedule->turns[owner]++] = (uint8_t)range;
            if (schedule->turns[owner] > schedule->most)
                schedule->most = schedule->turns[owner];
        }
}

static uint32_t ranges_number(const struct exchange *x, const struct exchange_member *member,
                              const struct ranges_turn *now)
{
    const struct ranges_schedule *schedule = now->schedule;
    uint32_t number = (uint32_t)(member - x->members);
    return now->turn < schedule->turns[number] ? schedule->ranges[number][now->turn]
                                               : (uint32_t)EXCHANGE_NO_RANGE;
}

static bool ranges_empty(const struct exchange *x, uint32_t range)
{
    struct exchange_stretch extent = {0};
    if (range != EXCHANGE_NO_RANGE)
        extent = exchange_range_extent(x, range);
    return extent.begin == extent.end;
}

/* It does not belong to the part of the device that sorts it, or not all of it. */
static bool ranges_shared(const struct exchange *x, uint32_t range)
{
    return x->sampled && (exchange_is_seam(x, range) || exchange_is_lent(x, range));
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
    uint32_t range = ranges_number(x, to, now);
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
 * had been put aside with gaps; others from where they came together to where they belong, but for
 * those that are shared out. */
static consort_status ranges_sort(const struct exchange *x, const struct exchange_member *member,
                                  uint32_t range)
{
    struct exchange_stretch extent = exchange_range_extent(x, range);
    bool placed = exchange_gathers(x, range) && !ranges_closes(x, range);
    bool moves = x->sampled && !placed, shared = ranges_shared(x, range);
    uint64_t begin = extent.begin - member->first;
    uint64_t place = moves ? ranges_gathered(x, member, range) : begin;
    for (uint32_t c = 0; c < x->column_count; c++) {
        const struct exchange_column *column = &member->columns[c];
        CUdeviceptr in = (moves ? column->send : column->arrive) + place * column->bytes;
        CUdeviceptr out = shared ? in : column->arrive + begin * column->bytes;
        member->values[c] = (consort_column){.in = (void *)(uintptr_t)in,
                                             .out = (void *)(uintptr_t)out,
                                             .element_bytes = column->bytes};
    }
    return multi_chunk_sort(&member->sort, member->values[0].in, member->values[0].out,
                            member->values + 1, extent.end - extent.begin,
                            (void *)(uintptr_t)member->control.scratch, member->lane->sort);
}

/* What a part has of a range that was sorted elsewhere, or of a seam. */
static CUresult ranges_give(const struct exchange *x, const struct exchange_member *from,
                            const struct exchange_member *to, uint32_t range, CUstream stream)
{
    const struct driver *driver = driver_get();
    struct exchange_stretch extent = x->extents[range];
    uint64_t part_end = to->first + to->part->count;
    uint64_t begin = extent.begin > to->first ? extent.begin : to->first;
    uint64_t end = extent.end < part_end ? extent.end : part_end;
    CUresult result = CUDA_SUCCESS;
    for (uint32_t c = 0; c < x->column_count && begin < end && result == CUDA_SUCCESS; c++) {
        uint64_t bytes = to->columns[c].bytes, length = (end - begin) * bytes;
        CUdeviceptr in =
            (CUdeviceptr)(uintptr_t)from->values[c].in + (begin - extent.begin) * bytes;
        CUdeviceptr out = to->columns[c].arrive + (begin - to->first) * bytes;
        result = to == from ? driver->cuMemcpyDtoDAsync(out, in, length, stream)
                            : driver->cuMemcpyPeerAsync(out, to->device->context, in,
                                                        from->device->context, length, stream);
    }
    return result;
}

/* What was borrowed goes back on another stream, while the next range is sorted. */
static consort_status ranges_share_out(struct exchange *x, const struct exchange_member *member,
                                       uint32_t range)
{
    const struct staging_lane *lane = member->lane;
    bool lent = exchange_is_lent(x, range);
    CUstream stream = lent ? lane->bus[STAGING_DOWN] : lane->sort;
    struct exchange_stretch extent = x->extents[range];
    CUresult result = lent ? staging_lane_order(lane, lane->sort, stream) : CUDA_SUCCESS;
    for (uint32_t m = 0; m < x->member_count && result == CUDA_SUCCESS; m++)
        result = ranges_give(x, member, &x->members[m], range, stream);
    if (lent)
        x->run->outcome->counters[EXCHANGE_COUNT_LENT] += extent.end - extent.begin;
    return result == CUDA_SUCCESS ? CONSORT_OK
                                  : driver_fail(driver_get(), result, "copying between GPUs");
}

/* Whether copies within the device, which are on the stream by which lent ranges go back, are
 * waited for: where ranges are lent only a range that all gather has such copies. */
static bool ranges_comes_from_here(const struct exchange *x, uint32_t range)
{
    return !x->lends || exchange_gathers(x, range);
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
    if (result == CUDA_SUCCESS && ranges_comes_from_here(x, range))
        result = staging_lane_order(lane, lane->bus[STAGING_DOWN], lane->sort);
    if (result != CUDA_SUCCESS)
        return driver_fail(driver_get(), result, "cuStreamWaitEvent");
    multi_clock_begin(&member->clock, now->turn, MULTI_SORT, lane->sort);
    consort_status status = ranges_sort(x, member, range);
    if (status == CONSORT_OK && ranges_shared(x, range))
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
    uint32_t range = ranges_number(x, member, now);
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
static consort_status ranges_report(const struct exchange *x, const struct ranges_turn *now)
{
    uint64_t total = x->run->arguments->count;
    uint64_t done = (uint64_t)((double)total * (now->turn + 1) / now->schedule->most);
    return checkpoint_pass(x->run->checkpoint, total + (done < total ? done : total), 2 * total)
               ? status_fail(CONSORT_ERROR_CANCELLED, "the run was cancelled")
               : CONSORT_OK;
}

static consort_status ranges_turn(struct exchange *x, struct ranges_turn now)
{
    consort_status status = CONSORT_OK;
    for (now.step = 1; now.step <= x->member_count && status == CONSORT_OK; now.step++)
        status = exchange_each(x, ranges_bring, &now);
    return status == CONSORT_OK ? exchange_each(x, ranges_queue, &now) : status;
}

static consort_status ranges_await_returns(struct exchange *x, struct exchange_member *member,
                                           void *none)
{
    (void)none;
    CUresult result = x->lends ? driver_get()->cuStreamSynchronize(member->lane->bus[STAGING_DOWN])
                               : CUDA_SUCCESS;
    return result == CUDA_SUCCESS ? CONSORT_OK
                                  : driver_fail(driver_get(), result, "copying between GPUs");
}

consort_status exchange_sort_ranges(struct exchange *x)
{
    struct ranges_schedule schedule = {0};
    consort_status status = CONSORT_OK;
    ranges_schedule(x, &schedule);
    x->run->outcome->counters[EXCHANGE_COUNT_LENT] = 0;
    for (uint32_t turn = 0; turn < schedule.most + RANGES_AHEAD && status == CONSORT_OK; turn++) {
        struct ranges_turn over = {&schedule, turn - RANGES_AHEAD, 0};
        if (turn < schedule.most)
            status = ranges_turn(x, (struct ranges_turn){&schedule, turn, 0});
        if (turn < RANGES_AHEAD || status != CONSORT_OK)
            continue;
        status = exchange_each(x, ranges_await, &over);
        if (status == CONSORT_OK)
            status = ranges_report(x, &over);
    }
    return status == CONSORT_OK ? exchange_each(x, ranges_await_returns, NULL) : status;
}
