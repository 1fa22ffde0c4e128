/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Highway's vectorised quicksort. It sorts some types only, so it is no generic sort; of pairs only
 * unsigned keys with values of the same size, packed into its own structures, and where none is
 * lost.
 */
#include "peer_generic.hpp"
#include "peer_list.hpp"
#include "peer_version.hpp"

#if CONSORT_BENCH_HIGHWAY
#include <algorithm>
#include <vector>

#include <hwy/contrib/sort/vqsort.h>
#include <hwy/highway.h>

namespace
{

struct vqsort {
    static constexpr bool every_type = true;

    template <class T> static void sort(T *items, std::size_t count, int)
    {
        /* Its scratch memory may be kept between sorts; a user who cares about speed does. */
        static const hwy::Sorter sorter;
        sorter(items, count, hwy::SortAscending());
    }
};

/* Whether each value still comes once where keys are equal: Highway chooses its code by the
 * processor, and with AVX2 version 1.0.3 loses some of hwy::K32V32. */
template <class Pair> bool try_values()
{
    constexpr std::size_t count = 1000;
    std::vector<Pair> pairs(count);
    std::uint32_t random = 1;
    for (std::size_t i = 0; i < count; i++) {
        random = random * 1664525 + 1013904223;
        pairs[i].key = i % 4 == 3 ? pairs[i - 1].key : random;
        pairs[i].value = static_cast<decltype(Pair::value)>(i);
    }
    vqsort::sort(pairs.data(), count, 1);
    std::vector<bool> found(count, false);
    for (const Pair &pair : pairs)
        if (pair.value < count)
            found[pair.value] = true;
    return std::find(found.begin(), found.end(), false) == found.end();
}

/* Tried once: this is asked in each run, too, which is timed. */
template <class Pair> bool keeps_values()
{
    static const bool kept = try_values<Pair>();
    return kept;
}

static_assert(sizeof(hwy::K32V32) == 8 && sizeof(hwy::K64V64) == 16 && sizeof(hwy::uint128_t) == 16,
              "keys are handed over as they lie in memory");

} // namespace

namespace peers
{

template <> steps find_keys<vqsort>(consort_type type)
{
    switch (type) {
    case CONSORT_U16:
        return steps_keys<vqsort, std::uint16_t>();
    case CONSORT_U32:
        return steps_keys<vqsort, std::uint32_t>();
    case CONSORT_U64:
        return steps_keys<vqsort, std::uint64_t>();
    case CONSORT_U128:
        return steps_keys<vqsort, hwy::uint128_t>();
    case CONSORT_I16:
        return steps_keys<vqsort, std::int16_t>();
    case CONSORT_I32:
        return steps_keys<vqsort, std::int32_t>();
    case CONSORT_I64:
        return steps_keys<vqsort, std::int64_t>();
    case CONSORT_F32:
        return steps_keys<vqsort, float>();
    case CONSORT_F64:
        return hwy::Sorter::HaveFloat64() ? steps_keys<vqsort, double>() : steps{};
    default:
        return {};
    }
}

template <> steps find_pairs<vqsort>(consort_type type, std::uint32_t value_bytes)
{
    if (type == CONSORT_U32 && value_bytes == 4 && keeps_values<hwy::K32V32>()) {
        return steps_items<vqsort, hwy::K32V32>();
    }
    if (type == CONSORT_U64 && value_bytes == 8 && keeps_values<hwy::K64V64>()) {
        return steps_items<vqsort, hwy::K64V64>();
    }
    return {};
}

} // namespace peers
#endif

void peers::add_highway(list &peers)
{
#if CONSORT_BENCH_HIGHWAY
    const char *description =
        "Highway " PEER_TEXT(HWY_MAJOR) "." PEER_TEXT(HWY_MINOR) "." PEER_TEXT(HWY_PATCH) " vqsort";
    peers.push_back(generic<vqsort>::entry("vqsort", description, false, false));
#else
    peers.push_back(missing("vqsort", "Highway vqsort", "built without libhwy-dev"));
#endif
}
