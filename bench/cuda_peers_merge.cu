/* SPDX-License-Identifier: Apache-2.0 */
/*
 * CUB's merge of two sorted lists.
 */
#include <cub/device/device_merge.cuh>

#include "cuda_peer.cuh"

namespace
{

using namespace peers;

struct merge {
    template <class K, class V>
    static cudaError_t call(void *temporary, size_t &bytes, peer_job *job)
    {
        const auto count_a = static_cast<std::int64_t>(job->count);
        const auto count_b = static_cast<std::int64_t>(job->count_b);
        const K *keys = keys_in<K>(job);
        if constexpr (has_values<V>) {
            const V *values = values_in<V>(job);
            return cub::DeviceMerge::MergePairs(
                temporary, bytes, keys, values, count_a, keys + count_a, values + count_a, count_b,
                keys_out<K>(job), values_out<V>(job), {}, stream_of(job));
        } else {
            return cub::DeviceMerge::MergeKeys(temporary, bytes, keys, count_a, keys + count_a,
                                               count_b, keys_out<K>(job), {}, stream_of(job));
        }
    }

    static device_call find(std::int32_t operation, consort_type type, std::uint32_t value_bytes)
    {
        if (operation != PEER_MERGE) {
            return nullptr;
        }
        for (const auto family : {find_common<merge>, find_narrow<merge>, find_wide<merge>}) {
            if (const device_call call = family(type, value_bytes)) {
                return call;
            }
        }
        return nullptr;
    }
};

} // namespace

void peers::add_cub_merge(list &peers)
{
    peers.push_back(device_peer<merge>::entry(named("cub_merge"), described("CUB", "DeviceMerge"),
                                              PEER_DEVICE_COPY, true));
}
