/* SPDX-License-Identifier: Apache-2.0 */
/* The launch calls: checks, arguments, and the run itself when its turn in the stream comes. */
#include "emu_driver.h"

#include <algorithm>
#include <cstring>

using namespace emu;

struct request { /* a launch as asked for */
    launch order;
    bool together;
    dim3 cluster;
};

static unsigned int request_occupancy(CUfunction function, const launch &order)
{
    unsigned int threads = order.block.x * order.block.y * order.block.z;
    return 4 * blocks_on_multiprocessor(function, threads, order.dynamic_shared);
}

static CUresult cluster_check(CUfunction function, request *asked)
{
    launch &order = asked->order;
    dim3 size = asked->cluster;
    unsigned int most = function->large_clusters ? 16 : 8;
    if (size.x == 0 || size.y != 1 || size.z != 1 || size.x > most)
        return CUDA_ERROR_INVALID_CLUSTER_SIZE;
    if (size.x > 1 && capability_of(function->context->device) < 90)
        return CUDA_ERROR_NOT_SUPPORTED;
    if (order.grid.x % size.x)
        return CUDA_ERROR_INVALID_VALUE;
    order.cluster_count = size.x;
    return CUDA_SUCCESS;
}

static CUresult request_check(CUfunction function, request *asked)
{
    const launch &order = asked->order;
    uint64_t threads = uint64_t(order.block.x) * order.block.y * order.block.z;
    uint64_t blocks = uint64_t(order.grid.x) * order.grid.y * order.grid.z;
    if (threads == 0 || blocks == 0 || threads > 1024 || order.grid.x > 0x7fffffff ||
        order.grid.y > 65535 || order.grid.z > 65535 ||
        order.dynamic_shared > function->dynamic_limit)
        return CUDA_ERROR_INVALID_VALUE;
    if (threads > function->kernel->max_threads)
        return CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES;
    unsigned int occupancy = request_occupancy(function, order);
    if (asked->together && blocks > occupancy)
        return CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE;
    return cluster_check(function, asked);
}

/* Kernel arguments are copied at the launch, as the driver does. */
struct packed {
    std::vector<uint64_t> words;
    std::vector<void *> pointers;
};

static std::shared_ptr<packed> arguments_pack(const kernel &from, void **parameters)
{
    auto copy = std::make_shared<packed>();
    std::vector<size_t> places;
    size_t end = 0;
    for (size_t i = 0; i < from.parameter_count; i++) {
        places.push_back((end + 15) / 16 * 16);
        end = places.back() + from.parameters[i].bytes;
    }
    copy->words.resize(end / 8 + 4);
    auto base = (reinterpret_cast<uintptr_t>(copy->words.data()) + 15) / 16 * 16;
    for (size_t i = 0; i < from.parameter_count; i++) {
        copy->pointers.push_back(reinterpret_cast<void *>(base + places[i]));
        std::memcpy(copy->pointers.back(), parameters[i], from.parameters[i].bytes);
    }
    return copy;
}

/* Kernels run in the host's address space, so a host pointer would work here and nowhere else. */
static bool arguments_on_device(const kernel &of, const packed &arguments)
{
    for (size_t i = 0; i < of.parameter_count; i++) {
        uintptr_t value = 0;
        if (!of.parameters[i].pointer)
            continue;
        std::memcpy(&value, arguments.pointers[i], sizeof(value));
        bool known = !value || fault_is_device_address(reinterpret_cast<void *>(value)) ||
                     memory_find(value) || memory_find(value - 1);
        if (!known) {
            say(std::string("kernel ") + of.name + ": argument " + std::to_string(i) +
                " points to ordinary host memory\n");
            return false;
        }
    }
    return true;
}

static CUresult execute(launch order, const packed &arguments)
{
    std::string report;
    if (CUresult status = execution_failure())
        return status;
    if (!arguments_on_device(*order.kernel, arguments))
        return CUDA_ERROR_ILLEGAL_ADDRESS;
    const settings &chosen = configuration();
    unsigned int limit = std::min(16u, order.resident_limit);
    order.arguments = arguments.pointers.data();
    order.schedule = chosen.schedule;
    order.seed = random_next(host_random());
    order.seconds = chosen.seconds;
    order.patience = chosen.patience;
    order.resident_limit = chosen.schedule == schedule::order    ? 1
                           : chosen.schedule == schedule::random ? 1 + order.seed % limit
                                                                 : limit;
    kernel_launched(order.kernel);
    outcome result = grid_run(order, &report);
    if (result == outcome::finished)
        return CUDA_SUCCESS;
    say(report);
    return result == outcome::illegal_address ? CUDA_ERROR_ILLEGAL_ADDRESS
                                              : CUDA_ERROR_LAUNCH_FAILED;
}

