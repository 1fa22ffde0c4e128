/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From the histogram to the first partition: where cells begin; whether digits of the code make
 * even buckets; if not, which ranges of cells do.
 */
#ifndef CONSORT_MSD_PLAN_CUH
#define CONSORT_MSD_PLAN_CUH

#include "cuda/device/block_scan.cuh"
#include "cuda/device/flag.cuh"
#include "cuda/sorts/msd/msd_counted.cuh"

template <typename K> struct msd_plan_storage {
    code_range<K> ranges[MSD_PLAN_THREADS / 32];
    uint32_t warp_sums[MSD_PLAN_THREADS / 32];
    uint32_t heavy, buckets, is_last;
    uint32_t first_unit[MSD_DIGITS + 1];
    uint32_t warp_tiles[8];
};

/* A block scans the cells of one at a time. */
static __device__ __forceinline__ uint32_t msd_stretches(uint32_t bits)
{
    return ((1u << bits) + MSD_PLAN_THREADS - 1) / MSD_PLAN_THREADS;
}

/* The sum of `value` over all lower threads of the block. Holds two barriers. */
static __device__ __forceinline__ uint32_t msd_block_exclusive_sum(uint32_t value,
                                                                   uint32_t *warp_sums)
{
    const uint32_t inclusive = warp_inclusive_sum(value);
    __syncthreads();
    if (threadIdx.x % 32 == 31)
        warp_sums[threadIdx.x / 32] = inclusive;
    __syncthreads();
    uint32_t before = 0;
    for (unsigned warp = 0; warp < threadIdx.x / 32; warp++)
        before += warp_sums[warp];
    return before + inclusive - value;
}

/* Of the lanes that call it together, those with a cell too large for a small leaf list it. */
static __device__ __forceinline__ void msd_note_cell(const msd_arguments &a, uint32_t cell,
                                                     uint32_t count)
{
    msd_control *control = a.control;
    const uint32_t lanes = __ballot_sync(0xffffffffu, count > a.small_leaf);
    if (lanes == 0)
        return;
    const uint32_t excess = warp_inclusive_sum(count > a.large_leaf ? count : 0);
    uint32_t first = 0;
    if (threadIdx.x % 32 == 31) {
        first = atomicAdd(&control->larger_cells, (uint32_t)__popc(lanes));
        if (excess)
            atomicAdd(&control->excess, excess);
    }
    first = __shfl_sync(0xffffffffu, first, 31);
    if (count > a.small_leaf)
        msd_cell_list(a)[first + __popc(lanes & lanemask_lt())] = cell;
}

/* Keys of lower stretches of cells, as soon as their blocks have told. */
static __device__ __forceinline__ uint32_t msd_keys_before(const msd_arguments &a, uint32_t stretch,
                                                           uint32_t *warp_sums)
{
    uint32_t told = 1, all;
    if (threadIdx.x < stretch)
        while ((told = flag_poll(&a.control->stretch_keys[threadIdx.x])) == 0)
            spin_pause(32);
    block_exclusive_sum<MSD_PLAN_THREADS / 32>(told - 1, warp_sums, &all);
    return all;
}

/* By all blocks: counts of cells become places. A block takes a stretch of cells, one a thread, and
 * tells the others how many keys they have. */
static __device__ __forceinline__ void msd_scan_cells(const msd_arguments &a, uint32_t *cells,
                                                      uint32_t bits, uint32_t *warp_sums)
{
    for (uint32_t stretch = blockIdx.x; stretch < msd_stretches(bits); stretch += gridDim.x) {
        const uint32_t cell = stretch * MSD_PLAN_THREADS + threadIdx.x;
        const uint32_t count = cell < 1u << bits ? cells[cell] : 0;
        uint32_t keys;
        const uint32_t before = block_exclusive_sum<MSD_PLAN_THREADS / 32>(count, warp_sums, &keys);
        if (threadIdx.x == 0)
            flag_publish(&a.control->stretch_keys[stretch], keys + 1);
        if (cells == a.cells)
            msd_note_cell(a, cell, count);
        const uint32_t lower = msd_keys_before(a, stretch, warp_sums);
        if (cell < 1u << bits)
            cells[cell] = lower + before;
    }
}

static __device__ __forceinline__ uint32_t msd_cell_begin(const msd_arguments &a, uint32_t cell)
{
    return cell < 1u << a.cell_bits ? a.cells[cell] : (uint32_t)a.count;
}

/* Buckets by the top digit of cell numbers, and the tiles of the second partition. Cells too large
 * for the small leaves are filed; the others the leaf kernel finds by their numbers. */
