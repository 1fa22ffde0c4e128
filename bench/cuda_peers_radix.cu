/* SPDX-License-Identifier: Apache-2.0 */
/*
 * CUB's radix sort, all types of key together. Who wants the k smallest sorts everything with it.
 */
#include "cuda_peer.cuh"

namespace
{

using namespace peers;

template <bool two_buffers> struct radix {
    static device_call find(std::int32_t operation, consort_type type, std::uint32_t value_bytes)
    {
        bool sorts = operation == PEER_SORT || operation == PEER_SORT_PAIRS ||
                     (operation == PEER_TOP_K && !two_buffers);
        if (!sorts) {
            return nullptr;
        }
        if (device_call call = radix_narrow(type, value_bytes, two_buffers)) {
            return call;
        }
        if (device_call call = radix_common(type, value_bytes, two_buffers)) {
            return call;
        }
        return radix_wide(type, value_bytes, two_buffers);
    }
};

} // namespace

void peers::add_cub_radix(list &peers)
{
    peers.push_back(device_peer<radix<false>>::entry(
        named("cub_radix"), described("CUB", "DeviceRadixSort"), PEER_DEVICE_COPY, true));
    peers.push_back(device_peer<radix<true>>::entry(
        named("cub_radix_double"), described("CUB", "DeviceRadixSort with DoubleBuffer"),
        PEER_DEVICE_DOUBLE, true));
}
