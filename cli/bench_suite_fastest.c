/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the fastest sort on one GPU is asked for, each by how much against the fastest peer of the
 * run. The newest CUB and libcusort are among them if their plugins were made (bench/README.md).
 */
#include "bench_suite_list.h"

#define BRIEFLY "--device gpu --min-time 0 "
#define PEERS   "--peers cub_radix,cub_radix_double,thrust_sort,libcusort,libcusort_double "
#define LENGTHS "-n 2^12,2^16,2^20,2^22,2^24 " PEERS

static const char *const lines[] = {
    BRIEFLY "-t u8,u16,f16,bf16,u32,i32,f32,u64,i64,f64 -n 2^28 " PEERS,
    BRIEFLY "-t u128 -n 2^27 " PEERS,
    BRIEFLY "--operation pairs -t u32 --values 4,16 -n 2^28 " PEERS,
    BRIEFLY "--operation pairs -t u64 --values 4,8 -n 2^28 " PEERS,
    BRIEFLY "--operation pairs -t u32 --values 4 -n 2^28 --unstable " PEERS,
    BRIEFLY "--operation argsort -t u32,u64 -n 2^28 " PEERS,
    BRIEFLY "--algorithm merge -t u32,u64 -n 2^28 --peers cub_merge_sort",
    BRIEFLY "-t u32,u64 -d half-constant -n 2^28 " PEERS,
    BRIEFLY "--operation segmented --segment 10 -t u32 -n 1e8",
    BRIEFLY "--operation segmented --segment 100 -t u32 -n 1e8",
    BRIEFLY "--operation segmented --segment 1000 -t u32 -n 1e8",
    BRIEFLY "--operation segmented --segment 1e4 -t u32 -n 1e8",
    BRIEFLY "--operation segmented --segment 1e5 -t u32 -n 1e8",
    BRIEFLY "--operation segmented --segment 1e6 -t u32 -n 1e8",
    BRIEFLY "--operation top-k -t f32 --k 10 -n 2^26",
    BRIEFLY "--operation top-k -t f32 --k 1000 -n 2^26",
    BRIEFLY "--operation top-k -t f32 --k 1e5 -n 2^26",
    "--device gpu -t u32,u64 " LENGTHS,
    "--device gpu --operation pairs -t u32 --values 4 " LENGTHS,
    NULL,
};

/* After the factor come fields of bench_target: which case. */
#define AGAINST(peer, factor, ...)                                                                 \
    {                                                                                              \
        .on_gpu = true, .against_peer = (peer), .ratio = (factor), __VA_ARGS__                     \
    }
#define ASK(factor, ...)             AGAINST(BENCH_BEST_PEER, factor, __VA_ARGS__)
#define KEYS(key_type, log2, factor) ASK(factor, .type = (key_type), .count = UINT64_C(1) << (log2))
#define PAIRS(key_type, bytes, log2, factor)                                                       \
    ASK(factor, .type = (key_type), .value_bytes = (bytes), .count = UINT64_C(1) << (log2))
#define ARGSORT(key_type, factor)                                                                  \
    ASK(factor, .operation = BENCH_ARGSORT, .type = (key_type), .value_bytes = 4,                  \
        .count = UINT64_C(1) << 28)
#define MERGE_SORT(key_type)                                                                       \
    AGAINST("cub_merge_sort", 1.4, .ours = "consort:merge", .type = (key_type),                    \
            .count = UINT64_C(1) << 28)
#define HALF_CONSTANT(key_type)                                                                    \
    ASK(3, .type = (key_type), .distribution = "half-constant", .count = UINT64_C(1) << 28)
#define SEGMENTS(items, factor)                                                                    \
    ASK(factor, .operation = BENCH_SEGMENTED, .type = CONSORT_U32, .count = 100000000,             \
        .segment = (items))
#define TOP_K(smallest)                                                                            \
    ASK(2, .operation = BENCH_TOP_K, .type = CONSORT_F32, .count = UINT64_C(1) << 26,              \
        .k = (smallest))

static const struct bench_target targets[] = {
    KEYS(CONSORT_U8, 28, 5.5),
    KEYS(CONSORT_U16, 28, 6.5),
    KEYS(CONSORT_F16, 28, 6.5),
    KEYS(CONSORT_BF16, 28, 6.5),
    KEYS(CONSORT_U32, 28, 2.2),
    KEYS(CONSORT_I32, 28, 2.2),
    KEYS(CONSORT_F32, 28, 2.2),
    KEYS(CONSORT_U64, 28, 3.5),
    KEYS(CONSORT_I64, 28, 3.5),
    KEYS(CONSORT_F64, 28, 3.5),
    KEYS(CONSORT_U128, 27, 3),
    PAIRS(CONSORT_U32, 4, 28, 1.6),
    PAIRS(CONSORT_U64, 4, 28, 2),
    PAIRS(CONSORT_U64, 8, 28, 2),
    PAIRS(CONSORT_U32, 16, 28, 1.5),
    ASK(2.2, .ours = "consort/unstable", .type = CONSORT_U32, .value_bytes = 4,
        .count = UINT64_C(1) << 28),
    ARGSORT(CONSORT_U32, 2),
    ARGSORT(CONSORT_U64, 2.2),
    MERGE_SORT(CONSORT_U32),
    MERGE_SORT(CONSORT_U64),
    HALF_CONSTANT(CONSORT_U32),
    HALF_CONSTANT(CONSORT_U64),
    SEGMENTS(10, 1.2),
    SEGMENTS(100, 1.3),
    SEGMENTS(1000, 10),
    SEGMENTS(10000, 4),
    SEGMENTS(100000, 3),
    SEGMENTS(1000000, 3),
    TOP_K(10),
    TOP_K(1000),
    TOP_K(100000),
    KEYS(CONSORT_U32, 12, 1.5),
    KEYS(CONSORT_U32, 16, 2.2),
    KEYS(CONSORT_U32, 20, 1.8),
    KEYS(CONSORT_U32, 22, 1.6),
    KEYS(CONSORT_U32, 24, 1.8),
    KEYS(CONSORT_U64, 12, 1.5),
    KEYS(CONSORT_U64, 16, 1.5),
    KEYS(CONSORT_U64, 20, 1.5),
    KEYS(CONSORT_U64, 22, 1.5),
    KEYS(CONSORT_U64, 24, 1.5),
    PAIRS(CONSORT_U32, 4, 12, 1.5),
    PAIRS(CONSORT_U32, 4, 16, 1.5),
    PAIRS(CONSORT_U32, 4, 20, 1.5),
    PAIRS(CONSORT_U32, 4, 22, 1.5),
    PAIRS(CONSORT_U32, 4, 24, 1.5),
};

const struct bench_suite bench_suite_gpu_fastest = {
    "gpu-fastest",
    "what the fastest sort on one GPU is asked for, against the best peer; four minutes",
    lines,
    targets,
    sizeof targets / sizeof targets[0],
};
