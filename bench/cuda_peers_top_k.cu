/* SPDX-License-Identifier: Apache-2.0 */
/*
 * CUB's selection of the k smallest, which newer toolkits have. Its result is in no order.
 */
#include "cuda_peer.cuh"
#include "peer_generic.hpp"

#if __has_include(<cub/device/device_topk.cuh>)
#include <cub/device/device_topk.cuh>
#include <cuda/__execution/determinism.h>
#include <cuda/__execution/output_ordering.h>
#include <cuda/stream_ref>

namespace
{

using namespace peers;

struct top_k {
    template <class K, class V>
    static cudaError_t call(void *temporary, size_t &bytes, peer_job *job)
    {
        auto requirements = cuda::execution::require(cuda::execution::determinism::not_guaranteed,
                                                     cuda::execution::output_ordering::unsorted);
        auto environment =
            cuda::std::execution::env{cuda::stream_ref{stream_of(job)}, requirements};
        const K *keys = keys_in<K>(job);
        return cub::DeviceTopK::MinKeys(temporary, bytes, keys, keys_out<K>(job), job->count,
                                        job->k, environment);
    }

    static device_call find(std::int32_t operation, consort_type type, std::uint32_t value_bytes)
    {
        return operation == PEER_TOP_K && value_bytes == 0 ? find_common<top_k>(type, 0) : nullptr;
    }
};

} // namespace

void peers::add_cub_top_k(list &peers)
{
    peers.push_back(device_peer<top_k>::entry(named("cub_top_k"), described("CUB", "DeviceTopK"),
                                              PEER_DEVICE_COPY, false));
}

#else

void peers::add_cub_top_k(list &peers)
{
    peers.push_back(
        missing(named("cub_top_k"), described("CUB", "DeviceTopK"), "this toolkit's CUB has none"));
}

#endif
