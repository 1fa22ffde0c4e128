/* SPDX-License-Identifier: Apache-2.0 */
/* The kernels of the GPU's `counting`; the host side is cuda_counting.c. */
#include "cuda/device/early_launch.cuh"
#include "cuda/sorts/counting/counting_alone.cuh"
#include "cuda/sorts/counting/counting_expand.cuh"
#include "cuda/sorts/counting/counting_histogram.cuh"
#include "cuda/sorts/counting/counting_scan.cuh"
#include "cuda/sorts/counting/counting_sparse.cuh"

static_assert(sizeof(counting_bins_8) <= COUNTING_SHARED_8 &&
                  sizeof(counting_bins_16) <= COUNTING_SHARED_16 &&
                  sizeof(counting_alone_storage) <= COUNTING_SHARED_ALONE &&
                  sizeof(counting_sparse::storage) <= COUNTING_SHARED_SPARSE,
              "the host asks for what the kernels need");

KERNEL(counting_alone_8, COUNTING_THREADS)
(const __grid_constant__ counting_arguments arguments)
{
    SHARED_DYNAMIC(storage, counting_alone_storage);
    counting_alone(arguments, *storage);
}
KERNEL_EXPORT(counting_alone_8);

KERNEL(counting_alone_16, COUNTING_THREADS)
(const __grid_constant__ counting_arguments arguments)
{
    SHARED_DYNAMIC(storage, counting_sparse::storage);
    counting_sparse{*storage, (uint32_t)arguments.count}.sort(arguments);
}
KERNEL_EXPORT(counting_alone_16);

KERNEL(counting_histogram_8, COUNTING_THREADS)
(const __grid_constant__ counting_arguments arguments)
{
    SHARED_DYNAMIC(bins, counting_bins_8);
    counting_histogram<uint8_t>(arguments, *bins);
}
KERNEL_EXPORT(counting_histogram_8);

KERNEL(counting_histogram_16, COUNTING_THREADS)
(const __grid_constant__ counting_arguments arguments)
{
    SHARED_DYNAMIC(bins, counting_bins_16);
    SHARED(storage, counting_scan_storage);
    counting_histogram<uint16_t>(arguments, *bins);
    grid_wait(grid_arrive());
    counting_scan(arguments, storage);
}
KERNEL_EXPORT(counting_histogram_16);

KERNEL(counting_expand_8, COUNTING_EXPAND_THREADS)
(const __grid_constant__ counting_arguments arguments)
{
    SHARED(storage, counting_ends_8);
    early_launch_wait();
    counting_expand_bytes(arguments, storage);
}
KERNEL_EXPORT(counting_expand_8);

KERNEL(counting_expand_16, COUNTING_EXPAND_THREADS, COUNTING_EXPAND_BLOCKS)
(const __grid_constant__ counting_arguments arguments)
{
    SHARED(storage, counting_expand_storage);
    early_launch_wait();
    counting_expand(arguments, storage);
}
KERNEL_EXPORT(counting_expand_16);
