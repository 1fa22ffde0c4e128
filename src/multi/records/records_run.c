/* SPDX-License-Identifier: Apache-2.0 */
/* A run: windows are made everywhere, sorted by `exchange`, and looked at; then the next. */
#include <stdlib.h>

#include "core/status.h"
#include "cuda/cuda_engine.h"
#include "multi/exchange/exchange.h"
#include "multi/multi_clock.h"
#include "multi/multi_devices.h"
#include "multi/records/records.h"

consort_status records_each(struct records *r, records_step *step, void *context)
{
    consort_status status = CONSORT_OK;
    for (uint32_t m = 0; m < r->member_count && status == CONSORT_OK; m++) {
        struct records_member *member = &r->members[m];
        if (member->part->count == 0)
            continue;
        status = device_enter(member->device);
        if (status == CONSORT_OK) {
            status = step(r, member, context);
            device_leave(member->device);
        }
        if (status != CONSORT_OK)
            device_blame(member->part->device);
    }
    return status;
}

static consort_status run_number(struct records *r, struct records_member *member, void *none)
{
    (void)none;
    return records_member_number(r, member);
}

static consort_status run_make(struct records *r, struct records_member *member, void *context)
{
    return records_member_make(r, member, *(uint64_t *)context);
}

static consort_status run_await(struct records *r, struct records_member *member, void *none)
{
    (void)r;
    (void)none;
    CUresult result = driver_get()->cuStreamSynchronize(member->lane->sort);
    return result == CUDA_SUCCESS
               ? CONSORT_OK
               : driver_fail(driver_get(), result, "making windows of keys on the GPU");
}

/* Of all passes together, as if there were as many as there may be. */
static int32_t run_report(void *context, uint64_t done, uint64_t total)
{
    const struct records *r = context;
    const struct checkpoint *whole = r->run->checkpoint;
    return whole->progress(whole->context, r->pass * total + done, r->passes * total);
}

static bool run_is_in_place(const struct records *r)
{
    bool in_place = false;
    for (uint32_t m = 0; m < r->member_count; m++) {
        const consort_part *part = r->members[m].part;
        in_place |= part->count > 0 && part->in == part->out;
        for (uint32_t i = 0; i < r->plan->request.value_count && part->count > 0; i++)
            in_place |= part->values[i].in == part->values[i].out;
    }
    return in_place;
}

static void run_point(struct records *r)
{
    for (uint32_t m = 0; m < r->member_count; m++)
        r->sort.parts[m] = records_member_part(r, &r->members[m]);
}

/* The sort of windows takes its memory once, for all of them. */
static consort_status run_open_sort(struct records *r)
{
    struct records_sort *sort = &r->sort;
    const struct checkpoint *whole = r->run->checkpoint;
    consort_arguments_init(&sort->arguments);
    sort->arguments.count = r->run->arguments->count;
    sort->arguments.parts = sort->parts;
    sort->checkpoint = (struct checkpoint){
        .progress = whole->progress ? run_report : NULL, .context = r, .cancel = whole->cancel};
    sort->untouched = true;
    sort->run = (struct run){.arguments = &sort->arguments,
                             .outcome = &sort->outcome,
                             .checkpoint = &sort->checkpoint,
                             .stream = r->run->stream,
                             .input_whole = &sort->untouched};
    run_point(r);
    return exchange_open(&sort->exchange, &r->state->exchange, &sort->run);
}

/* Windows are written over in any case, which is nothing to the caller. */
static consort_status run_exchange(struct records *r)
{
    struct records_sort *sort = &r->sort;
    sort->outcome = (consort_outcome){0};
    run_point(r);
    consort_status status = exchange_pass(sort->exchange);
    if (!sort->untouched && run_is_in_place(r))
        *r->run->input_whole = false;
    r->run->outcome->counters[RECORDS_COUNT_CROSSED] +=
        sort->outcome.counters[EXCHANGE_COUNT_CROSSED];
    return status;
}

static consort_status run_pass(struct records *r, uint64_t window)
{
    uint64_t *counters = r->run->outcome->counters;
    double began = multi_clock_now();
    consort_status status = records_each(r, run_make, &window);
    if (status == CONSORT_OK)
        status = records_each(r, run_await, NULL);
    double made = multi_clock_now();
    if (status == CONSORT_OK)
        status = run_exchange(r);
    counters[RECORDS_COUNT_WINDOWS]++;
    counters[RECORDS_COUNT_MAKE] += (uint64_t)(1e6 * (made - began));
    counters[RECORDS_COUNT_EXCHANGE] += (uint64_t)(1e6 * (multi_clock_now() - made));
    r->pass++;
    return status;
}

/* Everything by the first window is enough if that leaves no disorder. */
static consort_status run_passes(struct records *r)
{
    bool sorted = r->windows == 1;
    consort_status status = records_each(r, run_number, NULL);
    if (status == CONSORT_OK)
        status = run_pass(r, 0);
    if (status == CONSORT_OK && !sorted)
        status = records_check(r, &sorted);
    for (uint64_t w = r->windows; w > 0 && status == CONSORT_OK && !sorted; w--)
        status = run_pass(r, w - 1);
    uint64_t total = 2 * r->passes * r->run->arguments->count;
    if (status == CONSORT_OK && r->pass < r->passes &&
        checkpoint_pass(r->run->checkpoint, total, total))
        status = status_fail(CONSORT_ERROR_CANCELLED, "the run was cancelled");
    return status;
}

/* All memory is there before anything is written. */
static consort_status run_open(struct records *r)
{
    consort_status status = cuda_engine_check_stream(r->run->stream);
    r->edges = malloc(2 * (uint64_t)r->plan->request.device_count * r->plan->request.item_bytes);
    if (status == CONSORT_OK && !r->edges)
        status = status_fail(CONSORT_ERROR_MEMORY, "out of memory");
    while (status == CONSORT_OK && r->member_count < r->plan->request.device_count) {
        status = records_member_open(r, r->member_count++);
        if (status != CONSORT_OK)
            device_blame(r->run->arguments->parts[r->member_count - 1].device);
    }
    return status == CONSORT_OK ? run_open_sort(r) : status;
}

/* What `exchange` reports lost needs no second report. */
static consort_status run_close(struct records *r, consort_status status)
{
    struct multi_losses losses = {0};
    if (r->sort.exchange)
        status = exchange_close(r->sort.exchange, status);
    bool told = r->sort.exchange && status == CONSORT_ERROR_DEVICE_LOST;
    if (told && !r->sort.untouched)
        *r->run->input_whole = false;
    for (uint32_t m = 0; m < r->member_count; m++)
        if (r->members[m].device)
            multi_losses_look(&losses, r->members[m].device, r->members[m].lane);
    if (losses.count > 0 && status != CONSORT_OK && !told) {
        *r->run->input_whole = false;
        status = multi_losses_report(&losses);
    }
    for (uint32_t m = 0; m < r->member_count; m++)
        records_member_close(&r->members[m], status == CONSORT_OK);
    return status;
}

consort_status records_run(const struct consort_plan *plan, const struct run *run)
{
    struct records *r = calloc(1, sizeof *r);
    if (!r)
        return status_fail(CONSORT_ERROR_MEMORY, "out of memory");
    r->plan = plan;
    r->state = plan->state;
    r->run = run;
    r->windows = records_windows(&plan->request);
    r->passes = r->windows > 1 ? r->windows + 1 : 1;
    consort_status status = run_open(r);
    if (status == CONSORT_OK)
        status = run_passes(r);
    status = run_close(r, status);
    free(r->edges);
    free(r);
    return status;
}
