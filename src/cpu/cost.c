/* SPDX-License-Identifier: Apache-2.0 */
/* What the planner weighs: estimated nanoseconds of the sort algorithms. */
#include "cpu/cost.h"

#include "cpu/share.h"
#include "cpu/sort_radix.h"

enum {
    COST_LEAF = 4096,      /* items up to which LSD radix sort stays in cache */
    COST_MSD_LEAF = 16384, /* the same for MSD, which begins there */
    COST_ENCODE = 12       /* ns an item for its normalised key */
};

double cost_levels(uint64_t count)
{
    double levels = 1;
    for (; count > 2; count = count / 2 + count % 2)
        levels++;
    return levels;
}

static double cost_shared(const struct request *request, enum share share, double nanoseconds)
{
    return nanoseconds / (double)share_threads(request, request->maximum_count, share);
}

/* Bytes of values that travel with each code. */
static double cost_value_bytes(const struct request *request)
{
    if (request->index_bytes > 0 || !sort_radix_is_direct(request))
        return 4;
    return request->value_count > 0 ? (double)request->value_bytes[0] : 0;
}

static double cost_encoding(const struct request *request)
{
    return order_is_plain(&request->order) ? 0 : COST_ENCODE;
}

/* ns an item in cache: u8 2.7, u16 4.1, u32 5.2, u64 6.4, u128 11.9; with 8 bytes of values 9. */
static double cost_leaf(const struct request *request)
{
    return 2 + 0.6 * sort_radix_width(request) + 0.4 * cost_value_bytes(request) +
           cost_encoding(request);
}

static double cost_small_radix(const struct request *request)
{
    return 300 + cost_leaf(request) * (double)request->maximum_count;
}

/* ns an item and pass: u8 2.9, u16 2.8, u32 3.1, u64 4.2, u128 7.5; 8 bytes of values add 2. */
double cost_lsd(const struct request *request)
{
    if (request->maximum_count <= COST_LEAF)
        return cost_small_radix(request);
    double bits = request->order.total_bits < 128 ? (double)request->order.total_bits : 128;
    double pass = 2.4 + 0.3 * sort_radix_width(request) + 0.25 * cost_value_bytes(request);
    return cost_shared(request, SHARE_RADIX,
                       (pass * bits / 8 + cost_encoding(request)) * (double)request->maximum_count);
}

/* ns an item: u8 3.0, u16 5.7, u32 8.5, u64 12.5, u128 21; with 8 bytes of values u32 14, u64 17.
 */
double cost_msd(const struct request *request)
{
    if (request->maximum_count <= COST_MSD_LEAF)
        return cost_small_radix(request);
    double item = 3.5 + 1.2 * sort_radix_width(request) + 0.6 * cost_value_bytes(request);
    return cost_shared(request, SHARE_RADIX,
                       (item + cost_encoding(request)) * (double)request->maximum_count);
}

/* Whole arrays are what MSD is for. */
double cost_pieces(const struct request *request)
{
    return 200000 + 1.5 * cost_msd(request);
}

/* 8 bits: 0.45 ns an item and 1.5 µs; 16 bits: 1.6 ns and 400 to 800 µs for histograms, so that
 * MSD is faster up to 100 000 items. */
double cost_counting(const struct request *request)
{
    if (request->item_bytes == 1)
        return 1500 + cost_shared(request, SHARE_COUNTING, 0.45 * (double)request->maximum_count);
    return 400000 + cost_shared(request, SHARE_COUNTING, 1.6 * (double)request->maximum_count);
}

/* ns an item: u8 10, u16 14, u32 22, u64 32, u128 61. */
double cost_inplace(const struct request *request)
{
    if (request->maximum_count <= COST_MSD_LEAF)
        return 10 + cost_small_radix(request);
    return cost_shared(request, SHARE_RADIX,
                       (10 + 3.1 * (double)request->item_bytes) * (double)request->maximum_count);
}

