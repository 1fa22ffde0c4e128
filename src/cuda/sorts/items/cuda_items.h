/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What every comparison sort of the GPU shares: turning the arrays of a run into items that are
 * sorted in place, and sorted items into the result.
 *
 * Keys alone become codes in `out`: no workspace at all. Everything else (values, indices, records,
 * NumPy's float order) becomes codes with their positions in the workspace, all different, so that
 * the result is stable whatever the algorithm; the items then move once, by position.
 */
#ifndef CONSORT_CUDA_ITEMS_H
#define CONSORT_CUDA_ITEMS_H

#include "core/algorithm.h"
#include "cuda/launch.h"
#include "cuda/sorts/items/items_layout.h"

/* The kernels around a sort, for one plan. */
struct cuda_items {
    struct launch encode, decode, number, tell, gather;
    uint32_t blocks;
};

/* For an algorithm's `refuses`: keys of up to 128 bits of any order are fine. */
const char *cuda_items_refuses(const struct request *request);

/* Bytes of an item's code and of its index; 0: it has none. */
uint32_t cuda_items_code_bytes(const struct request *request);
uint32_t cuda_items_index_bytes(const struct request *request);

/* Bytes of workspace, a multiple of 256; an algorithm's own comes behind it. */
uint64_t cuda_items_workspace(const struct request *request);

/* Finds the kernels; the device must be entered. */
consort_status cuda_items_prepare(struct cuda_items *c, const struct request *request,
                                  const struct device *device);

/* The kernel PREFIX_CODEBITS_INDEXBITS of an image, for the plan's kind of items. */
CUfunction cuda_items_kernel(const struct request *request, const struct device *device,
                             const char *image, const char *prefix, uint32_t shared);

/* Where the sorted items of a run must lie. */
struct items cuda_items_home(const struct consort_plan *plan, const struct run *run);

/* Whether the keys of a run are codes already: items that need not be made. */
bool cuda_items_are_codes(const struct consort_plan *plan);

/* Queues what makes the items, for a count above 0, at home or at other places as large. */
consort_status cuda_items_make(const struct cuda_items *c, const struct consort_plan *plan,
                               const struct run *run, const struct items *items);

/* The same at home. */
consort_status cuda_items_begin(const struct cuda_items *c, const struct consort_plan *plan,
                                const struct run *run, struct items *items);

/* Queues what makes the result of the sorted items. */
consort_status cuda_items_finish(const struct cuda_items *c, const struct consort_plan *plan,
                                 const struct run *run, const struct items *items);

#endif
