/* SPDX-License-Identifier: Apache-2.0 */
/* Making, asking, running and destroying plans. */
#include "core/plan.h"

#include <stdlib.h>
#include <string.h>

#include "core/log.h"
#include "core/run_progress.h"
#include "core/sized.h"
#include "core/status.h"
#include "cuda/array_check.h"
#include "cuda/cuda_engine.h"
#include "cuda/replay.h"

enum {
    PLAN_HOST_ALIGNMENT = 64,
    PLAN_DEVICE_ALIGNMENT = 256
};

static uint32_t plan_alignment(const consort_plan *plan)
{
    return plan->request.memory == CONSORT_MEMORY_DEVICE ? PLAN_DEVICE_ALIGNMENT
                                                         : PLAN_HOST_ALIGNMENT;
}

/* By an engine by force, or by the one that the descriptor asks for. */
static consort_status plan_make(const consort_descriptor *descriptor, int32_t engine,
                                consort_plan **plan)
{
    *plan = NULL;
    struct consort_plan *made = calloc(1, sizeof *made);
    if (!made)
        return status_fail(CONSORT_ERROR_MEMORY, "plan: out of memory");
    consort_status status = request_make(&made->request, descriptor);
    if (engine != CONSORT_ENGINE_AUTO)
        made->request.engine = engine;
    if (status == CONSORT_OK)
        status = planner_choose(made);
    if (status != CONSORT_OK) {
        consort_plan_destroy(made);
        return status;
    }
    *plan = made;
    return CONSORT_OK;
}

/* What the planner put on a GPU by itself may go back to the CPU. */
static bool plan_may_fall_back(const consort_plan *plan)
{
    return plan->request.engine == CONSORT_ENGINE_AUTO &&
           plan->request.memory == CONSORT_MEMORY_HOST;
}

void plan_release_state(struct consort_plan *plan)
{
    if (plan->state && plan->algorithm->release)
        plan->algorithm->release(plan);
    free(plan->state);
    replay_destroy(plan->replay);
}

/* By what takes of a GPU's memory what it gets, and of several GPUs does without those that fail.
 */
static bool plan_may_go_narrow(const consort_plan *plan, consort_status status)
{
    const struct request *request = &plan->request;
    bool helps = status == CONSORT_ERROR_DEVICE_MEMORY ||
                 (request->device == CONSORT_DEVICE_ALL && !plan->algorithm->host_run &&
                  status_blames_device(status));
    return helps && request->engine == CONSORT_ENGINE_CUDA && !request->algorithm &&
           !plan->narrow && request->memory == CONSORT_MEMORY_HOST;
}

/* Of all GPUs the first, which sorts short lists alone, cannot: the others do without it. */
static consort_status plan_prepare_others(consort_plan *plan)
{
    struct consort_plan narrow = {.request = plan->request, .narrow = true};
    struct status_kept failure;
    status_keep(&failure);
    if (planner_choose(&narrow) != CONSORT_OK || cuda_engine_prepare(&narrow) != CONSORT_OK) {
        plan_release_state(&narrow);
        return status_tell(&failure);
    }
    log_write(LOG_WARN, "planning %s instead: %s", narrow.algorithm->name, failure.message);
    plan_release_state(plan);
    *plan = narrow;
    return CONSORT_OK;
}

static consort_status plan_prepare(const consort_descriptor *descriptor, consort_plan **plan)
{
    consort_plan *made = *plan;
    consort_status status = cuda_engine_prepare(made);
    if (made->request.device == CONSORT_DEVICE_ALL && plan_may_go_narrow(made, status))
        status = plan_prepare_others(made);
    if (plan_may_fall_back(made))
        plan_make(descriptor, CONSORT_ENGINE_CPU, &made->fallback);
    if (status == CONSORT_OK)
        return status;
    if (made->fallback) {
        log_write(LOG_WARN, "planning for the CPU instead: %s", consort_last_error()->message);
        *plan = made->fallback;
        made->fallback = NULL;
        status = CONSORT_OK;
    } else {
        *plan = NULL;
    }
    consort_plan_destroy(made);
    return status;
}

consort_status consort_plan_create(const consort_descriptor *descriptor, consort_plan **plan)
{
    if (!plan)
        return status_fail(CONSORT_ERROR_ARGUMENT, "consort_plan_create: plan is NULL");
    *plan = NULL;
    if (!descriptor)
        return status_fail(CONSORT_ERROR_ARGUMENT, "consort_plan_create: descriptor is NULL");
    consort_status status = plan_make(descriptor, CONSORT_ENGINE_AUTO, plan);
    if (status == CONSORT_OK && (*plan)->algorithm->engine == CONSORT_ENGINE_CUDA)
        status = plan_prepare(descriptor, plan);
    return status;
}

