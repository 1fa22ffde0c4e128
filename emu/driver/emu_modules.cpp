/* SPDX-License-Identifier: Apache-2.0 */
/* Modules and libraries, kernels by name, their attributes and occupancy. */
#include "emu_control.h"
#include "emu_driver.h"

#include <algorithm>
#include <cstring>
#include <mutex>

using namespace emu;

static kernel *kernels;

/* Of this process, for tests that want every kernel to run. */
struct kernel_uses {
    uint64_t lookups, launches;
};

static std::map<const kernel *, kernel_uses> uses;
static std::mutex uses_lock;

/* The oldest GPU that our images have code for. */
static constexpr int least_capability = 80;

namespace emu
{

void kernel_register(kernel *entry)
{
    entry->next = kernels;
    kernels = entry;
}

void kernel_launched(const kernel *which)
{
    std::lock_guard<std::mutex> hold(uses_lock);
    uses[which].launches++;
}

} // namespace emu

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
        if (std::strcmp(each->name, name) == 0) {
            std::lock_guard<std::mutex> hold(uses_lock);
            uses[each].lookups++;
            return each;
        }
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
    const std::vector<int> &all = configuration().capabilities;
    if (*std::max_element(all.begin(), all.end()) < least_capability)
        return CUDA_ERROR_NO_BINARY_FOR_GPU;
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
        *value = capability_of(function->context->device);
        return CUDA_SUCCESS;
    default:
        *value = 0;
        return CUDA_SUCCESS;
    }
}

namespace emu
{

unsigned int shared_limit(int device)
{
    const int capability = capability_of(device);
    if (capability == 80 || capability == 87)
        return 163 * 1024;
    return (capability >= 90 && capability < 120 ? 227u : 99u) * 1024;
}

unsigned int blocks_on_multiprocessor(CUfunction function, unsigned int threads, size_t dynamic)
{
    if (threads == 0 || threads > function->kernel->max_threads ||
        dynamic > function->dynamic_limit)
        return 0;
    size_t by_threads = 2048 / ((threads + 31) / 32 * 32);
    size_t by_memory = (shared_limit(function->context->device) + 1024) / (dynamic + 1024);
    return static_cast<unsigned int>(std::min({by_threads, by_memory, size_t(32)}));
}

} // namespace emu

EMU_EXPORT cuFuncSetAttribute(CUfunction function, CUfunction_attribute attribute, int value)
{
    EMU_ENTER(other);
    if (attribute == CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES) {
        if (value < 0 || static_cast<unsigned int>(value) > shared_limit(function->context->device))
            return CUDA_ERROR_INVALID_VALUE;
        function->dynamic_limit = static_cast<unsigned int>(value);
    } else if (attribute == CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED) {
        function->large_clusters = value != 0;
    } else if (attribute != CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    return CUDA_SUCCESS;
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

const char *consort_emu_kernel(uint64_t index, uint64_t *lookups, uint64_t *launches)
{
    /* Whoever asks for all asks for the one behind the last. */
    static thread_local const kernel *each = nullptr;
    static thread_local uint64_t at = 0;
    if (!each || index < at) {
        each = kernels;
        at = 0;
    }
    for (; each && at < index; at++)
        each = each->next;
    if (!each)
        return nullptr;
    std::lock_guard<std::mutex> hold(uses_lock);
    *lookups = uses[each].lookups;
    *launches = uses[each].launches;
    return each->name;
}
