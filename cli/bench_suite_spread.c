/* SPDX-License-Identifier: Apache-2.0 */
/* Lists in the memory of several GPUs beside one GPU that sorts one part, ours and CUB's. */
#include "bench_suite_list.h"

/* Largest first, so that host memory is taken and pinned once. */
#define BRIEFLY   "--min-time 0 --repeat 5 "
#define TOGETHER  "--memory device " BRIEFLY
#define ALONE     "--device gpu --peers cub_radix " BRIEFLY
#define KEYS_U32  "-t u32 -d uniform,zipf "
#define KEYS_U64  "-t u64 -d uniform,zipf "
#define PAIRS_U32 "--operation pairs -t u32 --values 4 -d uniform,zipf "

/* Values of 4 bytes do not number more than 2^32 items. */
static const char *const gpu_spread_lines[] = {
    KEYS_U32 "--device gpus:4 -n 2^32 " TOGETHER,
    KEYS_U64 "--device gpus:4 -n 2^31 " TOGETHER,
    PAIRS_U32 "--device gpus:4 -n 2^31 " TOGETHER,
    KEYS_U32 "--device gpus:2 -n 2^31 " TOGETHER,
    KEYS_U64 "--device gpus:2 -n 2^30 " TOGETHER,
    PAIRS_U32 "--device gpus:2 -n 2^30 " TOGETHER,
    KEYS_U32 "-n 2^30 " ALONE,
    KEYS_U64 "-n 2^29 " ALONE,
    PAIRS_U32 "-n 2^29 " ALONE,
    NULL,
};

#define SPREAD(key_type, bytes, items, keys, together, peer, factor)                               \
    {                                                                                              \
        .type = (key_type), .value_bytes = (bytes), .count = UINT64_C(1) << (items),               \
        .distribution = (keys), .on_gpu = true, .gpus = (together), .against_peer = (peer),        \
        .ratio = (factor)                                                                          \
    }
#define BOTH(keys)                                                                                 \
    SPREAD(CONSORT_U32, 0, 30, keys, 2, NULL, 1.6),                                                \
        SPREAD(CONSORT_U32, 0, 30, keys, 4, NULL, 2.6),                                            \
        SPREAD(CONSORT_U32, 0, 30, keys, 4, "cub_radix", 5),                                       \
        SPREAD(CONSORT_U64, 0, 29, keys, 2, NULL, 1.6),                                            \
        SPREAD(CONSORT_U64, 0, 29, keys, 4, NULL, 2.6),                                            \
        SPREAD(CONSORT_U64, 0, 29, keys, 4, "cub_radix", 5),                                       \
        SPREAD(CONSORT_U32, 4, 29, keys, 2, NULL, 1.6),                                            \
        SPREAD(CONSORT_U32, 4, 29, keys, 4, NULL, 2.6)

static const struct bench_target gpu_spread_targets[] = {BOTH("uniform"), BOTH("zipf")};

const struct bench_suite bench_suite_gpu_spread = {
    "gpu-spread",
    "lists in the memory of two and four GPUs beside one GPU and CUB; two minutes",
    gpu_spread_lines,
    gpu_spread_targets,
    sizeof gpu_spread_targets / sizeof gpu_spread_targets[0],
};
