/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The table of the plugin for sorts on the CPU.
 */
#include "peers.h"

#include "peer_list.hpp"

static peers::list collect()
{
    peers::list list;
    peers::add_std(list);
    peers::add_highway(list);
    peers::add_gnu_parallel(list);
    peers::add_tbb(list);
    peers::add_boost(list);
    return list;
}

extern "C" __attribute__((visibility("default"))) const struct peer_table *consort_bench_peers(void)
{
    static const peers::list list = collect();
    static const peer_table table = {PEERS_ABI_VERSION, static_cast<std::uint32_t>(list.size()),
                                     list.data()};
    return &table;
}