void consort_plan_destroy(consort_plan *plan)
{
    if (!plan)
        return;
    consort_plan_destroy(plan->fallback);
    plan_release_state(plan);
    request_release(&plan->request);
    free(plan);
}

static uint32_t plan_threads(const consort_plan *plan)
{
    if (plan->algorithm->engine == CONSORT_ENGINE_CUDA)
        return 0;
    return plan->algorithm->serial ? 1 : plan->request.threads;
}

uint64_t consort_plan_workspace(const consort_plan *plan)
{
    return plan ? plan->workspace : 0;
}

void consort_plan_info_init(consort_plan_info *info)
{
    if (info)
        *info = (consort_plan_info){.size = sizeof *info};
}

consort_status consort_plan_get_info(const consort_plan *plan, consort_plan_info *info)
{
    if (!plan || !info)
        return status_fail(CONSORT_ERROR_ARGUMENT, "consort_plan_get_info: NULL argument");
    consort_plan_info found = {.algorithm = plan->algorithm->name,
                               .engine = plan->algorithm->engine,
                               .device = plan->device,
                               .threads = plan_threads(plan),
                               .stable = plan->algorithm->stable,
                               .workspace = plan->workspace,
                               .alignment = plan_alignment(plan),
                               .capturable = plan->request.memory == CONSORT_MEMORY_DEVICE,
                               .counter_count = plan->algorithm->counter_count};
    return sized_write(info, &found, sizeof found, "consort_plan_info") ? CONSORT_OK
                                                                        : CONSORT_ERROR_ARGUMENT;
}

const char *consort_plan_counter_name(const consort_plan *plan, uint32_t index)
{
    return plan && index < plan->algorithm->counter_count ? plan->algorithm->counters[index] : NULL;
}

static consort_status plan_check_workspace(const consort_plan *plan, const void *workspace,
                                           uint64_t bytes)
{
    if (!workspace)
        return bytes == 0
                   ? CONSORT_OK
                   : status_fail(CONSORT_ERROR_ARGUMENT, "workspace is NULL, but has %llu bytes",
                                 (unsigned long long)bytes);
    if (bytes < plan->workspace)
        return status_fail(CONSORT_ERROR_WORKSPACE,
                           "the workspace has %llu bytes, the plan needs %llu",
                           (unsigned long long)bytes, (unsigned long long)plan->workspace);
    if ((uintptr_t)workspace % plan_alignment(plan) != 0)
        return status_fail(CONSORT_ERROR_ALIGNMENT, "the workspace is not aligned to %u bytes",
                           plan_alignment(plan));
    return CONSORT_OK;
}

static consort_status plan_run_cpu(const consort_plan *plan, const struct run *run)
{
    consort_status status = cuda_engine_check_stream(run->stream);
    if (status == CONSORT_OK)
        status = array_check_host_run(run->arguments, plan->request.value_count);
    return status == CONSORT_OK ? plan->algorithm->run(plan, run) : status;
}

static consort_status plan_dispatch(const consort_plan *plan, const struct run *run);

/* By another plan for the same, whose workspace comes from the context, and whose counters are not
 * those that the caller's plan names. */
static consort_status plan_run_other(const consort_plan *other, const struct run *run)
{
    struct run other_run = *run;
    other_run.workspace = NULL;
    checkpoint_begin_again(run->checkpoint);
    *run->outcome = (consort_outcome){.buffer = 1, .position = run->arguments->count};
    if (other->workspace > 0) {
        other_run.workspace = context_allocate(other->request.context, other->workspace);
        if (!other_run.workspace)
            return CONSORT_ERROR_MEMORY;
    }
    consort_status status = plan_dispatch(other, &other_run);
    memset(run->outcome->counters, 0, sizeof run->outcome->counters);
    context_release(other->request.context, other_run.workspace, other->workspace);
    return status;
}

static consort_status plan_run_fallback(const consort_plan *plan, const struct run *run)
{
    log_write(LOG_WARN, "running on the CPU instead: %s", consort_last_error()->message);
    return plan_run_other(plan->fallback, run);
}

/* On a GPU by force whose memory does not suffice, by what takes as much of it as there is; on the
 * others where one fails. */
static consort_status plan_run_narrow(const consort_plan *plan, const struct run *run)
{
    struct consort_plan narrow = {.request = plan->request, .narrow = true};
    struct status_kept failure;
    status_keep(&failure);
    if (planner_choose(&narrow) != CONSORT_OK)
        return status_tell(&failure);
    log_write(LOG_WARN, "running by %s instead: %s", narrow.algorithm->name, failure.message);
    consort_status status = cuda_engine_prepare(&narrow);
    if (status == CONSORT_OK)
        status = plan_run_other(&narrow, run);
    plan_release_state(&narrow);
    return status;
}

