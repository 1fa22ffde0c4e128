/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A list in host memory, sorted by one GPU or several in two phases. First each chunk is brought,
 * sorted and put into the workspace: a run. Then the runs are cut into parts as large as chunks,
 * and each part, the pieces of all runs that belong there, is brought, put in order and put into
 * the result. Every item crosses the bus twice each way, whatever the number of runs; a GPU that
 * fails leaves the input and the runs whole, so that the others take over its work.
 */
#include "multi/multi_run.h"

#include <stdlib.h>

#include "core/log.h"
#include "core/status.h"
#include "cpu/team.h"
#include "cuda/cuda_engine.h"
#include "multi/multi_cuts.h"
#include "multi/multi_devices.h"
#include "multi/multi_tell.h"
#include "multi/multi_worker.h"

enum {
    RUN_LEAST_SHARE = 8, /* a GPU with less than one part in so many of the largest chunk rests */
    RUN_FEWEST_CHUNKS = 4,
    RUN_MOST_CHUNKS = 32,
    RUN_CHUNK_BYTES = 64 << 20,
    RUN_GRAIN = 16 /* items: places of chunks keep the alignment of the arrays */
};

/* Everything of a run. */
struct multi_all {
    struct multi multi;
    struct team *team; /* a thread for each GPU */
    int32_t ordinals[MULTI_MOST_DEVICES];
    struct multi_worker workers[MULTI_MOST_DEVICES];
    uint64_t *spare; /* for cuts, of every thread */
};

static void run_open(void *context, uint32_t member, uint32_t size)
{
    struct multi_all *all = context;
    (void)size;
    multi_worker_open(&all->workers[member], &all->multi, member, all->ordinals[member]);
}

static bool run_works(const struct multi_worker *worker)
{
    return worker->opened && worker->sound;
}

static void run_work(void *context, uint32_t member, uint32_t size)
{
    struct multi_all *all = context;
    struct multi_worker *worker = &all->workers[member];
    (void)size;
    if (run_works(worker))
        multi_worker_work(worker);
    if (member == 0)
        multi_worker_watch(worker);
}

static void run_close(void *context, uint32_t member, uint32_t size)
{
    struct multi_all *all = context;
    (void)size;
    multi_worker_close(&all->workers[member]);
}

/* The error of a failed run, recorded for the caller's thread: what stopped everybody, else what
 * the first GPU said. */
static consort_status run_blame(const struct multi_all *all)
{
    const struct multi *multi = &all->multi;
    const struct multi_worker *found = NULL;
    int32_t others[MULTI_MOST_DEVICES];
    uint32_t count = 0;
    for (uint32_t w = 0; w < multi->worker_count; w++) {
        const struct multi_worker *worker = &all->workers[w];
        bool fails = worker->trouble.status != CONSORT_OK;
        if (fails && (!found || !status_blames_device(worker->trouble.status)))
            found = worker;
    }
    if (!found)
        return status_fail(CONSORT_ERROR_INTERNAL, "a run over several GPUs was not finished");
    for (uint32_t w = 0; w < multi->worker_count; w++)
        if (&all->workers[w] != found && status_blames_device(all->workers[w].trouble.status))
            others[count++] = all->ordinals[w];
    status_tell(&found->trouble);
    return multi_devices_blame(all->ordinals[found->member], others, count);
}

