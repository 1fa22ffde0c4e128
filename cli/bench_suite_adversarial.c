/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Keys made against our own sorts, and whether these take notably longer than CUB does.
 */
#include "bench_suite_list.h"

#define BRIEFLY                                                                                    \
    "--device gpu -d adversarial -n 2^20,2^24,2^28 --min-time 0 --repeat 5 --peers cub_radix "

static const char *const lines[] = {
    BRIEFLY "-t u16,u32,u64,u128,f32,f64",
    BRIEFLY "--operation pairs --values 4 -t u32",
    BRIEFLY "--operation pairs --values 8 -t u64",
    BRIEFLY "--operation argsort -t u32",
    NULL,
};

static const struct bench_target targets[] = {{.every = true, .ratio = 0.8}};

const struct bench_suite bench_suite_gpu_adversarial = {
    "gpu-adversarial",
    "keys made against our own sorts, beside CUB; three minutes",
    lines,
    targets,
    sizeof targets / sizeof targets[0],
};
