/* SPDX-License-Identifier: Apache-2.0 */
/* What using a GPU costs beside the sort itself, and whether its memory suffices. */
#include "cuda/cuda_cost.h"

#include "cuda/cuda_engine.h"
#include "cuda/driver/device.h"
#include "cuda/staging/staging_store.h"

/* One H200, driver 580, 16 processors, 2026-11: opening the driver 210 ms, a primary context
 * 112 ms. */
static const double cost_driver_ns = 210e6;
static const double cost_context_ns = 112e6;

/* The same machine: bytes a nanosecond of the bus one way, and of pageable memory that one thread
 * carries to it. */
static const double cost_bus = 51.0;
static const double cost_thread = 10.0;

/* Queueing the copies and waiting for them; and for each thread that carries, one for 512 KiB. */
static const double cost_copies_ns = 35e3;
static const double cost_carrier_ns = 30e3;
static const double cost_carrier_bytes = 512 << 10;

/* A GPU is asked for its free memory only if a run takes more than this share of it all. */
enum {
    COST_SURE_SHARE = 8
};

double cuda_cost_startup(const struct request *request)
{
    if (!driver_is_loaded())
        return cost_driver_ns + cost_context_ns;
    return driver_get() && device_is_active(cuda_engine_device(request)) ? 0.0 : cost_context_ns;
}

/* Bytes of an item that cross the bus: keys, values, indices. */
static double cost_column_bytes(const struct request *request)
{
    double bytes = 0.0;
    for (uint32_t i = 0; i < request->value_count; i++)
        bytes += (double)request->value_bytes[i];
    return bytes;
}

static double cost_bus_rate(const struct request *request)
{
    double carried = cost_thread * request->threads;
    return carried < cost_bus ? carried : cost_bus;
}

static double cost_carriers(const struct request *request)
{
    double bytes = (double)request->item_bytes * (double)request->maximum_count;
    double carriers = bytes / cost_carrier_bytes;
    return cost_carrier_ns * (carriers < request->threads ? carriers : request->threads);
}

static double cost_up(const struct request *request)
{
    return ((double)request->item_bytes + cost_column_bytes(request)) *
           (double)request->maximum_count / cost_bus_rate(request);
}

static double cost_down(const struct request *request)
{
    double count = (double)request->maximum_count;
    double items = (double)request->item_bytes + cost_column_bytes(request);
    switch (request->operation) {
    case CONSORT_OPERATION_ARGSORT:
        return count * request->index_bytes / cost_bus_rate(request);
    case CONSORT_OPERATION_TOP_K:
        count = (double)request->maximum_k * (double)request->maximum_rows;
        return count * (items + request->index_bytes) / cost_bus_rate(request);
    case CONSORT_OPERATION_IS_SORTED:
        return 0.0;
    default:
        return count * items / cost_bus_rate(request);
    }
}

double cuda_cost_run(const struct request *request, const struct algorithm *algorithm)
{
    double sort = algorithm->cost(request);
    if (algorithm->host_run)
        return cuda_cost_startup(request) + sort;
    if (request->memory == CONSORT_MEMORY_DEVICE)
        return sort;
    double columns = cost_column_bytes(request) * (double)request->maximum_count;
    double hidden = algorithm->steps ? columns / cost_bus_rate(request) : 0.0;
    double seen = sort > hidden ? sort - hidden : 0.0;
    return cuda_cost_startup(request) + cost_copies_ns + cost_carriers(request) + cost_up(request) +
           seen + cost_down(request);
}

uint64_t cuda_cost_shared(const struct request *request)
{
    const struct device *device = device_describe(cuda_engine_device(request));
    return device ? (uint64_t)device->shared_optin : UINT64_MAX; /* the plan will say why not */
}

uint32_t cuda_cost_processors(const struct request *request)
{
    const struct device *device = device_describe(cuda_engine_device(request));
    return device && device->cooperative ? (uint32_t)device->processors : 0;
}

/* Every array of the largest run: where an operation does not work in place, twice. */
static uint64_t cost_device_bytes(const struct request *request)
{
    uint64_t item = request->item_bytes + request->index_bytes;
    for (uint32_t i = 0; i < request->value_count; i++)
        item += request->value_bytes[i];
    bool apart = request->operation == CONSORT_OPERATION_MERGE;
    uint64_t offsets = request_bytes(request->maximum_segments + 1, request->offset_bytes);
    return request_bytes(request->maximum_count, apart ? 2 * item : item) + offsets;
}

bool cuda_cost_fits(const struct request *request, uint64_t workspace)
{
    const struct device *device = device_describe(cuda_engine_device(request));
    uint64_t arrays = cost_device_bytes(request);
    uint64_t bytes = arrays + workspace;
    if (!device || bytes < arrays || bytes > device->memory)
        return false;
    if (bytes <= device->memory / COST_SURE_SHARE || !device_is_active(device->ordinal))
        return true;
    if (!device_open(device->ordinal) || device_enter(device) != CONSORT_OK)
        return true; /* the plan will say why not */
    uint64_t available = staging_store_available(request->context, device);
    device_leave(device);
    return bytes <= available;
}