template <typename K>
static __device__ __forceinline__ void
msd_plan_direct(const msd_arguments &a, const code_range<K> &range, msd_plan_storage<K> &s)
{
    const uint32_t second_bits = a.second_bits;
    uint32_t begin = 0, tiles = 0;
    if (threadIdx.x < MSD_DIGITS) {
        begin = msd_cell_begin(a, threadIdx.x << second_bits);
        const uint32_t count = msd_cell_begin(a, (threadIdx.x + 1) << second_bits) - begin;
        tiles = (count + a.tile_keys - 1) / a.tile_keys;
        a.control->bucket_begin[threadIdx.x] = begin;
        a.control->bucket_cursor[threadIdx.x] = begin;
    }
    const uint32_t first_tile = block_exclusive_sum_256(tiles, s.warp_tiles);
    if (threadIdx.x < MSD_DIGITS)
        a.control->bucket_tile[threadIdx.x] = first_tile;
    if (threadIdx.x == MSD_DIGITS - 1) {
        a.control->bucket_begin[MSD_DIGITS] = (uint32_t)a.count;
        a.control->bucket_tile[MSD_DIGITS] = first_tile + tiles;
    }
    const uint32_t buffer = second_bits > 0;
    const msd_cell_codes<K> codes(a);
    for (uint32_t i = threadIdx.x; i < a.control->larger_cells; i += MSD_PLAN_THREADS) {
        const uint32_t cell = msd_cell_list(a)[i], first = msd_cell_begin(a, cell);
        const code_range<K> own = codes.of(cell);
        msd_file(a, first, msd_cell_begin(a, cell + 1) - first, buffer,
                 code_higher(own.low, range.low), code_lower(own.high, range.high));
    }
}

/* By one block: cells stay ranges of numbers. If some are beyond all cells, nothing is known of how
 * far the first and the last reach. */
template <typename K>
static __device__ __forceinline__ void msd_open_ends(const msd_arguments &a, uint32_t excess)
{
    if (threadIdx.x == 0) {
        const uint32_t cells = 1u << a.cell_bits;
        a.control->mode = MSD_VALUED;
        a.control->halved = a.halves && excess == 0;
        if (a.control->outside) {
            ((K *)a.bounds)[0] = ((K *)a.bounds)[cells] = 0;
            a.control->whole[0] = a.control->whole[(cells - 1) >> a.second_bits] = 1;
        }
    }
    __syncthreads();
}

/* Units of the table: ranges of cells. */
struct msd_units {
    const msd_arguments &a;
    uint32_t coarser, count, each;

    __device__ __forceinline__ explicit msd_units(const msd_arguments &arguments)
        : a(arguments),
          coarser(arguments.cell_bits > MSD_TABLE_BITS ? arguments.cell_bits - MSD_TABLE_BITS : 0),
          count(1u << (arguments.cell_bits - coarser)),
          each(count > MSD_PLAN_THREADS ? count / MSD_PLAN_THREADS : 1)
    {
    }

    __device__ __forceinline__ uint32_t begin(uint32_t unit) const
    {
        return msd_cell_begin(a, unit << coarser);
    }
};

/*
 * Buckets of about equal size: units whose places fall into one window of `window` keys make a
 * bucket; one that holds more than a 64th of all keys is a bucket alone. With h of those and
 * 255 - 2h windows there are at most 256 buckets.
 */
struct msd_grouping {
    uint32_t heavy, window;

    __device__ __forceinline__ bool starts(const msd_units &units, uint32_t unit) const
    {
        if (unit == 0)
            return true;
        const uint32_t before = units.begin(unit - 1), begin = units.begin(unit);
        const uint32_t end = units.begin(unit + 1);
        return end - begin > heavy || begin - before > heavy || begin / window != before / window;
    }
};

/* Fills the table and notes each bucket's first unit; returns how many buckets there are. */
template <typename K>
static __device__ __forceinline__ uint32_t msd_group_units(const msd_arguments &a,
                                                           const msd_units &units,
                                                           msd_plan_storage<K> &s)
{
    const uint32_t first = threadIdx.x * units.each;
    const uint32_t last = first < units.count ? first + units.each : first;
    msd_grouping grouping = {(uint32_t)(a.count / 64), 0};
    uint32_t heavy = 0, starts = 0;
    for (uint32_t unit = first; unit < last; unit++)
        heavy += units.begin(unit + 1) - units.begin(unit) > grouping.heavy;
    if (heavy)
        atomicAdd(&s.heavy, heavy);
    __syncthreads();
    const uint32_t windows = MSD_DIGITS - 1 - 2 * s.heavy;
    grouping.window = (uint32_t)((a.count + windows - 1) / windows);
    for (uint32_t unit = first; unit < last; unit++)
        starts += grouping.starts(units, unit);
    uint32_t bucket = msd_block_exclusive_sum(starts, s.warp_sums);
    if (threadIdx.x == MSD_PLAN_THREADS - 1)
        s.buckets = bucket + starts;
    for (uint32_t unit = first; unit < last; unit++) {
        if (grouping.starts(units, unit))
            s.first_unit[bucket++] = unit;
        msd_table(a)[msd_table_entry(unit, a.salt)] = (unsigned char)(bucket - 1);
    }
    __syncthreads();
    return s.buckets;
}

