/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The items that generic C++ sorts move about: what a C++ programmer would declare for each type,
 * compared with operator<.
 */
#ifndef CONSORT_BENCH_PEER_ITEMS_HPP
#define CONSORT_BENCH_PEER_ITEMS_HPP

#include <array>
#include <cstdint>
#include <cstring>

namespace peers
{

__extension__ typedef __int128 int128;
__extension__ typedef unsigned __int128 uint128;

/* binary16 and bfloat16: C++17 has neither, so order by sign and magnitude in integers. */
struct half {
    std::uint16_t bits;

    int order() const
    {
        int magnitude = bits & 0x7FFF;
        return (bits & 0x8000) != 0 ? -magnitude : magnitude;
    }
};

inline bool operator<(half a, half b)
{
    return a.order() < b.order();
}

template <std::size_t bytes> struct text {
    std::array<unsigned char, bytes> characters;
};

template <std::size_t bytes> bool operator<(const text<bytes> &a, const text<bytes> &b)
{
    return std::memcmp(a.characters.data(), b.characters.data(), bytes) < 0;
}

template <class K, class V> struct item {
    K key;
    V value;
};

template <class K, class V> bool operator<(const item<K, V> &a, const item<K, V> &b)
{
    return a.key < b.key;
}

} // namespace peers

#endif