/* Where host memory does not suffice for another way, the error stays what it was: the one that
 * failed may have written outputs. */
static consort_status plan_run_again(const consort_plan *plan, const struct run *run)
{
    struct status_kept failure;
    status_keep(&failure);
    bool readable = array_check_device_of(run->arguments, plan->request.value_count) < 0;
    consort_status status = failure.status;
    if (plan_may_go_narrow(plan, failure.status))
        status = plan_run_narrow(plan, run);
    else if (plan->fallback && readable)
        status = plan_run_fallback(plan, run);
    return status == CONSORT_ERROR_MEMORY ? status_tell(&failure) : status;
}

static consort_status plan_dispatch(const consort_plan *plan, const struct run *run)
{
    if (plan->algorithm->engine != CONSORT_ENGINE_CUDA)
        return plan_run_cpu(plan, run);
    consort_status status = cuda_engine_run(plan, run);
    bool again = status_blames_device(status) && *run->input_whole;
    return again ? plan_run_again(plan, run) : status;
}

/* What a lost GPU held is gone, in place or not. */
static void plan_tell_damage(const consort_plan *plan, consort_status status)
{
    bool lost =
        plan->request.memory == CONSORT_MEMORY_SPREAD && status == CONSORT_ERROR_DEVICE_LOST;
    status_input_damaged(lost ? "what other GPUs hold stands if it was not sorted in place"
                              : "the arrays, sorted in place, are partly written over");
}

static consort_status plan_run_host(const consort_plan *plan, const consort_arguments *arguments,
                                    void *workspace, consort_stream stream)
{
    consort_outcome unasked;
    consort_outcome *outcome = arguments->outcome ? arguments->outcome : &unasked;
    *outcome = (consort_outcome){.buffer = 1, .position = arguments->count};
    struct run_progress progress = {.report = arguments->progress,
                                    .context = arguments->progress_context};
    const struct checkpoint checkpoint = run_progress_checkpoint(&progress, arguments->cancel);
    bool input_whole = true;
    struct run run = {.arguments = arguments,
                      .workspace = workspace,
                      .outcome = outcome,
                      .checkpoint = &checkpoint,
                      .stream = stream,
                      .input_whole = &input_whole};
    /* No algorithm sees 0 items, whose arrays may all be NULL. */
    bool empty = arguments->count == 0 && arguments->count_b == 0;
    consort_status status = empty ? CONSORT_OK : plan_dispatch(plan, &run);
    outcome->status = status;
    if (status != CONSORT_OK && !input_whole)
        plan_tell_damage(plan, status);
    return status;
}

/* Nothing is written to the outcome here: it is device memory. */
static consort_status plan_run_device(const consort_plan *plan, const consort_arguments *arguments,
                                      void *workspace, consort_stream stream)
{
    if (!workspace && plan->workspace > 0)
        return status_fail(CONSORT_ERROR_WORKSPACE,
                           "a run on device memory needs a workspace of %llu bytes",
                           (unsigned long long)plan->workspace);
    if (arguments->progress || arguments->cancel)
        return status_fail(CONSORT_ERROR_ARGUMENT, "progress and cancel are for host runs");
    bool input_whole = true;
    struct run run = {.arguments = arguments,
                      .workspace = workspace,
                      .outcome = arguments->outcome,
                      .stream = stream,
                      .input_whole = &input_whole};
    return plan_dispatch(plan, &run);
}

consort_status consort_plan_run(const consort_plan *plan, const consort_arguments *caller,
                                void *workspace, uint64_t workspace_bytes, consort_stream stream)
{
    if (!plan || !caller)
        return status_fail(CONSORT_ERROR_ARGUMENT, "consort_plan_run: plan or arguments is NULL");
    consort_arguments arguments;
    consort_arguments_init(&arguments);
    if (!sized_read(&arguments, sizeof arguments, caller, "consort_arguments"))
        return CONSORT_ERROR_ARGUMENT;
    consort_status status = plan_check_workspace(plan, workspace, workspace_bytes);
    if (status == CONSORT_OK)
        status = arguments_check(plan, &arguments, workspace);
    if (status != CONSORT_OK)
        return status;
    if (plan->request.memory == CONSORT_MEMORY_DEVICE)
        return plan_run_device(plan, &arguments, workspace, stream);
    if (workspace || plan->workspace == 0 || arguments.count + arguments.count_b == 0)
        return plan_run_host(plan, &arguments, workspace, stream);
    void *own = context_allocate(plan->request.context, plan->workspace);
    if (!own)
        return CONSORT_ERROR_MEMORY;
    status = plan_run_host(plan, &arguments, own, stream);
    context_release(plan->request.context, own, plan->workspace);
    return status;
}
