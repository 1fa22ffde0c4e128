/* SPDX-License-Identifier: Apache-2.0 */
/* Devices, memory of every kind, kernels by name, launch checks, failures on demand, peers. */
#include "emu_test.h"

#include <cstring>

static int attribute(CUdevice_attribute which, CUdevice ordinal = 0)
{
    int value = -1;
    CHECK_OK(cuDeviceGetAttribute(&value, which, ordinal));
    return value;
}

static void devices()
{
    int count, version;
    char name[64];
    CUdevice found;
    CHECK_OK(cuInit(0));
    CHECK_OK(cuDeviceGetCount(&count));
    CHECK_OK(cuDriverGetVersion(&version));
    CHECK(count == 2 && version >= 12000);
    CHECK_IS(cuDeviceGet(&found, 2), CUDA_ERROR_INVALID_DEVICE);
    CHECK_OK(cuDeviceGetName(name, sizeof(name), 1));
    CHECK(attribute(CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT) == 4);
    CHECK(attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR) == 9);
    CHECK(attribute(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN) == 227 * 1024);
    CHECK(attribute(CU_DEVICE_ATTRIBUTE_PCI_BUS_ID, 1) == 2);
}

static void symbols()
{
    void *function;
    const char *text;
    CUdriverProcAddressQueryResult found;
    CHECK_OK(cuGetProcAddress_v2("cuMemAlloc", &function, 12000, 0, &found));
    CHECK(function == reinterpret_cast<void *>(cuMemAlloc_v2) &&
          found == CU_GET_PROC_ADDRESS_SUCCESS);
    CHECK_IS(cuGetProcAddress_v2("cuTexRefCreate", &function, 12000, 0, &found),
             CUDA_ERROR_NOT_FOUND);
    CHECK_OK(cuGetErrorName(CUDA_ERROR_OUT_OF_MEMORY, &text));
    CHECK(std::strcmp(text, "CUDA_ERROR_OUT_OF_MEMORY") == 0);
}

static void memory_is_limited()
{
    device gpu;
    CUdeviceptr large, small;
    size_t free_bytes, total;
    CHECK_OK(cuMemGetInfo_v2(&free_bytes, &total));
    CHECK(total == 64 << 20 && free_bytes == total);
    CHECK_OK(cuMemAlloc_v2(&large, 60 << 20));
    CHECK(large % 256 == 0);
    CHECK_IS(cuMemAlloc_v2(&small, 8 << 20), CUDA_ERROR_OUT_OF_MEMORY);
    CHECK_OK(cuMemFreeAsync(large, nullptr));
    CHECK_OK(cuMemAllocAsync(&small, 8 << 20, nullptr)); /* the queued free makes room */
    CHECK_OK(cuMemFree_v2(small));
    CHECK_IS(cuMemFree_v2(small), CUDA_ERROR_INVALID_VALUE);
    CHECK_IS(cuMemAlloc_v2(&small, 0), CUDA_ERROR_INVALID_VALUE);
    CHECK_OK(cuMemGetInfo_v2(&free_bytes, &total));
    CHECK(free_bytes == total);
}

static void fresh_memory_is_poison()
{
    device gpu;
    CUdeviceptr pointer;
    uint32_t word = 0;
    CHECK_OK(cuMemAlloc_v2(&pointer, 1000));
    CHECK_OK(cuMemcpyDtoH_v2(&word, offset(pointer, 996), 4));
    CHECK(word == 0xcdcdcdcdu);
    CHECK_IS(cuMemcpyDtoH_v2(&word, offset(pointer, 997), 4), CUDA_ERROR_INVALID_VALUE);
    CHECK_IS(cuMemsetD32Async(offset(pointer, 2), 0, 1, nullptr), CUDA_ERROR_INVALID_VALUE);
    CHECK_IS(cuMemcpyDtoD_v2(pointer, offset(pointer, 8), 16), CUDA_ERROR_INVALID_VALUE);
    CHECK_OK(cuMemFree_v2(pointer));
}

