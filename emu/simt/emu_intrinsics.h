/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The intrinsics through which CUDA threads meet: warp-wide operations, block barriers, fences and
 * atomics. All threads of a launch run on one host thread and switch only inside these calls, so
 * the atomics are plain operations.
 */
#ifndef CONSORT_EMU_INTRINSICS_H
#define CONSORT_EMU_INTRINSICS_H

static inline void __syncwarp(unsigned int mask = 0xffffffffu, EMU_SITE)
{
    emu::warp_meet(emu::warp_op::sync, mask, 0, 0, 32, EMU_HERE);
}

static inline unsigned int __ballot_sync(unsigned int mask, int predicate, EMU_SITE)
{
    return static_cast<unsigned int>(
        emu::warp_meet(emu::warp_op::ballot, mask, predicate != 0, 0, 32, EMU_HERE));
}

static inline int __any_sync(unsigned int mask, int predicate, EMU_SITE)
{
    return static_cast<int>(
        emu::warp_meet(emu::warp_op::any, mask, predicate != 0, 0, 32, EMU_HERE));
}

static inline int __all_sync(unsigned int mask, int predicate, EMU_SITE)
{
    return static_cast<int>(
        emu::warp_meet(emu::warp_op::all, mask, predicate != 0, 0, 32, EMU_HERE));
}

namespace emu
{

template <typename T> uint64_t to_bits(T value)
{
    static_assert(std::is_arithmetic<T>::value && sizeof(T) <= 8, "a type CUDA can exchange");
    uint64_t bits = 0;
    std::memcpy(&bits, &value, sizeof(T));
    return bits;
}

template <typename T> T from_bits(uint64_t bits)
{
    T value;
    std::memcpy(&value, &bits, sizeof(T));
    return value;
}

/* The second operand of an atomic converts to the type of the first, as with CUDA's overloads. */
template <typename T> struct same {
    using type = T;
};
template <typename T> using same_t = typename same<T>::type;

} // namespace emu

#define EMU_SHUFFLE(name, operation, operand_type)                                                 \
    template <typename T>                                                                          \
    static inline T name(unsigned int mask, T value, operand_type operand, int width = 32,         \
                         EMU_SITE)                                                                 \
    {                                                                                              \
        return emu::from_bits<T>(emu::warp_meet(                                                   \
            emu::warp_op::operation, mask, emu::to_bits(value), static_cast<uint32_t>(operand),    \
            static_cast<uint32_t>(width), EMU_HERE));                                              \
    }
EMU_SHUFFLE(__shfl_sync, shuffle, int)
EMU_SHUFFLE(__shfl_up_sync, shuffle_up, unsigned int)
EMU_SHUFFLE(__shfl_down_sync, shuffle_down, unsigned int)
EMU_SHUFFLE(__shfl_xor_sync, shuffle_xor, int)
#undef EMU_SHUFFLE

template <typename T>
static inline unsigned int __match_any_sync(unsigned int mask, T value, EMU_SITE)
{
    return static_cast<unsigned int>(
        emu::warp_meet(emu::warp_op::match_any, mask, emu::to_bits(value), 0, 32, EMU_HERE));
}

template <typename T>
static inline unsigned int __match_all_sync(unsigned int mask, T value, int *equal, EMU_SITE)
{
    unsigned int lanes = static_cast<unsigned int>(
        emu::warp_meet(emu::warp_op::match_all, mask, emu::to_bits(value), 0, 32, EMU_HERE));
    *equal = lanes != 0;
    return lanes;
}

#define EMU_REDUCE(name, type, operation)                                                          \
    static inline type name(unsigned int mask, type value, EMU_SITE)                               \
    {                                                                                              \
        return static_cast<type>(emu::warp_meet(emu::warp_op::operation, mask,                     \
                                                static_cast<uint32_t>(value), 0, 32, EMU_HERE));   \
    }
EMU_REDUCE(__reduce_add_sync, unsigned int, reduce_add)
EMU_REDUCE(__reduce_add_sync, int, reduce_add)
EMU_REDUCE(__reduce_min_sync, unsigned int, reduce_min)
EMU_REDUCE(__reduce_min_sync, int, reduce_min_signed)
EMU_REDUCE(__reduce_max_sync, unsigned int, reduce_max)
EMU_REDUCE(__reduce_max_sync, int, reduce_max_signed)
EMU_REDUCE(__reduce_and_sync, unsigned int, reduce_and)
EMU_REDUCE(__reduce_or_sync, unsigned int, reduce_or)
EMU_REDUCE(__reduce_xor_sync, unsigned int, reduce_xor)
#undef EMU_REDUCE

static inline void __syncthreads(EMU_SITE)
{
    emu::block_meet(emu::barrier_op::sync, 0, EMU_HERE);
}

static inline int __syncthreads_count(int predicate, EMU_SITE)
{
    return emu::block_meet(emu::barrier_op::count, predicate, EMU_HERE);
}

static inline int __syncthreads_and(int predicate, EMU_SITE)
{
    return emu::block_meet(emu::barrier_op::all, predicate, EMU_HERE);
}

static inline int __syncthreads_or(int predicate, EMU_SITE)
{
    return emu::block_meet(emu::barrier_op::any, predicate, EMU_HERE);
}

static inline void __threadfence_block()
{
    emu::fence_point();
}

static inline void __threadfence()
{
    emu::fence_point();
}

static inline void __threadfence_system()
{
    emu::fence_point();
}

/* Atomics are ordered among themselves: the race tracer must not see their plain accesses. */
#define EMU_ATOMIC(name, expression)                                                               \
    template <typename T>                                                                          \
    __attribute__((no_sanitize("thread"))) static inline T name(T *address,                        \
                                                                emu::same_t<T> operand)            \
    {                                                                                              \
        emu::atomic_point(address, sizeof(T));                                                     \
        T old = *address;                                                                          \
        *address = static_cast<T>(expression);                                                     \
        return old;                                                                                \
    }
#define EMU_ATOMIC_SCOPES(name, expression)                                                        \
    EMU_ATOMIC(name, expression)                                                                   \
    EMU_ATOMIC(name##_block, expression)                                                           \
    EMU_ATOMIC(name##_system, expression)
EMU_ATOMIC_SCOPES(atomicAdd, old + operand)
EMU_ATOMIC_SCOPES(atomicSub, old - operand)
EMU_ATOMIC_SCOPES(atomicExch, operand)
EMU_ATOMIC_SCOPES(atomicMin, operand < old ? operand : old)
EMU_ATOMIC_SCOPES(atomicMax, old < operand ? operand : old)
EMU_ATOMIC_SCOPES(atomicAnd, old &operand)
EMU_ATOMIC_SCOPES(atomicOr, old | operand)
EMU_ATOMIC_SCOPES(atomicXor, old ^ operand)
EMU_ATOMIC_SCOPES(atomicInc, old >= operand ? 0 : old + 1)
EMU_ATOMIC_SCOPES(atomicDec, old == 0 || old > operand ? operand : old - 1)
#undef EMU_ATOMIC_SCOPES
#undef EMU_ATOMIC

template <typename T>
__attribute__((no_sanitize("thread"))) static inline T
atomicCAS(T *address, emu::same_t<T> expected, emu::same_t<T> desired)
{
    emu::atomic_point(address, sizeof(T));
    T old = *address;
    if (old == expected)
        *address = desired;
    return old;
}

#endif
