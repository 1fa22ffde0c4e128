/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Wide keys that crowd, if some of their lowest bytes take no pass: those of short lists of the
 * widest keys by as many of the highest bytes as tell nearly all keys apart, if bytes do not depend
 * on each other; those of longer lists of 8-byte keys by a prefix that separates a sample. Runs of
 * keys that the bytes above do not tell apart are put in order where they lie, if they are not in
 * order as they came: equal keys are. First all blocks mark where such runs begin, then they sort
 * them, so that nobody looks at a run while it moves.
 */
#ifndef CONSORT_MSD_PREFIXES_CUH
#define CONSORT_MSD_PREFIXES_CUH

#include "cuda/device/grid_barrier.cuh"
#include "cuda/sorts/msd/msd_skew.cuh"

enum {
    MSD_STEPS_BACK = 8 /* to a run's first key, before it is searched for */
};

/* Keys of a run that a lane sorts in its registers, at most. */
template <typename K> static constexpr unsigned msd_lane_run = 64 / sizeof(K);

/* A lane's, of a run that a warp sorts. */
template <typename K> static constexpr unsigned msd_run_items = msd_longest_run(sizeof(K)) / 32;

enum {
    MSD_MARKING_WARPS = 16 /* of a block */
};

/* Where runs begin, counted from the first key that a warp looks at. */
struct msd_marked_runs {
    uint16_t place[MSD_MARKING_WARPS][32 * 32];
};

/* Where passes have left keys. */
static __device__ __forceinline__ void *msd_sorted_keys(const lsd_arguments &a)
{
    return lsd_keys_at(a, a.double_buffer && lsd_shift(a, a.control->step_count));
}

