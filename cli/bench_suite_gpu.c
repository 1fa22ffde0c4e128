/* SPDX-License-Identifier: Apache-2.0 */
/* What is measured on a GPU, and what it should reach. */
#include "bench_suite_list.h"

/*
 * One look at each promise, a minute together: most of that is making inputs on the host and
 * checking one result of each case there, which is why there are no more cases.
 */
static const char *const gpu_quick_lines[] = {
    "--device gpu -t u8,u16 -n 2^28 --min-time 0 --peers cub_radix",
    "--device gpu -t u32,u64 -n 2^28 --min-time 0 --peers "
    "cub_radix,cub_radix_double,cub_merge_sort,thrust_sort",
    "--device gpu -t u128 -n 2^27 --min-time 0 --peers cub_radix",
    "--device gpu --operation pairs -t u32 --values 4,8,16 -n 2^28 --min-time 0 --peers cub_radix",
    "--device gpu --operation pairs -t u64 --values 4,8 -n 2^28 --min-time 0 --peers cub_radix",
    "--device gpu --operation argsort -t u32,u64 -n 2^28 --min-time 0 --peers cub_radix",
    "--device gpu --operation merge -t u32,u64 -n 2^28 --min-time 0",
    "--device gpu --operation segmented --segment 1000 -t u32 -n 1e8 --min-time 0",
    "--device gpu --operation top-k -t u32 -n 2^28 --min-time 0",
    "--device gpu -t u32,u64 -n 2^28 -d half-constant --min-time 0 --peers cub_radix",
    "--device gpu -t u32 -n 2^28 -d sorted,equal,zipf --min-time 0 --peers cub_radix",
    "--device gpu -t u32 -n 2^12,2^16,2^20,2^24 --peers cub_radix",
    NULL,
};

enum {
    LARGE = 1 << 28,
    HUNDRED_MILLION = 100000000
};

/* A sort of `count` items, keys alone or pairs, against CUB's radix sort. */
#define SORT(key_type, bytes, items, keys, factor)                                                 \
    {                                                                                              \
        .type = (key_type), .value_bytes = (bytes), .count = (items), .distribution = (keys),      \
        .on_gpu = true, .against_peer = "cub_radix", .ratio = (factor)                             \
    }
#define ARGSORT(key_type)                                                                          \
    {                                                                                              \
        .operation = BENCH_ARGSORT, .type = (key_type), .value_bytes = 4, .count = LARGE,          \
        .on_gpu = true, .against_peer = "cub_radix", .ratio = 0.95                                 \
    }
#define MERGE(key_type)                                                                            \
    {                                                                                              \
        .operation = BENCH_MERGE, .type = (key_type), .count = LARGE, .on_gpu = true,              \
        .against_peer = "cub_merge", .ratio = 0.95                                                 \
    }
#define SEGMENTS(items, factor)                                                                    \
    {                                                                                              \
        .operation = BENCH_SEGMENTED, .type = CONSORT_U32, .count = HUNDRED_MILLION,               \
        .segment = (items), .on_gpu = true, .against_peer = BENCH_BEST_PEER, .ratio = (factor)     \
    }

static const struct bench_target gpu_quick_targets[] = {
    SORT(CONSORT_U8, 0, LARGE, "uniform", 4),
    SORT(CONSORT_U16, 0, LARGE, "uniform", 4),
    SORT(CONSORT_U32, 4, LARGE, "uniform", 0.95),
    SORT(CONSORT_U32, 8, LARGE, "uniform", 0.95),
    SORT(CONSORT_U32, 16, LARGE, "uniform", 0.95),
    SORT(CONSORT_U64, 4, LARGE, "uniform", 0.95),
    SORT(CONSORT_U64, 8, LARGE, "uniform", 0.95),
    ARGSORT(CONSORT_U32),
    ARGSORT(CONSORT_U64),
    MERGE(CONSORT_U32),
    MERGE(CONSORT_U64),
    SEGMENTS(1000, 6),
    SORT(CONSORT_U32, 0, LARGE, "half-constant", 1.7),
    SORT(CONSORT_U64, 0, LARGE, "half-constant", 1.7),
    SORT(CONSORT_U32, 0, LARGE, "sorted", 0.9),
    SORT(CONSORT_U32, 0, LARGE, "equal", 0.9),
    SORT(CONSORT_U32, 0, LARGE, "zipf", 0.9),
};

