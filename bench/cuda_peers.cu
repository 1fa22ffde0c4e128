/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The table of the plugin for sorts on NVIDIA GPUs.
 */
#include <deque>
#include <string>
#include <utility>

#include <cuda/std/__cccl/version.h>

#include "cuda_peer_list.hpp"

namespace
{

const char *kept(std::string text)
{
    static std::deque<std::string> texts;
    texts.push_back(std::move(text));
    return texts.back().c_str();
}

/* CUB and Thrust share CCCL's version. */
std::string version()
{
    return std::to_string(CCCL_MAJOR_VERSION) + "." + std::to_string(CCCL_MINOR_VERSION) + "." +
           std::to_string(CCCL_PATCH_VERSION);
}

} // namespace

const char *peers::described(const char *library, const char *what)
{
    return kept(std::string(library) + " " + version() + " " + what);
}

const char *peers::named(const char *name)
{
    return CONSORT_BENCH_OWN_CCCL ? kept(name + ("@" + version())) : name;
}

static peers::list collect()
{
    peers::list list;
    peers::add_cub_radix(list);
    peers::add_cub_merge_sort(list);
    peers::add_cub_segmented(list);
    peers::add_cub_merge(list);
    peers::add_cub_top_k(list);
    peers::add_thrust(list);
    return list;
}

extern "C" __attribute__((visibility("default"))) const struct peer_table *consort_bench_peers(void)
{
    static const peers::list list = collect();
    static const peer_table table = {PEERS_ABI_VERSION, static_cast<std::uint32_t>(list.size()),
                                     list.data()};
    return &table;
}
