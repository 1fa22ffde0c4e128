/* SPDX-License-Identifier: Apache-2.0 */
/*
 * S. Chen, J. Qin, Y. Xie, J. Zhao, P.-A. Heng, "An efficient sorting algorithm with CUDA", Journal
 * of the Chinese Institute of Engineers, 2009: Figures 2 to 4 and what the text says of buckets,
 * visiting orders and the disorder test. Its float4 is a float that 12 bytes follow; CUDPP's radix
 * sort lives on in CUB.
 */
#include "bench_study_list.h"

#define COUNTS  "-n 4e6,8e6,12e6,16e6,20e6,24e6 "
#define LISTS   "-d uniform,gaussian,local-shuffle "
#define QUICKLY "--min-time 0 --repeat 5 "

static const char *const lines[] = {
    "--device gpu -t u32 " COUNTS LISTS QUICKLY "--algorithm bucket,quick --peers cub_radix",
    "--device gpu -t f32 " COUNTS LISTS QUICKLY "--algorithm bucket,quick --peers cub_radix",
    "--device gpu -t u32,f32 -n 2^26,2^28 " LISTS "--min-time 0 --repeat 3 --algorithm "
    "bucket,quick --peers cub_radix",
    "--device gpu --operation pairs --values 12 -t f32 -n 4e6,12e6,24e6 " LISTS QUICKLY
    "--algorithm bucket,quick --peers none",
    /* As the paper has it, which measures the disorder and visits accordingly; and the visiting
     * order of disorderly lists, then that of nearly sorted ones, by the hint. */
    "--device gpu -t u32,f32 -n 4e6,12e6,24e6 " LISTS QUICKLY
    "--algorithm bucket --set hint=0,1,2 --peers none",
    "--device gpu -t f32 -n 24e6 -d uniform " QUICKLY
    "--algorithm bucket --set bucket=256,512,1024,2048 --set slice=20,80 --peers none",
    "--device gpu --memory host -t u32 " COUNTS LISTS QUICKLY
    "--algorithm bucket,quick,lsd --peers none",
    "--device gpu --memory host -t f32 -n 4e6,12e6,24e6 " QUICKLY
    "--algorithm bucket,quick,lsd --peers none",
    "--device gpu --memory host --operation pairs --values 12 -t f32 -n 4e6,12e6,24e6 " QUICKLY
    "--algorithm bucket,quick --peers none",
    "-t u32,f32 -n 4e6,12e6,24e6 --min-time 0 --repeat 1 --budget 0.1 --peers std_sort",
    "--operation pairs --values 12 -t f32 -n 4e6,12e6,24e6 --min-time 0 --repeat 1 --budget 0.1 "
    "--peers std_sort",
    NULL,
};

#define PICK(sorter, place, keys, bytes, items, data)                                              \
    {                                                                                              \
        .name = (sorter), .where = (place), .type = (keys), .count = (items),                      \
        .value_bytes = (bytes), .operation = (bytes) > 0 ? BENCH_PAIRS : BENCH_SORT,               \
        .distribution = (data)                                                                     \
    }
#define MILLION 1000000
#define BUCKET(place, keys, bytes, items, data)                                                    \
    PICK("consort:bucket", place, keys, bytes, (items)*MILLION, data)
#define AGAINST_STL(words, place, keys, bytes, items)                                              \
    {                                                                                              \
        words, "10 to 20", BENCH_SPEED_UP, BUCKET(place, keys, bytes, items, "uniform"),           \
            PICK("std_sort", BENCH_ON_CPU, keys, bytes, (items)*MILLION, "uniform"), NULL          \
    }
#define AGAINST_QUICK(items, data)                                                                 \
    {                                                                                              \
        "against GPU quicksort with transfers, " #items " M int, " data, "faster", BENCH_SPEED_UP, \
            BUCKET(BENCH_ON_GPU_HOST, CONSORT_U32, 0, items, data),                                \
            PICK("consort:quick", BENCH_ON_GPU_HOST, CONSORT_U32, 0, (items)*MILLION, data), NULL  \
    }
#define AGAINST_RADIX(words, place, other, items, data)                                            \
    {                                                                                              \
        "against radix sort" words ", " #items " M int, " data, "faster", BENCH_SPEED_UP,          \
            BUCKET(place, CONSORT_U32, 0, items, data),                                            \
            PICK(other, place, CONSORT_U32, 0, (items)*MILLION, data), NULL                        \
    }
