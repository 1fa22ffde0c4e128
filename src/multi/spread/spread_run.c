/* SPDX-License-Identifier: Apache-2.0 */
/* A run: parts go up, are sorted as a spread list, and come down; if that fails, chunks. */
#include <stdlib.h>

#include "core/log.h"
#include "core/status.h"
#include "cpu/team.h"
#include "cuda/cuda_engine.h"
#include "multi/multi_algorithms.h"
#include "multi/multi_clock.h"
#include "multi/multi_run.h"
#include "multi/spread/spread.h"

enum {
    RUN_GRAIN = 32, /* items: parts begin where copies are fast */
    RUN_STEPS = 4   /* of progress: up, two of the sort, down */
};

static void run_lap(struct spread *spread, enum spread_counter phase)
{
    double now = multi_clock_now();
    spread->run->outcome->counters[phase] = (uint64_t)(1e9 * (now - spread->lap));
    spread->lap = now;
}

static consort_status run_pass(const struct spread *spread, uint64_t steps)
{
    uint64_t count = spread->list.count;
    return checkpoint_pass(spread->run->checkpoint, steps * count, RUN_STEPS * count)
               ? status_fail(CONSORT_ERROR_CANCELLED, "the run was cancelled")
               : CONSORT_OK;
}

static void run_open(void *context, uint32_t number, uint32_t size)
{
    struct spread *spread = context;
    for (uint32_t m = number; m < spread->member_count; m += size)
        spread_member_open(&spread->members[m]);
}

static void run_move(void *context, uint32_t number, uint32_t size)
{
    struct spread *spread = context;
    for (uint32_t m = number; m < spread->member_count; m += size)
        spread_member_move(&spread->members[m]);
}

static void run_close(void *context, uint32_t number, uint32_t size)
{
    struct spread *spread = context;
    for (uint32_t m = number; m < spread->member_count; m += size)
        spread_member_close(&spread->members[m]);
}

/* What stops everybody is told before one GPU's trouble. */
static consort_status run_blame(const struct spread *spread)
{
    const struct spread_member *found = NULL;
    int32_t others[MULTI_MOST_DEVICES];
    uint32_t count = 0;
    for (uint32_t m = 0; m < spread->member_count; m++) {
        const struct spread_member *member = &spread->members[m];
        bool fails = member->trouble.status != CONSORT_OK;
        if (fails && (!found || !status_blames_device(member->trouble.status)))
            found = member;
    }
    if (!found)
        return CONSORT_OK;
    for (uint32_t m = 0; m < spread->member_count; m++)
        if (&spread->members[m] != found && status_blames_device(spread->members[m].trouble.status))
            others[count++] = spread_member_ordinal(&spread->members[m]);
    status_tell(&found->trouble);
    return multi_devices_blame(spread_member_ordinal(found), others, count);
}

/* One thing on every GPU, in a thread of its own if there are so many. */
static consort_status run_each(struct spread *spread, team_function step)
{
    team_run(spread->team, step, spread);
    return run_blame(spread);
}

/* As even as the GPUs' memory allows: the smallest first takes what it can, the others share the
 * rest. False: it is too little. */
static bool run_share(struct spread *spread)
{
    uint64_t left = spread->list.count;
    bool full[MULTI_MOST_DEVICES] = {false};
    for (uint32_t open = spread->member_count; open > 0; open--) {
        uint32_t least = 0;
        for (uint32_t m = 0; m < spread->member_count; m++)
            if (!full[m] &&
                (full[least] || spread->members[m].capacity < spread->members[least].capacity))
                least = m;
        uint64_t even = (left + open - 1) / open;
        even = (even + RUN_GRAIN - 1) / RUN_GRAIN * RUN_GRAIN;
        even = even < left ? even : left;
        struct spread_member *member = &spread->members[least];
        member->count = even < member->capacity ? even : member->capacity;
        left -= member->count;
        full[least] = true;
    }
    for (uint32_t m = 1; m < spread->member_count; m++)
        spread->members[m].first = spread->members[m - 1].first + spread->members[m - 1].count;
    return left == 0;
}

static consort_status run_take_memory(struct spread *spread)
{
    if (!run_share(spread))
        return status_fail(CONSORT_ERROR_DEVICE_MEMORY,
                           "the GPUs have too little free memory for %llu items together",
                           (unsigned long long)spread->list.count);
    for (uint32_t m = 0; m < spread->member_count; m++) {
        if (!spread_member_allocate(&spread->members[m]))
            return run_blame(spread);
        spread->parts[m] = spread_member_part(&spread->members[m]);
    }
    return CONSORT_OK;
}

/* The sort's own progress is two steps of four. */
static int32_t run_report(void *context, uint64_t done, uint64_t total)
{
    const struct spread *spread = context;
    const struct checkpoint *whole = spread->run->checkpoint;
    uint64_t count = spread->list.count;
    uint64_t items = (uint64_t)((double)done / (double)total * 2.0 * (double)count);
    return whole->progress(whole->context, count + items, RUN_STEPS * count);
}

