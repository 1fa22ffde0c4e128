/* SPDX-License-Identifier: Apache-2.0 */
/* Start-up, devices, primary contexts and each thread's stack of them, peers. */
#include "emu_driver.h"

#include <cstdio>
#include <cstring>

using namespace emu;

static bool initialised;
static CUctx_st contexts[16];
static CUmemPoolHandle_st default_pools[16];
static thread_local std::vector<CUcontext> stack;

namespace emu
{

int device_count()
{
    return initialised ? configuration().devices : 0;
}

bool device_valid(CUdevice device)
{
    return device >= 0 && device < device_count();
}

/* Of some that reach each other, of three devices the first two do, the first the last but not the
 * last the first, and the other two not at all. */
static bool device_reaches(CUdevice device, CUdevice peer)
{
    const int peers = configuration().peers, differ = (device ^ peer) % 3;
    return device != peer &&
           (peers == 1 || (peers == 2 && differ > 0 && (differ == 1 || device < peer)));
}

uint32_t device_mask(CUcontext context)
{
    return 1u << context->device | context->peers;
}

bool context_reaches(CUcontext context, const allocation &memory)
{
    return memory.type != memory_type::device ||
           (context && (device_mask(context) >> memory.device & 1));
}

CUcontext current_context()
{
    return stack.empty() || !stack.back() || !stack.back()->retained ? nullptr : stack.back();
}

std::vector<CUcontext> live_contexts()
{
    std::vector<CUcontext> live;
    for (CUctx_st &each : contexts)
        if (each.retained)
            live.push_back(&each);
    return live;
}

} // namespace emu

EMU_EXPORT cuInit(unsigned int flags)
{
    if (flags)
        return CUDA_ERROR_INVALID_VALUE;
    if (!initialised) {
        initialised = true;
        fault_install();
    }
    emu::call call(__func__, kind::other, false);
    if (configuration().devices == 0)
        return CUDA_ERROR_NO_DEVICE;
    return call.status;
}

EMU_EXPORT cuDriverGetVersion(int *version)
{
    *version = configuration().version;
    return CUDA_SUCCESS;
}

EMU_EXPORT cuDeviceGetCount(int *count)
{
    EMU_ENTER_ANYWHERE(query);
    *count = device_count();
    return CUDA_SUCCESS;
}

EMU_EXPORT cuDeviceGet(CUdevice *device, int ordinal)
{
    EMU_ENTER_ANYWHERE(query);
    *device = ordinal;
    return device_valid(ordinal) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_DEVICE;
}

EMU_EXPORT cuDeviceGetName(char *name, int length, CUdevice device)
{
    EMU_ENTER_ANYWHERE(query);
    if (!device_valid(device))
        return CUDA_ERROR_INVALID_DEVICE;
    std::snprintf(name, static_cast<size_t>(length), "consort emulator %d", device);
    return CUDA_SUCCESS;
}

EMU_EXPORT cuDeviceGetUuid_v2(CUuuid *uuid, CUdevice device)
{
    EMU_ENTER_ANYWHERE(query);
    if (!device_valid(device))
        return CUDA_ERROR_INVALID_DEVICE;
    std::memcpy(uuid->bytes, "consort emulator", sizeof(uuid->bytes));
    uuid->bytes[15] = static_cast<char>('a' + device);
    return CUDA_SUCCESS;
}

EMU_EXPORT cuDeviceGetPCIBusId(char *id, int length, CUdevice device)
{
    EMU_ENTER_ANYWHERE(query);
    if (!device_valid(device))
        return CUDA_ERROR_INVALID_DEVICE;
    std::snprintf(id, static_cast<size_t>(length), "0000:%02x:00.0", device + 1);
    return CUDA_SUCCESS;
}

