/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Threading Building Blocks.
 */
#include "peer_generic.hpp"
#include "peer_list.hpp"

#if CONSORT_BENCH_TBB
#include <tbb/parallel_sort.h>
#include <tbb/task_arena.h>

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
    const char *description = "oneTBB tbb::parallel_sort";
#if CONSORT_BENCH_TBB
    peers.push_back(generic<tbb_sort>::entry("tbb_parallel_sort", description, false, true));
#else
    peers.push_back(missing("tbb_parallel_sort", description, "built without libtbb-dev"));
#endif
}
