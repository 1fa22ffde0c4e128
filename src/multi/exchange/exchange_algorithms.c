/* SPDX-License-Identifier: Apache-2.0 */
/* `exchange` in the registry: what it takes, what it costs, its kernels. */
#include "core/status.h"
#include "cuda/carried_values.h"
#include "cuda/codec_constants.h"
#include "multi/exchange/exchange.h"
#include "multi/multi_devices.h"
#include "multi/multi_list.h"

const consort_parameter_info exchange_parameters[EXCHANGE_PARAMETERS] = {
    [EXCHANGE_PARAMETER_RANGES] = {"ranges",
                                   "ranges of each part, more where memory is short; 0: by its "
                                   "size",
                                   0, EXCHANGE_MOST_RANGES, 0},
    [EXCHANGE_PARAMETER_SAMPLE] = {"sample",
                                   "keys drawn of the longest part, if it has 16 times as many, "
                                   "so that a selection reads all others once; 0: none",
                                   0, 1 << 24, 1 << 22},
    [EXCHANGE_PARAMETER_STORED] = {"stored",
                                   "ranges of each part that the partition stores straight into "
                                   "the other GPUs' memory, where it may; the others are copied "
                                   "while those before them are sorted",
                                   0, EXCHANGE_MOST_RANGES, 2},
    [EXCHANGE_PARAMETER_ROOM] =
        {"room",
         "part in a hundred of a part that ranges may take beyond what they "
         "need, if a sample cuts them; 0: they are cut exactly",
         0, 1 << 16, 6},
};

static const char *const exchange_counters[] = {
    [EXCHANGE_COUNT_RANGES] = "ranges",
    [EXCHANGE_COUNT_ROUNDS] = "rounds",
    [EXCHANGE_COUNT_CROSSED] = "crossed",
    [EXCHANGE_COUNT_SELECT] = "select-ns",
    [EXCHANGE_COUNT_MOVE] = "partition-ns",
    [EXCHANGE_COUNT_SORT] = "ranges-ns",
    [EXCHANGE_COUNT_STORED] = "stored",
    [EXCHANGE_COUNT_ARRIVE] = "ranges-arrive-ns",
    [EXCHANGE_COUNT_RANGE_SORTS] = "ranges-sort-ns",
    [EXCHANGE_COUNT_SAMPLED] = "sampled",
    [EXCHANGE_COUNT_LENT] = "lent",
};

static const char *exchange_refuses(const struct request *request)
{
    if (request->memory != CONSORT_MEMORY_SPREAD)
        return "it is for lists in the memory of several GPUs";
    if (request->form != CONSORT_FORM_COPY)
        return "it has no double-buffer form";
    if (request->order.compare || !request_is_aligned(request) ||
        !codec_constants_suffice(&request->order))
        return "lists in the memory of several GPUs are sorted by numbers only";
    return NULL;
}

/* Nanoseconds: what an H200 reads, what a link carries, and a sort. */
static double exchange_cost(const struct request *request)
{
    double bytes = 0.0;
    for (uint32_t c = 0; c < multi_list_columns(request); c++)
        bytes += (double)multi_list_bytes(request, c);
    return 1e6 + (double)request->maximum_count / request->device_count * bytes / 100.0;
}

static consort_status exchange_prepare_on(const struct consort_plan *plan, int32_t ordinal)
{
    struct exchange_member member = {0};
    const struct request *request = &plan->request;
    consort_status status = multi_device_enter(ordinal, &member.device);
    if (status != CONSORT_OK)
        return status;
    status = exchange_member_prepare(&member, request);
    if (status == CONSORT_OK)
        status = multi_chunk_plan(&member.sort, request, ordinal,
                                  request->maximum_count / request->device_count + 1);
    if (status == CONSORT_OK)
        status = multi_chunk_prepare(&member.sort, member.device);
    multi_chunk_release(&member.sort);
    device_leave(member.device);
    return status;
}

/* Loads the kernels everywhere. A run asks for them again, and for those of a sort that suits the
 * lengths of its parts. */
static consort_status exchange_prepare(struct consort_plan *plan, const struct device *none)
{
    consort_status status = CONSORT_OK;
    (void)none;
    plan->device = CONSORT_DEVICE_ALL;
    for (uint32_t i = 0; i < plan->request.device_count && status == CONSORT_OK; i++)
        status = exchange_prepare_on(plan, plan->request.devices[i]) == CONSORT_OK
                     ? CONSORT_OK
                     : device_blame(plan->request.devices[i]);
    return status;
}

#define EXCHANGE_ALGORITHM(about, does)                                                            \
    {                                                                                              \
        .name = "exchange", .summary = about, .operation = does, .engine = CONSORT_ENGINE_CUDA,    \
        .stable = true, .host_run = true, .spread = true, .parameters = exchange_parameters,       \
        .parameter_count = EXCHANGE_PARAMETERS, .counters = exchange_counters,                     \
        .counter_count = sizeof exchange_counters / sizeof *exchange_counters,                     \
        .refuses = exchange_refuses, .cost = exchange_cost, .prepare = exchange_prepare,           \
        .run = exchange_run                                                                        \
    }

const struct algorithm exchange_sort =
    EXCHANGE_ALGORITHM("lists in the memory of several GPUs: cut by a sample or exactly, "
                       "partitioned, exchanged range by "
                       "range, sorted where they arrive",
                       CONSORT_OPERATION_SORT);
const struct algorithm exchange_argsort = EXCHANGE_ALGORITHM(
    "the sort of that name, of keys with their numbers", CONSORT_OPERATION_ARGSORT);
