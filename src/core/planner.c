/* SPDX-License-Identifier: Apache-2.0 */
/* The planner: of all algorithms that can do a request and fit its workspace, the cheapest. */
#include <stdio.h>
#include <string.h>

#include "core/log.h"
#include "core/plan.h"
#include "core/status.h"
#include "cuda/cuda_cost.h"
#include "cuda/cuda_engine.h"

struct planner_search {
    const struct algorithm *best;
    double best_cost;
    int64_t best_parameters[ALGORITHM_MAXIMUM_PARAMETERS];
    uint64_t best_workspace;
    uint64_t least_workspace; /* of those that do not fit the limit */
    const char *refused_by;
    const char *refusal;
};

static consort_status planner_set_parameter(const struct algorithm *algorithm, const char *name,
                                            int64_t value, int64_t *values)
{
    for (uint32_t i = 0; i < algorithm->parameter_count; i++) {
        const consort_parameter_info *info = &algorithm->parameters[i];
        if (strcmp(info->name, name) != 0)
            continue;
        if (value < info->minimum || value > info->maximum)
            return status_fail(CONSORT_ERROR_ARGUMENT, "%s: %s must be %lld to %lld, not %lld",
                               algorithm->name, name, (long long)info->minimum,
                               (long long)info->maximum, (long long)value);
        values[i] = value;
        return CONSORT_OK;
    }
    return status_fail(CONSORT_ERROR_ARGUMENT, "%s has no parameter \"%s\"", algorithm->name, name);
}

static consort_status planner_read_parameters(const struct request *request,
                                              const struct algorithm *algorithm, int64_t *values)
{
    algorithm_standards(algorithm, values);
    for (uint64_t i = 0; i < request->parameter_count; i++) {
        consort_status status = planner_set_parameter(algorithm, request->parameters[i].name,
                                                      request->parameters[i].value, values);
        if (status != CONSORT_OK)
            return status;
    }
    return CONSORT_OK;
}

/* More than any GPU holds. Up to so many, sums of sizes in workspaces stay far below 2^64. */
static const uint64_t planner_most_gpu_items = (uint64_t)1 << 48;

static const char *planner_refusal(const struct request *request, const struct algorithm *algorithm)
{
    if (algorithm->engine == CONSORT_ENGINE_CUDA && request->maximum_count > planner_most_gpu_items)
        return "a GPU sorts at most 2^48 items";
    if (request->form == CONSORT_FORM_PIECES && !algorithm->pieces)
        return "it takes whole arrays";
    if (request->needs_stable && !algorithm->stable)
        return "it is not stable; set stable = 0 to allow that";
    const char *refusal = algorithm->refuses ? algorithm->refuses(request) : NULL;
    if (!refusal && algorithm->shared && algorithm->shared(request) > cuda_cost_shared(request))
        return "its blocks need more shared memory than this GPU has";
    return refusal;
}

/* Host plans on a GPU take device memory from its pool and no host memory. */
static uint64_t planner_workspace(const struct request *request, const struct algorithm *algorithm,
                                  const int64_t *parameters)
{
    bool staged = algorithm->engine == CONSORT_ENGINE_CUDA &&
                  request->memory == CONSORT_MEMORY_HOST && !algorithm->host_run;
    return staged || !algorithm->workspace ? 0 : algorithm->workspace(request, parameters);
}

/* Below this nobody wakes other threads; above it, waking each takes so long (16 processors of a
 * KVM guest, 2026-11: 2^14 u32 keys 0.08 ms on one thread, 1.1 ms on 16). */
static const double planner_alone_ns = 80e3;
static const double planner_wake_ns = 60e3;

/* Costs of CPU algorithms are for one thread. Several are 2.07, 3.4, 6.05 and 10.6 times as fast:
 * 2, 4, 8 and 16, 2^26 u32 keys on the same machine. */
static double planner_cost(const struct request *request, const struct algorithm *algorithm)
{
    if (algorithm->engine == CONSORT_ENGINE_CUDA)
        return cuda_cost_run(request, algorithm);
    double cost = algorithm->cost(request);
    double others = algorithm->serial ? 0.0 : request->threads - 1.0;
    if (cost < planner_alone_ns || others == 0.0)
        return cost;
    return cost * (1.0 + 0.034 * others) / (1.0 + others) + planner_wake_ns * others;
}

/* What an algorithm that the GPU's memory does not suffice for costs where the GPU is forced: it
 * is taken, and fails when it runs, if nothing else can do the request. */
static const double planner_narrow_ns = 1e30;

/* A host plan goes to a GPU that is too small only if it is sent there. */
static bool planner_lacks_memory(const struct request *request, const struct algorithm *algorithm,
                                 const int64_t *parameters)
{
    if (algorithm->engine != CONSORT_ENGINE_CUDA || request->memory != CONSORT_MEMORY_HOST ||
        algorithm->host_run)
        return false;
    uint64_t workspace = algorithm->workspace ? algorithm->workspace(request, parameters) : 0;
    if (cuda_cost_fits(request, workspace))
        return false;
    log_write(LOG_INFO, "%s of %llu items does not fit into the GPU's memory",
              consort_operation_name(request->operation),
              (unsigned long long)request->maximum_count);
    return true;
}

