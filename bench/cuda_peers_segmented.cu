/* SPDX-License-Identifier: Apache-2.0 */
/*
 * CUB's two sorts of segments.
 */
#include <cub/device/device_segmented_radix_sort.cuh>
#include <cub/device/device_segmented_sort.cuh>

#include "cuda_peer.cuh"

namespace
{

using namespace peers;

/* CUB counts with signed numbers; offsets as ints are what its users have, and the faster. */
const int *offsets_of(const peer_job *job)
{
    return reinterpret_cast<const int *>(job->offsets);
}

struct segmented_sort {
    template <class K, class V>
    static cudaError_t call(void *temporary, size_t &bytes, peer_job *job)
    {
        const int *offsets = offsets_of(job);
        const auto count = static_cast<std::int64_t>(job->count);
        const auto segments = static_cast<std::int64_t>(job->segments);
        const K *keys = keys_in<K>(job);
        if constexpr (has_values<V>) {
            const V *values = values_in<V>(job);
            return cub::DeviceSegmentedSort::StableSortPairs(
                temporary, bytes, keys, keys_out<K>(job), values, values_out<V>(job), count,
                segments, offsets, offsets + 1, stream_of(job));
        } else {
            return cub::DeviceSegmentedSort::StableSortKeys(temporary, bytes, keys,
                                                            keys_out<K>(job), count, segments,
                                                            offsets, offsets + 1, stream_of(job));
        }
    }
};

struct segmented_radix {
    template <class K, class V>
    static cudaError_t call(void *temporary, size_t &bytes, peer_job *job)
    {
        const int bits = 8 * sizeof(K);
        const int *offsets = offsets_of(job);
        const auto count = static_cast<int>(job->count);
        const auto segments = static_cast<int>(job->segments);
        const K *keys = keys_in<K>(job);
        if constexpr (has_values<V>) {
            const V *values = values_in<V>(job);
            return cub::DeviceSegmentedRadixSort::SortPairs(
                temporary, bytes, keys, keys_out<K>(job), values, values_out<V>(job), count,
                segments, offsets, offsets + 1, 0, bits, stream_of(job));
        } else {
            return cub::DeviceSegmentedRadixSort::SortKeys(temporary, bytes, keys, keys_out<K>(job),
                                                           count, segments, offsets, offsets + 1, 0,
                                                           bits, stream_of(job));
        }
    }
};

/* A few types only: each takes nvcc half a minute. */
template <class Calls> struct segmented {
    static device_call find(std::int32_t operation, consort_type type, std::uint32_t value_bytes)
    {
        if (operation != PEER_SEGMENTED_SORT) {
            return nullptr;
        }
        if (type == CONSORT_U32 && value_bytes == 4) {
            return Calls::template call<std::uint32_t, std::uint32_t>;
        }
        if (type == CONSORT_U64 && value_bytes == 8) {
            return Calls::template call<std::uint64_t, std::uint64_t>;
        }
        switch (type) {
        case CONSORT_U8:
            return find_alone<Calls, std::uint8_t>(value_bytes);
        case CONSORT_U16:
            return find_alone<Calls, std::uint16_t>(value_bytes);
        case CONSORT_U32:
            return find_alone<Calls, std::uint32_t>(value_bytes);
        case CONSORT_U64:
            return find_alone<Calls, std::uint64_t>(value_bytes);
        case CONSORT_U128:
            return find_alone<Calls, uint128>(value_bytes);
        case CONSORT_F32:
            return find_alone<Calls, float>(value_bytes);
        default:
            return nullptr;
        }
    }
};

} // namespace

void peers::add_cub_segmented(list &peers)
{
    peers.push_back(device_peer<segmented<segmented_sort>>::entry(
        named("cub_segmented_sort"), described("CUB", "DeviceSegmentedSort"), PEER_DEVICE_COPY,
        true));
    peers.push_back(device_peer<segmented<segmented_radix>>::entry(
        named("cub_segmented_radix"), described("CUB", "DeviceSegmentedRadixSort"),
        PEER_DEVICE_COPY, true));
}
