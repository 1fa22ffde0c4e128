/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Makes a peer of any sort that is generic in the item type:
 *
 *     struct Sorter {
 *         static constexpr bool every_type = …;
 *         template <class T> static void sort(T *items, std::size_t count, int threads);
 *     };
 *     struct peer entry = peers::generic<Sorter>::entry(name, description, stable, parallel);
 *
 * Common types: u32, u64, f32, f64, and pairs of u32 + 4 and u64 + 8 bytes. Every type: all
 * scalars, byte strings of 10 and 16; pairs of 1, 2, 4, 8 and 16-byte unsigned, 4 and 8-byte signed
 * and float keys with values of 4 and 8 bytes. Pairs are packed into structures beforehand. The
 * parallel sorts take the common types only: with every one Boost's two took 108 s to compile,
 * libstdc++'s 56 s.
 */
#ifndef CONSORT_BENCH_PEER_GENERIC_HPP
#define CONSORT_BENCH_PEER_GENERIC_HPP

#include <cstddef>
#include <new>
#include <type_traits>

#include "peer_items.hpp"
#include "peers.h"

namespace peers
{

using function = std::int32_t (*)(peer_job *);

/* The three steps for one combination of types; all NULL for one that is not supported. */
struct steps {
    function prepare;
    function run;
    function finish;
};

inline std::int32_t nothing(peer_job *)
{
    return PEER_OK;
}

template <class Sorter, class T> std::int32_t run_items(T *items, const peer_job *job)
{
    try {
        Sorter::template sort<T>(items, static_cast<std::size_t>(job->count), job->threads);
    } catch (const std::bad_alloc &) {
        return PEER_NO_MEMORY;
    } catch (...) {
        return PEER_FAILED;
    }
    return PEER_OK;
}

template <class Sorter, class K> std::int32_t run_keys(peer_job *job)
{
    return run_items<Sorter>(static_cast<K *>(job->keys), job);
}

template <class Sorter, class Item> std::int32_t run_pairs(peer_job *job)
{
    return run_items<Sorter>(static_cast<Item *>(job->state), job);
}

template <class Item> std::int32_t pack(peer_job *job)
{
    auto *keys = static_cast<const decltype(Item::key) *>(job->keys);
    auto *values = static_cast<const decltype(Item::value) *>(job->values);
    auto *items = new (std::nothrow) Item[job->count];
    if (items == nullptr) {
        return PEER_NO_MEMORY;
    }
    for (std::uint64_t i = 0; i < job->count; i++) {
        items[i].key = keys[i];
        items[i].value = values[i];
    }
    job->state = items;
    return PEER_OK;
}

template <class Item> std::int32_t unpack(peer_job *job)
{
    auto *keys = static_cast<decltype(Item::key) *>(job->keys);
    auto *values = static_cast<decltype(Item::value) *>(job->values);
    auto *items = static_cast<Item *>(job->state);
    for (std::uint64_t i = 0; i < job->count; i++) {
        keys[i] = items[i].key;
        values[i] = items[i].value;
    }
    delete[] items;
    job->state = nullptr;
    return PEER_OK;
}

template <class Sorter, class K> steps steps_keys()
{
    return {nothing, run_keys<Sorter, K>, nothing};
}

template <class Sorter, class Item> steps steps_items()
{
    return {pack<Item>, run_pairs<Sorter, Item>, unpack<Item>};
}

template <class Sorter, class K> steps steps_pairs(std::uint32_t value_bytes)
{
    switch (value_bytes) {
    case 4:
        return steps_items<Sorter, item<K, std::uint32_t>>();
    case 8:
        return steps_items<Sorter, item<K, std::uint64_t>>();
    case 12: /* float4, ordered by its first */
        if constexpr (std::is_same<K, float>::value) {
            return steps_items<Sorter, item<K, std::array<std::uint32_t, 3>>>();
        }
        return {};
    default:
        return {};
    }
}

enum : consort_type {
    BYTES_10 = CONSORT_KIND_BYTES << 8 | 10,
    BYTES_16 = CONSORT_KIND_BYTES << 8 | 16
};

template <class Sorter> steps find_common_keys(consort_type type)
{
    switch (type) {
    case CONSORT_U32:
        return steps_keys<Sorter, std::uint32_t>();
    case CONSORT_U64:
        return steps_keys<Sorter, std::uint64_t>();
    case CONSORT_F32:
        return steps_keys<Sorter, float>();
    case CONSORT_F64:
        return steps_keys<Sorter, double>();
    default:
        return {};
    }
}

template <class Sorter> steps find_common_pairs(consort_type type, std::uint32_t value_bytes)
{
    if (type == CONSORT_U32 && value_bytes == 4) {
        return steps_items<Sorter, item<std::uint32_t, std::uint32_t>>();
    }
    if (type == CONSORT_U64 && value_bytes == 8) {
        return steps_items<Sorter, item<std::uint64_t, std::uint64_t>>();
    }
    return {};
}

template <class Sorter> steps find_keys(consort_type type)
{
    switch (type) {
    case CONSORT_U8:
        return steps_keys<Sorter, std::uint8_t>();
    case CONSORT_U16:
        return steps_keys<Sorter, std::uint16_t>();
    case CONSORT_U128:
        return steps_keys<Sorter, uint128>();
    case CONSORT_I8:
        return steps_keys<Sorter, std::int8_t>();
    case CONSORT_I16:
        return steps_keys<Sorter, std::int16_t>();
    case CONSORT_I32:
        return steps_keys<Sorter, std::int32_t>();
    case CONSORT_I64:
        return steps_keys<Sorter, std::int64_t>();
    case CONSORT_I128:
        return steps_keys<Sorter, int128>();
    case CONSORT_F16:
    case CONSORT_BF16:
        return steps_keys<Sorter, half>();
    case BYTES_10:
        return steps_keys<Sorter, text<10>>();
    case BYTES_16:
        return steps_keys<Sorter, text<16>>();
    default:
        return find_common_keys<Sorter>(type);
    }
}

template <class Sorter> steps find_pairs(consort_type type, std::uint32_t value_bytes)
{
    switch (type) {
    case CONSORT_U8:
        return steps_pairs<Sorter, std::uint8_t>(value_bytes);
    case CONSORT_U16:
        return steps_pairs<Sorter, std::uint16_t>(value_bytes);
    case CONSORT_U32:
        return steps_pairs<Sorter, std::uint32_t>(value_bytes);
    case CONSORT_U64:
        return steps_pairs<Sorter, std::uint64_t>(value_bytes);
    case CONSORT_U128:
        return steps_pairs<Sorter, uint128>(value_bytes);
    case CONSORT_I32:
        return steps_pairs<Sorter, std::int32_t>(value_bytes);
    case CONSORT_I64:
        return steps_pairs<Sorter, std::int64_t>(value_bytes);
    case CONSORT_F32:
        return steps_pairs<Sorter, float>(value_bytes);
    case CONSORT_F64:
        return steps_pairs<Sorter, double>(value_bytes);
    default:
        return {};
    }
}

template <class Sorter> struct generic {
    static steps find(std::int32_t operation, consort_type type, std::uint32_t value_bytes)
    {
        if (operation == PEER_SORT) {
            if constexpr (Sorter::every_type) {
                return find_keys<Sorter>(type);
            } else {
                return find_common_keys<Sorter>(type);
            }
        }
        if (operation == PEER_SORT_PAIRS) {
            if constexpr (Sorter::every_type) {
                return find_pairs<Sorter>(type, value_bytes);
            } else {
                return find_common_pairs<Sorter>(type, value_bytes);
            }
        }
        return {};
    }

    static std::int32_t supports(std::int32_t operation, consort_type type,
                                 std::uint32_t value_bytes)
    {
        return find(operation, type, value_bytes).run != nullptr;
    }

    static std::int32_t call(function steps::*step, peer_job *job)
    {
        function found = find(job->operation, job->type, job->value_bytes).*step;
        return found != nullptr ? found(job) : PEER_UNSUPPORTED;
    }

    static std::int32_t prepare(peer_job *job)
    {
        return call(&steps::prepare, job);
    }

    static std::int32_t run(peer_job *job)
    {
        return call(&steps::run, job);
    }

    static std::int32_t finish(peer_job *job)
    {
        return call(&steps::finish, job);
    }

    static peer entry(const char *name, const char *description, bool stable, bool parallel)
    {
        return {name,     description, nullptr, PEER_HOST, stable, parallel,
                supports, nullptr,     prepare, run,       finish};
    }
};

/* A peer that the build did not find. */
inline peer missing(const char *name, const char *description, const char *reason)
{
    peer entry = {};
    entry.name = name;
    entry.description = description;
    entry.unavailable = reason;
    return entry;
}

} // namespace peers

#endif
