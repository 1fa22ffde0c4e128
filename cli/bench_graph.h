/* SPDX-License-Identifier: Apache-2.0 */
/* What is queued on the GPU's stream, as a CUDA graph: captured once, launched as often as wanted.
 */
#ifndef CONSORT_CLI_BENCH_GRAPH_H
#define CONSORT_CLI_BENCH_GRAPH_H

#include "bench_gpu.h"

/* What is queued from here on is not run, but becomes the graph. */
bool bench_graph_begin(const struct bench_gpu *gpu, struct problem *problem);

/* *graph = what was queued since, ready to be launched; NULL if that failed. */
bool bench_graph_end(const struct bench_gpu *gpu, void **graph, struct problem *problem);

bool bench_graph_launch(const struct bench_gpu *gpu, void *graph, struct problem *problem);

/* Also of NULL. */
void bench_graph_free(const struct bench_gpu *gpu, void *graph);

#endif
