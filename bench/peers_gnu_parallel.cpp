/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The parallel mode of libstdc++ (OpenMP): multiway merge sort.
 */
#include "peer_generic.hpp"
#include "peer_list.hpp"
#include "peer_version.hpp"

#if CONSORT_BENCH_GNU_PARALLEL
#include <parallel/algorithm>

namespace
{

struct gnu_sort {
    static constexpr bool every_type = false;

    template <class T> static void sort(T *items, std::size_t count, int threads)
    {
        __gnu_parallel::sort(
            items, items + count,
            __gnu_parallel::multiway_mergesort_tag(static_cast<unsigned>(threads)));
    }
};

struct gnu_stable_sort {
    static constexpr bool every_type = false;

    template <class T> static void sort(T *items, std::size_t count, int threads)
    {
        __gnu_parallel::stable_sort(
            items, items + count,
            __gnu_parallel::multiway_mergesort_tag(static_cast<unsigned>(threads)));
    }
};

} // namespace
#endif

void peers::add_gnu_parallel(list &peers)
{
    const char *unstable = PEER_LIBCXX " __gnu_parallel::sort";
    const char *stable = PEER_LIBCXX " __gnu_parallel::stable_sort";
#if CONSORT_BENCH_GNU_PARALLEL
    peers.push_back(generic<gnu_sort>::entry("gnu_parallel_sort", unstable, false, true));
    peers.push_back(
        generic<gnu_stable_sort>::entry("gnu_parallel_stable_sort", stable, true, true));
#else
    const char *reason = "built without OpenMP or libstdc++'s parallel mode";
    peers.push_back(missing("gnu_parallel_sort", unstable, reason));
    peers.push_back(missing("gnu_parallel_stable_sort", stable, reason));
#endif
}
