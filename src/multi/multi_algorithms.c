/* SPDX-License-Identifier: Apache-2.0 */
/* The room's part of the registry; `merge-chunks`: what it takes, what it costs, its kernels. */
#include "multi/multi_algorithms.h"

#include "core/status.h"
#include "cpu/team.h"
#include "multi/exchange/exchange.h"
#include "multi/multi_chunk.h"
#include "multi/multi_devices.h"
#include "multi/multi_list.h"
#include "multi/multi_run.h"
#include "multi/records/records.h"
#include "multi/spread/spread.h"

static const consort_parameter_info algorithms_parameters[] = {
    [MULTI_CHUNKS] = {"chunks",
                      "chunks for each GPU, more where its memory is short; 0: by their size", 0,
                      256, 0},
    [MULTI_MEMORY] = {"memory", "most bytes of each GPU's memory; 0: half of what is free", 0,
                      (int64_t)1 << 48, 0},
};

static const char *const algorithms_counters[] = {
    [MULTI_COUNT_CHUNKS] = "chunks",
    [MULTI_COUNT_DEVICES] = "devices",
    [MULTI_COUNT_FAILED] = "failed",
    [MULTI_COUNT_OPEN] = "open-ns",
    [MULTI_COUNT_CHUNK_PHASE] = "chunks-ns",
    [MULTI_COUNT_CUTS] = "cuts-ns",
    [MULTI_COUNT_PART_PHASE] = "parts-ns",
    [MULTI_COUNT_CHUNK_STEPS + MULTI_UP] = "chunks-up-ns",
    [MULTI_COUNT_CHUNK_STEPS + MULTI_SORT] = "chunks-sort-ns",
    [MULTI_COUNT_CHUNK_STEPS + MULTI_DOWN] = "chunks-down-ns",
    [MULTI_COUNT_PART_STEPS + MULTI_UP] = "parts-up-ns",
    [MULTI_COUNT_PART_STEPS + MULTI_SORT] = "parts-sort-ns",
    [MULTI_COUNT_PART_STEPS + MULTI_DOWN] = "parts-down-ns",
};

static const char *algorithms_refuses(const struct request *request)
{
    if (request->memory != CONSORT_MEMORY_HOST)
        return "it is for arrays in host memory";
    if (request->form != CONSORT_FORM_COPY)
        return "it has no double-buffer form";
    return request->order.compare ? "a comparison function runs on the CPU" : NULL;
}

static uint64_t algorithms_workspace(const struct request *request, const int64_t *parameters)
{
    (void)parameters;
    return multi_list_workspace(request);
}

/* Of ordinary memory, since a plan knows no arrays yet: bytes a nanosecond, each way while the
 * other is busy, that threads carry for the first GPU, for each further one, and by one thread
 * alone (one and two H200, 8 to 32 processors, 2026-11; pinned memory: 50 and 20). */
static const double algorithms_carried = 38.0;
static const double algorithms_more_carried = 20.0;
static const double algorithms_thread = 4.0;

/* What a run costs beside its bytes, a chunk of each GPU in each phase, and a piece of a run in a
 * part, which is cut and copied by itself. */
static const double algorithms_start_ns = 0.5e6;
static const double algorithms_turn_ns = 0.2e6;
static const double algorithms_piece_ns = 2e3;

static double algorithms_cost(const struct request *request)
{
    int32_t ordinals[MULTI_MOST_DEVICES];
    uint32_t devices = multi_devices(request, ordinals);
    double gpus = devices > 0 ? devices : 1.0;
    double carried = algorithms_carried + algorithms_more_carried * (gpus - 1.0);
    double threads = algorithms_thread * request->threads;
    double bytes = 0.0;
    for (uint32_t c = 0; c < multi_list_columns(request); c++)
        bytes += (double)multi_list_bytes(request, c) * (double)request->maximum_count;
    double chunks = multi_run_chunks(request, devices, request->maximum_count);
    double turns = chunks + MULTI_RUN_FILL; /* the first and the last go alone */
    double pieces = chunks * gpus * chunks * gpus;
    return algorithms_start_ns + 2.0 * algorithms_turn_ns * turns + algorithms_piece_ns * pieces +
           2.0 * turns / chunks * bytes / (carried < threads ? carried : threads);
}

