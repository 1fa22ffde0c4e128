/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A run: the members are opened and get their memory, ranks are selected, items moved, ranges
 * brought together and sorted. One host thread drives all devices: it queues everywhere before it
 * waits anywhere.
 */
#include <stdlib.h>

#include "core/log.h"
#include "core/status.h"
#include "cuda/cuda_engine.h"
#include "multi/exchange/exchange.h"
#include "multi/multi_clock.h"
#include "multi/multi_devices.h"
#include "multi/multi_list.h"

enum {
    RUN_USUAL_RANGES = 4,      /* of a part: the first one's arrival is not hidden */
    RUN_RANGE_ITEMS = 1 << 24, /* that are worth a range of their own */
    RUN_LEAST_ALIGNED = 3,     /* ranges of a part: of two one would be shorter than exact cuts' */
    RUN_GRAIN = 32             /* items: places of ranges keep the alignment of the arrays */
};

/* Ranges that a sample cuts may begin at any code near their place: so many halves that they can
 * begin at multiples of a power of two, if codes are even. */
static bool run_aligns(const struct exchange *x, uint32_t ranges)
{
    return x->sampled && ranges >= RUN_LEAST_ALIGNED;
}

/* Of a part with so many ranges. The first is half as long as the others, because nothing hides its
 * arrival; so is the second, if they are to begin at multiples. */
static uint32_t run_halves(const struct exchange *x, uint32_t ranges)
{
    return 2 * ranges - (run_aligns(x, ranges) ? 2 : 1);
}

static uint64_t run_halves_before(const struct exchange *x, uint64_t turn)
{
    if (run_aligns(x, x->ranges))
        return turn < 2 ? turn : 2 * turn - 2;
    return turn > 0 ? 2 * turn - 1 : 0;
}

uint64_t exchange_range_begin(const struct exchange *x, uint32_t range)
{
    const struct exchange_member *member = &x->members[range / x->ranges];
    if (range == x->member_count * x->ranges)
        return x->run->arguments->count;
    uint64_t count = member->part->count, halves = run_halves(x, x->ranges);
    uint64_t even = (count + halves - 1) / halves;
    uint64_t half = (even + RUN_GRAIN - 1) / RUN_GRAIN * RUN_GRAIN;
    uint64_t begin = run_halves_before(x, range % x->ranges) * half;
    return member->first + (begin < count ? begin : count);
}

uint64_t exchange_longest_range(const struct exchange *x, const struct exchange_member *member)
{
    uint32_t number = (uint32_t)(member - x->members) * x->ranges;
    uint64_t longest = 0;
    for (uint32_t range = number; range < number + x->ranges; range++) {
        uint64_t items = exchange_range_begin(x, range + 1) - exchange_range_begin(x, range);
        longest = items > longest ? items : longest;
    }
    return longest;
}

consort_status exchange_each(struct exchange *x, exchange_step *step, void *context)
{
    consort_status status = CONSORT_OK;
    for (uint32_t m = 0; m < x->member_count && status == CONSORT_OK; m++) {
        struct exchange_member *member = &x->members[m];
        status = device_enter(member->device);
        if (status == CONSORT_OK) {
            status = step(x, member, context);
            device_leave(member->device);
        }
        if (status != CONSORT_OK)
            device_blame(member->part->device);
    }
    return status;
}

static consort_status run_release(struct exchange *x, struct exchange_member *member, void *none)
{
    (void)x;
    (void)none;
    exchange_member_free(member);
    return CONSORT_OK;
}

/* Copies go straight from one device's memory to the other's where the devices can; elsewhere the
 * driver takes them through host memory. */
static consort_status run_meet_peers(struct exchange *x, struct exchange_member *member, void *none)
{
    (void)none;
    const struct driver *driver = driver_get();
    for (uint32_t m = 0; m < x->member_count; m++) {
        const struct exchange_member *peer = &x->members[m];
        int can = 0;
        if (peer->device == member->device ||
            driver->cuDeviceCanAccessPeer(&can, member->device->handle, peer->device->handle) !=
                CUDA_SUCCESS ||
            !can)
            continue;
        CUresult result = driver->cuCtxEnablePeerAccess(peer->device->context, 0);
        if (result != CUDA_SUCCESS && result != CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED)
            log_write(LOG_WARN, "GPU %d does not reach GPU %d", member->device->ordinal,
                      peer->device->ordinal);
        staging_store_share(peer->store, member->device);
    }
    return CONSORT_OK;
}