static CUresult submit(CUcontext context, CUfunction function, request asked, CUstream stream,
                       void **parameters)
{
    stream = stream_resolve(context, stream);
    if (!function || function->context != stream->context)
        return CUDA_ERROR_INVALID_HANDLE;
    if (CUresult status = request_check(function, &asked))
        return status;
    launch order = asked.order;
    order.kernel = function->kernel;
    order.together = asked.together;
    order.resident_limit = request_occupancy(function, order);
    if (order.kernel->parameter_count && !parameters)
        return CUDA_ERROR_INVALID_VALUE;
    auto arguments = arguments_pack(*order.kernel, parameters);
    return stream_push(stream, device_mask(stream->context),
                       [order, arguments] { return execute(order, *arguments); });
}

static request request_of(const CUlaunchConfig &config)
{
    request asked = {};
    asked.order.grid = {config.gridDimX, config.gridDimY, config.gridDimZ};
    asked.order.block = {config.blockDimX, config.blockDimY, config.blockDimZ};
    asked.order.dynamic_shared = config.sharedMemBytes;
    asked.cluster = {1, 1, 1};
    for (unsigned int i = 0; i < config.numAttrs; i++) {
        const CUlaunchAttribute &attribute = config.attrs[i];
        if (attribute.id == CU_LAUNCH_ATTRIBUTE_COOPERATIVE)
            asked.together = attribute.value.cooperative != 0;
        else if (attribute.id == CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION)
            asked.cluster = {attribute.value.clusterDim.x, attribute.value.clusterDim.y,
                             attribute.value.clusterDim.z};
    }
    return asked;
}

EMU_EXPORT cuLaunchKernelEx(const CUlaunchConfig *config, CUfunction function, void **parameters,
                            void **extra)
{
    EMU_ENTER(launch);
    if (!config || extra)
        return CUDA_ERROR_INVALID_VALUE;
    return submit(call.context, function, request_of(*config), config->hStream, parameters);
}

EMU_EXPORT cuLaunchKernel(CUfunction function, unsigned int grid_x, unsigned int grid_y,
                          unsigned int grid_z, unsigned int block_x, unsigned int block_y,
                          unsigned int block_z, unsigned int dynamic_shared, CUstream stream,
                          void **parameters, void **extra)
{
    CUlaunchConfig config = {grid_x,  grid_y,         grid_z, block_x, block_y,
                             block_z, dynamic_shared, stream, nullptr, 0};
    return cuLaunchKernelEx(&config, function, parameters, extra);
}

EMU_EXPORT cuLaunchCooperativeKernel(CUfunction function, unsigned int grid_x, unsigned int grid_y,
                                     unsigned int grid_z, unsigned int block_x,
                                     unsigned int block_y, unsigned int block_z,
                                     unsigned int dynamic_shared, CUstream stream,
                                     void **parameters)
{
    CUlaunchAttribute together = {};
    together.id = CU_LAUNCH_ATTRIBUTE_COOPERATIVE;
    together.value.cooperative = 1;
    CUlaunchConfig config = {grid_x,  grid_y,         grid_z, block_x,   block_y,
                             block_z, dynamic_shared, stream, &together, 1};
    return cuLaunchKernelEx(&config, function, parameters, nullptr);
}

EMU_EXPORT cuOccupancyMaxActiveClusters(int *clusters, CUfunction function,
                                        const CUlaunchConfig *config)
{
    EMU_ENTER(query);
    request asked = request_of(*config);
    if (CUresult status = cluster_check(function, &asked))
        return status;
    *clusters = static_cast<int>(request_occupancy(function, asked.order) / asked.cluster.x);
    return CUDA_SUCCESS;
}

EMU_EXPORT cuLaunchHostFunc(CUstream stream, CUhostFn function, void *user_data)
{
    EMU_ENTER(launch);
    return stream_push(stream_resolve(call.context, stream), 0, [function, user_data] {
        function(user_data);
        return CUDA_SUCCESS;
    });
}
