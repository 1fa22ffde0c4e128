/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Requests whose keys and values move in the passes of `lsd`: what moves, where it lies in the
 * workspace, and the columns that follow an index.
 */
#ifndef CONSORT_CUDA_LSD_REQUEST_H
#define CONSORT_CUDA_LSD_REQUEST_H

#include "core/plan.h"
#include "cuda/launch.h"
#include "cuda/sorts/lsd/lsd_layout.h"

/* Where everything lies in the workspace, counted in bytes from its start. */
struct lsd_workspace {
    uint64_t keys[2], values, index, column, total;
};

/* One column of 4, 8 or 16 bytes moves with the keys; anything else follows a sorted index. */
bool lsd_request_moves_index(const struct request *request);

/* Bytes of what moves with a key: a value, an index, or nothing. */
uint32_t lsd_request_value_bytes(const struct request *request);

/* NULL if there are passes for it, else why not, as `algorithm.refuses`. */
const char *lsd_request_refuses(const struct request *request);

/* Estimated nanoseconds if every byte of a key takes a pass. */
double lsd_request_cost(const struct request *request);

/* What passes take behind `scratch` bytes. */
struct lsd_workspace lsd_request_lay_out(const struct request *request, uint64_t scratch);

/* The same of a sort that has all items in shared memory or registers: the index that columns
 * follow. */
struct lsd_workspace lsd_request_lay_out_at_once(const struct request *request, uint64_t scratch);

/* How many keys so many blocks hold, by tiles of so many, one each: no more blocks than groups are
 * for. */
uint64_t lsd_held_keys(uint64_t blocks, uint32_t tile_keys);

/* How many keys the blocks of one launch hold on the request's GPU, by tiles of so many, as far as
 * is known before kernels are: two blocks, with so much shared memory each, on each multiprocessor
 * if they find room. */
uint64_t lsd_request_held_keys(const struct request *request, uint32_t tile_keys, uint64_t shared);

/* When kernels are known: whether as many keys as their blocks do hold are enough for a request
 * whose lists blocks are to hold. Fewer may live than a GPU has room for, if others share it. */
consort_status lsd_request_check_held(const struct request *request, uint64_t keys);

struct lsd_arguments lsd_request_arguments(const struct request *request, const struct run *run,
                                           const struct lsd_workspace *workspace);

/* Queues the sort of a request's keys with what moves with them. */
typedef consort_status lsd_request_sort(const struct consort_plan *plan, const struct run *run,
                                        const struct lsd_workspace *workspace);

/* A run of `sort`: it waits for a column that moves with the keys; other columns follow a sorted
 * index. */
consort_status lsd_request_run(const struct consort_plan *plan, const struct run *run,
                               const struct lsd_workspace *workspace, const struct launch *gather,
                               lsd_request_sort *sort);

#endif
