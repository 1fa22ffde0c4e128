/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The families of peers in the plugin; each adds its entries, the missing ones too.
 */
#ifndef CONSORT_BENCH_PEER_LIST_HPP
#define CONSORT_BENCH_PEER_LIST_HPP

#include <cstdint>
#include <vector>

#include "peers.h"

namespace peers
{

using list = std::vector<peer>;

void add_std(list &peers);
void add_highway(list &peers);
void add_gnu_parallel(list &peers);
void add_tbb(list &peers);
void add_boost(list &peers);

} // namespace peers

#endif