/* Few multiprocessors, so that grids sized by anything but occupancy are noticed. */
static const std::map<int, int> attributes = {
    {CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK, 1024},
    {CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X, 1024},
    {CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X, 0x7fffffff},
    {CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK, 48 * 1024},
    {CU_DEVICE_ATTRIBUTE_WARP_SIZE, 32},
    {CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_BLOCK, 65536},
    {CU_DEVICE_ATTRIBUTE_CLOCK_RATE, 1000000},
    {CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, 4},
    {CU_DEVICE_ATTRIBUTE_INTEGRATED, 0},
    {CU_DEVICE_ATTRIBUTE_CAN_MAP_HOST_MEMORY, 1},
    {CU_DEVICE_ATTRIBUTE_COMPUTE_MODE, 0},
    {CU_DEVICE_ATTRIBUTE_CONCURRENT_KERNELS, 1},
    {CU_DEVICE_ATTRIBUTE_PCI_DEVICE_ID, 0},
    {CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE, 1000000},
    {CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH, 512},
    {CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE, 4 << 20},
    {CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR, 2048},
    {CU_DEVICE_ATTRIBUTE_ASYNC_ENGINE_COUNT, 2},
    {CU_DEVICE_ATTRIBUTE_UNIFIED_ADDRESSING, 1},
    {CU_DEVICE_ATTRIBUTE_PCI_DOMAIN_ID, 0},
    {CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR, 65536},
    {CU_DEVICE_ATTRIBUTE_MANAGED_MEMORY, 1},
    {CU_DEVICE_ATTRIBUTE_PAGEABLE_MEMORY_ACCESS, 0},
    {CU_DEVICE_ATTRIBUTE_CONCURRENT_MANAGED_ACCESS, 1},
    {CU_DEVICE_ATTRIBUTE_COOPERATIVE_LAUNCH, 1},
    {CU_DEVICE_ATTRIBUTE_HOST_REGISTER_SUPPORTED, 1},
    {CU_DEVICE_ATTRIBUTE_MAX_BLOCKS_PER_MULTIPROCESSOR, 32},
    {CU_DEVICE_ATTRIBUTE_RESERVED_SHARED_MEMORY_PER_BLOCK, 1024},
    {CU_DEVICE_ATTRIBUTE_READ_ONLY_HOST_REGISTER_SUPPORTED, 1},
    {CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED, 1},
};

EMU_EXPORT cuDeviceGetAttribute(int *value, CUdevice_attribute attribute, CUdevice device)
{
    EMU_ENTER_ANYWHERE(query);
    if (!device_valid(device))
        return CUDA_ERROR_INVALID_DEVICE;
    int capability = capability_of(device);
    auto found = attributes.find(attribute);
    if (found != attributes.end())
        *value = found->second;
    else if (attribute == CU_DEVICE_ATTRIBUTE_PCI_BUS_ID)
        *value = device + 1;
    else if (attribute == CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR)
        *value = capability / 10;
    else if (attribute == CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR)
        *value = capability % 10;
    else if (attribute == CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR)
        *value = static_cast<int>(shared_limit(device)) + 1024; /* the system's */
    else if (attribute == CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN)
        *value = static_cast<int>(shared_limit(device));
    else if (attribute == CU_DEVICE_ATTRIBUTE_CLUSTER_LAUNCH)
        *value = capability >= 90;
    else
        return CUDA_ERROR_INVALID_VALUE;
    return CUDA_SUCCESS;
}

EMU_EXPORT cuDeviceTotalMem_v2(size_t *bytes, CUdevice device)
{
    EMU_ENTER_ANYWHERE(query);
    *bytes = configuration().memory;
    return device_valid(device) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_DEVICE;
}

EMU_EXPORT cuDeviceCanAccessPeer(int *can, CUdevice device, CUdevice peer)
{
    EMU_ENTER_ANYWHERE(query);
    *can = device_reaches(device, peer);
    return device_valid(device) && device_valid(peer) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_DEVICE;
}

EMU_EXPORT cuDeviceGetDefaultMemPool(CUmemoryPool *pool, CUdevice device)
{
    EMU_ENTER_ANYWHERE(query);
    if (!device_valid(device))
        return CUDA_ERROR_INVALID_DEVICE;
    default_pools[device].device = device;
    *pool = &default_pools[device];
    return CUDA_SUCCESS;
}

EMU_EXPORT cuDevicePrimaryCtxRetain(CUcontext *context, CUdevice device)
{
    EMU_ENTER_ANYWHERE(other);
    if (!device_valid(device))
        return CUDA_ERROR_INVALID_DEVICE;
    CUctx_st &own = contexts[device];
    own.device = device;
    own.retained++;
    own.legacy.context = own.per_thread.context = &own;
    own.legacy.blocking = own.per_thread.blocking = true;
    *context = &own;
    return CUDA_SUCCESS;
}

