/* SPDX-License-Identifier: Apache-2.0 */
/* Host side of bitonic steps: which are launched together. */
#include "cuda/sorts/network/cuda_network.h"

#include "core/status.h"
#include "cuda/sorts/items/cuda_items.h"

uint32_t cuda_network_log(uint64_t count)
{
    uint32_t log = 0;
    while (log < 63 && (uint64_t)1 << log < count)
        log++;
    return log;
}

uint32_t cuda_network_log_down(uint64_t count)
{
    return 63 - (uint32_t)__builtin_clzll(count);
}

consort_status cuda_network_prepare(struct cuda_network *n, const struct request *request,
                                    const struct device *device, uint32_t threads)
{
    n->log_tile = cuda_network_log(threads) + NETWORK_LOG_EACH;
    uint32_t shared = items_shared_bytes(cuda_items_code_bytes(request),
                                         cuda_items_index_bytes(request), 1u << n->log_tile);
    n->tile = (struct launch){cuda_items_kernel(request, device, "network", "network_tile", shared),
                              threads, shared};
    n->group = (struct launch){cuda_items_kernel(request, device, "network", "network_group", 0),
                               NETWORK_GROUP_THREADS, 0};
    n->step = (struct launch){cuda_items_kernel(request, device, "network", "network_step", 0),
                              threads, 0};
    bool found = n->tile.function && n->group.function && n->step.function;
    return found ? CONSORT_OK : consort_last_error()->status;
}

static uint64_t cuda_network_blocks(uint64_t count, uint64_t each)
{
    return count / each + (count % each != 0);
}

static consort_status cuda_network_tiles(const struct cuda_network *n, struct items *items,
                                         uint32_t log_first, uint32_t log_last, const void *wanted,
                                         consort_stream stream)
{
    struct network_range range = {n->log_tile, log_first, log_last};
    void *parameters[] = {items, &range, &wanted};
    return launch_kernel(&n->tile, cuda_network_blocks(items->count, 1u << n->log_tile), stream,
                         parameters);
}

/* The steps of one size whose strides are a tile or more. */
static consort_status cuda_network_groups(const struct cuda_network *n, struct items *items,
                                          uint32_t log_size, const void *wanted,
                                          consort_stream stream)
{
    consort_status status = CONSORT_OK;
    for (uint32_t left = log_size - n->log_tile; left > 0 && status == CONSORT_OK;) {
        uint32_t levels = left < 3 ? left : 3;
        left -= levels;
        uint32_t log_stride = n->log_tile + left;
        uint64_t spans = cuda_network_blocks(items->count, (uint64_t)1 << (log_stride + levels));
        void *parameters[] = {items, &log_size, &log_stride, &levels, &wanted};
        status =
            launch_kernel(&n->group, cuda_network_blocks(spans << log_stride, n->group.threads),
                          stream, parameters);
    }
    return status;
}

consort_status cuda_network_merge(const struct cuda_network *n, struct items *items,
                                  uint32_t log_first, const void *wanted, consort_stream stream)
{
    uint32_t log_count = cuda_network_log(items->count);
    uint32_t log_within = log_count < n->log_tile ? log_count : n->log_tile;
    consort_status status = CONSORT_OK;
    if (log_first <= log_within)
        status = cuda_network_tiles(n, items, log_first, log_within, wanted, stream);
    uint32_t log_size = log_first > log_within ? log_first : log_within + 1;
    for (; log_size <= log_count && status == CONSORT_OK; log_size++) {
        status = cuda_network_groups(n, items, log_size, wanted, stream);
        if (status == CONSORT_OK)
            status = cuda_network_tiles(n, items, log_size, log_size, wanted, stream);
    }
    return status;
}

consort_status cuda_network_merge_unfused(const struct cuda_network *n, struct items *items,
                                          uint32_t log_first, consort_stream stream)
{
    uint32_t log_count = cuda_network_log(items->count);
    consort_status status = CONSORT_OK;
    for (uint32_t log_size = log_first; log_size <= log_count; log_size++)
        for (uint32_t log_stride = log_size; log_stride-- > 0 && status == CONSORT_OK;) {
            void *parameters[] = {items, &log_size, &log_stride};
            status = launch_kernel(&n->step, cuda_network_blocks(items->count, n->step.threads),
                                   stream, parameters);
        }
    return status;
}

/* H200, CUDA 13.0, 2026-11, u32: 2^12 31 µs, 2^16 65 µs, 2^20 184 µs, 2^24 2.9 ms, 2^26 12.8 ms;
 * u64 37 and 75 µs, u128 58 and 112 µs at 2^12 and 2^16; items with an index, which are made and
 * moved, 15 µs to 25 µs more. Tiles are sorted first, which takes as long as comparing does. Steps
 * between tiles take a third of a pass over the items each, those within a tile half a pass more
 * than one for each size; a pass is some µs, and a read and a write at 2700 bytes a nanosecond.
 */
double cuda_network_cost(const struct request *request, uint32_t log_first)
{
    double bytes = cuda_items_code_bytes(request) + cuda_items_index_bytes(request);
    double sizes = cuda_network_log(request->maximum_count), tile = 11.0;
    double passes = 2.0, size = log_first > tile ? log_first : tile + 1.0;
    for (; size <= sizes; size++)
        passes += 1.5 + (size - tile) / 3.0;
    double around = cuda_items_index_bytes(request) > 0 ? 24e3 : 9e3;
    double tiles = 4e3 + 1.57e3 * bytes, pass = 2.55e3 + 160.0 * bytes;
    return around + tiles + passes * (pass + 2.0 * bytes * (double)request->maximum_count / 2700.0);
}