/* The chunks of all GPUs are as large as those of the one that can give least. */
static consort_status run_choose_chunks(struct multi_all *all)
{
    struct multi *multi = &all->multi;
    uint64_t most = 0, least = UINT64_MAX;
    for (uint32_t w = 0; w < multi->worker_count; w++)
        if (all->workers[w].opened && all->workers[w].capacity > most)
            most = all->workers[w].capacity;
    if (most == 0 || atomic_load(&multi->stopped))
        return run_blame(all);
    for (uint32_t w = 0; w < multi->worker_count; w++) {
        struct multi_worker *worker = &all->workers[w];
        if (worker->opened && worker->capacity < most / RUN_LEAST_SHARE) {
            log_write(LOG_WARN, "GPU %d has too little memory to help", worker->device->ordinal);
            worker->opened = false;
        } else if (worker->opened && worker->capacity < least) {
            least = worker->capacity;
        }
    }
    uint64_t count = multi->list.count;
    multi->chunk_count = (uint32_t)((count + least - 1) / least);
    multi->chunk_items = (count + multi->chunk_count - 1) / multi->chunk_count;
    uint64_t even = (multi->chunk_items + RUN_GRAIN - 1) / RUN_GRAIN * RUN_GRAIN;
    if (even <= least)
        multi->chunk_items = even;
    multi->chunk_count = (uint32_t)((count + multi->chunk_items - 1) / multi->chunk_items);
    return CONSORT_OK;
}

static void run_cut(void *context, uint32_t member, uint32_t size)
{
    const struct multi_all *all = context;
    const struct multi *multi = &all->multi;
    const struct multi_runs runs = {.order = &multi->plan->request.order,
                                    .items = multi->list.columns[0].runs,
                                    .count = multi->list.count,
                                    .run_items = multi->chunk_items,
                                    .run_count = multi->chunk_count};
    uint64_t *spare = all->spare + 3 * (uint64_t)member * multi->chunk_count;
    for (uint64_t part = member; part <= multi->chunk_count; part += size) {
        uint64_t rank = part * multi->chunk_items;
        if (!checkpoint_cancelled(multi->run->checkpoint))
            multi_cuts_find(&runs, rank < runs.count ? rank : runs.count,
                            multi->cuts + part * multi->chunk_count, spare);
    }
}

static consort_status run_cut_parts(struct multi_all *all)
{
    struct multi *multi = &all->multi;
    const struct request *request = &multi->plan->request;
    uint64_t count = multi->chunk_count;
    struct team *team = team_borrow(request->context->pool, request->threads);
    uint64_t threads = team ? team_size(team) : 1;
    multi->cuts = malloc((count + 1) * count * sizeof *multi->cuts);
    all->spare = malloc(3 * threads * count * sizeof *all->spare);
    consort_status status = CONSORT_OK;
    if (!multi->cuts || !all->spare)
        status = status_fail(CONSORT_ERROR_MEMORY, "out of memory");
    else if (team)
        team_run(team, run_cut, all);
    else
        run_cut(all, 0, 1);
    team_return(team);
    if (status == CONSORT_OK && checkpoint_cancelled(multi->run->checkpoint))
        status = status_fail(CONSORT_ERROR_CANCELLED, "the run was cancelled");
    return status;
}

static consort_status run_reserve(struct multi_all *all)
{
    consort_status status = CONSORT_OK;
    for (uint32_t w = 0; w < all->multi.worker_count && status == CONSORT_OK; w++)
        if (run_works(&all->workers[w]))
            status = multi_worker_reserve(&all->workers[w]);
    return status;
}

static consort_status run_phase(struct multi_all *all)
{
    struct multi *multi = &all->multi;
    uint32_t takers = 0;
    for (uint32_t w = 0; w < multi->worker_count; w++)
        takers += run_works(&all->workers[w]);
    multi_queue_fill(&multi->queue, multi->chunk_count, takers);
    team_run(all->team, run_work, all);
    return multi_queue_is_empty(&multi->queue) && !atomic_load(&multi->stopped) ? CONSORT_OK
                                                                                : run_blame(all);
}

