/* SPDX-License-Identifier: Apache-2.0 */
/*
 * libcusort's radix sort (github.com/IlyaGrebnov/libcusort). Keys and pairs are compiled apart, as
 * nvcc takes long for each.
 */
#ifndef CONSORT_BENCH_LIBCUSORT_PEERS_CUH
#define CONSORT_BENCH_LIBCUSORT_PEERS_CUH

#include <libcusort.cuh>

#include "cuda_peer_forms.cuh"

namespace peers
{

template <class T> using cusort_buffer = cusort::DoubleBuffer<T>;

using cusort_copy = copy_form<cusort::DeviceRadixSort>;
using cusort_double = double_form<cusort::DeviceRadixSort, cusort_buffer>;

/* The sort of these types; nullptr for those it does not have. */
device_call cusort_keys(consort_type type, bool two_buffers);
device_call cusort_pairs(consort_type type, std::uint32_t value_bytes, bool two_buffers);

} // namespace peers

#endif
