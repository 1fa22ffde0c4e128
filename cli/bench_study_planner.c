/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the planner chooses for arrays in a GPU's memory, beside every algorithm by force that was
 * ever near the fastest (the field guide tells which): from a few items to 2^28.
 */
#include "bench_study_list.h"

#define SHORT                                                                                      \
    "--device gpu -n 2^6,2^8,2^10,2^12,2^14,2^16,2^18,2^20 --min-time 0 --repeat 15 --budget "     \
    "0.05 --peers none --algorithm "                                                               \
    "auto,msd,lsd,merge,counting,hybrid,fused,normalised,sample,bucket,quick,bitonic,"             \
    "radix-multibit,radix-coarsened "
#define LONG                                                                                       \
    "--device gpu -n 2^22,2^24,2^26,2^28 --min-time 0 --repeat 5 --budget 0.05 --peers none "      \
    "--algorithm auto,msd,lsd,merge,counting,hybrid,fused,normalised,sample "

#define SWEEP(what) SHORT what, LONG what

static const char *const lines[] = {
    SWEEP("-t u8,u16,u32,u64,u128,f32,f64"),
    SWEEP("--operation pairs --values 4 -t u8,u32,u64"),
    SWEEP("--operation pairs --values 16 -t u32,u128"),
    SWEEP("--operation argsort -t u32,u64,f64"),
    NULL,
};

const struct bench_study bench_study_planner = {
    {"planner", "what the planner chooses, beside its algorithms by force", lines, NULL, 0},
    "",
    NULL,
    0,
};
