/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From the histogram to the first partition, by one block: where cells begin; whether digits of the
 * code make even buckets; if not, which ranges of cells do.
 */
#ifndef CONSORT_MSD_PLAN_CUH
#define CONSORT_MSD_PLAN_CUH

#include "cuda/device/block_scan.cuh"
#include "cuda/sorts/msd/msd_counted.cuh"

template <typename K> struct msd_plan_storage {
    code_range<K> ranges[MSD_PLAN_THREADS / 32];
    uint32_t warp_sums[MSD_PLAN_THREADS / 32];
    uint32_t excess, heavy, buckets;
    uint32_t first_unit[MSD_DIGITS + 1];
    uint32_t warp_tiles[8];
};

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

/* Counts of cells become places. Every warp owns a stretch of cells and goes over it twice, all
 * lanes on neighbouring cells. Sums up the keys of cells that are too large for a leaf. */
static __device__ __forceinline__ void msd_scan_cells(const msd_arguments &a, uint32_t *all,
                                                      uint32_t bits, uint32_t *warp_sums,
                                                      uint32_t *excess)
{
    constexpr unsigned warps = MSD_PLAN_THREADS / 32, batch = 8;
    const unsigned each = (1u << bits) / warps;
    const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    uint32_t *cells = all + warp * each;
    uint32_t sum = 0, too_many = 0;
#pragma unroll batch
    for (unsigned cell = lane; cell < each; cell += 32) {
        const uint32_t count = cells[cell];
        sum += count;
        too_many += count > a.large_leaf ? count : 0;
    }
    const uint32_t inclusive = warp_inclusive_sum(sum);
    const uint32_t all_too_many = warp_inclusive_sum(too_many);
    if (lane == 31) {
        warp_sums[warp] = inclusive;
        atomicAdd(excess, all_too_many);
    }
    __syncthreads();
    uint32_t before = 0;
    for (unsigned other = 0; other < warp; other++)
        before += warp_sums[other];
    for (unsigned first = 0; first < each; first += 32 * batch) {
        uint32_t count[batch];
#pragma unroll
        for (unsigned i = 0; i < batch; i++) {
            const unsigned cell = first + i * 32 + lane;
            count[i] = cell < each ? cells[cell] : 0;
        }
#pragma unroll
        for (unsigned i = 0; i < batch; i++) {
            const unsigned cell = first + i * 32 + lane;
            const uint32_t end = before + warp_inclusive_sum(count[i]);
            if (cell < each)
                cells[cell] = end - count[i];
            before = __shfl_sync(0xffffffffu, end, 31);
        }
    }
    __syncthreads();
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
    constexpr unsigned batch = 8;
    const uint32_t second_bits = msd_second_bits(a);
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
    const uint32_t cells = 1u << a.cell_bits, buffer = second_bits > 0;
    const msd_cell_codes<K> codes(a);
    for (uint32_t next = threadIdx.x; next < cells; next += batch * MSD_PLAN_THREADS) {
        uint32_t first[batch], keys[batch];
#pragma unroll
        for (unsigned i = 0; i < batch; i++) {
            const uint32_t cell = next + i * MSD_PLAN_THREADS;
            first[i] = msd_cell_begin(a, cell);
            keys[i] = msd_cell_begin(a, cell + 1) - first[i];
        }
#pragma unroll
        for (unsigned i = 0; i < batch; i++) {
            if (keys[i] <= a.small_leaf)
                continue;
            const code_range<K> own = codes.of(next + i * MSD_PLAN_THREADS);
            msd_file(a, first[i], keys[i], buffer, code_higher(own.low, range.low),
                     code_lower(own.high, range.high));
        }
    }
}

/* By one block: cells stay ranges of numbers. If some are beyond all cells, nothing is known of how
 * far the first and the last reach. */
template <typename K> static __device__ __forceinline__ void msd_open_ends(const msd_arguments &a)
{
    if (threadIdx.x == 0) {
        a.control->mode = MSD_VALUED;
        if (a.control->outside)
            ((K *)a.bounds)[0] = ((K *)a.bounds)[1u << a.cell_bits] = 0;
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
        a.control->table[unit] = (unsigned char)(bucket - 1);
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

template <typename K>
static __device__ __forceinline__ void msd_plan(const msd_arguments &a, msd_plan_storage<K> &s)
{
    if (threadIdx.x == 0)
        s.excess = s.heavy = 0;
    const code_range<K> range =
        msd_range_of_blocks<K, MSD_PLAN_THREADS>(a, a.histogram_blocks, s.ranges);
    const msd_linear_digit<K> cell_of = msd_cell_of<K>(a);
    const K widest = msd_ones<K>(cell_of.shift + a.cell_bits);
    if (range.low == range.high) {
        if (threadIdx.x == 0)
            a.control->mode = MSD_EQUAL;
        return;
    }
    if (a.control->counted && a.control->strays <= MSD_STRAYS) {
        msd_scan_cells(a, a.singles, a.counted_bits, s.warp_sums, &s.excess);
        if (threadIdx.x == 0) {
            a.singles[1u << a.counted_bits] = (uint32_t)a.count - a.control->strays;
            a.control->mode = MSD_COUNTED;
        }
        __syncthreads();
        msd_place_strays<K>(a);
        return;
    }
    msd_scan_cells(a, a.cells, a.cell_bits, s.warp_sums, &s.excess);
    if (a.control->valued && a.control->strays == 0) {
        msd_open_ends<K>(a);
        msd_plan_direct(a, range, s);
        return;
    }
    const bool inside = range.low >= cell_of.base && (K)(range.high - cell_of.base) <= widest;
    const bool crowded = a.count >> a.cell_bits > a.large_leaf / 2;
    const bool direct = inside && (crowded || s.excess <= a.count / 8);
    if (threadIdx.x == 0) {
        a.control->mode = direct ? MSD_DIRECT : MSD_TABLED;
        a.control->halved = direct && a.halves && s.excess == 0 && msd_second_bits(a) > 0 &&
                            cell_of.shift <= MSD_HALF_BITS;
    }
    if (direct)
        msd_plan_direct(a, range, s);
    else
        msd_plan_table(a, range, s);
}

#endif
