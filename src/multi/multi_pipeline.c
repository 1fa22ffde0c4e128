/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One turn of a GPU: a chunk (or the pieces of all runs that make up a part) comes into the slot
 * that the last turn began to empty, behind what leaves there; the slot filled two turns ago, and
 * sorted since, begins to be emptied; and the one filled in the last turn is sorted. The host waits
 * only for what left before that, so that the bus always has the next copies waiting.
 */
#include "core/status.h"
#include "multi/multi_worker.h"

enum {
    PIPELINE_TAKEN = MULTI_SLOTS - 1 /* turns after it came, a chunk begins to leave */
};

static consort_status pipeline_check(CUresult result, const char *call)
{
    return result == CUDA_SUCCESS ? CONSORT_OK : driver_fail(driver_get(), result, call);
}

/* A lane's events of flights: of uploads for the end of a slot's sort, of downloads for the moment
 * when it is empty. */
static CUevent pipeline_event(const struct multi_worker *worker, enum staging_direction direction,
                              uint32_t slot)
{
    return worker->lane->flights[direction][slot];
}

static consort_status pipeline_report(const struct multi_worker *worker, uint64_t done)
{
    const struct multi *multi = worker->multi;
    const struct checkpoint *checkpoint = multi->run->checkpoint;
    bool cancelled = worker->member == 0 ? checkpoint_pass(checkpoint, done, 2 * multi->list.count)
                                         : checkpoint_cancelled(checkpoint);
    return cancelled ? status_fail(CONSORT_ERROR_CANCELLED, "the run was cancelled") : CONSORT_OK;
}

/* When what came MULTI_CLOCK_TURNS turns ago was done. */
static void pipeline_time(const struct multi_worker *worker, uint64_t number)
{
    const struct multi *multi = worker->multi;
    if (!multi->times)
        return;
    struct multi_times *times = &multi->times[(multi->merging ? multi->chunk_count : 0) + number];
    times->device = worker->device->ordinal;
    for (int step = 0; step < MULTI_STEPS; step++)
        times->steps[step] = multi_clock_read(&worker->clock, worker->turn - MULTI_CLOCK_TURNS,
                                              (enum multi_step)step);
}

/* What the turn before the last began to take to the host is there. */
static consort_status pipeline_finish(struct multi_worker *worker)
{
    uint64_t number = worker->leaving;
    uint32_t slot = (worker->turn + MULTI_SLOTS - 1) % MULTI_SLOTS;
    if (number == MULTI_QUEUE_NONE)
        return CONSORT_OK;
    CUresult result = driver_get()->cuEventSynchronize(pipeline_event(worker, STAGING_DOWN, slot));
    if (result != CUDA_SUCCESS)
        return pipeline_check(result, "sorting on the GPU");
    worker->leaving = MULTI_QUEUE_NONE;
    pipeline_time(worker, number);
    uint64_t items = multi_items(worker->multi, number);
    uint64_t done = atomic_fetch_add(&worker->multi->done, items) + items;
    multi_queue_done(&worker->multi->queue);
    return pipeline_report(worker, done);
}

static consort_status pipeline_bring_chunk(struct multi_worker *worker, uint32_t slot, uint32_t c)
{
    const struct multi *multi = worker->multi;
    const struct multi_column *column = &multi->list.columns[c];
    uint64_t number = worker->slots[slot];
    uint64_t first = number * multi->chunk_items;
    if (!column->in)
        return CONSORT_OK;
    return multi_carry_add(
        &worker->carry, STAGING_UP, column->in_carried, (char *)column->in + first * column->bytes,
        multi_worker_place(worker, slot, c), multi_items(multi, number) * column->bytes);
}

/* The runs' pieces one after the other, first run first: a stable sort of that is their merge. */
static consort_status pipeline_bring_part(struct multi_worker *worker, uint32_t slot, uint32_t c)
{
    const struct multi *multi = worker->multi;
    const struct multi_column *column = &multi->list.columns[c];
    const uint64_t *begin = multi->cuts + worker->slots[slot] * multi->chunk_count;
    const uint64_t *end = begin + multi->chunk_count;
    char *place = multi_worker_place(worker, slot, c);
    consort_status status = CONSORT_OK;
    for (uint64_t r = 0; r < multi->chunk_count && status == CONSORT_OK; r++) {
        uint64_t first = r * multi->chunk_items + begin[r];
        uint64_t bytes = (end[r] - begin[r]) * column->bytes;
        status = multi_carry_add(&worker->carry, STAGING_UP, multi->list.runs_carried,
                                 column->runs + first * column->bytes, place, bytes);
        place += bytes;
    }
    return status;
}

static consort_status pipeline_bring(struct multi_worker *worker, uint32_t slot)
{
    const struct multi *multi = worker->multi;
    consort_status status = CONSORT_OK;
    if (worker->leaving != MULTI_QUEUE_NONE)
        status = pipeline_check(
            driver_get()->cuStreamWaitEvent(worker->lane->bus[STAGING_UP],
                                            pipeline_event(worker, STAGING_DOWN, slot), 0),
            "cuStreamWaitEvent");
    multi_clock_begin(&worker->clock, worker->turn, MULTI_UP, worker->lane->bus[STAGING_UP]);
    for (uint32_t c = 0; c < multi->list.column_count && status == CONSORT_OK; c++)
        status = multi->merging ? pipeline_bring_part(worker, slot, c)
                                : pipeline_bring_chunk(worker, slot, c);
    return status;
}

