/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The table of the plugin for libcusort, and its sorts of keys alone.
 */
#include "libcusort_peers.cuh"

namespace
{

using namespace peers;

template <class Calls> device_call find_keys(consort_type type)
{
    switch (type) {
    case CONSORT_U8:
        return Calls::template call<std::uint8_t, none>;
    case CONSORT_I8:
        return Calls::template call<std::int8_t, none>;
    case CONSORT_U16:
        return Calls::template call<std::uint16_t, none>;
    case CONSORT_I16:
        return Calls::template call<std::int16_t, none>;
    case CONSORT_U32:
        return Calls::template call<std::uint32_t, none>;
    case CONSORT_I32:
        return Calls::template call<std::int32_t, none>;
    case CONSORT_F32:
        return Calls::template call<float, none>;
    case CONSORT_U64:
        return Calls::template call<std::uint64_t, none>;
    case CONSORT_I64:
        return Calls::template call<std::int64_t, none>;
    case CONSORT_F64:
        return Calls::template call<double, none>;
    default:
        return nullptr;
    }
}

template <bool two_buffers> struct cusort_sorts {
    static device_call find(std::int32_t operation, consort_type type, std::uint32_t value_bytes)
    {
        if (operation != PEER_SORT && operation != PEER_SORT_PAIRS) {
            return nullptr;
        }
        return value_bytes == 0 ? cusort_keys(type, two_buffers)
                                : cusort_pairs(type, value_bytes, two_buffers);
    }
};

} // namespace

peers::device_call peers::cusort_keys(consort_type type, bool two_buffers)
{
    return two_buffers ? find_keys<cusort_double>(type) : find_keys<cusort_copy>(type);
}

extern "C" __attribute__((visibility("default"))) const struct peer_table *consort_bench_peers(void)
{
    static const peer list[] = {
        device_peer<cusort_sorts<false>>::entry("libcusort", "libcusort " LIBCUSORT_VERSION_STRING,
                                                PEER_DEVICE_COPY, true),
        device_peer<cusort_sorts<true>>::entry(
            "libcusort_double", "libcusort " LIBCUSORT_VERSION_STRING " with DoubleBuffer",
            PEER_DEVICE_DOUBLE, true),
    };
    static const peer_table table = {PEERS_ABI_VERSION, sizeof list / sizeof list[0], list};
    return &table;
}