static void pools()
{
    device gpu;
    CUmemoryPool pool;
    CUmemPoolProps properties = {};
    CUdeviceptr pointer;
    uint64_t used = 0, keep = 1 << 20;
    properties.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
    properties.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    CHECK_OK(cuMemPoolCreate(&pool, &properties));
    CHECK_OK(cuMemPoolSetAttribute(pool, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, &keep));
    CHECK_OK(cuMemAllocFromPoolAsync(&pointer, 5000, pool, nullptr));
    CHECK_OK(cuMemsetD8Async(pointer, 1, 5000, nullptr));
    CHECK_OK(cuMemFreeAsync(pointer, nullptr));
    CHECK_OK(cuMemPoolGetAttribute(pool, CU_MEMPOOL_ATTR_USED_MEM_CURRENT, &used));
    CHECK(used == 5000);
    CHECK_OK(cuCtxSynchronize());
    CHECK_OK(cuMemPoolGetAttribute(pool, CU_MEMPOOL_ATTR_USED_MEM_CURRENT, &used));
    CHECK(used == 0);
    CHECK_OK(cuMemPoolTrimTo(pool, 0));
    CHECK_OK(cuMemPoolDestroy(pool));
}

struct pointer_facts {
    unsigned int type;
    int ordinal;
    bool managed;
};

static pointer_facts facts(CUdeviceptr pointer)
{
    pointer_facts found = {99, 99, true};
    CUpointer_attribute which[] = {CU_POINTER_ATTRIBUTE_MEMORY_TYPE,
                                   CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL,
                                   CU_POINTER_ATTRIBUTE_IS_MANAGED};
    void *values[] = {&found.type, &found.ordinal, &found.managed};
    CHECK_OK(cuPointerGetAttributes(3, which, values, pointer));
    return found;
}

static void pointer_kinds()
{
    device gpu;
    CUdeviceptr on_device, managed;
    void *pinned;
    static char registered[10000], ordinary[100];
    CHECK_OK(cuMemAlloc_v2(&on_device, 100));
    CHECK_OK(cuMemAllocManaged(&managed, 100, CU_MEM_ATTACH_GLOBAL));
    CHECK_OK(cuMemAllocHost_v2(&pinned, 100));
    CHECK_OK(cuMemHostRegister_v2(registered, sizeof(registered), 0));
    CHECK_IS(cuMemHostRegister_v2(registered + 50, 10, 0),
             CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED);
    CHECK(facts(offset(on_device, 99)).type == CU_MEMORYTYPE_DEVICE);
    CHECK(facts(managed).type == CU_MEMORYTYPE_DEVICE && facts(managed).managed);
    CHECK(facts(reinterpret_cast<CUdeviceptr>(pinned)).type == CU_MEMORYTYPE_HOST);
    CHECK(facts(reinterpret_cast<CUdeviceptr>(registered + 9999)).type == CU_MEMORYTYPE_HOST);
    pointer_facts unknown = facts(reinterpret_cast<CUdeviceptr>(ordinary));
    CHECK(unknown.type == 0 && unknown.ordinal == -2 && !unknown.managed);
    std::memset(reinterpret_cast<void *>(managed), 1, 100); /* managed memory is the host's too */
    CHECK_OK(cuMemHostUnregister(registered));
    CHECK_IS(cuMemHostUnregister(registered), CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED);
    CHECK_OK(cuMemFreeHost(pinned));
    CHECK_OK(cuMemFree_v2(managed));
    CHECK_OK(cuMemFree_v2(on_device));
}

static void kernels_by_name()
{
    device gpu;
    CUlibrary library;
    CUkernel kernel;
    CUfunction function;
    CUmodule module;
    CHECK_OK(cuLibraryLoadData(&library, "consort", nullptr, nullptr, 0, nullptr, nullptr, 0));
    CHECK_OK(cuLibraryGetKernel(&kernel, library, "sample_vector_add"));
    CHECK_OK(cuKernelGetFunction(&function, kernel));
    CHECK_IS(cuLibraryGetKernel(&kernel, library, "no_such_kernel"), CUDA_ERROR_NOT_FOUND);
    CHECK(report_says("no_such_kernel"));
    CHECK_IS(cuModuleLoadData(&module, "rubbish"), CUDA_ERROR_INVALID_IMAGE);
    array<float> one(1, 1.0f), sum(1);
    uint64_t count = 1;
    void *arguments[] = {&one.pointer, &one.pointer, &sum.pointer, &count};
    CHECK_OK(cuLaunchKernel(function, 1, 1, 1, 32, 1, 1, 0, nullptr, arguments, nullptr));
    CHECK(sum.read()[0] == 2.0f);
    CHECK_OK(cuLibraryUnload(library));
}

