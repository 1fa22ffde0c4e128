/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Every distribution, short, middling and long lists: none may take longer than the best peer does.
 */
#include "bench_suite_list.h"

/* libcusort with two buffers: its other form clears as much memory again, and is never faster. */
#define BRIEFLY                                                                                    \
    "--device gpu -d all -n 2^20,2^22,2^24,2^28 --min-time 0.003 --repeat 5 "                      \
    "--peers cub_radix,libcusort_double "

static const char *const lines[] = {
    BRIEFLY "-t u8,u16,u32,u64,u128,f32,f64",
    BRIEFLY "--operation pairs --values 4 -t u32",
    BRIEFLY "--operation pairs --values 8 -t u64",
    BRIEFLY "--operation argsort -t u32",
    NULL,
};

static const struct bench_target targets[] = {{.every = true, .ratio = 1}};

const struct bench_suite bench_suite_gpu_skew = {
    "gpu-skew",
    "every distribution, 2^20 to 2^28 items, beside CUB and libcusort; nine minutes",
    lines,
    targets,
    sizeof targets / sizeof targets[0],
};
