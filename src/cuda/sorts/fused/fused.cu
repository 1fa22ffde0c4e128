/* SPDX-License-Identifier: Apache-2.0 */
/* The kernels of `fused`, beside those of `msd` and `hybrid`; the host side is fused.c. */
#include "cuda/sorts/fused/fused_first.cuh"
#include "cuda/sorts/fused/fused_front.cuh"
#include "cuda/sorts/fused/fused_leaves.cuh"
#include "cuda/sorts/fused/fused_short.cuh"
#include "cuda/sorts/fused/fused_tuning.h"

static_assert(sizeof(fused_front_storage) <= fused_front_bytes(), "as asked for");

KERNEL(fused_front, MSD_PLAN_THREADS, 1)(const __grid_constant__ fused_arguments a)
{
    SHARED_DYNAMIC(storage, fused_front_storage);
    fused_look(a, *storage);
}
KERNEL_EXPORT(fused_front);

#define FUSED_FIRST(name, threads, items, blocks)                                                  \
    using name##_storage = msd_tile<uint64_t, threads, items>::storage;                            \
    static_assert(sizeof(name##_storage) <= msd_tile_bytes(8, threads, items), "as asked for");    \
    KERNEL(name, threads, blocks)(const __grid_constant__ fused_arguments a)                       \
    {                                                                                              \
        SHARED_DYNAMIC(storage, name##_storage);                                                   \
        fused_fill_rooms<threads, items>(a, *storage);                                             \
    }                                                                                              \
    KERNEL_EXPORT(name);

FUSED_FIRST(fused_first, FUSED_THREADS, FUSED_ITEMS, FUSED_BLOCKS)
FUSED_FIRST(fused_long_first, FUSED_LONG_THREADS, FUSED_ITEMS, 1)

using fused_small_leaf =
    msd_small<uint64_t, FUSED_SMALL_THREADS, FUSED_SMALL_ITEMS, FUSED_SMALL_BIN_BITS>::leaf;
using fused_large_leaf =
    msd_local<uint64_t, FUSED_LARGE_THREADS, FUSED_LARGE_ITEMS, FUSED_LARGE_BIN_BITS>;
static_assert(sizeof(fused_small_leaf::storage) <= fused_small_bytes() &&
                  sizeof(fused_large_leaf::storage) <= fused_large_bytes(),
              "the host asks for what the kernels need");

KERNEL(fused_small, FUSED_SMALL_THREADS, FUSED_SMALL_BLOCKS)
(const __grid_constant__ fused_arguments a)
{
    SHARED_DYNAMIC(storage, fused_small_leaf::storage);
    fused_small_leaves<fused_small_leaf>(a, *storage);
}
KERNEL_EXPORT(fused_small);

KERNEL(fused_large, FUSED_LARGE_THREADS, 1)(const __grid_constant__ fused_arguments a)
{
    SHARED_DYNAMIC(storage, fused_large_leaf::storage);
    fused_large_leaves<fused_large_leaf>(a, *storage);
}
KERNEL_EXPORT(fused_large);

using fused_short_leaf =
    msd_local<uint64_t, MSD_WHOLE_THREADS, MSD_WHOLE_LEAF_ITEMS, MSD_WHOLE_BIN_BITS>;
using fused_short_shared =
    fused_short_storage<MSD_WHOLE_THREADS, MSD_WHOLE_ITEMS, fused_short_leaf>;
static_assert(sizeof(fused_short_shared) <= fused_short_bytes(), "as asked for");

KERNEL(fused_short_list, MSD_WHOLE_THREADS, 2)
(const __grid_constant__ fused_short_arguments a)
{
    SHARED_DYNAMIC(storage, fused_short_shared);
    fused_short<MSD_WHOLE_THREADS, MSD_WHOLE_ITEMS, fused_short_leaf>(a, *storage);
}
KERNEL_EXPORT(fused_short_list);
