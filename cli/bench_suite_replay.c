/* SPDX-License-Identifier: Apache-2.0 */
/* How much runs of one case differ, launched kernel by kernel and replayed. */
#include "bench_suite_list.h"

#define REPLAYED                                                                                   \
    "--device gpu --form copy,launches --peers none --min-time 0 --repeat 30 -n "                  \
    "2^12,2^16,2^20,2^24,2^28 "

static const char *const lines[] = {
    REPLAYED "-t u8,u32,u64,f32",
    REPLAYED "--operation pairs --values 4 -t u32",
    REPLAYED "--operation argsort -t u64",
    NULL,
};

const struct bench_suite bench_suite_gpu_replay = {
    "gpu-replay",
    "how much runs differ, launched kernel by kernel and replayed; half a minute",
    lines,
    NULL,
    0,
};
