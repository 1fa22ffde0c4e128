/* SPDX-License-Identifier: Apache-2.0 */
/* The kernels of `msd`, one set for each key width; the host side is msd.c. */
#include "cuda/device/early_launch.cuh"
#include "cuda/sorts/msd/msd_front.cuh"
#include "cuda/sorts/msd/msd_groups.cuh"
#include "cuda/sorts/msd/msd_half_passes.cuh"
#include "cuda/sorts/msd/msd_halves.cuh"
#include "cuda/sorts/msd/msd_leaves.cuh"
#include "cuda/sorts/msd/msd_levels.cuh"
#include "cuda/sorts/msd/msd_middling.cuh"
#include "cuda/sorts/msd/msd_partition.cuh"
#include "cuda/sorts/msd/msd_short.cuh"
#include "cuda/sorts/msd/msd_tuning.h"
#include "cuda/sorts/msd/msd_uneven.cuh"
#include "cuda/sorts/msd/msd_worded.cuh"

template <unsigned Bits> struct msd_key;
template <> struct msd_key<32> {
    using type = uint32_t;
};
template <> struct msd_key<64> {
    using type = uint64_t;
};
template <> struct msd_key<128> {
    using type = uint128;
};

#define MSD_KERNELS(bits, threads, items, blocks, level_threads, level_items, level_blocks,        \
                    pass_items, small_threads, small_items, small_bins, small_blocks,              \
                    large_threads, large_items, large_bins, large_blocks)                          \
    using msd_key_##bits = msd_key<bits>::type;                                                    \
    using msd_front_shared_##bits = msd_front_storage<msd_key_##bits>;                             \
    using msd_first_shared_##bits = msd_first_storage<msd_key_##bits, threads, items>;             \
    using msd_second_shared_##bits =                                                               \
        msd_second_storage<msd_key_##bits, threads, items, msd_copies(items)>;                     \
    using msd_levels_shared_##bits =                                                               \
        msd_levels_storage<msd_key_##bits, level_threads, level_items>;                            \
    using msd_small_leaf_##bits =                                                                  \
        msd_small<msd_key_##bits, small_threads, small_items, small_bins>::leaf;                   \
    using msd_large_leaf_##bits =                                                                  \
        msd_local<msd_key_##bits, large_threads, large_items, large_bins>;                         \
    [[maybe_unused]] static constexpr unsigned msd_pass_items_##bits = pass_items;                 \
    using msd_whole_leaf_##bits =                                                                  \
        msd_local<msd_key_##bits, MSD_WHOLE_THREADS, MSD_WHOLE_LEAF_ITEMS, MSD_WHOLE_BIN_BITS>;    \
    using msd_whole_shared_##bits = msd_whole_storage<msd_key_##bits, MSD_WHOLE_THREADS,           \
                                                      MSD_WHOLE_ITEMS, msd_whole_leaf_##bits>;     \
    static_assert(sizeof(msd_whole_shared_##bits) <= msd_whole_bytes(bits / 8), "as asked for");   \
    static_assert(                                                                                 \
        sizeof(msd_front_shared_##bits) <= msd_front_bytes(bits / 8) &&                            \
            sizeof(msd_first_shared_##bits) <= msd_first_bytes(bits / 8, threads, items) &&        \
            sizeof(msd_second_shared_##bits) <= msd_second_bytes(bits / 8, threads, items) &&      \
            sizeof(msd_levels_shared_##bits) <=                                                    \
                msd_levels_bytes(bits / 8, level_threads, level_items) &&                          \
            sizeof(msd_small_leaf_##bits::storage) <=                                              \
                msd_small_bytes(bits / 8, small_threads, small_items, small_bins) &&               \
            sizeof(msd_large_leaf_##bits::storage) <=                                              \
                msd_leaf_bytes(bits / 8, large_threads, large_items, large_bins),                  \
        "the host asks for what the kernels need");                                                \
    static_assert(                                                                                 \
        bits / 8 > MSD_JOINED_KEY_BYTES ||                                                         \
            (threads == level_threads &&                                                           \
             sizeof(msd_levels_shared_##bits) <= msd_second_bytes(bits / 8, threads, items)),      \
        "levels in the launch of the second partition");                                           \
    KERNEL(msd_front_##bits, MSD_HISTOGRAM_THREADS)                                                \
    (const __grid_constant__ msd_arguments a, const __grid_constant__ lsd_arguments passes)        \
    {                                                                                              \
        SHARED_DYNAMIC(storage, msd_front_shared_##bits);                                          \
        msd_front<msd_key_##bits>(a, passes, *storage);                                            \
    }                                                                                              \
    KERNEL_EXPORT(msd_front_##bits);                                                               \
    KERNEL(msd_first_##bits, threads, blocks)                                                      \
    (const __grid_constant__ msd_arguments a, const __grid_constant__ lsd_arguments passes)        \
    {                                                                                              \
        SHARED_DYNAMIC(storage, msd_first_shared_##bits);                                          \
        msd_first_partition<msd_key_##bits, threads, items>(a, passes, *storage);                  \
    }                                                                                              \
    KERNEL_EXPORT(msd_first_##bits);                                                               \
    KERNEL(msd_second_##bits, threads, blocks)(const __grid_constant__ msd_arguments a)            \
    {                                                                                              \
        SHARED_DYNAMIC(storage, msd_second_shared_##bits);                                         \
        msd_second<false, msd_key_##bits, threads, items>(a, *storage);                            \
        if constexpr (bits / 8 <= MSD_JOINED_KEY_BYTES) {                                          \
            SHARED_DYNAMIC(levels, msd_levels_shared_##bits);                                      \
            msd_levels_behind(a, *levels);                                                         \
        }                                                                                          \
    }                                                                                              \
    KERNEL_EXPORT(msd_second_##bits);                                                              \
    KERNEL(msd_levels_##bits, level_threads, level_blocks)                                         \
    (const __grid_constant__ msd_arguments a)                                                      \
    {                                                                                              \
        SHARED_DYNAMIC(storage, msd_levels_shared_##bits);                                         \
        early_launch_wait();                                                                       \
        msd_roomy_levels<(bits >= 8 * MSD_OCTAVE_KEY_BYTES), true>(a, *storage);                   \
    }                                                                                              \
    KERNEL_EXPORT(msd_levels_##bits);                                                              \
    KERNEL(msd_small_##bits, small_threads, small_blocks)(const __grid_constant__ msd_arguments a) \
    {                                                                                              \
        SHARED_DYNAMIC(storage, msd_small_leaf_##bits::storage);                                   \
        msd_small_leaves<msd_key_##bits, msd_small_leaf_##bits>(a, *storage);                      \
    }                                                                                              \
    KERNEL_EXPORT(msd_small_##bits);                                                               \
    KERNEL(msd_large_##bits, large_threads, large_blocks)(const __grid_constant__ msd_arguments a) \
    {                                                                                              \
        SHARED_DYNAMIC(storage, msd_large_leaf_##bits::storage);                                   \
        early_launch_wait();                                                                       \
        msd_large_leaves<msd_key_##bits, msd_large_leaf_##bits>(a, *storage);                      \
    }                                                                                              \
    KERNEL_EXPORT(msd_large_##bits);                                                               \
    KERNEL(msd_alone_##bits, MSD_WHOLE_THREADS)(const __grid_constant__ msd_arguments a)           \
    {                                                                                              \
        SHARED_DYNAMIC(storage, msd_whole_leaf_##bits::storage);                                   \
        msd_alone<msd_key_##bits, msd_whole_leaf_##bits>(a, *storage);                             \
    }                                                                                              \
    KERNEL_EXPORT(msd_alone_##bits);                                                               \
    KERNEL(msd_whole_##bits, MSD_WHOLE_THREADS, 2)                                                 \
    (const __grid_constant__ msd_arguments a, const __grid_constant__ lsd_arguments passes)        \
    {                                                                                              \
        SHARED_DYNAMIC(storage, msd_whole_shared_##bits);                                          \
        msd_whole<msd_key_##bits, MSD_WHOLE_THREADS, MSD_WHOLE_ITEMS, msd_whole_leaf_##bits>(      \
            a, passes, *storage);                                                                  \
    }                                                                                              \
    KERNEL_EXPORT(msd_whole_##bits);

MSD_SHAPES(MSD_KERNELS)

#define MSD_PASSES_KERNEL(name, bits, threads, items, blocks, window)                              \
    using name##_shared = lsd_tile<msd_key_##bits, 0, threads, items>::storage;                    \
    static_assert(sizeof(name##_shared) == lsd_shared_bytes(bits / 8, 0, threads, items),          \
                  "the host asks for what the tile needs");                                        \
    KERNEL(name, threads, blocks)                                                                  \
    (const __grid_constant__ msd_arguments a, const __grid_constant__ lsd_arguments passes)        \
    {                                                                                              \
        SHARED_DYNAMIC(storage, name##_shared);                                                    \
        early_launch_wait();                                                                       \
        if (a.control->mode == MSD_PASSES)                                                         \
            msd_run_steps<msd_key_##bits, threads, items, window>(passes, 1, &a.control->arrivals, \
                                                                  *storage);                       \
    }                                                                                              \
    KERNEL_EXPORT(name);

MSD_PASSES_KERNEL(msd_passes_32, 32, MSD_PASS_THREADS, msd_pass_items_32, MSD_PASS_BLOCKS,
                  LSD_WINDOW)
MSD_PASSES_KERNEL(msd_passes_64, 64, MSD_PASS_THREADS, msd_pass_items_64, MSD_PASS_BLOCKS,
                  LSD_WINDOW)
MSD_PASSES_KERNEL(msd_long_passes_64, 64, MSD_LONG_PASS_THREADS, MSD_LONG_PASS_ITEMS,
                  MSD_LONG_PASS_BLOCKS, LSD_WINDOW)
MSD_PASSES_KERNEL(msd_middling_passes_32, 32, MSD_MIDDLING_PASS_THREADS, MSD_MIDDLING_PASS_ITEMS,
                  MSD_MIDDLING_PASS_BLOCKS, LSD_SHORT_WINDOW)

/* Behind the levels of wide keys, and behind passes. */
KERNEL(msd_octaves_64, 512, 2)
(const __grid_constant__ msd_arguments a, const __grid_constant__ lsd_arguments passes)
{
    SHARED_DYNAMIC(storage, msd_levels_shared_64);
    early_launch_wait();
    if (a.control->mode == MSD_PASSES && passes.control->cut)
        msd_finish_runs<msd_key_64>(a, passes);
    if (a.control->octaves)
        msd_split_segments<true, true>(a, false, *storage);
}
KERNEL_EXPORT(msd_octaves_64);

KERNEL(msd_octaves_128, 512, 2)(const __grid_constant__ msd_arguments a)
{
    SHARED_DYNAMIC(storage, msd_levels_shared_128);
    early_launch_wait();
    if (a.control->octaves)
        msd_split_segments<true, true>(a, false, *storage);
}
KERNEL_EXPORT(msd_octaves_128);

using msd_middling_shared = msd_middling_storage<msd_key_32>;
static_assert(sizeof(msd_middling_shared) <= msd_middling_bytes(), "as asked for");

KERNEL(msd_middling_32, MSD_MIDDLING_THREADS, 1)
(const __grid_constant__ msd_arguments a, const __grid_constant__ lsd_arguments passes)
{
    SHARED_DYNAMIC(storage, msd_middling_shared);
    msd_middling<msd_key_32>(a, passes, *storage);
}
KERNEL_EXPORT(msd_middling_32);

using msd_uneven_shared = msd_uneven_storage<msd_key_32, 512, 32>;
static_assert(sizeof(msd_uneven_shared) == sizeof(msd_first_shared_32) &&
                  sizeof(msd_uneven_shared::second) == sizeof(msd_second_shared_32) &&
                  sizeof(msd_uneven_shared::levels) == sizeof(msd_levels_shared_32),
              "of the shapes that the host asks for");

KERNEL(msd_uneven_32, 512, 2)
(const __grid_constant__ msd_arguments a, const __grid_constant__ lsd_arguments passes)
{
    SHARED_DYNAMIC(storage, msd_uneven_shared);
    early_launch_wait();
    msd_sort_uneven<msd_key_32, 512, 32>(a, passes, *storage);
}
KERNEL_EXPORT(msd_uneven_32);

/* Those of long lists. */
using msd_long_second_shared =
    msd_second_storage<msd_key_32, MSD_LONG_THREADS, MSD_LONG_ITEMS, MSD_LONG_COPIES>;
static_assert(sizeof(msd_long_second_shared) <= msd_long_second_bytes() &&
                  sizeof(msd_halves_storage) <= msd_halves_bytes() &&
                  sizeof(msd_crowded_storage) <= msd_crowded_bytes(),
              "the host asks for what the kernels need");

#define MSD_LONG_FIRST_KERNEL(bits, items)                                                         \
    using msd_long_first_shared_##bits =                                                           \
        msd_first_storage<msd_key_##bits, MSD_LONG_THREADS, items>;                                \
    static_assert(sizeof(msd_long_first_shared_##bits) <=                                          \
                      msd_first_bytes(bits / 8, MSD_LONG_THREADS, items),                          \
                  "the host asks for what the kernel needs");                                      \
    KERNEL(msd_long_first_##bits, MSD_LONG_THREADS, 1)                                             \
    (const __grid_constant__ msd_arguments a, const __grid_constant__ lsd_arguments passes)        \
    {                                                                                              \
        SHARED_DYNAMIC(storage, msd_long_first_shared_##bits);                                     \
        msd_first_partition<msd_key_##bits, MSD_LONG_THREADS, items>(a, passes, *storage);         \
    }                                                                                              \
    KERNEL_EXPORT(msd_long_first_##bits);

MSD_LONG_FIRST_KERNEL(32, MSD_LONG_ITEMS)
MSD_LONG_FIRST_KERNEL(64, MSD_LONG_WIDE_ITEMS)

KERNEL(msd_long_second_32, MSD_LONG_THREADS, 1)(const __grid_constant__ msd_arguments a)
{
    SHARED_DYNAMIC(storage, msd_long_second_shared);
    msd_second<true, msd_key_32, MSD_LONG_THREADS, MSD_LONG_ITEMS>(a, *storage);
}
KERNEL_EXPORT(msd_long_second_32);

KERNEL(msd_halves_32, MSD_HALVES_THREADS, MSD_HALVES_BLOCKS)
(const __grid_constant__ msd_arguments a)
{
    SHARED_DYNAMIC(storage, msd_halves_storage);
    msd_sort_halves<msd_half_codes>(a, *storage);
}
KERNEL_EXPORT(msd_halves_32);

KERNEL(msd_numbers_32, MSD_HALVES_THREADS, MSD_HALVES_BLOCKS)
(const __grid_constant__ msd_arguments a)
{
    SHARED_DYNAMIC(storage, msd_halves_storage);
    msd_sort_halves<msd_half_numbers>(a, *storage);
}
KERNEL_EXPORT(msd_numbers_32);

KERNEL(msd_crowded_32, MSD_HALVES_THREADS, MSD_CROWDED_BLOCKS)
(const __grid_constant__ msd_arguments a)
{
    SHARED_DYNAMIC(storage, msd_crowded_storage);
    early_launch_wait();
    msd_sort_crowded(a, *storage);
}
KERNEL_EXPORT(msd_crowded_32);