static consort_status run_phases(struct multi_all *all)
{
    struct multi *multi = &all->multi;
    team_run(all->team, run_open, all);
    consort_status status = run_choose_chunks(all);
    if (status == CONSORT_OK)
        status = run_reserve(all);
    if (multi->timed)
        multi->times = calloc(2 * (uint64_t)multi->chunk_count, sizeof *multi->times);
    multi_tell_lap(multi, MULTI_COUNT_OPEN);
    if (status == CONSORT_OK)
        status = run_phase(all);
    multi_tell_lap(multi, MULTI_COUNT_CHUNK_PHASE);
    if (status == CONSORT_OK)
        status = run_cut_parts(all);
    multi_tell_lap(multi, MULTI_COUNT_CUTS);
    multi->merging = true;
    if (status == CONSORT_OK)
        status = run_phase(all);
    multi_tell_lap(multi, MULTI_COUNT_PART_PHASE);
    if (status == CONSORT_OK)
        multi_tell(multi);
    team_run(all->team, run_close, all);
    uint64_t total = 2 * multi->list.count;
    if (status == CONSORT_OK && checkpoint_pass(multi->run->checkpoint, total, total))
        status = status_fail(CONSORT_ERROR_CANCELLED, "the run was cancelled");
    return status;
}

uint32_t multi_run_chunks(const struct request *request, uint32_t devices, uint64_t count)
{
    double bytes = 0.0;
    for (uint32_t c = 0; c < multi_list_columns(request); c++)
        bytes += (double)multi_list_bytes(request, c) * (double)count;
    double chunks = bytes / (devices > 0 ? devices : 1) / RUN_CHUNK_BYTES;
    return chunks < RUN_FEWEST_CHUNKS ? RUN_FEWEST_CHUNKS
           : chunks < RUN_MOST_CHUNKS ? (uint32_t)chunks
                                      : RUN_MOST_CHUNKS;
}

/* Threads that cannot be had mean fewer GPUs. */
static consort_status run_team(struct multi_all *all)
{
    struct multi *multi = &all->multi;
    const struct request *request = &multi->plan->request;
    uint32_t devices = multi_devices(request, all->ordinals);
    all->team = team_create(devices);
    if (devices == 0 || !all->team)
        return devices == 0 ? status_fail(CONSORT_ERROR_NO_DEVICE, "there is no NVIDIA GPU")
                            : status_fail(CONSORT_ERROR_MEMORY, "out of memory");
    multi->workers = all->workers;
    multi->worker_count = team_size(all->team);
    uint64_t count = multi->list.count;
    uint64_t chunks = (uint64_t)multi->plan->parameters[MULTI_CHUNKS];
    if (chunks == 0)
        chunks = multi_run_chunks(request, multi->worker_count, count);
    chunks *= multi->worker_count;
    multi->least = (count + MULTI_MOST_CHUNKS - 1) / MULTI_MOST_CHUNKS;
    multi->wanted = (count + chunks - 1) / chunks;
    if (multi->wanted < multi->least)
        multi->wanted = multi->least;
    multi->memory = (uint64_t)multi->plan->parameters[MULTI_MEMORY];
    return CONSORT_OK;
}

consort_status multi_run(const struct consort_plan *plan, const struct run *run)
{
    struct multi_all *all = calloc(1, sizeof *all);
    if (!all)
        return status_fail(CONSORT_ERROR_MEMORY, "out of memory");
    struct multi *multi = &all->multi;
    multi->plan = plan;
    multi->run = run;
    multi->began = multi_clock_now();
    multi->timed = multi_tell_is_wanted(run);
    multi_queue_begin(&multi->queue);
    consort_status status = cuda_engine_check_stream(run->stream);
    if (status == CONSORT_OK)
        status = multi_list_make(&multi->list, &plan->request, run->arguments, run->workspace);
    if (status == CONSORT_OK)
        status = run_team(all);
    if (status == CONSORT_OK)
        status = run_phases(all);
    if (atomic_load(&multi->damaged))
        *run->input_whole = false;
    team_destroy(all->team);
    multi_queue_end(&multi->queue);
    multi_list_release(&multi->list);
    free(multi->cuts);
    free(multi->times);
    free(all->spare);
    free(all);
    return status;
}
