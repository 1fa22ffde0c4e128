/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Radix sorts that are called as CUB's: from one array to another, and between two that they may
 * both overwrite. `Sort` has the functions, `Buffer` is a pair of arrays.
 */
#ifndef CONSORT_BENCH_CUDA_PEER_FORMS_CUH
#define CONSORT_BENCH_CUDA_PEER_FORMS_CUH

#include "cuda_peer.cuh"

namespace peers
{

template <class Sort> struct copy_form {
    template <class K, class V>
    static cudaError_t call(void *temporary, size_t &bytes, peer_job *job)
    {
        const int bits = 8 * sizeof(K);
        if constexpr (has_values<V>) {
            return Sort::SortPairs(temporary, bytes, static_cast<const K *>(keys_in<K>(job)),
                                   keys_out<K>(job), static_cast<const V *>(values_in<V>(job)),
                                   values_out<V>(job), job->count, 0, bits, stream_of(job));
        } else {
            return Sort::SortKeys(temporary, bytes, static_cast<const K *>(keys_in<K>(job)),
                                  keys_out<K>(job), job->count, 0, bits, stream_of(job));
        }
    }
};

template <class Sort, template <class> class Buffer> struct double_form {
    template <class K, class V>
    static cudaError_t call(void *temporary, size_t &bytes, peer_job *job)
    {
        const int bits = 8 * sizeof(K);
        Buffer<K> keys(keys_in<K>(job), keys_out<K>(job));
        cudaError_t error;
        if constexpr (has_values<V>) {
            Buffer<V> values(values_in<V>(job), values_out<V>(job));
            error = Sort::SortPairs(temporary, bytes, keys, values, job->count, 0, bits,
                                    stream_of(job));
        } else {
            error = Sort::SortKeys(temporary, bytes, keys, job->count, 0, bits, stream_of(job));
        }
        job->buffer = keys.selector;
        return error;
    }
};

} // namespace peers

#endif