/* Keys that passes have sorted by all bytes but some of the lowest. */
template <typename K> struct msd_prefix_runs {
    const codes<K> codec;
    K *const keys;
    uint32_t *const marks; /* a bit for each key */
    const uint32_t count, cut_bits;

    /* `memory`: for marks, which nobody needs meanwhile. */
    __device__ __forceinline__ msd_prefix_runs(const lsd_arguments &a, void *memory)
        : codec(a.codec), keys((K *)msd_sorted_keys(a)), marks((uint32_t *)memory),
          count((uint32_t)a.count), cut_bits(8 * a.control->cut)
    {
    }

    __device__ __forceinline__ uint32_t rows() const
    {
        return (count + 31) / 32;
    }

    static __device__ __forceinline__ uint32_t first_row()
    {
        return (blockIdx.x * blockDim.x + threadIdx.x) / 32;
    }

    static __device__ __forceinline__ uint32_t row_step()
    {
        return gridDim.x * blockDim.x / 32;
    }

    /* The last, for those behind it. */
    __device__ __forceinline__ K code_at(uint32_t i) const
    {
        return codec.encode(keys[min(i, count - 1)]);
    }

    __device__ __forceinline__ bool same_prefix(K one, K other) const
    {
        return (K)(one ^ other) >> cut_bits == 0;
    }

    __device__ __forceinline__ bool are_together(K code, uint32_t other) const
    {
        return other < count && same_prefix(code, code_at(other));
    }

    /* The first key of the run in which the key number `from` is, which is `code`, or has its
     * prefix. */
    __device__ __forceinline__ uint32_t begin_of(K code, uint32_t from) const
    {
        uint32_t within = from, step = 1;
        while (within >= step && are_together(code, within - step)) {
            within -= step;
            step *= 2;
        }
        uint32_t outside = within >= step ? within - step : 0;
        if (within < step && are_together(code, 0))
            return 0;
        while (within - outside > 1) {
            const uint32_t middle = outside + (within - outside) / 2;
            (are_together(code, middle) ? within : outside) = middle;
        }
        return within;
    }

    /* Behind the last key of the run. */
    __device__ __forceinline__ uint32_t end_of(K code, uint32_t from) const
    {
        uint32_t within = from, step = 1;
        while (step < count - within && are_together(code, within + step)) {
            within += step;
            step *= 2;
        }
        uint32_t outside = step < count - within ? within + step : count;
        while (outside - within > 1) {
            const uint32_t middle = within + (outside - within) / 2;
            (are_together(code, middle) ? within : outside) = middle;
        }
        return outside;
    }

    /* Marks the run of a key that is lower than the one before it, which is of the run, unless
     * another such key stands close before it. */
    __device__ __forceinline__ void mark_run(K code, uint32_t at) const
    {
        uint32_t first = at - 1;
        K here = code_at(first);
        for (unsigned i = 0; i < MSD_STEPS_BACK; i++) {
            if (first == 0)
                break;
            const K before = code_at(first - 1);
            if (!same_prefix(code, before))
                break;
            if (before > here)
                return;
            here = before;
            first--;
        }
        first = begin_of(code, first);
        atomicOr(&marks[first / 32], 1u << first % 32);
    }

    __device__ __forceinline__ void clear_marks() const
    {
        const uint32_t stride = gridDim.x * blockDim.x;
        for (uint32_t i = blockIdx.x * blockDim.x + threadIdx.x; i < rows(); i += stride)
            marks[i] = 0;
    }

    /* By all warps of the grid. */
    __device__ __forceinline__ void mark() const
    {
        constexpr unsigned batch = 4;
        for (uint32_t row = first_row(); row < rows(); row += batch * row_step()) {
            K code[batch], before[batch];
#pragma unroll
            for (unsigned i = 0; i < batch; i++) {
                const uint32_t at = (row + i * row_step()) * 32 + threadIdx.x % 32;
                code[i] = code_at(at);
                before[i] = code_at(at > 0 && at < count ? at - 1 : at);
            }
#pragma unroll
            for (unsigned i = 0; i < batch; i++)
                if (before[i] > code[i] && same_prefix(before[i], code[i]))
                    mark_run(code[i], (row + i * row_step()) * 32 + threadIdx.x % 32);
        }
    }

    /* By a lane: whether the run has so many keys at most, and it has sorted them. */
    template <unsigned Most> __device__ __forceinline__ bool sort_short(uint32_t first) const
    {
        K code[Most];
        uint32_t length = 0;
#pragma unroll
        for (unsigned i = 0; i < Most; i++)
            code[i] = code_at(first + i);
        if (are_together(code[0], first + Most))
            return false;
#pragma unroll
        for (unsigned i = 0; i < Most; i++) {
            const bool own = first + i < count && same_prefix(code[0], code[i]);
            length += own;
            code[i] = own ? code[i] : (K) ~(K)0;
        }
#pragma unroll
        for (unsigned round = 0; round < Most; round++)
#pragma unroll
            for (unsigned i = round % 2; i + 1 < Most; i += 2) {
                const K low = code_lower(code[i], code[i + 1]);
                code[i + 1] = code_higher(code[i], code[i + 1]);
                code[i] = low;
            }
#pragma unroll
        for (unsigned i = 0; i < Most; i++)
            if (i < length)
                keys[first + i] = codec.decode(code[i]);
        return true;
    }

    /* By a warp: whether the run is so short that it has sorted it. Each key counts those that
     * belong before it. */
    __device__ __forceinline__ bool sort_run(uint32_t first) const
    {
        constexpr unsigned items = msd_run_items<K>;
        const unsigned lane = threadIdx.x % 32;
        K code[items];
        uint32_t rank[items], length = 0;
        const K one = code_at(first);
#pragma unroll
        for (unsigned i = 0; i < items; i++) {
            const uint32_t at = first + 32 * i + lane;
            code[i] = code_at(at);
            length += (uint32_t)__popc(__ballot_sync(0xffffffffu, are_together(one, at)));
            rank[i] = 0;
        }
        if (length == 32 * items && are_together(one, first + length))
            return false;
#pragma unroll 4
        for (uint32_t other = 0; other < length; other++) {
            const K others = code_at(first + other);
#pragma unroll
            for (unsigned i = 0; i < items; i++)
                rank[i] += others < code[i] || (others == code[i] && other < 32 * i + lane);
        }
        __syncwarp();
#pragma unroll
        for (unsigned i = 0; i < items; i++)
            if (32 * i + lane < length)
                keys[first + rank[i]] = codec.decode(code[i]);
        return true;
    }

    /* By a warp: runs, of which a lane knows where one begins, or none. */
    template <typename OnLong>
    __device__ __forceinline__ void sort_runs(bool owner, uint32_t first,
                                              const OnLong &on_long) const
    {
        owner = owner && !sort_short<msd_lane_run<K> / 2>(first);
        if (!__any_sync(0xffffffffu, owner))
            return;
        uint32_t longer = __ballot_sync(0xffffffffu, owner && !sort_short<msd_lane_run<K>>(first));
        for (; longer; longer &= longer - 1) {
            const uint32_t begin = __shfl_sync(0xffffffffu, first, __ffs((int)longer) - 1);
            if (!sort_run(begin))
                on_long(begin);
        }
    }

    /* By all warps of the grid, behind marks. A warp lists those of 32 rows in its shared memory,
     * so that as many lanes as can have one. `on_long` is told by a warp where one of the runs
     * begins that are too long for it. */
    template <typename OnLong>
    __device__ __forceinline__ void sort(msd_marked_runs &list, const OnLong &on_long) const
    {
        const unsigned lane = threadIdx.x % 32;
        uint16_t *const listed = list.place[threadIdx.x / 32];
        for (uint32_t begin = first_row() * 32; begin < rows(); begin += row_step() * 32) {
            uint32_t marked = begin + lane < rows() ? load_relaxed(&marks[begin + lane]) : 0;
            const uint32_t inclusive = warp_inclusive_sum((uint32_t)__popc(marked));
            const uint32_t all = __shfl_sync(0xffffffffu, inclusive, 31);
            uint32_t at = inclusive - (uint32_t)__popc(marked);
            for (; marked; marked &= marked - 1)
                listed[at++] = (uint16_t)(lane * 32 + (uint32_t)__ffs((int)marked) - 1);
            __syncwarp();
            for (uint32_t i = 0; i < all; i += 32)
                sort_runs(i + lane < all, begin * 32 + listed[min(i + lane, all - 1)], on_long);
            __syncwarp();
        }
    }
};