static consort_status planner_consider(const struct request *request,
                                       const struct algorithm *algorithm,
                                       struct planner_search *search)
{
    const char *refusal = planner_refusal(request, algorithm);
    if (refusal) {
        search->refused_by = algorithm->name;
        search->refusal = refusal;
        return CONSORT_OK;
    }
    int64_t parameters[ALGORITHM_MAXIMUM_PARAMETERS] = {0};
    consort_status status = planner_read_parameters(request, algorithm, parameters);
    if (status != CONSORT_OK)
        return status;
    uint64_t workspace = planner_workspace(request, algorithm, parameters);
    if (workspace > request->workspace_limit) {
        if (workspace < search->least_workspace)
            search->least_workspace = workspace;
        return CONSORT_OK;
    }
    bool narrow = planner_lacks_memory(request, algorithm, parameters);
    if (narrow && request->engine == CONSORT_ENGINE_AUTO)
        return CONSORT_OK;
    double cost = planner_cost(request, algorithm) + (narrow ? planner_narrow_ns : 0.0);
    if (search->best && cost >= search->best_cost)
        return CONSORT_OK;
    search->best = algorithm;
    search->best_cost = cost;
    search->best_workspace = workspace;
    memcpy(search->best_parameters, parameters, sizeof parameters);
    return CONSORT_OK;
}

static bool planner_is_candidate(const struct request *request, const struct algorithm *algorithm)
{
    if (algorithm->operation != request->operation)
        return false;
    if (request->engine != CONSORT_ENGINE_AUTO && request->engine != algorithm->engine)
        return false;
    if (algorithm->engine == CONSORT_ENGINE_CPU && request->memory == CONSORT_MEMORY_DEVICE)
        return false;
    if (request->memory == CONSORT_MEMORY_SPREAD && !algorithm->spread)
        return false;
    if (algorithm->engine == CONSORT_ENGINE_CUDA && cuda_engine_absence())
        return false;
    if (request->algorithm)
        return strcmp(request->algorithm, algorithm->name) == 0;
    return !algorithm->quadratic && (request->form != CONSORT_FORM_PIECES || algorithm->pieces);
}

static consort_status planner_explain(const struct request *request,
                                      const struct planner_search *search)
{
    const char *operation = consort_operation_name(request->operation);
    if (search->least_workspace != UINT64_MAX)
        return status_fail(CONSORT_ERROR_WORKSPACE,
                           "%s of %llu items needs at least %llu bytes of workspace; the limit is "
                           "%llu",
                           operation, (unsigned long long)request->maximum_count,
                           (unsigned long long)search->least_workspace,
                           (unsigned long long)request->workspace_limit);
    if (search->refusal)
        return status_fail(CONSORT_ERROR_UNSUPPORTED, "%s by %s cannot do this: %s", operation,
                           search->refused_by, search->refusal);
    if (request->engine == CONSORT_ENGINE_CUDA)
        return cuda_engine_absence()
                   ? status_fail(CONSORT_ERROR_NO_DEVICE, "%s", cuda_engine_absence())
                   : status_fail(CONSORT_ERROR_UNSUPPORTED, "%s has no algorithm \"%s\" on the GPU",
                                 operation, request->algorithm ? request->algorithm : "auto");
    if (request->memory != CONSORT_MEMORY_HOST)
        return status_fail(CONSORT_ERROR_UNSUPPORTED, "%s: no engine takes %s memory", operation,
                           request->memory == CONSORT_MEMORY_DEVICE ? "device" : "spread");
    return status_fail(CONSORT_ERROR_UNSUPPORTED, "%s has no algorithm \"%s\" on engine %s",
                       operation, request->algorithm ? request->algorithm : "auto",
                       consort_engine_name(request->engine));
}

/* Where the CPU (which stands first in the registry) would be done before the driver has started,
 * the driver is not even opened. */
static bool planner_is_worth_a_look(const struct request *request,
                                    const struct algorithm *algorithm,
                                    const struct planner_search *search)
{
    return algorithm->engine != CONSORT_ENGINE_CUDA || request->engine == CONSORT_ENGINE_CUDA ||
           request->memory != CONSORT_MEMORY_HOST || !search->best ||
           search->best_cost > cuda_cost_startup(request);
}

consort_status planner_choose(struct consort_plan *plan)
{
    struct planner_search search = {.least_workspace = UINT64_MAX};
    for (uint32_t i = 0; i < algorithm_count(); i++) {
        const struct algorithm *algorithm = algorithm_at(i);
        if (!planner_is_worth_a_look(&plan->request, algorithm, &search))
            continue;
        if (!planner_is_candidate(&plan->request, algorithm) ||
            (plan->narrow && !algorithm->host_run))
            continue;
        consort_status status = planner_consider(&plan->request, algorithm, &search);
        if (status != CONSORT_OK)
            return status;
    }
    if (!search.best)
        return planner_explain(&plan->request, &search);
    plan->algorithm = search.best;
    plan->workspace = search.best_workspace;
    plan->device = -1;
    memcpy(plan->parameters, search.best_parameters, sizeof plan->parameters);
    log_write(LOG_INFO, "plan: %s of at most %llu items by %s on %s, %llu bytes of workspace",
              consort_operation_name(plan->request.operation),
              (unsigned long long)plan->request.maximum_count, plan->algorithm->name,
              consort_engine_name(plan->algorithm->engine), (unsigned long long)plan->workspace);
    return CONSORT_OK;
}
