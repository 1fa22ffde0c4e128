/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The families of peers in the plugin for GPUs, and the parts that the radix sort is compiled in:
 * nvcc takes some ten seconds for each pair of types.
 */
#ifndef CONSORT_BENCH_CUDA_PEER_LIST_HPP
#define CONSORT_BENCH_CUDA_PEER_LIST_HPP

#include <cuda_runtime_api.h>

#include "peer_list.hpp"

namespace peers
{

/* temporary == nullptr: only asks for the bytes of workspace. */
using device_call = cudaError_t (*)(void *temporary, std::size_t &bytes, peer_job *job);

/* The radix sort of these types, with one buffer or two; nullptr for others. */
device_call radix_narrow(consort_type type, std::uint32_t value_bytes, bool two_buffers);
device_call radix_common(consort_type type, std::uint32_t value_bytes, bool two_buffers);
device_call radix_wide(consort_type type, std::uint32_t value_bytes, bool two_buffers);

/* "CUB 3.0.1 DeviceRadixSort": kept as long as the plugin. */
const char *described(const char *library, const char *what);

/* "cub_radix", or of a CCCL of one's own "cub_radix@3.4.2": kept as long as the plugin. */
const char *named(const char *name);

void add_cub_radix(list &peers);
void add_cub_merge_sort(list &peers);
void add_cub_segmented(list &peers);
void add_cub_merge(list &peers);
void add_cub_top_k(list &peers);
void add_thrust(list &peers);

} // namespace peers

#endif
