/* SPDX-License-Identifier: Apache-2.0 */
/*
 * libcusort's radix sort (github.com/IlyaGrebnov/libcusort): from one array to another, and between
 * two that it may both overwrite. Keys and pairs are compiled apart, as nvcc takes long for each.
 */
#ifndef CONSORT_BENCH_LIBCUSORT_PEERS_CUH
#define CONSORT_BENCH_LIBCUSORT_PEERS_CUH

#include <libcusort.cuh>

#include "cuda_peer.cuh"

namespace peers
{

struct cusort_copy {
    template <class K, class V>
    static cudaError_t call(void *temporary, size_t &bytes, peer_job *job)
    {
        const int bits = 8 * sizeof(K);
        if constexpr (has_values<V>) {
            return cusort::DeviceRadixSort::SortPairs(
                temporary, bytes, static_cast<const K *>(keys_in<K>(job)), keys_out<K>(job),
                static_cast<const V *>(values_in<V>(job)), values_out<V>(job), job->count, 0, bits,
                stream_of(job));
        } else {
            return cusort::DeviceRadixSort::SortKeys(
                temporary, bytes, static_cast<const K *>(keys_in<K>(job)), keys_out<K>(job),
                job->count, 0, bits, stream_of(job));
        }
    }
};

struct cusort_double {
    template <class K, class V>
    static cudaError_t call(void *temporary, size_t &bytes, peer_job *job)
    {
        const int bits = 8 * sizeof(K);
        cusort::DoubleBuffer<K> keys(keys_in<K>(job), keys_out<K>(job));
        cudaError_t error;
        if constexpr (has_values<V>) {
            cusort::DoubleBuffer<V> values(values_in<V>(job), values_out<V>(job));
            error = cusort::DeviceRadixSort::SortPairs(temporary, bytes, keys, values, job->count,
                                                       0, bits, stream_of(job));
        } else {
            error = cusort::DeviceRadixSort::SortKeys(temporary, bytes, keys, job->count, 0, bits,
                                                      stream_of(job));
        }
        job->buffer = keys.selector;
        return error;
    }
};

/* The sort of these types; nullptr for those it does not have. */
device_call cusort_keys(consort_type type, bool two_buffers);
device_call cusort_pairs(consort_type type, std::uint32_t value_bytes, bool two_buffers);

} // namespace peers

#endif