static consort_status run_sort(struct spread *spread)
{
    const struct checkpoint *whole = spread->run->checkpoint;
    const struct checkpoint part = {.progress = whole->progress ? run_report : NULL,
                                    .context = spread,
                                    .cancel = whole->cancel};
    consort_outcome outcome = {0};
    consort_arguments arguments;
    bool parts_whole = true;
    consort_arguments_init(&arguments);
    arguments.count = spread->list.count;
    arguments.parts = spread->parts;
    const struct run run = {.arguments = &arguments,
                            .outcome = &outcome,
                            .checkpoint = &part,
                            .stream = spread->run->stream,
                            .input_whole = &parts_whole};
    return spread->state->sort.algorithm->run(&spread->state->sort, &run);
}

static consort_status run_bring_down(struct spread *spread)
{
    spread->down = true;
    if (spread->list.in_place)
        *spread->run->input_whole = false;
    return run_each(spread, run_move);
}

static consort_status run_phases(struct spread *spread)
{
    spread->lap = multi_clock_now();
    consort_status status = run_each(spread, run_open);
    if (status == CONSORT_OK)
        status = run_take_memory(spread);
    run_lap(spread, SPREAD_COUNT_OPEN);
    if (status == CONSORT_OK)
        status = run_each(spread, run_move);
    if (status == CONSORT_OK)
        status = run_pass(spread, 1);
    run_lap(spread, SPREAD_COUNT_UP);
    if (status == CONSORT_OK)
        status = run_sort(spread);
    run_lap(spread, SPREAD_COUNT_SORT);
    if (status == CONSORT_OK)
        status = run_bring_down(spread);
    run_lap(spread, SPREAD_COUNT_DOWN);
    if (status != CONSORT_OK)
        atomic_store(&spread->stopped, true);
    team_run(spread->team, run_close, spread);
    return status == CONSORT_OK ? run_pass(spread, RUN_STEPS) : status;
}

static consort_status run_over_gpus(struct spread *spread)
{
    const struct request *request = &spread->state->sort.request;
    consort_status status =
        multi_list_make(&spread->list, &spread->plan->request, spread->run->arguments, NULL);
    spread->member_count = request->device_count;
    spread->team = team_create(spread->member_count);
    for (uint32_t m = 0; m < spread->member_count; m++)
        spread->members[m].spread = spread;
    if (status == CONSORT_OK && !spread->team)
        status = status_fail(CONSORT_ERROR_MEMORY, "out of memory");
    if (status == CONSORT_OK)
        status = run_phases(spread);
    spread->run->outcome->counters[SPREAD_COUNT_DEVICES] = spread->member_count;
    team_destroy(spread->team);
    multi_list_release(&spread->list);
    return status;
}

/* The whole list by merge-chunks, whose workspace is taken for it. Where host memory does not
 * suffice the error stays what it was: parts may have gone to outputs. */
static consort_status run_in_chunks(const struct consort_plan *plan, const struct run *run)
{
    struct consort_plan chunks = {.request = plan->request, .device = CONSORT_DEVICE_ALL};
    consort_outcome outcome = {0};
    struct status_kept failure;
    struct run again = *run;
    status_keep(&failure);
    checkpoint_begin_again(run->checkpoint);
    chunks.algorithm = plan->request.operation == CONSORT_OPERATION_SORT ? &multi_chunks_sort
                                                                         : &multi_chunks_argsort;
    chunks.parameters[MULTI_MEMORY] = plan->parameters[SPREAD_PARAMETER_MEMORY];
    chunks.workspace = multi_list_workspace(&plan->request);
    log_write(LOG_WARN, "in chunks instead: %s", failure.message);
    again.workspace = context_allocate(plan->request.context, chunks.workspace);
    again.outcome = &outcome;
    consort_status status =
        again.workspace ? chunks.algorithm->run(&chunks, &again) : CONSORT_ERROR_MEMORY;
    context_release(plan->request.context, again.workspace, chunks.workspace);
    run->outcome->counters[SPREAD_COUNT_CHUNKED] = 1;
    return status == CONSORT_ERROR_MEMORY ? status_tell(&failure) : status;
}

consort_status spread_run(const struct consort_plan *plan, const struct run *run)
{
    const struct spread_state *state = plan->state;
    consort_status status = cuda_engine_check_stream(run->stream);
    if (status != CONSORT_OK)
        return status;
    struct spread *spread = calloc(1, sizeof *spread);
    if (!spread)
        return status_fail(CONSORT_ERROR_MEMORY, "out of memory");
    spread->plan = plan;
    spread->state = state;
    spread->run = run;
    if (state->sort.algorithm)
        status = run_over_gpus(spread);
    else
        status = status_tell(&state->why);
    free(spread);
    return status_blames_device(status) && *run->input_whole ? run_in_chunks(plan, run) : status;
}
