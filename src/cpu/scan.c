/* SPDX-License-Identifier: Apache-2.0 */
/* is_sorted on the CPU: a parallel early-exit scan for the first disorder. */
#include "cpu/scan.h"

#include <stdatomic.h>

#include "core/plan.h"
#include "core/status.h"
#include "cpu/radix.h"
#include "cpu/share.h"

enum {
    SCAN_STRETCH = 512,     /* keys between two branches */
    SCAN_BLOCK = 1 << 14,   /* items a member takes at a time: how far it may overrun a disorder */
    SCAN_PARALLEL = 1 << 16 /* fewer items do not pay for waking threads */
};

struct scan_job {
    const struct order *order;
    const char *items;
    bool is_plain;
    uint64_t count;
    const struct checkpoint *checkpoint;
    _Atomic uint64_t next;  /* first item of the next block */
    _Atomic uint64_t found; /* the least disorder so far, or count */
};

/* The first item in [first, last) that comes before its predecessor, or `last`. */
static uint64_t scan_items(const struct scan_job *job, uint64_t first, uint64_t last)
{
    uint64_t bytes = job->order->item_bytes;
    for (uint64_t i = first; i < last; i++) {
        const char *item = job->items + i * bytes;
        if (order_compare(job->order, item, item - bytes) < 0)
            return i;
    }
    return last;
}

/* Plain codes: stretches without a branch per key; only one that holds a disorder is looked at
 * item by item. */
static uint64_t scan_codes(const struct scan_job *job, uint64_t first, uint64_t last)
{
    const struct codec *codec = &job->order->pieces[0].codec;
    while (first < last) {
        uint64_t end = last - first < SCAN_STRETCH ? last : first + SCAN_STRETCH;
        if (!presorted_holds(codec, job->items, PRESORTED_RISING, first, end))
            return scan_items(job, first, end);
        first = end;
    }
    return last;
}

static void scan_block(struct scan_job *job, uint64_t first, uint64_t last)
{
    uint64_t i = job->is_plain ? scan_codes(job, first, last) : scan_items(job, first, last);
    uint64_t found = atomic_load(&job->found);
    while (i < last && i < found && !atomic_compare_exchange_weak(&job->found, &found, i))
        ;
}

static void scan_member(void *context, uint32_t member, uint32_t size)
{
    struct scan_job *job = context;
    (void)member, (void)size;
    for (;;) {
        uint64_t first = atomic_fetch_add(&job->next, SCAN_BLOCK);
        if (first >= atomic_load(&job->found) || checkpoint_cancelled(job->checkpoint))
            return;
        uint64_t left = job->count - first;
        scan_block(job, first, first + (left < SCAN_BLOCK ? left : SCAN_BLOCK));
    }
}

static consort_status scan_run(const struct consort_plan *plan, const struct run *run)
{
    uint64_t count = run->arguments->count;
    struct scan_job job = {.order = &plan->request.order,
                           .items = run->arguments->in,
                           .is_plain = order_is_plain(&plan->request.order),
                           .count = count,
                           .checkpoint = run->checkpoint,
                           .next = 1,
                           .found = count};
    struct team *team = share_team(&plan->request, count, SHARE_SCAN);
    if (!team)
        return CONSORT_ERROR_MEMORY;
    team_run(team, scan_member, &job);
    team_return(team);
    run->outcome->position = job.found;
    if (checkpoint_pass(run->checkpoint, count, count))
        return status_fail(CONSORT_ERROR_CANCELLED, "is-sorted was cancelled");
    return CONSORT_OK;
}

/* 3.5 bytes a nanosecond and thread (Xeon 6 virtual machine, 2026-11). */
static double scan_cost(const struct request *request)
{
    return (double)request->maximum_count * (double)request->item_bytes / 3.5;
}

const struct algorithm scan_is_sorted = {
    .name = "scan",
    .summary = "reads blocks in parallel until the first disorder",
    .operation = CONSORT_OPERATION_IS_SORTED,
    .engine = CONSORT_ENGINE_CPU,
    .stable = true,
    .cost = scan_cost,
    .run = scan_run,
};