template <typename K>
static __device__ __forceinline__ void
msd_plan_table(const msd_arguments &a, const code_range<K> &range, msd_plan_storage<K> &s)
{
    const msd_units units(a);
    const uint32_t buckets = msd_group_units(a, units, s), bucket = threadIdx.x;
    if (bucket >= buckets)
        return;
    const msd_linear_digit<K> cell_of = msd_cell_of<K>(a);
    const uint32_t shift = cell_of.shift + units.coarser;
    const uint32_t unit = s.first_unit[bucket];
    const uint32_t next = bucket + 1 < buckets ? s.first_unit[bucket + 1] : units.count;
    const uint32_t begin = units.begin(unit), count = units.begin(next) - begin;
    const K low = bucket == 0 ? range.low : (K)(cell_of.base + (K)((K)unit << shift));
    const K high =
        bucket + 1 == buckets ? range.high : (K)(cell_of.base + (K)((K)next << shift) - 1);
    a.control->bucket_cursor[bucket] = begin;
    msd_file(a, begin, count, 0, code_higher(low, range.low), code_lower(high, range.high));
}

/* By one block, when counts have become places. */
template <typename K>
static __device__ __forceinline__ void msd_choose_mode(const msd_arguments &a, bool counted,
                                                       msd_plan_storage<K> &s)
{
    msd_control *control = a.control;
    if (threadIdx.x == 0)
        s.heavy = 0;
    const code_range<K> range =
        msd_range_of_blocks<K, MSD_PLAN_THREADS>(a, 0, a.histogram_blocks, s.ranges);
    const msd_linear_digit<K> cell_of = msd_cell_of<K>(a);
    const K widest = msd_ones<K>(cell_of.shift + a.cell_bits);
    if (range.low == range.high) {
        if (threadIdx.x == 0)
            control->mode = MSD_EQUAL;
        return;
    }
    if (counted) {
        if (threadIdx.x == 0) {
            uint32_t keys = (uint32_t)a.count;
            for (uint32_t i = 0; i < control->strays; i++)
                keys -= control->found[i].keys;
            a.singles[1u << msd_single_bits(a)] = keys;
            control->mode = MSD_COUNTED;
        }
        __syncthreads();
        msd_place_strays<K>(a);
        return;
    }
    if (control->valued && control->strays == 0) {
        msd_open_ends<K>(a, control->excess);
        msd_plan_direct(a, range, s);
        return;
    }
    const uint32_t excess = control->excess;
    const bool inside = range.low >= cell_of.base && (K)(range.high - cell_of.base) <= widest;
    const bool crowded = a.count >> a.cell_bits > max(a.large_leaf / 2, a.small_leaf);
    const bool direct = inside && (crowded || excess <= a.count / 8);
    if (threadIdx.x == 0) {
        control->mode = direct ? MSD_DIRECT : MSD_TABLED;
        control->halved = direct && a.halves && excess == 0 && a.second_bits > 0 &&
                          cell_of.shift <= MSD_HALF_BITS;
    }
    if (direct)
        msd_plan_direct(a, range, s);
    else
        msd_plan_table(a, range, s);
}

/* By all blocks; the last one to come through the cells does what is left. */
template <typename K>
static __device__ __forceinline__ void msd_plan(const msd_arguments &a, msd_plan_storage<K> &s)
{
    const bool counted = a.control->counted && a.control->strays <= MSD_STRAYS;
    const uint32_t bits = counted ? msd_single_bits(a) : a.cell_bits;
    const uint32_t blocks = min(msd_stretches(bits), gridDim.x);
    if (blockIdx.x >= blocks)
        return;
    msd_scan_cells(a, counted ? a.singles : a.cells, bits, s.warp_sums);
    __syncthreads();
    if (threadIdx.x == 0)
        s.is_last = atomic_add_acq_rel(&a.control->planned, 1u) == blocks - 1;
    __syncthreads();
    if (s.is_last)
        msd_choose_mode<K>(a, counted, s);
}

#endif