/* Uniform codes of a range span the whole's over the number of all ranges. Sorts by digits use a
 * power of two of buckets: they like a span a little below one, not a little above; or just one, if
 * cuts are at its multiples: a range across a multiple of a larger power has a bit more. */
static bool run_suits_digits(const struct exchange *x, uint32_t ranges)
{
    uint32_t halves = x->member_count * run_halves(x, ranges);
    uint32_t below = 1u << (31 - __builtin_clz(halves));
    return (run_aligns(x, ranges) && halves == below) ||
           (20 * halves >= 21 * below && 10 * halves <= 13 * below);
}

static uint32_t run_usual_ranges(const struct exchange *x)
{
    uint64_t wanted = (uint64_t)x->plan->parameters[EXCHANGE_PARAMETER_RANGES], longest = 0;
    uint32_t most = EXCHANGE_MOST_RANGES / x->member_count;
    for (uint32_t m = 0; m < x->member_count; m++)
        if (x->members[m].part->count > longest)
            longest = x->members[m].part->count;
    if (wanted == 0) {
        wanted = RUN_USUAL_RANGES;
        while (wanted < most && !run_suits_digits(x, (uint32_t)wanted))
            wanted++;
        wanted = longest / RUN_RANGE_ITEMS < wanted ? longest / RUN_RANGE_ITEMS : wanted;
    }
    if (wanted == 0 || x->member_count == 1)
        wanted = 1;
    return wanted < most ? (uint32_t)wanted : most;
}

/* An eighth of a part is room for a range of the other one where there are two; of three and more
 * a range that is lent would take 3/16 or more, for which no room is kept. Where memory is short
 * none is kept for two, either; then cuts are exact, which takes less; the workspace of a
 * sort shrinks with its range, so that then there are more of them. */
static consort_status run_take_memory(struct exchange *x)
{
    uint32_t most = EXCHANGE_MOST_RANGES / x->member_count;
    x->sampled = exchange_may_sample(x);
    x->borrows = x->sampled && x->member_count == 2;
    x->ranges = run_usual_ranges(x);
    for (;;) {
        consort_status status = exchange_each(x, exchange_member_size, NULL);
        if (status == CONSORT_OK)
            status = exchange_each(x, exchange_member_allocate, NULL);
        x->may_sample = x->sampled;
        if (status != CONSORT_ERROR_DEVICE_MEMORY || (x->ranges == most && !x->sampled))
            return status;
        exchange_each(x, run_release, NULL);
        if (!x->sampled)
            x->ranges = 2 * x->ranges < most ? 2 * x->ranges : most;
        x->sampled = x->borrows;
        x->borrows = false;
    }
}

static consort_status run_await_move(struct exchange *x, struct exchange_member *member, void *none)
{
    (void)none;
    (void)x;
    CUresult result = driver_get()->cuStreamSynchronize(member->lane->sort);
    return result == CUDA_SUCCESS
               ? CONSORT_OK
               : driver_fail(driver_get(), result, "putting items in the order of ranges");
}

static consort_status run_put_in_order(struct exchange *x)
{
    x->run->outcome->counters[EXCHANGE_COUNT_STORED] = 0;
    consort_status status = exchange_each(x, exchange_move_items, NULL);
    return status == CONSORT_OK ? exchange_each(x, run_await_move, NULL) : status;
}

/* If the sample deceived nothing is lost but the time. */
static consort_status run_move(struct exchange *x)
{
    consort_status status = run_put_in_order(x);
    if (status == CONSORT_OK && x->sampled && !exchange_settle(x)) {
        log_write(LOG_TRACE, "exchange: the sample deceived: ranges are cut exactly");
        x->sampled = false;
        status = exchange_select(x);
        if (status == CONSORT_OK)
            status = run_put_in_order(x);
    }
    uint64_t total = x->run->arguments->count;
    if (status == CONSORT_OK && checkpoint_pass(x->run->checkpoint, total, 2 * total))
        status = status_fail(CONSORT_ERROR_CANCELLED, "the run was cancelled");
    return status;
}

