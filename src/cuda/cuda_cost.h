/* SPDX-License-Identifier: Apache-2.0 */
/* What using a GPU costs beside the sort itself, and whether its memory suffices. */
#ifndef CONSORT_CUDA_COST_H
#define CONSORT_CUDA_COST_H

#include "core/algorithm.h"

/* Nanoseconds until the first kernel of a process can start: 0 once a GPU is in use, by consort or
 * by other code of the process. Opens nothing. */
double cuda_cost_startup(const struct request *request);

/* Nanoseconds that a run of `algorithm` takes, host arrays' way there and back included. */
double cuda_cost_run(const struct request *request, const struct algorithm *algorithm);

/* Most bytes of shared memory that a block has on the GPU of the request. */
uint64_t cuda_cost_shared(const struct request *request);

/* How many multiprocessors that GPU has for launches whose blocks wait for each other; 0 if there
 * is none, or it has no such launches. */
uint32_t cuda_cost_processors(const struct request *request);

/* False if the arrays of a host plan and `workspace` bytes are more than the GPU has left. */
bool cuda_cost_fits(const struct request *request, uint64_t workspace);

#endif