static void launches_are_checked()
{
    device gpu;
    array<uint8_t> in(1);
    array<unsigned long long> bins(256);
    CUfunction function = gpu.function("sample_histogram");
    int value = 0;
    CHECK_OK(cuFuncGetAttribute(&value, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, function));
    CHECK(value == 256);
    auto start = [&](unsigned int blocks, unsigned int threads, unsigned int dynamic) {
        uint64_t count = 1;
        void *arguments[] = {&in.pointer, &count, &bins.pointer};
        return cuLaunchKernel(function, blocks, 1, 1, threads, 1, 1, dynamic, nullptr, arguments,
                              nullptr);
    };
    CHECK_IS(start(0, 32, 1024), CUDA_ERROR_INVALID_VALUE);
    CHECK_IS(start(1, 0, 1024), CUDA_ERROR_INVALID_VALUE);
    CHECK_IS(start(1, 1025, 1024), CUDA_ERROR_INVALID_VALUE);
    CHECK_IS(start(1, 512, 1024), CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES);
    CHECK_IS(start(1, 32, 100 * 1024), CUDA_ERROR_INVALID_VALUE);
    auto limit = CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES;
    CHECK_IS(cuFuncSetAttribute(function, limit, 228 * 1024), CUDA_ERROR_INVALID_VALUE);
    CHECK_OK(cuFuncSetAttribute(function, limit, 100 * 1024));
    CHECK_OK(start(1, 32, 100 * 1024));
    CHECK_OK(cuOccupancyMaxActiveBlocksPerMultiprocessor(&value, function, 256, 100 * 1024));
    CHECK(value == 2);
    CHECK_OK(cuCtxSynchronize());
}

/* A small program that returns at its first error, as the library does. */
static CUresult small_program(int ordinal)
{
    CUcontext context;
    CUmodule module;
    CUfunction function;
    CUdeviceptr words = 0;
    uint32_t result[32];
    CUresult status = cuInit(0);
    if (status || (status = cuDevicePrimaryCtxRetain(&context, ordinal)))
        return status;
    if (!(status = cuCtxPushCurrent_v2(context))) {
        if (!(status = cuModuleLoadData(&module, "consort")) &&
            !(status = cuModuleGetFunction(&function, module, "sample_block_scan")) &&
            !(status = cuMemAlloc_v2(&words, sizeof(result))) &&
            !(status = cuMemsetD8Async(words, 0, sizeof(result), nullptr))) {
            void *arguments[] = {&words, &words};
            status = cuLaunchKernel(function, 1, 1, 1, 32, 1, 1, 0, nullptr, arguments, nullptr);
            if (!status && !(status = cuCtxSynchronize()))
                status = cuMemcpyDtoH_v2(result, words, sizeof(result));
        }
        if (words)
            cuMemFree_v2(words);
        cuCtxPopCurrent_v2(nullptr);
    }
    cuDevicePrimaryCtxRelease_v2(ordinal);
    return status;
}

/* Whatever happened before, start again from nothing. */
static CUresult with_failure(const char *failure, int ordinal = 0)
{
    CHECK(consort_emu_set("FAIL", failure) == 0);
    CUresult status = small_program(ordinal);
    CHECK(consort_emu_set("FAIL", "") == 0);
    while (cuCtxPopCurrent_v2(nullptr) == CUDA_SUCCESS) {
    }
    int active = 1;
    unsigned int flags;
    for (;;) {
        CHECK_OK(cuDevicePrimaryCtxGetState(ordinal, &flags, &active));
        if (!active)
            return status;
        CHECK_OK(cuDevicePrimaryCtxRelease_v2(ordinal));
    }
}

