/* SPDX-License-Identifier: Apache-2.0 */
/* What the emulator's tests share: checks, a device with its kernels, arrays on it. The tests link
 * the fake driver directly. */
#ifndef CONSORT_EMU_TEST_H
#define CONSORT_EMU_TEST_H

#include "cuda_api.h"
#include "emu_control.h"

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <initializer_list>
#include <map>
#include <string>
#include <vector>

#define DECLARE(name, symbol, arguments) extern "C" CUresult symbol arguments;
CUDA_CALLS(DECLARE)
#undef DECLARE

#define CHECK(condition)                                                                           \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            std::fprintf(stderr, "%s:%d: failed: %s\n", __FILE__, __LINE__, #condition);           \
            std::exit(1);                                                                          \
        }                                                                                          \
    } while (0)

#define CHECK_OK(call)           check_status(call, CUDA_SUCCESS, #call, __FILE__, __LINE__)
#define CHECK_IS(call, expected) check_status(call, expected, #call, __FILE__, __LINE__)

inline void check_status(CUresult got, CUresult expected, const char *call, const char *file,
                         int line)
{
    if (got == expected)
        return;
    std::fprintf(stderr, "%s:%d: %s gave %d, not %d\n", file, line, call, got, expected);
    std::exit(1);
}

inline CUdeviceptr offset(CUdeviceptr pointer, size_t bytes)
{
    return pointer + bytes;
}

/* A current context on device 0 (or another) and the kernels, fresh even after a failed kernel. */
struct device {
    CUcontext context;
    CUmodule module;
    int number;
    mutable std::map<std::string, CUfunction> functions;

    explicit device(int ordinal = 0) : number(ordinal)
    {
        CHECK_OK(cuInit(0));
        CHECK_OK(cuDevicePrimaryCtxReset_v2(ordinal));
        CHECK_OK(cuDevicePrimaryCtxRetain(&context, ordinal));
        CHECK_OK(cuCtxPushCurrent_v2(context));
        CHECK_OK(cuModuleLoadData(&module, "consort"));
    }

    ~device()
    {
        cuCtxPopCurrent_v2(nullptr);
        cuDevicePrimaryCtxRelease_v2(number);
    }

    /* Found once: a capture allows no look-up. */
    CUfunction function(const char *name) const
    {
        CUfunction &found = functions[name];
        if (!found)
            CHECK_OK(cuModuleGetFunction(&found, module, name));
        return found;
    }

    template <typename... Arguments>
    CUresult start(const char *name, unsigned int blocks, unsigned int threads,
                   unsigned int dynamic, CUstream stream, Arguments... arguments) const
    {
        void *pointers[] = {static_cast<void *>(&arguments)..., nullptr};
        return cuLaunchKernel(function(name), blocks, 1, 1, threads, 1, 1, dynamic, stream,
                              pointers, nullptr);
    }

    /* Launches and waits. */
    template <typename... Arguments>
    CUresult run(const char *name, unsigned int blocks, unsigned int threads, unsigned int dynamic,
                 Arguments... arguments) const
    {
        CUresult status = start(name, blocks, threads, dynamic, nullptr, arguments...);
        return status ? status : cuCtxSynchronize();
    }
};

/* An array in device memory, filled by the host. */
template <typename T> struct array {
    CUdeviceptr pointer;
    size_t count;

    explicit array(const std::vector<T> &values) : pointer(0), count(values.size())
    {
        CHECK_OK(cuMemAlloc_v2(&pointer, count * sizeof(T)));
        CHECK_OK(cuMemcpyHtoD_v2(pointer, values.data(), count * sizeof(T)));
    }

    explicit array(size_t size, T value = T()) : array(std::vector<T>(size, value))
    {
    }

    array(const array &) = delete;

    ~array()
    {
        cuMemFree_v2(pointer);
    }

    std::vector<T> read() const
    {
        std::vector<T> values(count);
        CHECK_OK(cuMemcpyDtoH_v2(values.data(), pointer, count * sizeof(T)));
        return values;
    }
};

inline uint64_t mix(uint64_t i)
{
    i = (i ^ i >> 31) * 0x7fb5d329728ea185u;
    i = (i ^ i >> 27) * 0x81dadef4bc2dd44du;
    return i ^ i >> 33;
}

inline std::vector<uint32_t> random_words(size_t count, uint32_t limit = 0xffffffffu)
{
    std::vector<uint32_t> words(count);
    for (size_t i = 0; i < count; i++)
        words[i] = static_cast<uint32_t>(mix(i + 1)) % limit;
    return words;
}

inline bool report_says(const char *text)
{
    bool found = std::string(consort_emu_report()).find(text) != std::string::npos;
    if (!found)
        std::fprintf(stderr, "the report does not say \"%s\"\n", text);
    return found;
}

/* Calls `test` in order, at random with several seeds, and adversarially. */
template <typename Test> void under_every_schedule(Test test)
{
    for (const char *schedule : {"order", "adversarial", "random"}) {
        CHECK(consort_emu_set("SCHEDULE", schedule) == 0);
        for (int seed = 1; seed <= (schedule == std::string("random") ? 6 : 1); seed++) {
            CHECK(consort_emu_set("SEED", std::to_string(seed).c_str()) == 0);
            test();
        }
    }
    CHECK(consort_emu_set("SCHEDULE", "order") == 0);
}

#endif
