/* SPDX-License-Identifier: Apache-2.0 */
/* One GPU of a run: taking it, letting it work, giving it back. */
#include "multi/multi_worker.h"

#include <stdio.h>
#include <stdlib.h>

#include "core/log.h"
#include "core/status.h"
#include "cpu/team.h"
#include "cuda/staging/staging_pageable.h"
#include "multi/multi_devices.h"

static bool worker_is_own_trouble(consort_status status)
{
    return status == CONSORT_ERROR_DEVICE_MEMORY || status == CONSORT_ERROR_NO_DEVICE ||
           status == CONSORT_ERROR_NO_KERNEL || status == CONSORT_ERROR_DRIVER ||
           status == CONSORT_ERROR_DEVICE_LOST;
}

void multi_worker_fail(struct multi_worker *worker, consort_status status)
{
    const consort_error *error = consort_last_error();
    worker->status = status;
    worker->driver_error = error->driver_error;
    snprintf(worker->message, sizeof worker->message, "%s", error->message);
    if (worker_is_own_trouble(status))
        return;
    atomic_store(&worker->multi->stopped, true);
    multi_queue_stop(&worker->multi->queue);
}

static uint64_t worker_columns_bytes(const struct multi_worker *worker, uint32_t columns,
                                     uint64_t count)
{
    uint64_t bytes = 0;
    for (uint32_t c = 0; c < columns; c++)
        bytes += launch_aligned(count * worker->multi->list.columns[c].bytes);
    return bytes;
}

void *multi_worker_place(const struct multi_worker *worker, uint32_t slot, uint32_t column)
{
    uint64_t before = worker_columns_bytes(worker, column, worker->capacity);
    return (void *)(uintptr_t)(worker->memory + slot * worker->slot_bytes + before);
}

/* A plan for chunks of `count` items, and the bytes that it takes. */
static consort_status worker_size(struct multi_worker *worker, uint64_t count,
                                  uint64_t workspace_limit)
{
    const struct multi *multi = worker->multi;
    consort_status status = multi_chunk_plan_within(
        &worker->chunk, &multi->plan->request, worker->device->ordinal, count, workspace_limit);
    worker->capacity = count;
    worker->slot_bytes = worker_columns_bytes(worker, multi->list.column_count, count);
    worker->bytes = MULTI_SLOTS * worker->slot_bytes + worker->chunk.plan.workspace;
    return status;
}

/* Chunks of the size chosen last, by the fastest sort that fits beside them: the fastest of all may
 * keep tables that are larger than small chunks. */
static bool worker_squeeze(struct multi_worker *worker, uint64_t budget)
{
    uint64_t slots = MULTI_SLOTS * worker->slot_bytes;
    return slots <= budget && worker_size(worker, worker->capacity, budget - slots) == CONSORT_OK;
}

/* The largest chunks wanted that fit into so much memory: what they take is nearly in proportion to
 * their items. */
static consort_status worker_fit(struct multi_worker *worker, uint64_t budget)
{
    const struct multi *multi = worker->multi;
    uint64_t count = multi->wanted;
    consort_status status = worker_size(worker, count, UINT64_MAX);
    while (status == CONSORT_OK && worker->bytes > budget && count > multi->least) {
        double share = 0.98 * (double)budget / (double)worker->bytes;
        uint64_t next = (uint64_t)(share * (double)count);
        count = next > multi->least ? next : multi->least;
        status = worker_size(worker, count, UINT64_MAX);
    }
    if (status != CONSORT_OK || worker->bytes <= budget)
        return status;
    uint64_t fewest = worker->bytes;
    if (worker_squeeze(worker, budget))
        return CONSORT_OK;
    return status_fail(CONSORT_ERROR_DEVICE_MEMORY,
                       "GPU %d has %llu bytes to give; %llu items in %d chunks take at least %llu",
                       worker->device->ordinal, (unsigned long long)budget,
                       (unsigned long long)multi->list.count, MULTI_MOST_CHUNKS,
                       (unsigned long long)fewest);
}

/* Half of what is free is left to other runs, which may be taking theirs at this moment: a failure
 * to get it means trying with less. */
static consort_status worker_allocate(struct multi_worker *worker)
{
    const struct multi *multi = worker->multi;
    uint64_t budget = staging_store_available(multi->plan->request.context, worker->device) / 2;
    if (multi->memory > 0)
        budget = multi->memory;
    for (;;) {
        consort_status status = worker_fit(worker, budget);
        if (status != CONSORT_OK)
            return status;
        status =
            staging_store_allocate(worker->store, worker->lane, worker->bytes, &worker->memory);
        if (status != CONSORT_ERROR_DEVICE_MEMORY)
            return status;
        budget = worker->bytes / 2;
    }
}

