/* SPDX-License-Identifier: Apache-2.0 */
/* One GPU of a run: taking it, letting it work, giving it back. */
#include "multi/multi_worker.h"

#include <stdlib.h>

#include "core/log.h"
#include "core/status.h"
#include "multi/multi_devices.h"

void multi_worker_fail(struct multi_worker *worker, consort_status status)
{
    status_keep(&worker->trouble);
    if (status_blames_device(status))
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
                       "it has %llu bytes to give; %llu items in %d chunks take at least %llu",
                       (unsigned long long)budget, (unsigned long long)multi->list.count,
                       MULTI_MOST_CHUNKS, (unsigned long long)fewest);
}

/* Half of what is free is left to other runs. Those of other contexts and programs may be taking
 * theirs at this moment: a failure to get it means trying with less. */
static consort_status worker_allocate_in_turn(struct multi_worker *worker)
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

static consort_status worker_allocate(struct multi_worker *worker)
{
    staging_store_begin_turn(worker->store);
    consort_status status = worker_allocate_in_turn(worker);
    staging_store_end_turn(worker->store);
    return status;
}

static consort_status worker_open_entered(struct multi_worker *worker)
{
    const struct request *request = &worker->multi->plan->request;
    worker->store = staging_store_of(request->context, worker->device);
    worker->carry.device = worker->device;
    uint32_t threads = request->threads / worker->multi->worker_count;
    worker->carry.checkpoint = worker->multi->run->checkpoint;
    worker->carry.stopped = &worker->multi->stopped;
    consort_status status = worker->store ? multi_carry_open(&worker->carry, worker->store, threads)
                                          : consort_last_error()->status;
    worker->lane = worker->carry.lane;
    if (status == CONSORT_OK && worker->multi->list.on_device)
        status = multi_carry_await_caller(worker->multi->run->stream);
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

/* Up go pieces of every run. */
consort_status multi_worker_reserve(struct multi_worker *worker)
{
    const struct multi *multi = worker->multi;
    uint64_t whole = 0;
    for (uint32_t c = 0; c < multi->list.column_count; c++)
        whole += multi_carry_pieces(multi->chunk_items * multi->list.columns[c].bytes);
    uint64_t runs = (uint64_t)multi->chunk_count * multi->list.column_count;
    consort_status status = multi_carry_reserve(&worker->carry, STAGING_UP, whole + runs);
    return status == CONSORT_OK ? multi_carry_reserve(&worker->carry, STAGING_DOWN, whole) : status;
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
    bool entered = status == CONSORT_OK;
    multi_carry_begin(&worker->carry, worker->multi->plan->request.context);
    for (bool more = true; status == CONSORT_OK && more;)
        status = multi_pipeline_turn(worker, &more);
    if (status != CONSORT_OK) {
        multi_worker_fail(worker, status);
        log_write(LOG_WARN, "GPU %d fails: %s", worker->device->ordinal, worker->trouble.message);
    }
    for (uint32_t slot = 0; slot < MULTI_SLOTS; slot++)
        worker_give_back(worker, &worker->slots[slot]);
    worker_give_back(worker, &worker->leaving);
    worker->sound &= status == CONSORT_OK;
    multi_carry_end(&worker->carry);
    if (entered)
        device_leave(worker->device);
    multi_queue_leave(&worker->multi->queue);
}

void multi_worker_watch(struct multi_worker *worker)
{
    struct multi *multi = worker->multi;
    bool cancelled = false;
    for (uint64_t finished = 0; !cancelled && multi_queue_watch(&multi->queue, &finished);)
        cancelled = checkpoint_pass(multi->run->checkpoint, atomic_load(&multi->done),
                                    2 * multi->list.count);
    if (cancelled)
        multi_worker_fail(worker, status_fail(CONSORT_ERROR_CANCELLED, "the run was cancelled"));
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
    if (device && device_enter_again(device)) {
        worker_close_entered(worker);
        device_leave(device);
    }
    multi_carry_release(&worker->carry);
    multi_chunk_release(&worker->chunk);
    free(worker->columns);
}