static void failures_on_demand()
{
    CHECK_OK(with_failure("alloc:2"));
    CHECK_IS(with_failure("alloc:1"), CUDA_ERROR_OUT_OF_MEMORY);
    CHECK_IS(with_failure("load:1"), CUDA_ERROR_NO_BINARY_FOR_GPU);
    CHECK_IS(with_failure("launch:1"), CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES);
    CHECK_IS(with_failure("copy:1"), CUDA_ERROR_UNKNOWN);
    CHECK_IS(with_failure("copy:9,copy:2"), CUDA_ERROR_UNKNOWN);
    CHECK_IS(with_failure("sync:1"), CUDA_ERROR_UNKNOWN);
    CHECK_IS(with_failure("kernel:1"), CUDA_ERROR_LAUNCH_FAILED);
    CHECK_IS(with_failure("lost:1:3", 1), CUDA_ERROR_UNKNOWN);
    CHECK_OK(with_failure("lost:1:3", 0));
    CHECK(consort_emu_set("FAIL", "alloc") == -1 && consort_emu_set("FAIL", "what:1") == -1);
    CHECK_OK(with_failure(""));
    CHECK(consort_emu_set("FAIL", "") == 0);
    CHECK_OK(small_program(0));
    uint64_t calls = consort_emu_calls();
    CHECK(calls > 8);
    for (uint64_t call = 1; call <= calls - 3; call++) /* the last three clean up */
        CHECK(with_failure(("any:" + std::to_string(call)).c_str()) != CUDA_SUCCESS);
}

struct kernel_count {
    uint64_t lookups, launches;
};

static kernel_count count_of(const std::string &kernel)
{
    kernel_count count = {};
    for (uint64_t i = 0; const char *name = consort_emu_kernel(i, &count.lookups, &count.launches);
         i++)
        if (kernel == name)
            return count;
    CHECK(!"no such kernel");
    return count;
}

static void launches_are_counted()
{
    const char *name = "sample_block_scan";
    kernel_count before = count_of(name);
    CHECK_OK(small_program(0));
    kernel_count after = count_of(name);
    CHECK(after.lookups == before.lookups + 1 && after.launches == before.launches + 1);
}

/* Of the current context. */
static unsigned int access_to(CUdeviceptr memory)
{
    unsigned int flags = 1;
    CHECK_OK(cuPointerGetAttribute(&flags, CU_POINTER_ATTRIBUTE_ACCESS_FLAGS, memory));
    return flags;
}

static void peers()
{
    device second(1), first(0);
    int can = 0;
    CUdeviceptr far;
    uint8_t byte = 0;
    CHECK_OK(cuCtxPushCurrent_v2(second.context));
    CHECK_OK(cuMemAlloc_v2(&far, 1000));
    CHECK_OK(cuMemsetD8_v2(far, 5, 1000));
    CHECK_OK(cuCtxSynchronize());
    CHECK_OK(cuCtxPopCurrent_v2(nullptr));
    CHECK_OK(cuDeviceCanAccessPeer(&can, 0, 1));
    CHECK(can && access_to(far) == 0);
    CHECK_OK(cuCtxEnablePeerAccess(second.context, 0));
    CHECK(access_to(far) == CU_MEM_ACCESS_FLAGS_PROT_READWRITE);
    CHECK_IS(cuCtxEnablePeerAccess(second.context, 0), CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED);
    CHECK_OK(first.run("bug_global_write_behind", 1, 32, 0, far, uint64_t(10)));
    array<uint8_t> near(1000);
    CHECK_OK(cuMemcpyPeerAsync(near.pointer, first.context, far, second.context, 1000, nullptr));
    CHECK(near.read()[10] == 1 && near.read()[11] == 5);
    CHECK_OK(cuCtxDisablePeerAccess(second.context));
    CHECK(access_to(far) == 0 && access_to(near.pointer) == CU_MEM_ACCESS_FLAGS_PROT_READWRITE);
    CHECK_OK(cuMemcpyPeerAsync(near.pointer, first.context, far, second.context, 1000, nullptr));
    CHECK_OK(cuMemcpyDtoH_v2(&byte, near.pointer, 1));
    CHECK_IS(first.run("bug_global_write_behind", 1, 32, 0, far, uint64_t(10)),
             CUDA_ERROR_ILLEGAL_ADDRESS);
}

int main()
{
    CHECK(consort_emu_set("DEVICES", "2") == 0 && consort_emu_set("MEMORY", "64M") == 0);
    CHECK(consort_emu_set("COLOUR", "2") == -1 && consort_emu_set("SCHEDULE", "fair") == -1);
    devices();
    symbols();
    memory_is_limited();
    fresh_memory_is_poison();
    pools();
    pointer_kinds();
    kernels_by_name();
    launches_are_checked();
    failures_on_demand();
    launches_are_counted();
    peers();
    return 0;
}
