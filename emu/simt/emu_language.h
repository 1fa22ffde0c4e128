/* SPDX-License-Identifier: Apache-2.0 */
/*
 * CUDA C as far as our kernels use it, for a C++17 compiler: qualifiers, built-in variables, vector
 * types, bit intrinsics, cached loads. What is missing here is missing on purpose
 * (`__activemask`, warp-wide code without masks): a kernel that uses it does not compile.
 */
#ifndef CONSORT_EMU_LANGUAGE_H
#define CONSORT_EMU_LANGUAGE_H

#include "emu_runtime.h"
#include <cmath>
#include <cstring>

#define __global__
#define __device__
#define __host__
#define __forceinline__ inline
#define __constant__    static
#define __grid_constant__

#define threadIdx (emu::current->thread_index)
#define blockIdx  (emu::current->block_index)
#define blockDim  (emu::current->block_size)
#define gridDim   (emu::current->grid_size)

static constexpr int warpSize = 32;

/* The alignments are CUDA's: a vector access to a misaligned address is an error on the device,
 * and UBSan reports it here. */
#define EMU_VECTOR2(name, type)                                                                    \
    struct alignas(2 * sizeof(type)) name {                                                        \
        type x, y;                                                                                 \
    };                                                                                             \
    static inline name make_##name(type x, type y)                                                 \
    {                                                                                              \
        return {x, y};                                                                             \
    }
#define EMU_VECTOR4(name, type)                                                                    \
    struct alignas(4 * sizeof(type)) name {                                                        \
        type x, y, z, w;                                                                           \
    };                                                                                             \
    static inline name make_##name(type x, type y, type z, type w)                                 \
    {                                                                                              \
        return {x, y, z, w};                                                                       \
    }
EMU_VECTOR2(uchar2, unsigned char)
EMU_VECTOR4(uchar4, unsigned char)
EMU_VECTOR2(ushort2, unsigned short)
EMU_VECTOR4(ushort4, unsigned short)
EMU_VECTOR2(int2, int)
EMU_VECTOR4(int4, int)
EMU_VECTOR2(uint2, unsigned int)
EMU_VECTOR4(uint4, unsigned int)
EMU_VECTOR2(float2, float)
EMU_VECTOR4(float4, float)
EMU_VECTOR2(longlong2, long long)
EMU_VECTOR2(ulonglong2, unsigned long long)
EMU_VECTOR2(double2, double)
#undef EMU_VECTOR2
#undef EMU_VECTOR4

/* Both arguments must have one type: CUDA's mixed overloads convert in surprising ways. */
template <typename T> constexpr T min(T a, T b)
{
    return b < a ? b : a;
}

template <typename T> constexpr T max(T a, T b)
{
    return a < b ? b : a;
}

static inline int __popc(unsigned int x)
{
    return __builtin_popcount(x);
}

static inline int __popcll(unsigned long long x)
{
    return __builtin_popcountll(x);
}

static inline int __clz(int x)
{
    return x ? __builtin_clz(static_cast<unsigned int>(x)) : 32;
}

static inline int __clzll(long long x)
{
    return x ? __builtin_clzll(static_cast<unsigned long long>(x)) : 64;
}

static inline int __ffs(int x)
{
    return __builtin_ffs(x);
}

static inline int __ffsll(long long x)
{
    return __builtin_ffsll(x);
}

static inline unsigned long long __brevll(unsigned long long x)
{
    unsigned long long reversed = 0;
    for (int bit = 0; bit < 64; bit++)
        reversed |= (x >> bit & 1) << (63 - bit);
    return reversed;
}

static inline unsigned int __brev(unsigned int x)
{
    return static_cast<unsigned int>(__brevll(x) >> 32);
}

/* Three bits select a byte; PTX's fourth, sign replication, is masked off by the intrinsic. */
static inline unsigned int __byte_perm(unsigned int low, unsigned int high, unsigned int selector)
{
    uint64_t bytes = static_cast<uint64_t>(high) << 32 | low;
    unsigned int result = 0;
    for (int i = 0; i < 4; i++) {
        unsigned int choice = selector >> (4 * i) & 7;
        result |= (static_cast<unsigned int>(bytes >> (8 * choice)) & 0xff) << (8 * i);
    }
    return result;
}

static inline unsigned int __funnelshift_l(unsigned int low, unsigned int high, unsigned int shift)
{
    uint64_t pair = static_cast<uint64_t>(high) << 32 | low;
    return static_cast<unsigned int>(pair << (shift & 31) >> 32);
}

static inline unsigned int __funnelshift_r(unsigned int low, unsigned int high, unsigned int shift)
{
    uint64_t pair = static_cast<uint64_t>(high) << 32 | low;
    return static_cast<unsigned int>(pair >> (shift & 31));
}

static inline unsigned int __umulhi(unsigned int a, unsigned int b)
{
    return static_cast<unsigned int>(static_cast<uint64_t>(a) * b >> 32);
}

static inline unsigned long long __umul64hi(unsigned long long a, unsigned long long b)
{
    __extension__ typedef unsigned __int128 wide;
    return static_cast<unsigned long long>(static_cast<wide>(a) * b >> 64);
}

template <typename To, typename From> static inline To emu_bits(From from)
{
    static_assert(sizeof(To) == sizeof(From), "same size");
    To to;
    std::memcpy(&to, &from, sizeof(to));
    return to;
}

static inline unsigned int __float_as_uint(float x)
{
    return emu_bits<unsigned int>(x);
}

static inline float __uint_as_float(unsigned int x)
{
    return emu_bits<float>(x);
}

static inline long long __double_as_longlong(double x)
{
    return emu_bits<long long>(x);
}

static inline double __longlong_as_double(long long x)
{
    return emu_bits<double>(x);
}

/* Rounded down: one less than what is nearest where that is above the exact sum, which the same
 * product tells without rounding what it is compared with. */
template <typename T> static inline T emu_fma_down(T x, T y, T z)
{
    const T nearest = std::fma(x, y, z);
    return std::fma(x, y, z - nearest) < 0 ? std::nextafter(nearest, -INFINITY) : nearest;
}

static inline float __fmaf_rd(float x, float y, float z)
{
    return emu_fma_down(x, y, z);
}

static inline double __fma_rd(double x, double y, double z)
{
    return emu_fma_down(x, y, z);
}

/* Cache hints change nothing here. */
#define EMU_LOAD(name)                                                                             \
    template <typename T> static inline T name(const T *address)                                   \
    {                                                                                              \
        return *address;                                                                           \
    }
#define EMU_STORE(name)                                                                            \
    template <typename T> static inline void name(T *address, T value)                             \
    {                                                                                              \
        *address = value;                                                                          \
    }
EMU_LOAD(__ldg)
EMU_LOAD(__ldca)
EMU_LOAD(__ldcg)
EMU_LOAD(__ldcs)
EMU_LOAD(__ldlu)
EMU_LOAD(__ldcv)
EMU_STORE(__stwb)
EMU_STORE(__stcg)
EMU_STORE(__stcs)
EMU_STORE(__stwt)
#undef EMU_LOAD
#undef EMU_STORE

#include "emu_intrinsics.h"

#endif
