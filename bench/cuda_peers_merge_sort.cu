/* SPDX-License-Identifier: Apache-2.0 */
/*
 * CUB's merge sort, by operator<.
 */
#include <cub/device/device_merge_sort.cuh>

#include "cuda_peer.cuh"

namespace
{

using namespace peers;

struct less {
    template <class K> __device__ bool operator()(const K &a, const K &b) const
    {
        return a < b;
    }
};

struct merge_sort {
    template <class K, class V>
    static cudaError_t call(void *temporary, size_t &bytes, peer_job *job)
    {
        if constexpr (has_values<V>) {
            return cub::DeviceMergeSort::SortPairsCopy(
                temporary, bytes, keys_in<K>(job), values_in<V>(job), keys_out<K>(job),
                values_out<V>(job), job->count, less{}, stream_of(job));
        } else {
            return cub::DeviceMergeSort::StableSortKeysCopy(temporary, bytes, keys_in<K>(job),
                                                            keys_out<K>(job), job->count, less{},
                                                            stream_of(job));
        }
    }

    static device_call find(std::int32_t operation, consort_type type, std::uint32_t value_bytes)
    {
        if (operation != PEER_SORT && operation != PEER_SORT_PAIRS) {
            return nullptr;
        }
        if (type == CONSORT_U128) {
            return find_values<merge_sort, uint128>(value_bytes);
        }
        return find_common<merge_sort>(type, value_bytes);
    }
};

} // namespace

void peers::add_cub_merge_sort(list &peers)
{
    /* The manual promises stability for its other forms only. */
    peers.push_back(device_peer<merge_sort>::entry(
        named("cub_merge_sort"), described("CUB", "DeviceMergeSort"), PEER_DEVICE_COPY, false));
}
