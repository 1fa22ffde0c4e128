/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Boost.Sort: its in-place and its stable parallel sort.
 */
#include "peer_generic.hpp"
#include "peer_list.hpp"
#include "peer_version.hpp"

#if CONSORT_BENCH_BOOST
#include <functional>

#include <boost/sort/sort.hpp>
#include <boost/version.hpp>

namespace
{

struct boost_block_indirect {
    static constexpr bool every_type = false;

    template <class T> static void sort(T *items, std::size_t count, int threads)
    {
        boost::sort::block_indirect_sort(items, items + count, std::less<T>(),
                                         static_cast<std::uint32_t>(threads));
    }
};

struct boost_sample {
    static constexpr bool every_type = false;

    template <class T> static void sort(T *items, std::size_t count, int threads)
    {
        boost::sort::sample_sort(items, items + count, std::less<T>(),
                                 static_cast<std::uint32_t>(threads));
    }
};

} // namespace
#endif

void peers::add_boost(list &peers)
{
#if CONSORT_BENCH_BOOST
    const char *block_indirect = "Boost " BOOST_LIB_VERSION " block_indirect_sort";
    const char *sample = "Boost " BOOST_LIB_VERSION " sample_sort";
    peers.push_back(generic<boost_block_indirect>::entry("boost_block_indirect_sort",
                                                         block_indirect, false, true));
    peers.push_back(generic<boost_sample>::entry("boost_sample_sort", sample, true, true));
#else
    const char *reason = "built without Boost.Sort (libboost-dev)";
    peers.push_back(missing("boost_block_indirect_sort", "Boost block_indirect_sort", reason));
    peers.push_back(missing("boost_sample_sort", "Boost sample_sort", reason));
#endif
}
