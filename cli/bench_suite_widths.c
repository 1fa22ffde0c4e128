/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Large lists of every width of keys: with values, argsorts, merges, and keys that are sorted, all
 * alike or skewed. None may take notably longer than CUB does.
 */
#include "bench_suite_list.h"

#define BRIEFLY "--device gpu -n 2^28 --min-time 0 --repeat 5 "
#define WIDTHS  "-t u8,u16,u32,u64,u128 "
#define SKEWED  "-d sorted,equal,zipf "

static const char *const lines[] = {
    BRIEFLY "--operation pairs --values 4,8,16 --peers cub_radix " WIDTHS,
    BRIEFLY "--operation argsort --values 4,8 --peers cub_radix " WIDTHS,
    BRIEFLY "--operation merge --peers cub_merge -t u8,u16,u32,u64,u128,i32,f32,f64",
    BRIEFLY "--operation merge --values 4,8,16 --peers cub_merge -t u32,u64",
    BRIEFLY SKEWED "--peers cub_radix -t u8,u16,u32,u64,u128,f32,f64",
    BRIEFLY SKEWED "--operation pairs --values 4 --peers cub_radix -t u32,u64",
    BRIEFLY SKEWED "--operation argsort --peers cub_radix -t u32,u64",
    NULL,
};

static const struct bench_target targets[] = {{.every = true, .ratio = 0.95}};

const struct bench_suite bench_suite_gpu_widths = {
    "gpu-widths",
    "large lists of every width, alone and with values, beside CUB; four minutes",
    lines,
    targets,
    sizeof targets / sizeof targets[0],
};
