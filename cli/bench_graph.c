/* SPDX-License-Identifier: Apache-2.0 */
/* Capture, instantiation and launch by the driver. */
#include "bench_graph.h"

enum {
    CAPTURE_MODE_GLOBAL = 0
};

#define GOOD(call) bench_driver_good(gpu->driver, gpu->driver->call, #call, problem)

bool bench_graph_begin(const struct bench_gpu *gpu, struct problem *problem)
{
    return GOOD(capture_begin(gpu->stream, CAPTURE_MODE_GLOBAL));
}

bool bench_graph_end(const struct bench_gpu *gpu, void **graph, struct problem *problem)
{
    void *captured = NULL;
    *graph = NULL;
    if (!GOOD(capture_end(gpu->stream, &captured))) {
        return false;
    }
    bool good = GOOD(graph_instantiate(graph, captured, 0));
    (void)gpu->driver->graph_destroy(captured);
    return good;
}

bool bench_graph_launch(const struct bench_gpu *gpu, void *graph, struct problem *problem)
{
    return GOOD(graph_launch(graph, gpu->stream));
}

void bench_graph_free(const struct bench_gpu *gpu, void *graph)
{
    if (graph != NULL) {
        (void)gpu->driver->graph_free(graph);
    }
}
