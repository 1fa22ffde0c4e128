/* SPDX-License-Identifier: Apache-2.0 */
/*
 * All inline PTX of consort, each function with a C++ twin for the emulator. Loads and stores come
 * for 32- and 64-bit words; the scope is the GPU. Addresses are in global memory unless the name
 * says shared.
 */
#ifndef CONSORT_PTX_CUH
#define CONSORT_PTX_CUH

#include "device.cuh"

#ifdef __CUDACC__

#define PTX_LANEMASK(which)                                                                        \
    __device__ __forceinline__ uint32_t lanemask_##which()                                         \
    {                                                                                              \
        uint32_t mask;                                                                             \
        asm("mov.u32 %0, %%lanemask_" #which ";" : "=r"(mask));                                    \
        return mask;                                                                               \
    }
PTX_LANEMASK(eq)
PTX_LANEMASK(lt)
PTX_LANEMASK(le)
PTX_LANEMASK(gt)
PTX_LANEMASK(ge)
#undef PTX_LANEMASK

__device__ __forceinline__ uint32_t lane_id()
{
    uint32_t lane;
    asm("mov.u32 %0, %%laneid;" : "=r"(lane));
    return lane;
}

#define PTX_LOAD(name, instruction, clobber)                                                       \
    __device__ __forceinline__ uint32_t name(const uint32_t *word)                                 \
    {                                                                                              \
        uint32_t value;                                                                            \
        asm volatile(instruction ".u32 %0, [%1];" : "=r"(value) : "l"(word) : clobber);            \
        return value;                                                                              \
    }                                                                                              \
    __device__ __forceinline__ uint64_t name(const uint64_t *word)                                 \
    {                                                                                              \
        uint64_t value;                                                                            \
        asm volatile(instruction ".u64 %0, [%1];" : "=l"(value) : "l"(word) : clobber);            \
        return value;                                                                              \
    }
#define PTX_STORE(name, instruction)                                                               \
    __device__ __forceinline__ void name(uint32_t *word, uint32_t value)                           \
    {                                                                                              \
        asm volatile(instruction ".u32 [%0], %1;" ::"l"(word), "r"(value) : "memory");             \
    }                                                                                              \
    __device__ __forceinline__ void name(uint64_t *word, uint64_t value)                           \
    {                                                                                              \
        asm volatile(instruction ".u64 [%0], %1;" ::"l"(word), "l"(value) : "memory");             \
    }
#define PTX_ATOMIC_ADD(name, instruction)                                                          \
    __device__ __forceinline__ uint32_t name(uint32_t *word, uint32_t value)                       \
    {                                                                                              \
        uint32_t old;                                                                              \
        asm volatile(instruction ".u32 %0, [%1], %2;"                                              \
                     : "=r"(old)                                                                   \
                     : "l"(word), "r"(value)                                                       \
                     : "memory");                                                                  \
        return old;                                                                                \
    }                                                                                              \
    __device__ __forceinline__ uint64_t name(uint64_t *word, uint64_t value)                       \
    {                                                                                              \
        uint64_t old;                                                                              \
        asm volatile(instruction ".u64 %0, [%1], %2;"                                              \
                     : "=l"(old)                                                                   \
                     : "l"(word), "l"(value)                                                       \
                     : "memory");                                                                  \
        return old;                                                                                \
    }

PTX_LOAD(load_relaxed, "ld.relaxed.gpu.global", "memory")
PTX_LOAD(load_acquire, "ld.acquire.gpu.global", "memory")
PTX_STORE(store_relaxed, "st.relaxed.gpu.global")
PTX_STORE(store_release, "st.release.gpu.global")
PTX_ATOMIC_ADD(atomic_add_relaxed, "atom.relaxed.gpu.global.add")
PTX_ATOMIC_ADD(atomic_add_release, "atom.release.gpu.global.add")
PTX_ATOMIC_ADD(atomic_add_acq_rel, "atom.acq_rel.gpu.global.add")
/* Read once, kept out of L1, with the sector's neighbours fetched into L2. */
PTX_LOAD(load_once, "ld.global.nc.L1::no_allocate.L2::256B", "memory")
PTX_STORE(reduce_add_relaxed, "red.relaxed.gpu.global.add")
PTX_LOAD(shared_load_acquire, "ld.acquire.cta", "memory")
PTX_STORE(shared_store_release, "st.release.cta")
#undef PTX_LOAD
#undef PTX_STORE
#undef PTX_ATOMIC_ADD

__device__ __forceinline__ uint4 load_once(const uint4 *words)
{
    uint4 value;
    asm volatile("ld.global.nc.L1::no_allocate.L2::256B.v4.u32 {%0, %1, %2, %3}, [%4];"
                 : "=r"(value.x), "=r"(value.y), "=r"(value.z), "=r"(value.w)
                 : "l"(words)
                 : "memory");
    return value;
}

/* The line of memory with this byte comes to the L2 cache. */
__device__ __forceinline__ void prefetch_line(const void *address)
{
    asm volatile("prefetch.global.L2 [%0];" ::"l"(address));
}

/* The lanes whose `value` agrees with the caller's in the one bit of `bit`. Every lane calls it. */
__device__ __forceinline__ uint32_t ballot_alike(uint32_t value, uint32_t bit)
{
    uint32_t lanes;
    asm volatile("{\n\t"
                 ".reg .pred set;\n\t"
                 "and.b32 %0, %1, %2;\n\t"
                 "setp.ne.u32 set, %0, 0;\n\t"
                 "vote.sync.ballot.b32 %0, set, 0xffffffff;\n\t"
                 "@!set not.b32 %0, %0;\n\t"
                 "}"
                 : "=&r"(lanes)
                 : "r"(value), "r"(bit));
    return lanes;
}

/* Nanoseconds on one clock for the whole GPU. */
__device__ __forceinline__ uint64_t global_timer()
{
    uint64_t nanoseconds;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(nanoseconds)::"memory");
    return nanoseconds;
}