/* What is still queued when a context dies is never run, and its memory is gone. */
static void context_destroy(CUcontext gone)
{
    context_forget(gone);
    gone->streams.clear();
    gone->modules.clear();
    gone->error = CUDA_SUCCESS;
    gone->peers = 0;
    gone->retained = 0;
    memory_free_context(gone);
}

EMU_EXPORT cuDevicePrimaryCtxRelease_v2(CUdevice device)
{
    EMU_ENTER_ANYWHERE(other);
    if (!device_valid(device))
        return CUDA_ERROR_INVALID_DEVICE;
    if (!contexts[device].retained)
        return CUDA_ERROR_INVALID_CONTEXT;
    if (contexts[device].retained == 1)
        context_destroy(&contexts[device]);
    else
        contexts[device].retained--;
    return CUDA_SUCCESS;
}

EMU_EXPORT cuDevicePrimaryCtxReset_v2(CUdevice device)
{
    EMU_ENTER_ANYWHERE(other);
    if (!device_valid(device))
        return CUDA_ERROR_INVALID_DEVICE;
    int retained = contexts[device].retained;
    context_destroy(&contexts[device]);
    contexts[device].retained = retained;
    return CUDA_SUCCESS;
}

EMU_EXPORT cuDevicePrimaryCtxGetState(CUdevice device, unsigned int *flags, int *is_active)
{
    EMU_ENTER_ANYWHERE(query);
    if (!device_valid(device))
        return CUDA_ERROR_INVALID_DEVICE;
    *flags = 0;
    *is_active = contexts[device].retained > 0;
    return CUDA_SUCCESS;
}

EMU_EXPORT cuCtxPushCurrent_v2(CUcontext context)
{
    EMU_ENTER_ANYWHERE(other);
    if (!context || !context->retained)
        return CUDA_ERROR_INVALID_CONTEXT;
    stack.push_back(context);
    return CUDA_SUCCESS;
}

/* The stack is the thread's own: a context leaves it even if its device has failed or is lost. */
EMU_EXPORT cuCtxPopCurrent_v2(CUcontext *context)
{
    emu::call call(__func__, emu::kind::other, false);
    if (stack.empty())
        return CUDA_ERROR_INVALID_CONTEXT;
    if (context)
        *context = stack.back();
    stack.pop_back();
    return call.status;
}

EMU_EXPORT cuCtxGetCurrent(CUcontext *context)
{
    EMU_ENTER_ANYWHERE(query);
    *context = stack.empty() ? nullptr : stack.back();
    return CUDA_SUCCESS;
}

EMU_EXPORT cuCtxSetCurrent(CUcontext context)
{
    EMU_ENTER_ANYWHERE(other);
    if (!stack.empty())
        stack.pop_back();
    if (context)
        stack.push_back(context);
    return CUDA_SUCCESS;
}

EMU_EXPORT cuCtxGetDevice(CUdevice *device)
{
    EMU_ENTER(query);
    *device = call.context->device;
    return CUDA_SUCCESS;
}

EMU_EXPORT cuCtxSynchronize()
{
    EMU_ENTER(sync);
    return context_drain(call.context);
}

EMU_EXPORT cuCtxEnablePeerAccess(CUcontext peer, unsigned int flags)
{
    EMU_ENTER(other);
    if (flags || !peer || !peer->retained || peer == call.context)
        return CUDA_ERROR_INVALID_VALUE;
    if (call.context->peers >> peer->device & 1)
        return CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED;
    if (!device_reaches(call.context->device, peer->device))
        return CUDA_ERROR_PEER_ACCESS_UNSUPPORTED;
    call.context->peers |= 1u << peer->device;
    return CUDA_SUCCESS;
}

EMU_EXPORT cuCtxDisablePeerAccess(CUcontext peer)
{
    EMU_ENTER(other);
    if (!peer || !(call.context->peers >> peer->device & 1))
        return CUDA_ERROR_PEER_ACCESS_NOT_ENABLED;
    call.context->peers &= ~(1u << peer->device);
    return CUDA_SUCCESS;
}
