/* SPDX-License-Identifier: Apache-2.0 */
/*
 * CUB's radix sort: from one array to another, and between two that it may both overwrite.
 */
#ifndef CONSORT_BENCH_CUDA_PEER_RADIX_CUH
#define CONSORT_BENCH_CUDA_PEER_RADIX_CUH

#include <cub/device/device_radix_sort.cuh>

#include "cuda_peer.cuh"

namespace peers
{

struct radix_copy {
    template <class K, class V>
    static cudaError_t call(void *temporary, size_t &bytes, peer_job *job)
    {
        const int bits = 8 * sizeof(K);
        if constexpr (has_values<V>) {
            return cub::DeviceRadixSort::SortPairs(
                temporary, bytes, static_cast<const K *>(keys_in<K>(job)), keys_out<K>(job),
                static_cast<const V *>(values_in<V>(job)), values_out<V>(job), job->count, 0, bits,
                stream_of(job));
        } else {
            return cub::DeviceRadixSort::SortKeys(
                temporary, bytes, static_cast<const K *>(keys_in<K>(job)), keys_out<K>(job),
                job->count, 0, bits, stream_of(job));
        }
    }
};

struct radix_double {
    template <class K, class V>
    static cudaError_t call(void *temporary, size_t &bytes, peer_job *job)
    {
        const int bits = 8 * sizeof(K);
        cub::DoubleBuffer<K> keys(keys_in<K>(job), keys_out<K>(job));
        cudaError_t error;
        if constexpr (has_values<V>) {
            cub::DoubleBuffer<V> values(values_in<V>(job), values_out<V>(job));
            error = cub::DeviceRadixSort::SortPairs(temporary, bytes, keys, values, job->count, 0,
                                                    bits, stream_of(job));
        } else {
            error = cub::DeviceRadixSort::SortKeys(temporary, bytes, keys, job->count, 0, bits,
                                                   stream_of(job));
        }
        job->buffer = keys.selector;
        return error;
    }
};

} // namespace peers

#endif