#define HINTED(number, words, paper)                                                               \
    {                                                                                              \
        "24 M nearly sorted floats, " words, paper, BENCH_MILLISECONDS,                            \
            PICK("consort:bucket/hint=" #number, BENCH_ON_GPU, CONSORT_F32, 0, 24 * MILLION,       \
                 "local-shuffle"),                                                                 \
            {0}, NULL                                                                              \
    }
#define COUNTED(words, paper, kind, keys, items, data, counter)                                    \
    {                                                                                              \
        words ", " #items " M " data, paper, kind,                                                 \
            PICK("consort:bucket/hint=0", BENCH_ON_GPU, keys, 0, (items)*MILLION, data), {0},      \
            counter                                                                                \
    }
#define STAGE(counter, data)                                                                       \
    COUNTED("share of " counter " in floats", "figure 4", BENCH_COUNTER_SHARE, CONSORT_F32, 24,    \
            data, counter)
#define STAGES(data)                                                                               \
    STAGE("range-ns", data), STAGE("slices-ns", data), STAGE("merge-ns", data),                    \
        STAGE("move-ns", data), STAGE("recursion-ns", data), STAGE("sort-ns", data)

static const struct bench_claim claims[] = {
    AGAINST_QUICK(4, "uniform"),
    AGAINST_QUICK(24, "uniform"),
    AGAINST_QUICK(24, "gaussian"),
    AGAINST_QUICK(24, "local-shuffle"),
    AGAINST_RADIX(" with transfers (lsd)", BENCH_ON_GPU_HOST, "consort:lsd", 4, "uniform"),
    AGAINST_RADIX(" with transfers (lsd)", BENCH_ON_GPU_HOST, "consort:lsd", 24, "uniform"),
    AGAINST_RADIX(" (CUB)", BENCH_ON_GPU, "cub_radix", 24, "uniform"),
    AGAINST_RADIX(" (CUB)", BENCH_ON_GPU, "cub_radix", 24, "gaussian"),
    AGAINST_RADIX(" (CUB)", BENCH_ON_GPU, "cub_radix", 24, "local-shuffle"),
    AGAINST_STL("against std::sort with transfers, 4 M int", BENCH_ON_GPU_HOST, CONSORT_U32, 0, 4),
    AGAINST_STL("against std::sort with transfers, 24 M int", BENCH_ON_GPU_HOST, CONSORT_U32, 0,
                24),
    AGAINST_STL("against std::sort with transfers, 4 M float", BENCH_ON_GPU_HOST, CONSORT_F32, 0,
                4),
    AGAINST_STL("against std::sort with transfers, 24 M float", BENCH_ON_GPU_HOST, CONSORT_F32, 0,
                24),
    AGAINST_STL("against std::sort with transfers, 24 M float4", BENCH_ON_GPU_HOST, CONSORT_F32, 12,
                24),
    HINTED(1, "order of disorderly lists", "1050 ms"),
    HINTED(2, "order of nearly sorted lists", "420 ms"),
    COUNTED("buckets above M, int", "0 or 1", BENCH_COUNTER, CONSORT_U32, 24, "uniform", "above"),
    COUNTED("buckets above M, float", "0 or 1", BENCH_COUNTER, CONSORT_F32, 24, "uniform", "above"),
    COUNTED("buckets above M, float", "0 or 1 (10 M)", BENCH_COUNTER, CONSORT_F32, 12, "gaussian",
            "above"),
    COUNTED("share of the disorder test in ints", "below 2 %", BENCH_COUNTER_SHARE, CONSORT_U32, 24,
            "uniform", "disorder-ns"),
    COUNTED("share of the disorder test in floats", "below 2 %", BENCH_COUNTER_SHARE, CONSORT_F32,
            24, "uniform", "disorder-ns"),
    STAGES("uniform"),
    STAGES("local-shuffle"),
};

const struct bench_study bench_study_bucket = {
    {"bucket", "slices, buckets and bitonic leaves beside quicksort, radix sort and std::sort",
     lines, NULL, 0},
    "S. Chen, J. Qin, Y. Xie, J. Zhao, P.-A. Heng: An efficient sorting algorithm with CUDA, 2009 "
    "(GeForce 9600 GT, GTX 280, GTX 295)",
    claims,
    sizeof claims / sizeof claims[0],
};
