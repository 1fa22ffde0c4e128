/* SPDX-License-Identifier: Apache-2.0 */
/*
 * libcusort's sorts of pairs.
 */
#include "libcusort_peers.cuh"

namespace
{

using namespace peers;

template <class Calls> device_call find_pairs(consort_type type, std::uint32_t value_bytes)
{
    switch (type) {
    case CONSORT_U8:
        return find_values<Calls, std::uint8_t>(value_bytes);
    case CONSORT_U16:
        return find_values<Calls, std::uint16_t>(value_bytes);
    case CONSORT_U32:
        return find_values<Calls, std::uint32_t>(value_bytes);
    case CONSORT_U64:
        return find_values<Calls, std::uint64_t>(value_bytes);
    default:
        return nullptr;
    }
}

} // namespace

peers::device_call peers::cusort_pairs(consort_type type, std::uint32_t value_bytes,
                                       bool two_buffers)
{
    return two_buffers ? find_pairs<cusort_double>(type, value_bytes)
                       : find_pairs<cusort_copy>(type, value_bytes);
}