/* Every type, value size, distribution and segment length. */
static const char *const gpu_full_lines[] = {
    "--device gpu -t all -n 2^26 --min-time 0 --peers cub_radix",
    "--device gpu -t u8,u16,u32,u64,u128 -n 2^26 --min-time 0 --operation pairs --values 4,8,16 "
    "--peers cub_radix",
    "--device gpu -t u32,u64 -n 2^26 --min-time 0 --form copy,in-place,double-buffer",
    "--device gpu -t u8,u16,u32,u64,u128 --operation argsort --values 4,8 -n 2^26 --min-time 0 "
    "--peers cub_radix",
    "--device gpu -t u8,u16,u32,u64,f32,f64 -d all -n 2^26 --min-time 0 --peers cub_radix",
    "--device gpu -t u32 --operation pairs --values 4 -d all -n 2^26 --min-time 0 --peers "
    "cub_radix",
    "--device gpu -t u64 --operation pairs --values 8 -d all -n 2^26 --min-time 0 --peers "
    "cub_radix",
    "--device gpu -t u32,u64 --operation argsort -d all -n 2^26 --min-time 0 --peers cub_radix",
    "--device gpu -t u8,u32,u64 -n "
    "2^12,2^13,2^14,2^15,2^16,2^17,2^18,2^19,2^20,2^21,2^22,2^23,2^24,"
    "2^25,2^26,2^27,2^28 --min-time 0.01 --peers cub_radix,thrust_sort",
    "--device gpu -t u32 --operation pairs --values 4 -n "
    "2^12,2^14,2^16,2^18,2^20,2^22,2^24,2^26,2^28 "
    "--min-time 0.01 --peers cub_radix,thrust_sort",
    "--device gpu -t u32 -n 2^30 --min-time 0 --peers cub_radix",
    "--device gpu --operation segmented -t u32 -n 1e8 --min-time 0 --segment 1",
    "--device gpu --operation segmented -t u32 -n 1e8 --min-time 0 --segment 10",
    "--device gpu --operation segmented -t u32 -n 1e8 --min-time 0 --segment 100",
    "--device gpu --operation segmented -t u32 -n 1e8 --min-time 0 --segment 1000",
    "--device gpu --operation segmented -t u32 -n 1e8 --min-time 0 --segment 1e4",
    "--device gpu --operation segmented -t u32 -n 1e8 --min-time 0 --segment 1e5",
    "--device gpu --operation segmented -t u32 -n 1e8 --min-time 0 --segment 1e6",
    "--device gpu --operation segmented -t u64 --values 8 -n 1e8 --min-time 0 --segment 1000",
    "--device gpu --operation merge -t u32,u64,u128,f32 -d uniform,zipf,sorted,equal -n 2^26 "
    "--min-time 0",
    "--device gpu --operation merge -t u32 --values 4,8 -n 2^26 --min-time 0",
    "--device gpu --operation top-k -t u32,u64,f32 --k 100 -n 2^26 --min-time 0",
    "--device gpu --operation top-k -t u32 --k 1e6 -n 2^26 --min-time 0",
    "--device gpu --operation records -t u32,u64 --record 100 -n 1e7 --min-time 0",
    "--device gpu --memory host -t u32 -n 2^28 --repeat 3 --min-time 0 --peers none",
    NULL,
};

static const struct bench_target gpu_full_targets[] = {
    SEGMENTS(1, 1),     SEGMENTS(10, 1),     SEGMENTS(100, 1),     SEGMENTS(1000, 6),
    SEGMENTS(10000, 1), SEGMENTS(100000, 1), SEGMENTS(1000000, 1),
};

const struct bench_suite bench_suite_gpu_quick = {
    "gpu-quick",       "the GPU engine beside CUB at 2^28 items; a minute",    gpu_quick_lines,
    gpu_quick_targets, sizeof gpu_quick_targets / sizeof gpu_quick_targets[0],
};

const struct bench_suite bench_suite_gpu_full = {
    "gpu-full",
    "the GPU engine beside CUB and Thrust: types, sizes, skew, segments; eight minutes",
    gpu_full_lines,
    gpu_full_targets,
    sizeof gpu_full_targets / sizeof gpu_full_targets[0],
};

/* Host arrays: what is asked of the largest, and what others take beside the driver's own copies.
 */
static const char *const gpu_host_lines[] = {
    "--device gpu --memory pinned -t u32 -n 2^30 --repeat 5 --min-time 0 --peers none",
    "--device gpu --memory pinned -t u32,u64 -n 2^24,2^26,2^28 --repeat 5 --min-time 0 --peers "
    "none",
    "--device gpu --memory pinned --operation pairs -t u32 --values 4 -n 2^28 --repeat 5 "
    "--min-time 0 --peers none",
    "--device gpu --memory pinned --operation argsort -t u32 -n 2^28 --repeat 5 --min-time 0 "
    "--peers none",
    "--device gpu --memory host -t u32 -n 2^28 --repeat 5 --min-time 0 --peers none",
    "--device gpu --memory host --operation pairs -t u32 --values 4 -n 2^28 --repeat 5 "
    "--min-time 0 --peers none",
    NULL,
};

static const struct bench_target gpu_host_targets[] = {
    {.type = CONSORT_U32,
     .count = (uint64_t)1 << 30,
     .pinned = true,
     .against_peer = BENCH_CEILING,
     .ratio = 1 / 1.15},
};

const struct bench_suite bench_suite_gpu_host = {
    "gpu-host",
    "host arrays on a GPU beside the driver's copies in and out alone; a minute",
    gpu_host_lines,
    gpu_host_targets,
    sizeof gpu_host_targets / sizeof gpu_host_targets[0],
};