/* Programmatic dependent launch (sm_90): wait until the previous kernel's writes are visible; let
 * the next kernel start. Kernels instantiated for older GPUs must not call them. */
__device__ __forceinline__ void grid_dependency_wait()
{
    asm volatile("griddepcontrol.wait;" ::: "memory");
}

__device__ __forceinline__ void grid_dependency_release()
{
    asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
}

/* Clusters (sm_90): blocks that run together and may touch each other's shared memory. */
__device__ __forceinline__ uint32_t cluster_rank()
{
    uint32_t rank;
    asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
    return rank;
}

__device__ __forceinline__ uint32_t cluster_count()
{
    uint32_t count;
    asm volatile("mov.u32 %0, %%cluster_nctarank;" : "=r"(count));
    return count;
}

/* Every thread of every block of the cluster; orders their shared and global memory accesses. */
__device__ __forceinline__ void cluster_barrier()
{
    asm volatile("barrier.cluster.arrive.release.aligned;\n"
                 "barrier.cluster.wait.acquire.aligned;" ::
                     : "memory");
}

/* Where block `rank` of the cluster keeps what this block keeps at `shared`. */
template <typename T> __device__ __forceinline__ T *cluster_shared(T *shared, uint32_t rank)
{
    uint64_t address;
    asm volatile("mapa.u64 %0, %1, %2;" : "=l"(address) : "l"(shared), "r"(rank));
    return reinterpret_cast<T *>(address);
}

/* Bulk copies (sm_90) run beside the threads. Loads report to a barrier in shared memory: one
 * thread expects the bytes, all wait for its phase (parity 0 first). Stores are committed in groups
 * by one thread, which waits until at most `left` groups still read shared memory, before that
 * memory is written again or the thread returns. Addresses and sizes are multiples of 16. */
__device__ __forceinline__ uint32_t shared_address(const void *shared)
{
    return static_cast<uint32_t>(__cvta_generic_to_shared(shared));
}

__device__ __forceinline__ void bulk_barrier_init(uint64_t *barrier, uint32_t arrivals)
{
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;\n\t"
                 "fence.mbarrier_init.release.cluster;" ::"r"(shared_address(barrier)),
                 "r"(arrivals)
                 : "memory");
}

/* Arrives, and lets the phase wait for so many bytes more. */
__device__ __forceinline__ void bulk_barrier_arrive(uint64_t *barrier, uint32_t bytes)
{
    asm volatile(
        "mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(shared_address(barrier)),
        "r"(bytes)
        : "memory");
}

__device__ __forceinline__ void bulk_barrier_wait(uint64_t *barrier, uint32_t parity)
{
    for (uint32_t done = 0; !done;)
        asm volatile("{\n\t"
                     ".reg .pred done;\n\t"
                     "mbarrier.try_wait.parity.shared::cta.b64 done, [%1], %2;\n\t"
                     "selp.u32 %0, 1, 0, done;\n\t"
                     "}"
                     : "=r"(done)
                     : "r"(shared_address(barrier)), "r"(parity)
                     : "memory");
}

__device__ __forceinline__ void bulk_load(void *shared, const void *global, uint32_t bytes,
                                          uint64_t *barrier)
{
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes "
                 "[%0], [%1], %2, [%3];" ::"r"(shared_address(shared)),
                 "l"(global), "r"(bytes), "r"(shared_address(barrier))
                 : "memory");
}

