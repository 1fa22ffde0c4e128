/* SPDX-License-Identifier: Apache-2.0 */
/* What is measured on the CPU, and what it should reach. */
#include "bench_suite_list.h"

/*
 * The foundation's promises about the CPU. Slow peers get one timing (--budget), and where one
 * type of key tells enough, only that: at 10^8 qsort takes 20 seconds, std::stable_sort 10.
 */
static const char *const foundation_lines[] = {
    "-t u32 -n 1e8 --threads 1,2 --budget 3",
    "-t u64 -n 1e8 --threads 1,2 --budget 3 --peers vqsort,std_sort,std_stable_sort",
    "-t u8,u16,f32,f64 -n 1e8 --threads 1,2 --budget 3 --peers vqsort,std_sort",
    "-t u64 --operation pairs -n 1e8 --threads 1,2 --budget 3 "
    "--peers vqsort,std_sort,std_stable_sort",
    "-t u8,u16,f32,f64 -n 1e7 --budget 0.5 --peers qsort,std_stable_sort",
    "-t u32,u64 -n 1e7 --threads 2 --budget 0.5",
    "-t u32,u64 -n 1e7 -d all --repeat 3 --budget 0.3 --peers vqsort,std_sort",
    "-t f64 -n 1e7 -d all --repeat 3 --budget 0.3 --peers vqsort",
    "-t u64 --operation pairs -n 1e7 -d uniform,zipf,few-unique,sorted,reverse --budget 0.3 "
    "--peers vqsort,std_stable_sort",
    "-t u32,u64 -n 10,100,1000,1e4,1e5,1e6 --min-time 0.02 "
    "--peers vqsort,std_sort,std_stable_sort,qsort",
    "-t u64 --operation pairs -n 10,100,1000,1e4,1e5,1e6 --min-time 0.02 "
    "--peers vqsort,std_sort,std_stable_sort",
    "-t u32,u64 -n 1e7 --interface plan,one-call --peers none",
    "-t u32 -n 2^10,2^16,2^20 --algorithm auto,bitonic-serial --min-time 0.02 --peers std_sort",
    NULL,
};

enum {
    MILLION = 1000000
};

static const struct bench_target foundation_targets[] = {
    {CONSORT_U32, .count = 100 * MILLION, .against_peer = "vqsort", .ratio = 0.7},
    {CONSORT_U64, .count = 100 * MILLION, .against_peer = "vqsort", .ratio = 0.6},
    {CONSORT_F32, .count = 100 * MILLION, .against_peer = "vqsort", .ratio = 0.6},
    {CONSORT_F64, .count = 100 * MILLION, .against_peer = "vqsort", .ratio = 0.6},
    {CONSORT_U64, 8, .count = 100 * MILLION, .against_peer = "vqsort", .ratio = 1.0},
    {CONSORT_U16, .count = 100 * MILLION, .against_peer = "vqsort", .ratio = 5},
    {CONSORT_U8, .count = 100 * MILLION, .against_peer = "std_sort", .ratio = 30},
    {CONSORT_U8, .count = 100 * MILLION, .threads = 2, .against_threads = 1, .ratio = 1.8},
    {CONSORT_U16, .count = 100 * MILLION, .threads = 2, .against_threads = 1, .ratio = 1.8},
    {CONSORT_U32, .count = 100 * MILLION, .threads = 2, .against_threads = 1, .ratio = 1.8},
    {CONSORT_U64, .count = 100 * MILLION, .threads = 2, .against_threads = 1, .ratio = 1.8},
    {CONSORT_F32, .count = 100 * MILLION, .threads = 2, .against_threads = 1, .ratio = 1.8},
    {CONSORT_F64, .count = 100 * MILLION, .threads = 2, .against_threads = 1, .ratio = 1.8},
    {CONSORT_U64, 8, .count = 100 * MILLION, .threads = 2, .against_threads = 1, .ratio = 1.8},
    {CONSORT_U32, .count = 10 * MILLION, .distribution = "sorted",
     .against_distribution = "uniform", .ratio = 10},
    {CONSORT_U64, .count = 10 * MILLION, .distribution = "sorted",
     .against_distribution = "uniform", .ratio = 10},
    {CONSORT_F64, .count = 10 * MILLION, .distribution = "sorted",
     .against_distribution = "uniform", .ratio = 10},
    {CONSORT_U32, .count = 10 * MILLION, .distribution = "equal", .against_distribution = "uniform",
     .ratio = 10},
    {CONSORT_U64, .count = 10 * MILLION, .distribution = "equal", .against_distribution = "uniform",
     .ratio = 10},
    {CONSORT_F64, .count = 10 * MILLION, .distribution = "equal", .against_distribution = "uniform",
     .ratio = 10},
};

/* Nothing but what the targets ask for, each several times: one and two threads in turns. */
static const char *const target_lines[] = {
    "-t u32 -n 1e8 --threads 1,2 --repeat 16 --budget 14 "
    "--peers vqsort,std_sort,std_stable_sort,qsort",
    "-t u16,f32,u64,f64 -n 1e8 --threads 1,2 --repeat 16 --budget 20 --peers vqsort",
    "-t u8 -n 1e8 --threads 1,2 --repeat 64 --budget 4 --peers std_sort",
    "-t u64 --operation pairs -n 1e8 --threads 1,2 --repeat 16 --budget 24 --peers vqsort",
    "-t u32,u64,f64 -n 1e7 --repeat 9 --peers none",
    "-t u32,u64,f64 -n 1e7 -d sorted,equal --repeat 51 --peers none",
    NULL,
};

/* A minute's look at everything, also what tests run: see that nothing is wrong. */
static const char *const quick_lines[] = {
    "-t u8,u32,u64,f32,f64 -n 10,1000,1e5 --repeat 3 --min-time 0.01",
    "-t u32 -n 1e4 -d all --repeat 3 --min-time 0.01 --peers vqsort,std_sort",
    "-t f64 -n 1e4 -d zeros,nans,infinities --repeat 3 --min-time 0.01 --peers std_sort",
    "-t u32,u64 --operation pairs --values 4,8,16 -n 1e4 -d uniform,few-unique --repeat 3 "
    "--min-time 0.01",
    "-t u32 --operation argsort,segmented,top-k,merge,records -n 1e4 --repeat 3 --min-time 0.01",
    NULL,
};

static const struct bench_target quick_targets[] = {
    {CONSORT_U32, .count = MILLION / 10, .against_peer = "std_sort", .ratio = 5},
};

const struct bench_suite bench_suite_foundation = {
    "cpu-foundation",
    "one and two cores beside the peers, up to 10^8 items; some six minutes",
    foundation_lines,
    foundation_targets,
    sizeof foundation_targets / sizeof foundation_targets[0],
};

const struct bench_suite bench_suite_cpu_targets = {
    "cpu-targets",
    "what the foundation promises of one and two cores, and no more; some nine minutes",
    target_lines,
    foundation_targets,
    sizeof foundation_targets / sizeof foundation_targets[0],
};

const struct bench_suite bench_suite_quick = {
    "quick",
    "every operation and distribution at small sizes; less than a minute",
    quick_lines,
    quick_targets,
    sizeof quick_targets / sizeof quick_targets[0],
};