static consort_status worker_carriers(struct multi_worker *worker)
{
    uint32_t threads = worker->multi->plan->request.threads / worker->multi->worker_count;
    threads = threads > 1 ? threads : 1;
    worker->lane = staging_store_borrow(
        worker->store,
        staging_pageable_slots(STAGING_SLOTS * (uint64_t)STAGING_SLOT_BYTES, threads));
    if (!worker->lane)
        return consort_last_error()->status;
    uint32_t most = (worker->lane->slot_count + 1) / MULTI_CARRY_DEPTH;
    worker->carriers = threads < most ? threads : most;
    worker->carry = (struct multi_carry){.device = worker->device,
                                         .lane = worker->lane,
                                         .checkpoint = worker->multi->run->checkpoint,
                                         .stopped = &worker->multi->stopped};
    return CONSORT_OK;
}

/* Work that the caller has queued may still write an array in device memory. */
static consort_status worker_await_caller(const struct multi *multi)
{
    if (!multi->list.on_device)
        return CONSORT_OK;
    CUresult result = driver_get()->cuStreamSynchronize(multi->run->stream);
    return result == CUDA_SUCCESS
               ? CONSORT_OK
               : driver_fail(driver_get(), result, "waiting for the caller's stream");
}

static consort_status worker_open_entered(struct multi_worker *worker)
{
    const struct request *request = &worker->multi->plan->request;
    worker->store = staging_store_of(request->context, worker->device);
    consort_status status = worker->store ? worker_carriers(worker) : consort_last_error()->status;
    if (status == CONSORT_OK)
        status = worker_await_caller(worker->multi);
    worker->columns = calloc(worker->multi->list.column_count, sizeof *worker->columns);
    if (status == CONSORT_OK && !worker->columns)
        status = status_fail(CONSORT_ERROR_MEMORY, "out of memory");
    if (status == CONSORT_OK)
        status = worker_allocate(worker);
    if (status == CONSORT_OK)
        status = multi_chunk_prepare(&worker->chunk, worker->device);
    if (status != CONSORT_OK)
        return status;
    if (worker->multi->timed)
        multi_clock_start(&worker->clock, worker->lane->sort, worker->multi->began);
    CUresult result =
        staging_lane_order(worker->lane, worker->lane->sort, worker->lane->bus[STAGING_UP]);
    return result == CUDA_SUCCESS ? CONSORT_OK
                                  : driver_fail(driver_get(), result, "cuStreamWaitEvent");
}

void multi_worker_open(struct multi_worker *worker, struct multi *multi, uint32_t member,
                       int32_t ordinal)
{
    *worker = (struct multi_worker){
        .multi = multi, .member = member, .sound = true, .leaving = MULTI_QUEUE_NONE};
    for (uint32_t slot = 0; slot < MULTI_SLOTS; slot++)
        worker->slots[slot] = MULTI_QUEUE_NONE;
    consort_status status = multi_device_enter(ordinal, &worker->device);
    if (status == CONSORT_OK) {
        status = worker_open_entered(worker);
        device_leave(worker->device);
    }
    worker->opened = status == CONSORT_OK;
    if (status != CONSORT_OK)
        multi_worker_fail(worker, status);
}

/* What has not reached the host. */
static void worker_give_back(struct multi_worker *worker, uint64_t *number)
{
    if (*number == MULTI_QUEUE_NONE)
        return;
    worker->sound = false;
    multi_queue_give_back(&worker->multi->queue, *number);
    *number = MULTI_QUEUE_NONE;
}

/* Threads are borrowed for each phase: between them they cut the runs. */
void multi_worker_work(struct multi_worker *worker)
{
    consort_status status = device_enter(worker->device);
    if (worker->carriers > 1)
        worker->carry.team =
            team_borrow(worker->multi->plan->request.context->pool, worker->carriers);
    for (bool more = true; status == CONSORT_OK && more;)
        status = multi_pipeline_turn(worker, &more);
    if (status != CONSORT_OK) {
        multi_worker_fail(worker, status);
        log_write(LOG_WARN, "GPU %d fails: %s", worker->device->ordinal, worker->message);
    }
    for (uint32_t slot = 0; slot < MULTI_SLOTS; slot++)
        worker_give_back(worker, &worker->slots[slot]);
    worker_give_back(worker, &worker->leaving);
    worker->sound &= status == CONSORT_OK;
    team_return(worker->carry.team);
    worker->carry.team = NULL;
    device_leave(worker->device);
}

/* Copies that a failure left behind must be over before anybody uses the caller's arrays. */
static void worker_close_entered(struct multi_worker *worker)
{
    if (!worker->lane)
        return;
    bool sound = staging_lane_wait(worker->lane) == CUDA_SUCCESS && worker->sound;
    multi_clock_stop(&worker->clock);
    staging_store_free(worker->store, worker->lane, worker->memory);
    staging_store_return(worker->store, worker->lane, sound);
}

void multi_worker_close(struct multi_worker *worker)
{
    const struct device *device = worker->device;
    bool entered =
        device && (device_enter(device) == CONSORT_OK || device_enter(device) == CONSORT_OK);
    if (entered) {
        worker_close_entered(worker);
        device_leave(device);
    }
    multi_carry_release(&worker->carry);
    multi_chunk_release(&worker->chunk);
    free(worker->columns);
}