__device__ __forceinline__ void bulk_store(void *global, const void *shared, uint32_t bytes)
{
    asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(global),
                 "r"(shared_address(shared)), "r"(bytes)
                 : "memory");
}

__device__ __forceinline__ void bulk_store_commit()
{
    asm volatile("cp.async.bulk.commit_group;" ::: "memory");
}

template <int left> __device__ __forceinline__ void bulk_store_wait()
{
    asm volatile("cp.async.bulk.wait_group.read %0;" ::"n"(left) : "memory");
}

/* Each thread, after it wrote shared memory that a bulk store will read, before the barrier. */
__device__ __forceinline__ void bulk_store_fence()
{
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
}

#else

static inline uint32_t lane_id()
{
    return emu::current->number;
}

static inline uint32_t lanemask_eq()
{
    return 1u << lane_id();
}

static inline uint32_t lanemask_lt()
{
    return lanemask_eq() - 1;
}

static inline uint32_t lanemask_le()
{
    return lanemask_lt() | lanemask_eq();
}

static inline uint32_t lanemask_gt()
{
    return ~lanemask_le();
}

static inline uint32_t lanemask_ge()
{
    return ~lanemask_lt();
}

#define TWIN_LOAD(name)                                                                            \
    template <typename T> static inline T name(const T *word)                                      \
    {                                                                                              \
        return static_cast<T>(emu::flag_load(word, sizeof(T)));                                    \
    }
#define TWIN_STORE(name)                                                                           \
    template <typename T> static inline void name(T *word, emu::same_t<T> value)                   \
    {                                                                                              \
        emu::flag_store(word, value, sizeof(T));                                                   \
    }
#define TWIN_ATOMIC_ADD(name, before)                                                              \
    template <typename T> static inline T name(T *word, emu::same_t<T> value)                      \
    {                                                                                              \
        before;                                                                                    \
        return atomicAdd(word, value);                                                             \
    }
TWIN_LOAD(load_relaxed)
TWIN_LOAD(load_acquire)
TWIN_LOAD(shared_load_acquire)
TWIN_STORE(store_relaxed)
TWIN_STORE(store_release)
TWIN_STORE(shared_store_release)
TWIN_ATOMIC_ADD(atomic_add_relaxed, (void)0)
TWIN_ATOMIC_ADD(atomic_add_release, emu::flags_release())
TWIN_ATOMIC_ADD(atomic_add_acq_rel, emu::flags_release())
TWIN_ATOMIC_ADD(reduce_add_relaxed, (void)0)
#undef TWIN_LOAD
#undef TWIN_STORE
#undef TWIN_ATOMIC_ADD

template <typename T> static inline T load_once(const T *address)
{
    return *address;
}

static inline void prefetch_line(const void *)
{
}

static inline uint32_t ballot_alike(uint32_t value, uint32_t bit)
{
    const bool set = (value & bit) != 0;
    const uint32_t lanes = __ballot_sync(0xffffffffu, set);
    return set ? lanes : ~lanes;
}

static inline uint64_t global_timer()
{
    return emu::nanoseconds();
}

static inline void grid_dependency_wait()
{
}

static inline void grid_dependency_release()
{
}

static inline uint32_t cluster_rank()
{
    return emu::current->cluster_rank;
}

static inline uint32_t cluster_count()
{
    return emu::current->cluster_count;
}

static inline void cluster_barrier(EMU_SITE)
{
    emu::cluster_meet(EMU_HERE);
}

template <typename T> static inline T *cluster_shared(T *shared, uint32_t rank)
{
    return static_cast<T *>(emu::cluster_map(shared, rank));
}

static inline void bulk_barrier_init(uint64_t *barrier, uint32_t arrivals)
{
    emu::bulk_barrier_init(barrier, arrivals);
}

static inline void bulk_barrier_arrive(uint64_t *barrier, uint32_t bytes)
{
    emu::bulk_barrier_arrive(barrier, bytes);
}

static inline void bulk_barrier_wait(uint64_t *barrier, uint32_t parity, EMU_SITE)
{
    while (!emu::bulk_barrier_done(barrier, parity))
        emu::spin(0, EMU_HERE);
}

static inline void bulk_load(void *shared, const void *global, uint32_t bytes, uint64_t *barrier)
{
    emu::bulk_load(shared, global, bytes, barrier);
}

static inline void bulk_store(void *global, const void *shared, uint32_t bytes)
{
    emu::bulk_store(global, shared, bytes);
}

static inline void bulk_store_commit()
{
    emu::bulk_store_commit();
}

template <int left> static inline void bulk_store_wait()
{
    emu::bulk_store_wait(left);
}

static inline void bulk_store_fence()
{
}

#endif

#endif
