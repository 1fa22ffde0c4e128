/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The paper of CUDA shellsort: against GPU quicksort, GPU sample sort, Thrust's merge sort and
 * radix sort, over the number of keys and over distributions.
 */
#include "bench_study_list.h"

#define SORTERS                                                                                    \
    "--algorithm shell,quick,sample,bitonic,merge --min-time 0 --repeat 5 --peers "                \
    "thrust_merge_sort,cub_radix"

static const char *const lines[] = {
    "--device gpu -t u32 -n 2^14,2^16,2^18,2^20,2^22,2^24,2^25,2^26,2^28 " SORTERS,
    "--device gpu -t u32 -n 2^24 -d all " SORTERS,
    "--device gpu -t u32 -n 2^26 -d all --algorithm shell,bitonic --min-time 0 --repeat 3 --peers "
    "none",
    NULL,
};

#define LARGE (UINT64_C(1) << 24)
#define KEYS(sorter, items, keys)                                                                  \
    {                                                                                              \
        .name = (sorter), .where = BENCH_ON_GPU, .type = CONSORT_U32, .count = (items),            \
        .distribution = (keys)                                                                     \
    }
#define AGAINST(words, paper, items, other)                                                        \
    {                                                                                              \
        words, paper, BENCH_SPEED_UP, KEYS("consort:shell", items, "uniform"),                     \
            KEYS(other, items, "uniform"), NULL                                                    \
    }
#define ROUNDS(keys)                                                                               \
    {                                                                                              \
        "rounds of odd and even merges, 2^24 " keys, "at most 8 passes", BENCH_COUNTER,            \
            KEYS("consort:shell", LARGE, keys), {0}, "rounds"                                      \
    }
#define FLAT(keys)                                                                                 \
    {                                                                                              \
        "2^24 " keys " keys against uniform", "robust", BENCH_SPEED_UP,                            \
            KEYS("consort:shell", LARGE, keys), KEYS("consort:shell", LARGE, "uniform"), NULL      \
    }

static const struct bench_claim claims[] = {
    AGAINST("against GPU quicksort, 2^24 uniform", "nearly 2", LARGE, "consort:quick"),
    AGAINST("against Thrust's merge sort, 2^24 uniform", "1.37", LARGE, "thrust_merge_sort"),
    AGAINST("against GPU sample sort, 2^20 uniform", "1", UINT64_C(1) << 20, "consort:sample"),
    AGAINST("against GPU sample sort, 2^25 uniform", "1, up to 32 million", UINT64_C(1) << 25,
            "consort:sample"),
    FLAT("gaussian"),
    FLAT("zipf"),
    FLAT("bucket"),
    FLAT("staggered"),
    FLAT("sorted"),
    FLAT("equal"),
    ROUNDS("uniform"),
    ROUNDS("gaussian"),
    ROUNDS("zipf"),
    ROUNDS("bucket"),
    ROUNDS("staggered"),
    ROUNDS("sorted"),
    ROUNDS("reverse"),
    ROUNDS("nearly-sorted"),
    ROUNDS("local-shuffle"),
    ROUNDS("organ-pipe"),
    ROUNDS("sawtooth"),
};

const struct bench_study bench_study_shell = {
    {"shell", "shellsort beside quicksort, sample, merge and radix sort; every distribution", lines,
     NULL, 0},
    "CUDA shellsort (GPU shellsort after Ciura's increments, with bitonic blocks)",
    claims,
    sizeof claims / sizeof claims[0],
};
