/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What every kernel file includes first: the words in which a kernel is written so that nvcc makes
 * machine code of it and a C++ compiler makes the emulator's twin (emu/README.md has the rules).
 *
 *   KERNEL(name, max_threads[, min_blocks])(const uint32_t *in, uint64_t count) { … }
 *   KERNEL_EXPORT(name)                      makes the kernel known to the emulator
 *   SHARED(name, type);                      static shared memory: SHARED(bins, uint32_t[256]);
 *   SHARED_DYNAMIC(name, element);           element *name: the dynamic part of shared memory
 *   spin_pause()                             in every loop that waits for another thread
 */
#ifndef CONSORT_DEVICE_CUH
#define CONSORT_DEVICE_CUH

#include <stddef.h>
#include <stdint.h>

__extension__ typedef unsigned __int128 uint128;

#ifdef __CUDACC__

#define KERNEL(name, ...)   extern "C" __global__ void __launch_bounds__(__VA_ARGS__) name
#define KERNEL_EXPORT(name) static_assert(true, "kernels of a fatbin are found by name")
#define SHARED(name, ...)   __shared__ shared_type<__VA_ARGS__> name
#define SHARED_DYNAMIC(name, ...)                                                                  \
    extern __shared__ __align__(16) unsigned char consort_dynamic_shared[];                        \
    __VA_ARGS__ *name = reinterpret_cast<__VA_ARGS__ *>(consort_dynamic_shared)

template <typename T> using shared_type = T;

/* A pause of 0 costs nothing: the default suits loops whose load already takes long. */
__device__ __forceinline__ void spin_pause(unsigned int nanoseconds = 0)
{
    if (nanoseconds)
        __nanosleep(nanoseconds);
}

#else

#include "emu_language.h"

#define KERNEL(name, ...)                                                                          \
    static constexpr unsigned int name##_max_threads = emu::first(__VA_ARGS__);                    \
    extern "C" __attribute__((visibility("hidden"))) void name
#define KERNEL_EXPORT(name)                                                                        \
    static const emu::kernel_registration<name> name##_registration(#name, name##_max_threads)
#define SHARED(name, ...)         auto &name = emu::shared_variable<__VA_ARGS__>([] {})
#define SHARED_DYNAMIC(name, ...) auto *name = static_cast<__VA_ARGS__ *>(emu::shared_dynamic())

static inline void spin_pause(unsigned int nanoseconds = 0, EMU_SITE)
{
    emu::spin(nanoseconds, EMU_HERE);
}

#endif

#endif