/* Making the kernels of a plan ready on every GPU, each in a thread of its own, because the start
 * of a GPU takes a tenth of a second. */
struct algorithms_start {
    const struct consort_plan *plan;
    int32_t ordinals[MULTI_MOST_DEVICES];
    struct status_kept troubles[MULTI_MOST_DEVICES];
};

/* What chunks of the expected size are sorted by. A run asks for the same again, perhaps for
 * another size. */
static consort_status algorithms_prepare_on(const struct consort_plan *plan, int32_t ordinal)
{
    struct multi_chunk chunk = {0};
    int32_t ordinals[MULTI_MOST_DEVICES];
    uint64_t chunks = (uint64_t)plan->parameters[MULTI_CHUNKS];
    if (chunks == 0)
        chunks = multi_run_chunks(&plan->request, multi_devices(&plan->request, ordinals),
                                  plan->request.maximum_count);
    const struct device *device;
    consort_status status = multi_device_enter(ordinal, &device);
    if (status != CONSORT_OK)
        return status;
    status =
        multi_chunk_plan(&chunk, &plan->request, ordinal, plan->request.maximum_count / chunks + 1);
    if (status == CONSORT_OK)
        status = multi_chunk_prepare(&chunk, device);
    multi_chunk_release(&chunk);
    device_leave(device);
    return status;
}

static void algorithms_prepare_member(void *context, uint32_t member, uint32_t size)
{
    struct algorithms_start *start = context;
    (void)size;
    consort_status status = algorithms_prepare_on(start->plan, start->ordinals[member]);
    if (status != CONSORT_OK)
        status_keep(&start->troubles[member]);
}

static consort_status algorithms_prepare(struct consort_plan *plan, const struct device *none)
{
    struct algorithms_start start = {.plan = plan};
    uint32_t count = multi_devices(&plan->request, start.ordinals), usable = 0;
    struct team *team = team_create(count);
    (void)none;
    if (count == 0 || !team) {
        team_destroy(team);
        return count == 0 ? status_fail(CONSORT_ERROR_NO_DEVICE, "there is no NVIDIA GPU")
                          : status_fail(CONSORT_ERROR_MEMORY, "out of memory");
    }
    uint32_t size = team_size(team);
    team_run(team, algorithms_prepare_member, &start);
    team_destroy(team);
    for (uint32_t i = 0; i < size; i++)
        usable += start.troubles[i].status == CONSORT_OK;
    plan->device = count == 1 ? start.ordinals[0] : CONSORT_DEVICE_ALL;
    if (usable > 0)
        return CONSORT_OK;
    status_tell(&start.troubles[0]);
    return device_blame(start.ordinals[0]);
}

#define MULTI_ALGORITHM(about, does)                                                               \
    {                                                                                              \
        .name = "merge-chunks", .summary = about, .operation = does,                               \
        .engine = CONSORT_ENGINE_CUDA, .stable = true, .host_run = true,                           \
        .parameters = algorithms_parameters,                                                       \
        .parameter_count = sizeof algorithms_parameters / sizeof *algorithms_parameters,           \
        .counters = algorithms_counters,                                                           \
        .counter_count = sizeof algorithms_counters / sizeof *algorithms_counters,                 \
        .refuses = algorithms_refuses, .workspace = algorithms_workspace, .cost = algorithms_cost, \
        .prepare = algorithms_prepare, .run = multi_run                                            \
    }

const struct algorithm multi_chunks_sort = MULTI_ALGORITHM(
    "host arrays of any length on one GPU or several: sorted in chunks, the runs cut exactly and "
    "merged part by part",
    CONSORT_OPERATION_SORT);
const struct algorithm multi_chunks_argsort =
    MULTI_ALGORITHM("the sort of that name, of keys with their numbers", CONSORT_OPERATION_ARGSORT);

const struct algorithm *const multi_algorithms[] = {
    &multi_chunks_sort, &multi_chunks_argsort, &exchange_sort, &exchange_argsort,
    &records_sort,      &records_argsort,      &spread_sort,   &spread_argsort};

const uint32_t multi_algorithm_count = sizeof multi_algorithms / sizeof multi_algorithms[0];
