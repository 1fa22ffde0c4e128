/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Highway's vectorised quicksort. It sorts some types only, so it is no generic sort; of pairs only
 * unsigned keys with values of the same size, packed into its own structures.
 */
#include "peer_generic.hpp"
#include "peer_list.hpp"
#include "peer_version.hpp"

#if CONSORT_BENCH_HIGHWAY
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
    if (type == CONSORT_U32 && value_bytes == 4) {
        return steps_items<vqsort, hwy::K32V32>();
    }
    if (type == CONSORT_U64 && value_bytes == 8) {
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