/* From here on parts that are sorted in place are written over. */
static consort_status run_sort(struct exchange *x)
{
    for (uint32_t m = 0; m < x->member_count; m++)
        for (uint32_t c = 0; c < x->column_count && x->members[m].part->count > 0; c++)
            if ((CUdeviceptr)(uintptr_t)x->members[m].columns[c].in ==
                x->members[m].columns[c].arrive)
                *x->run->input_whole = false;
    return exchange_sort_ranges(x);
}

static consort_status run_phases(struct exchange *x)
{
    consort_status (*const phases[])(struct exchange *) = {exchange_select, run_move, run_sort};
    uint64_t *counters = x->run->outcome->counters;
    consort_status status = CONSORT_OK;
    for (uint32_t i = 0; i < sizeof phases / sizeof *phases && status == CONSORT_OK; i++) {
        double begin = multi_clock_now();
        if (checkpoint_cancelled(x->run->checkpoint))
            return status_fail(CONSORT_ERROR_CANCELLED, "the run was cancelled");
        status = phases[i](x);
        counters[EXCHANGE_COUNT_SELECT + i] = (uint64_t)(1e9 * (multi_clock_now() - begin));
    }
    return status;
}

consort_status exchange_pass(struct exchange *x)
{
    uint64_t *counters = x->run->outcome->counters;
    for (uint32_t m = 0; m < x->member_count; m++)
        if (x->members[m].part->count > 0)
            exchange_member_point(x, &x->members[m]);
    x->sampled = x->may_sample;
    consort_status status = exchange_each(x, exchange_find_reached, NULL);
    if (status == CONSORT_OK)
        status = run_phases(x);
    counters[EXCHANGE_COUNT_RANGES] = x->member_count * x->ranges;
    counters[EXCHANGE_COUNT_SAMPLED] = x->sampled;
    if (status == CONSORT_OK)
        exchange_tell(x);
    return status;
}

static consort_status run_open(struct exchange *x)
{
    consort_status status = cuda_engine_check_stream(x->run->stream);
    while (status == CONSORT_OK && x->member_count < x->plan->request.device_count) {
        status = exchange_member_open(x, x->member_count++);
        if (status != CONSORT_OK)
            device_blame(x->run->arguments->parts[x->member_count - 1].device);
    }
    if (status == CONSORT_OK)
        status = exchange_each(x, run_meet_peers, NULL);
    if (status == CONSORT_OK)
        status = run_take_memory(x);
    if (status == CONSORT_OK)
        status = exchange_select_open(x);
    return status == CONSORT_OK ? exchange_each(x, exchange_tell_start, NULL) : status;
}

consort_status exchange_open(struct exchange **opened, const struct consort_plan *plan,
                             const struct run *run)
{
    struct exchange *x = calloc(1, sizeof *x);
    *opened = x;
    if (!x)
        return status_fail(CONSORT_ERROR_MEMORY, "out of memory");
    x->plan = plan;
    x->run = run;
    x->began = multi_clock_now();
    x->column_count = multi_list_columns(&plan->request);
    return run_open(x);
}

/* Everything that was queued is over when this returns. */
consort_status exchange_close(struct exchange *x, consort_status status)
{
    struct multi_losses losses = {0};
    for (uint32_t m = 0; m < x->member_count; m++)
        if (x->members[m].device)
            multi_losses_look(&losses, x->members[m].device, x->members[m].lane);
    if (losses.count > 0 && status != CONSORT_OK) {
        *x->run->input_whole = false;
        status = multi_losses_report(&losses);
    }
    for (uint32_t m = 0; m < x->member_count; m++)
        exchange_member_close(&x->members[m], status == CONSORT_OK);
    exchange_select_close(x);
    free(x);
    return status;
}

consort_status exchange_run(const struct consort_plan *plan, const struct run *run)
{
    struct exchange *x;
    consort_status status = exchange_open(&x, plan, run);
    if (status == CONSORT_OK)
        status = exchange_pass(x);
    return x ? exchange_close(x, status) : status;
}
