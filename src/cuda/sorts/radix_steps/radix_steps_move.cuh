/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Moving: straight to the places that the scan gives, as in figure 13.4 of the textbook, or through
 * shared memory, where the tile is sorted first so that neighbours are written by neighbours.
 */
#ifndef CONSORT_RADIX_STEPS_MOVE_CUH
#define CONSORT_RADIX_STEPS_MOVE_CUH

#include "cuda/sorts/radix_steps/radix_steps_split.cuh"

/*
 * One key a thread: a zero goes to its index less the ones before it, a one behind all zeros.
 * OneLaunch: the scan over the tiles happens here; all ones were counted before the first pass.
 *
 * Functions with shared variables are not static here: nvcc would name these by the path of the
 * source, and images would differ from folder to folder.
 */
template <typename K, typename I, bool OneLaunch>
__device__ __forceinline__ void radix_steps_direct(const radix_steps_pass &p)
{
    SHARED(ticket, uint32_t);
    SHARED(warp_sums, uint32_t[32]);
    SHARED(before, uint64_t);
    const item_array<K, I> from{(K *)p.from.codes, (I *)p.from.indices};
    const item_array<K, I> to{(K *)p.to.codes, (I *)p.to.indices};
    const uint64_t tile = OneLaunch ? radix_steps_ticket(p, &ticket) : blockIdx.x;
    const uint64_t at = tile * blockDim.x + threadIdx.x, count = p.from.count;
    item<K, I> mine = {};
    if (at < count)
        mine = from.load(at);
    radix_steps_ones<1> ones;
    ones.set(0, at < count && radix_steps_digit(p, mine.code) != 0);
    ones.scan(warp_sums);
    if (OneLaunch && threadIdx.x < 32) {
        const uint64_t sum = radix_steps_chain(p).look_back(tile, ones.total);
        if (threadIdx.x == 0)
            before = sum;
    } else if (!OneLaunch && threadIdx.x == 0) {
        before = radix_steps_before(p, 0, tile);
    }
    __syncthreads();
    const uint64_t all = OneLaunch ? p.control->ones[p.shift] : radix_steps_total(p);
    const uint64_t ones_before = before + ones.next(0);
    if (at < count)
        to.store(ones.bit(0) ? count - all + ones_before : at - ones_before, mine);
}

/* A tile of Rows keys a thread in shared memory: the items as they came, and for each place of the
 * sorted tile a word: digit << 16 | where the item lies. */
template <typename K, typename I, unsigned Rows> struct radix_steps_tile {
    const radix_steps_pass &p;
    item_array<K, I> items;
    uint32_t *words;
    uint32_t size, filled;
    uint64_t first;
    uint32_t word[Rows];

    __device__ __forceinline__ radix_steps_tile(const radix_steps_pass &pass, unsigned char *shared)
        : p(pass), size(blockDim.x * Rows), first((uint64_t)blockIdx.x * size)
    {
        const uint64_t left = p.from.count - first;
        filled = left < size ? (uint32_t)left : size;
        items.codes = (K *)shared;
        words = (uint32_t *)(shared + size * sizeof(K));
        items.indices = (I *)(words + size);
    }

    /* What is not there has the last digit and the last places: it stays behind. */
    __device__ __forceinline__ void load()
    {
        const item_array<K, I> from{(K *)p.from.codes, (I *)p.from.indices};
#pragma unroll
        for (unsigned i = 0; i < Rows; i++) {
            const uint32_t place = radix_steps_place<Rows>(i);
            uint32_t digit = (1u << p.bits) - 1;
            if (place < filled) {
                const item<K, I> mine = from.load(first + place);
                items.store(place, mine);
                digit = radix_steps_digit(p, mine.code);
            }
            word[i] = digit << 16 | place;
        }
    }

    /* One bit, the lowest first: zeros before ones, each in their order. */
    __device__ __forceinline__ void split(uint32_t bit, uint32_t *warp_sums)
    {
        radix_steps_ones<Rows> ones;
#pragma unroll
        for (unsigned i = 0; i < Rows; i++)
            ones.set(i, word[i] >> (16 + bit) & 1);
        ones.scan(warp_sums);
#pragma unroll
        for (unsigned i = 0; i < Rows; i++) {
            const uint32_t before = ones.next(i);
            const uint32_t place = radix_steps_place<Rows>(i);
            words[ones.bit(i) ? size - ones.total + before : place - before] = word[i];
        }
        __syncthreads();
#pragma unroll
        for (unsigned i = 0; i < Rows; i++)
            word[i] = words[radix_steps_place<Rows>(i)];
    }

    /* For each digit of the tile, where its keys go less where they lie in the tile. */
    __device__ __forceinline__ void find_targets(uint64_t *target) const
    {
#pragma unroll
        for (unsigned i = 0; i < Rows; i++) {
            const uint32_t place = radix_steps_place<Rows>(i), digit = word[i] >> 16;
            if (place < filled && (place == 0 || words[place - 1] >> 16 != digit))
                target[digit] = radix_steps_before(p, digit, blockIdx.x) - place;
        }
    }

    __device__ __forceinline__ void store(const uint64_t *target) const
    {
        const item_array<K, I> to{(K *)p.to.codes, (I *)p.to.indices};
#pragma unroll
        for (unsigned i = 0; i < Rows; i++) {
            const uint32_t place = radix_steps_place<Rows>(i);
            if (place < filled)
                to.store(target[word[i] >> 16] + place, items.load(word[i] & 0xffff));
        }
    }
};

template <typename K, typename I, unsigned Rows>
__device__ __forceinline__ void radix_steps_sorted(const radix_steps_pass &p, unsigned char *shared)
{
    SHARED(warp_sums, uint32_t[32]);
    SHARED(target, uint64_t[1 << RADIX_STEPS_MOST_BITS]);
    radix_steps_tile<K, I, Rows> tile(p, shared);
    tile.load();
    for (uint32_t bit = 0; bit < p.bits; bit++)
        tile.split(bit, warp_sums);
    tile.find_targets(target);
    __syncthreads();
    tile.store(target);
}

#endif
