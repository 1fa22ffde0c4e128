/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Threading Building Blocks.
 */
#include "peer_generic.hpp"
#include "peer_list.hpp"
#include "peer_version.hpp"

#if CONSORT_BENCH_TBB
#include <tbb/parallel_sort.h>
#include <tbb/task_arena.h>
#include <tbb/version.h>

namespace
{

struct tbb_sort {
    static constexpr bool every_type = false;

    template <class T> static void sort(T *items, std::size_t count, int threads)
    {
        tbb::task_arena arena(threads);
        arena.execute([=] { tbb::parallel_sort(items, items + count); });
    }
};

} // namespace
#endif

void peers::add_tbb(list &peers)
{
#if CONSORT_BENCH_TBB
    const char *description = "oneTBB " TBB_VERSION_STRING " tbb::parallel_sort";
    peers.push_back(generic<tbb_sort>::entry("tbb_parallel_sort", description, false, true));
#else
    peers.push_back(
        missing("tbb_parallel_sort", "oneTBB tbb::parallel_sort", "built without libtbb-dev"));
#endif
}