/* ns an item and level: plain codes 5.6; positions of plain codes 13; other items 25. */
double cost_merge(const struct request *request)
{
    bool plain = order_is_plain(&request->order);
    bool direct = plain && request->value_count == 0 && request->index_bytes == 0;
    double level = direct ? 5.6 : plain ? 13 : 25;
    double item = (direct ? 5 : 25) + level * cost_levels(request->maximum_count);
    return 200 + cost_shared(request, SHARE_MERGE_SORT, item * (double)request->maximum_count);
}

/* ns an item: u64 58 at 8 items, 256 at 512, 490 at 20 000; strings of 10 bytes 100, 413, 761;
 * records of 100 bytes 110, 447, 994. */
double cost_symmerge(const struct request *request)
{
    double bytes = (double)request->item_bytes;
    for (uint32_t i = 0; i < request->value_count; i++)
        bytes += (double)request->value_bytes[i];
    double level = (order_is_plain(&request->order) ? 30 : 50) + 0.2 * bytes;
    return 400 + cost_shared(request, SHARE_MERGE_SORT,
                             level * cost_levels(request->maximum_count) *
                                 (double)request->maximum_count);
}

/* ns an item: u32 8.7 at 64 items, 20 at 20 000, 28 at 2 000 000; repeated runs on small arrays
 * flatter it, since their branches are remembered. u128 three times that. */
double cost_quick(const struct request *request)
{
    double level = request->item_bytes == 16 ? 4.5 : 1.6;
    return 60 + (5 + level * cost_levels(request->maximum_count)) * (double)request->maximum_count;
}

/* ns an item: u32 69 at 1 000 000. */
double cost_bitonic_serial(const struct request *request)
{
    double levels = cost_levels(request->maximum_count);
    return 200 + (10 + 0.05 * (double)request->item_bytes * levels * levels) *
                     (double)request->maximum_count;
}

static double cost_segment(const struct request *request)
{
    double segments = (double)request->maximum_segments;
    return segments > 0 ? (double)request->maximum_count / segments : 1;
}

/* u32, ns an item for segments of 3, 10, 30, 100, 1000 items: 24, 17, 19, 9, 6. */
double cost_segmented_radix(const struct request *request)
{
    double length = cost_segment(request);
    double item = length > COST_MSD_LEAF
                      ? 5 + 1.2 * sort_radix_width(request) + 0.6 * cost_value_bytes(request)
                      : cost_leaf(request) + (length > 100 ? 3 : 10) + 30 / length;
    return cost_shared(request, SHARE_RADIX, item * (double)request->maximum_count);
}

/* u32, ns an item for segments of 3, 10, 30, 100, 1000 items: 10, 14, 22, 32, 47. */
double cost_segmented_merge(const struct request *request)
{
    double length = cost_segment(request) < 1e15 ? cost_segment(request) : 1e15;
    bool plain = order_is_plain(&request->order);
    bool direct = plain && request->value_count == 0;
    double level = direct ? 4.5 : plain ? 13 : 25;
    double item = (direct ? 1 : 20) + level * cost_levels((uint64_t)length + 1);
    return cost_shared(request, SHARE_MERGE_SORT, item * (double)request->maximum_count);
}

static double cost_selected(const struct request *request)
{
    uint64_t count = request->maximum_count, k = request->maximum_k;
    return (double)(k < count ? k : count);
}

/* u32, 10 000 000 items: 2.9 ns an item for k = 10, 3.4 for k = 100 000. */
double cost_top_k_radix(const struct request *request)
{
    double sorted = cost_selected(request) + COST_LEAF;
    if (sorted > (double)request->maximum_count)
        sorted = (double)request->maximum_count;
    return 500 +
           cost_shared(request, SHARE_SELECT,
                       (2 + 0.3 * (double)request->item_bytes) * (double)request->maximum_count +
                           15 * sorted);
}

/* u32, 10 000 000 items: 20 ns an item for k = 10, 66 for k = 100 000. */
double cost_top_k_heap(const struct request *request)
{
    double most = cost_selected(request);
    return 100 + cost_shared(request, SHARE_HEAP,
                             20 * (double)request->maximum_count +
                                 30 * most * cost_levels((uint64_t)most + 1));
}
