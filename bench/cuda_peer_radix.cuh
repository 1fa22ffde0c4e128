/* SPDX-License-Identifier: Apache-2.0 */
/*
 * CUB's radix sort.
 */
#ifndef CONSORT_BENCH_CUDA_PEER_RADIX_CUH
#define CONSORT_BENCH_CUDA_PEER_RADIX_CUH

#include <cub/device/device_radix_sort.cuh>

#include "cuda_peer_forms.cuh"

namespace peers
{

template <class T> using cub_buffer = cub::DoubleBuffer<T>;

using radix_copy = copy_form<cub::DeviceRadixSort>;
using radix_double = double_form<cub::DeviceRadixSort, cub_buffer>;

} // namespace peers

#endif
