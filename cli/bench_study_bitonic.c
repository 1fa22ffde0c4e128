/* SPDX-License-Identifier: Apache-2.0 */
/*
 * S. Rudrawar, D. Hebare, A. Pophale, M. Lokhande, "A GPU Parallel Implementation of Bitonic Sort
 * using CUDA": Tables 2 and 3. The paper does not say whether its times include the transfers, so
 * both are measured.
 */
#include "bench_study_list.h"

#define COUNTS "-n 2^17,2^18,2^19,2^20,2^21,2^22 "

static const char *const lines[] = {
    "-t i32 " COUNTS "--algorithm bitonic-serial --repeat 3 --min-time 0 --peers none",
    "--device gpu -t i32 " COUNTS "--algorithm bitonic --set block=64,128,256,512 --set fused=0,1 "
    "--min-time 0.01 --peers none",
    "--device gpu --memory host -t i32 " COUNTS "--algorithm bitonic --set block=64,128,256,512 "
    "--set fused=0,1 --min-time 0.01 --peers none",
    NULL,
};

#define SERIAL(exponent)                                                                           \
    {                                                                                              \
        .name = "consort:bitonic-serial", .where = BENCH_ON_CPU, .type = CONSORT_I32,              \
        .count = UINT64_C(1) << (exponent)                                                         \
    }
#define PARALLEL(exponent, block, place)                                                           \
    {                                                                                              \
        .name = "consort:bitonic/block=" #block "/fused=0", .where = (place), .type = CONSORT_I32, \
        .count = UINT64_C(1) << (exponent)                                                         \
    }
#define CLAIM(exponent, block, sort, figure, place, words)                                         \
    {                                                                                              \
        "2^" #exponent ", blocks of " #block ": " words, figure, sort,                             \
            PARALLEL(exponent, block, place), SERIAL(exponent), NULL                               \
    }
/* A row of one of the tables. */
#define ROW(exponent, block, speed_up, gain)                                                       \
    CLAIM(exponent, block, BENCH_SPEED_UP, speed_up, BENCH_ON_GPU, "speed-up"),                    \
        CLAIM(exponent, block, BENCH_GAIN, gain, BENCH_ON_GPU, "gain"),                            \
        CLAIM(exponent, block, BENCH_SPEED_UP, speed_up, BENCH_ON_GPU_HOST,                        \
              "speed-up with transfers")

static const struct bench_claim claims[] = {
    /* Table 2. */
    ROW(17, 128, "139.53", "99.28"),
    ROW(18, 128, "168.11", "99.40"),
    ROW(19, 128, "153.28", "99.34"),
    ROW(20, 128, "174.29", "99.42"),
    ROW(21, 128, "183.39", "99.45"),
    ROW(22, 128, "192.72", "99.48"),
    /* Table 3. */
    ROW(17, 256, "138.56", "99.28"),
    ROW(18, 256, "164.38", "99.39"),
    ROW(19, 256, "152.24", "99.34"),
    ROW(20, 256, "171.80", "99.99"),
    ROW(21, 256, "180.90", "99.99"),
    ROW(22, 256, "189.96", "99.47"),
    /* Its other sizes of blocks: it has them in a chart only. */
    ROW(17, 64, "not given", "not given"),
    ROW(18, 64, "not given", "not given"),
    ROW(19, 64, "not given", "not given"),
    ROW(20, 64, "not given", "not given"),
    ROW(21, 64, "not given", "not given"),
    ROW(22, 64, "not given", "not given"),
    ROW(17, 512, "not given", "not given"),
    ROW(18, 512, "not given", "not given"),
    ROW(19, 512, "not given", "not given"),
    ROW(20, 512, "not given", "not given"),
    ROW(21, 512, "not given", "not given"),
    ROW(22, 512, "not given", "not given"),
};

const struct bench_study bench_study_bitonic = {
    {"bitonic", "serial and parallel bitonic sort of 2^17 to 2^22 keys, blocks of 64 to 512", lines,
     NULL, 0},
    "S. Rudrawar, D. Hebare, A. Pophale, M. Lokhande: A GPU Parallel Implementation of Bitonic "
    "Sort using CUDA (Tesla K20; Tables 2 and 3)",
    claims,
    sizeof claims / sizeof claims[0],
};