/* By all blocks: runs are marked. */
template <typename K>
static __device__ __forceinline__ void msd_mark_runs(const msd_prefix_runs<K> &runs,
                                                     uint32_t *arrivals)
{
    runs.clear_marks();
    grid_barrier(arrivals);
    runs.mark();
    grid_barrier(arrivals);
}

/* The number of the buffer that is free when the result is in `a.out`. */
static __device__ __forceinline__ uint32_t msd_free_buffer(const msd_arguments &a)
{
    return a.buffers[0] == a.out;
}

/* By a warp: a run becomes a leaf, or a segment that levels split. */
template <typename K>
static __device__ __forceinline__ void msd_file_run(const msd_arguments &a,
                                                    const msd_prefix_runs<K> &runs, uint32_t first)
{
    const K code = runs.code_at(first), below = msd_ones<K>(runs.cut_bits);
    const uint32_t keys = runs.end_of(code, first) - first;
    __syncwarp();
    if (threadIdx.x % 32 > 0)
        return;
    store_relaxed(&a.control->long_runs, 1u);
    if (keys > a.large_leaf)
        store_relaxed(&a.control->octaves, 1u);
    msd_file<K>(a, first, keys, msd_free_buffer(a), (K)(code & (K)~below), (K)(code | below));
}

/* Keys from `begin` on, by threads `rank` of so many, as codes to where leaves find them. */
template <typename K>
static __device__ __forceinline__ void msd_encode_run(const msd_arguments &a, uint32_t begin,
                                                      uint32_t count, uint32_t rank,
                                                      uint32_t threads)
{
    const codes<K> codec(a.codec);
    K *const to = (K *)a.buffers[msd_free_buffer(a)];
    for (uint32_t i = rank; i < count; i += threads)
        to[begin + i] = codec.encode(((const K *)a.out)[begin + i]);
}

/* By all blocks: a block brings each long run that is a leaf, all of them together others. */
template <typename K>
static __device__ __forceinline__ void msd_fetch_long_runs(const msd_arguments &a)
{
    const msd_control &control = *a.control;
    const uint32_t small = control.small_leaves, leaves = small + control.large_leaves;
    for (uint32_t i = blockIdx.x; i < leaves; i += gridDim.x) {
        const msd_leaf leaf = i < small ? a.leaves[i] : msd_large_leaf(a, i - small);
        msd_encode_run<K>(a, leaf.begin, leaf.count_and_buffer & 0x7fffffff, threadIdx.x,
                          blockDim.x);
    }
    for (uint32_t i = control.queue_head; i < control.queue_tail; i++) {
        const msd_segment<K> segment = ((const msd_segment<K> *)a.queue)[i % a.queue_capacity];
        msd_encode_run<K>(a, segment.begin, segment.count, blockIdx.x * blockDim.x + threadIdx.x,
                          gridDim.x * blockDim.x);
    }
}

/* By all blocks, when all passes are over: sorts runs, or lists them for leaves and levels, as it
 * says then by MSD_LISTED. In a double buffer the result may be where the input was: then it is
 * brought to the output. Not inlined, for the sake of what splits segments. */
template <typename K>
__attribute__((noinline)) static __device__ void msd_finish_runs(const msd_arguments &a,
                                                                 const lsd_arguments &passes)
{
    SHARED_DYNAMIC(list, msd_marked_runs);
    uint32_t *arrivals = &a.control->arrivals;
    void *const sorted = msd_sorted_keys(passes);
    const msd_prefix_runs<K> runs(passes, a.buffers[sorted == a.buffers[0]]);
    msd_mark_runs(runs, arrivals);
    runs.sort(*list, [&](uint32_t first) { msd_file_run(a, runs, first); });
    grid_barrier(arrivals);
    if (!load_relaxed(&a.control->long_runs))
        return;
    if (sorted != a.out) {
        lsd_copy<1>(sorted, a.out, a.count * sizeof(K));
        grid_barrier(arrivals);
    }
    msd_fetch_long_runs<K>(a);
    if (blockIdx.x == 0 && threadIdx.x == 0)
        a.control->mode = MSD_LISTED;
    grid_barrier(arrivals);
}

#endif