static consort_status pipeline_take(struct multi_worker *worker, uint32_t slot)
{
    struct multi *multi = worker->multi;
    uint64_t number = worker->slots[slot];
    uint64_t first = number * multi->chunk_items;
    CUresult result = driver_get()->cuStreamWaitEvent(worker->lane->bus[STAGING_DOWN],
                                                      pipeline_event(worker, STAGING_UP, slot), 0);
    consort_status status = pipeline_check(result, "cuStreamWaitEvent");
    multi_clock_begin(&worker->clock, worker->turn - PIPELINE_TAKEN, MULTI_DOWN,
                      worker->lane->bus[STAGING_DOWN]);
    if (multi->merging && multi->list.in_place)
        atomic_store(&multi->damaged, true);
    for (uint32_t c = 0; c < multi->list.column_count && status == CONSORT_OK; c++) {
        const struct multi_column *column = &multi->list.columns[c];
        char *to = multi->merging ? column->out : column->runs;
        bool carried = multi->merging ? column->out_carried : multi->list.runs_carried;
        if (to)
            status = multi_carry_add(
                &worker->carry, STAGING_DOWN, carried, to + first * column->bytes,
                multi_worker_place(worker, slot, c), multi_items(multi, number) * column->bytes);
    }
    return status;
}

/* `columns` has room for the values. */
static consort_status pipeline_sort_chunk(struct multi_worker *worker, uint32_t slot,
                                          consort_column *columns)
{
    const struct multi *multi = worker->multi;
    for (uint32_t c = 1; c < multi->list.column_count; c++) {
        void *place = multi_worker_place(worker, slot, c);
        columns[c - 1] = (consort_column){
            .in = place, .out = place, .element_bytes = multi->list.columns[c].bytes};
    }
    void *workspace = (void *)(uintptr_t)(worker->memory + MULTI_SLOTS * worker->slot_bytes);
    void *keys = multi_worker_place(worker, slot, 0);
    return multi_chunk_sort(&worker->chunk, keys, keys, columns,
                            multi_items(multi, worker->slots[slot]), workspace, worker->lane->sort);
}

static consort_status pipeline_sort(struct multi_worker *worker, uint32_t slot)
{
    const struct multi *multi = worker->multi;
    const struct staging_lane *lane = worker->lane;
    uint64_t number = worker->slots[slot];
    bool numbered = !multi->merging && multi->list.column_count > 1 && !multi->list.columns[1].in;
    multi_clock_end(&worker->clock, worker->turn, MULTI_UP, lane->bus[STAGING_UP]);
    CUresult result = staging_lane_order(lane, lane->bus[STAGING_UP], lane->sort);
    consort_status status = pipeline_check(result, "cuStreamWaitEvent");
    multi_clock_begin(&worker->clock, worker->turn, MULTI_SORT, lane->sort);
    if (status == CONSORT_OK && numbered)
        status =
            multi_chunk_number(&worker->chunk, multi_worker_place(worker, slot, 1),
                               number * multi->chunk_items, multi_items(multi, number), lane->sort);
    if (status == CONSORT_OK)
        status = pipeline_sort_chunk(worker, slot, worker->columns);
    if (status != CONSORT_OK)
        return status;
    multi_clock_end(&worker->clock, worker->turn, MULTI_SORT, lane->sort);
    result = driver_get()->cuEventRecord(pipeline_event(worker, STAGING_UP, slot), lane->sort);
    return pipeline_check(result, "cuEventRecord");
}

/* The slot is empty when this has been reached. */
static consort_status pipeline_taken(const struct multi_worker *worker, uint32_t slot)
{
    CUstream stream = worker->lane->bus[STAGING_DOWN];
    multi_clock_end(&worker->clock, worker->turn - PIPELINE_TAKEN, MULTI_DOWN, stream);
    return pipeline_check(
        driver_get()->cuEventRecord(pipeline_event(worker, STAGING_DOWN, slot), stream),
        "cuEventRecord");
}

static bool pipeline_is_idle(const struct multi_worker *worker)
{
    bool idle = worker->leaving == MULTI_QUEUE_NONE;
    for (uint32_t slot = 0; slot < MULTI_SLOTS; slot++)
        idle &= worker->slots[slot] == MULTI_QUEUE_NONE;
    return idle;
}

consort_status multi_pipeline_turn(struct multi_worker *worker, bool *more)
{
    struct multi *multi = worker->multi;
    uint32_t in = worker->turn % MULTI_SLOTS, out = (worker->turn + 1) % MULTI_SLOTS;
    consort_status status = pipeline_finish(worker);
    if (status != CONSORT_OK)
        return status;
    worker->leaving = worker->slots[in];
    worker->slots[in] = MULTI_QUEUE_NONE;
    worker->slots[in] = multi_queue_take(&multi->queue, pipeline_is_idle(worker));
    *more = !pipeline_is_idle(worker) && !atomic_load(&multi->stopped);
    if (!*more)
        return CONSORT_OK;
    bool brings = worker->slots[in] != MULTI_QUEUE_NONE;
    bool takes = worker->slots[out] != MULTI_QUEUE_NONE;
    if (brings)
        status = pipeline_bring(worker, in);
    if (status == CONSORT_OK && takes)
        status = pipeline_take(worker, out);
    if (status == CONSORT_OK)
        status = multi_carry_run(&worker->carry);
    if (status == CONSORT_OK && takes)
        status = pipeline_taken(worker, out);
    if (status == CONSORT_OK && brings)
        status = pipeline_sort(worker, in);
    *more = !atomic_load(&multi->stopped);
    worker->turn++;
    return status;
}
