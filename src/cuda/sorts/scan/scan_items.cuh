/* SPDX-License-Identifier: Apache-2.0 */
/* The first item of any order that comes before its predecessor: a thread compares two neighbours.
 */
#ifndef CONSORT_SCAN_ITEMS_CUH
#define CONSORT_SCAN_ITEMS_CUH

#include "cuda/sorts/normalised/normalised_compare.cuh"
#include "cuda/sorts/scan/scan_found.cuh"

static __device__ __forceinline__ void scan_items(const scan_items_arguments &a, uint32_t *last)
{
    const normalised_array items(a.items);
    scan_each(a.control, 1, a.items.count,
              [&](uint64_t i) { return normalised_before(a.order, items, i, items, i - 1); });
    scan_finish(a.control, a.outcome, a.items.count, last);
}

#endif
