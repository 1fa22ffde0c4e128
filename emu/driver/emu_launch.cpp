/* SPDX-License-Identifier: Apache-2.0 */
/* Modules, kernels by name, occupancy, and the launch calls. */
#include "emu_driver.h"

#include <algorithm>
#include <cstring>

using namespace emu;

static kernel *kernels;

namespace emu
{

void kernel_register(kernel *entry)
{
    entry->next = kernels;
    kernels = entry;
}

} // namespace emu

struct CUfunc_st {
    const emu::kernel *kernel;
    CUcontext context;
    unsigned int dynamic_limit = 48 * 1024;
    bool large_clusters = false;
};

struct CUlib_st;

struct CUkern_st {
    const emu::kernel *kernel;
    CUlib_st *library;
};

struct CUlib_st {
    std::map<std::string, CUkern_st> kernels;
    std::map<std::pair<const kernel *, CUcontext>, CUfunc_st> functions;
};

struct CUmod_st {
    CUcontext context;
    std::map<std::string, CUfunc_st> functions;
};

static const kernel *kernel_find(const char *name)
{
    for (const kernel *each = kernels; each; each = each->next)
        if (std::strcmp(each->name, name) == 0)
            return each;
    say(std::string("no kernel is called ") + name + " (is KERNEL_EXPORT missing?)\n");
    return nullptr;
}

/* Kernels come from this library itself; an image must merely look like one. A build without nvcc
 * embeds the word "consort" in place of fatbins. */
static bool image_plausible(const void *image)
{
    static const char *const starts[] = {"\120\355\125\272", "\177ELF", ".version", "consort"};
    for (const char *start : starts)
        if (image && std::strncmp(static_cast<const char *>(image), start, std::strlen(start)) == 0)
            return true;
    return false;
}

EMU_EXPORT cuModuleLoadData(CUmodule *module, const void *image)
{
    EMU_ENTER(load);
    if (!image_plausible(image))
        return image ? CUDA_ERROR_INVALID_IMAGE : CUDA_ERROR_INVALID_VALUE;
    auto loaded = std::make_shared<CUmod_st>(CUmod_st{call.context, {}});
    call.context->modules.push_back(loaded);
    *module = loaded.get();
    return CUDA_SUCCESS;
}

EMU_EXPORT cuModuleUnload(CUmodule module)
{
    EMU_ENTER(other);
    auto &loaded = call.context->modules;
    auto found = std::find_if(loaded.begin(), loaded.end(),
                              [module](const auto &each) { return each.get() == module; });
    if (found == loaded.end())
        return CUDA_ERROR_INVALID_HANDLE;
    CUresult status = context_drain(call.context);
    loaded.erase(found);
    return status;
}

EMU_EXPORT cuModuleGetFunction(CUfunction *function, CUmodule module, const char *name)
{
    EMU_ENTER(load);
    const kernel *found = kernel_find(name);
    if (!found)
        return CUDA_ERROR_NOT_FOUND;
    *function = &module->functions.emplace(name, CUfunc_st{found, module->context}).first->second;
    return CUDA_SUCCESS;
}

EMU_EXPORT cuLibraryLoadData(CUlibrary *library, const void *image, void *, void **, unsigned int,
                             void *, void **, unsigned int)
{
    EMU_ENTER_ANYWHERE(load);
    if (!image_plausible(image))
        return image ? CUDA_ERROR_INVALID_IMAGE : CUDA_ERROR_INVALID_VALUE;
    *library = new CUlib_st();
    return CUDA_SUCCESS;
}

EMU_EXPORT cuLibraryUnload(CUlibrary library)
{
    EMU_ENTER_ANYWHERE(other);
    for (CUcontext context : live_contexts())
        if (context->error == CUDA_SUCCESS)
            context_drain(context);
    delete library;
    return CUDA_SUCCESS;
}

EMU_EXPORT cuLibraryGetKernel(CUkernel *kernel, CUlibrary library, const char *name)
{
    EMU_ENTER_ANYWHERE(load);
    const emu::kernel *found = kernel_find(name);
    if (!found)
        return CUDA_ERROR_NOT_FOUND;
    *kernel = &library->kernels.emplace(name, CUkern_st{found, library}).first->second;
    return CUDA_SUCCESS;
}

EMU_EXPORT cuKernelGetFunction(CUfunction *function, CUkernel kernel)
{
    EMU_ENTER(load);
    auto place = std::make_pair(kernel->kernel, call.context);
    auto &functions = kernel->library->functions;
    *function = &functions.emplace(place, CUfunc_st{kernel->kernel, call.context}).first->second;
    return CUDA_SUCCESS;
}

/* Static shared memory is known only once a kernel has run, so it counts as none here. */
EMU_EXPORT cuFuncGetAttribute(int *value, CUfunction_attribute attribute, CUfunction function)
{
    EMU_ENTER(query);
    switch (attribute) {
    case CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK:
        *value = static_cast<int>(function->kernel->max_threads);
        return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES:
        *value = static_cast<int>(function->dynamic_limit);
        return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_NUM_REGS:
        *value = 32;
        return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_PTX_VERSION:
    case CU_FUNC_ATTRIBUTE_BINARY_VERSION:
        *value = configuration().capability;
        return CUDA_SUCCESS;
    default:
        *value = 0;
        return CUDA_SUCCESS;
    }
}

static unsigned int shared_limit()
{
    return (configuration().capability >= 90 ? 227u : 163u) * 1024;
}

EMU_EXPORT cuFuncSetAttribute(CUfunction function, CUfunction_attribute attribute, int value)
{
    EMU_ENTER(other);
    if (attribute == CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES) {
        if (value < 0 || static_cast<unsigned int>(value) > shared_limit())
            return CUDA_ERROR_INVALID_VALUE;
        function->dynamic_limit = static_cast<unsigned int>(value);
    } else if (attribute == CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED) {
        function->large_clusters = value != 0;
    } else if (attribute != CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    return CUDA_SUCCESS;
}

static unsigned int blocks_on_multiprocessor(CUfunction function, unsigned int threads,
                                             size_t dynamic)
{
    if (threads == 0 || threads > function->kernel->max_threads ||
        dynamic > function->dynamic_limit)
        return 0;
    size_t by_threads = 2048 / ((threads + 31) / 32 * 32);
    size_t by_memory = (shared_limit() + 1024) / (dynamic + 1024);
    return static_cast<unsigned int>(std::min({by_threads, by_memory, size_t(32)}));
}

EMU_EXPORT cuOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, CUfunction function,
                                                       int threads, size_t dynamic_shared)
{
    EMU_ENTER(query);
    if (threads <= 0)
        return CUDA_ERROR_INVALID_VALUE;
    *blocks = static_cast<int>(
        blocks_on_multiprocessor(function, static_cast<unsigned int>(threads), dynamic_shared));
    return CUDA_SUCCESS;
}

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
    if (size.x > 1 && configuration().capability < 90)
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
    order.resident_limit = chosen.schedule == schedule::order    ? 1
                           : chosen.schedule == schedule::random ? 1 + order.seed % limit
                                                                 : limit;
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
