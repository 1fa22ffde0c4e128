/* SPDX-License-Identifier: Apache-2.0 */
/*
 * S. Chen, J. Qin, Y. Xie, J. Zhao, P.-A. Heng, "An efficient sorting algorithm with CUDA", Journal
 * of the Chinese Institute of Engineers, 2009: Figure 5, one GPU against several over the number of
 * items. Its sub-lists are sorted independently and merged two by two on a GPU; ours are merged
 * by exact cuts. Transfers are included, as in all of its figures; whether its lists were pinned it
 * does not say. What the bus alone needs is measured with them. Large lists come first, so that
 * memory is taken once.
 */
#include "bench_study_list.h"

#define LARGEST "-t u32 --memory pinned -n 2^32 "
#define COUNTS  "-n 2^30,2^28,2^26,24e6,2^24,2^22,2^20 "
#define PAIRS   "-t u32 --memory pinned --operation pairs --values 4 -n 2^30 "
#define QUICKLY "--separate --min-time 0 --repeat 3 --budget 1.2 --peers none "
#define LIMIT   "4294967296"
#define LIMITED "--algorithm merge-chunks --set memory=" LIMIT " "
#define ALL     "--device gpus --algorithm merge-chunks,exchange-host "

static const char *const lines[] = {
    LARGEST "--device gpus --algorithm exchange-host " QUICKLY,
    LARGEST "--device gpus " LIMITED QUICKLY,
    LARGEST "--device gpu " LIMITED QUICKLY,
    LARGEST "--device gpu " QUICKLY,
    "-t u32 --memory pinned " COUNTS ALL QUICKLY,
    "-t u32 --memory pinned --device gpu " COUNTS QUICKLY,
    "-t u32 --memory pinned -n 2^28 -d zipf,sorted,equal " ALL QUICKLY,
    PAIRS ALL QUICKLY,
    PAIRS "--device gpu " LIMITED QUICKLY,
    PAIRS "--device gpu " QUICKLY,
    "-t u32 --memory host " COUNTS ALL QUICKLY,
    "-t u32 --memory host --device gpu " COUNTS QUICKLY,
    NULL,
};

#define KEYS(sorter, place, items)                                                                 \
    {                                                                                              \
        .name = (sorter), .where = (place), .type = CONSORT_U32, .count = (items)                  \
    }
#define COUNT(exponent) (UINT64_C(1) << (exponent))
#define PAIRS_OF(sorter, place, items)                                                             \
    {                                                                                              \
        .name = (sorter), .where = (place), .operation = BENCH_PAIRS, .type = CONSORT_U32,         \
        .value_bytes = 4, .count = (items)                                                         \
    }
#define OF_BUS(words, kind, pick)                                                                  \
    {                                                                                              \
        words, "-", kind, pick, {0}, NULL                                                          \
    }
#define CHUNKED "consort:merge-chunks/memory=" LIMIT
#define SPREAD  "consort:exchange-host"
#define AGAINST(words, paper, memory, items)                                                       \
    {                                                                                              \
        "all GPUs against one, " words, paper, BENCH_SPEED_UP,                                     \
            KEYS(SPREAD, BENCH_ON_GPUS_##memory, items),                                           \
            KEYS("consort", BENCH_ON_GPU_##memory, items), NULL                                    \
    }
#define OVER_COUNTS(memory, words)                                                                 \
    AGAINST("2^20" words, "not faster", memory, COUNT(20)),                                        \
        AGAINST("2^22" words, "not faster", memory, COUNT(22)),                                    \
        AGAINST("2^24" words, "not faster", memory, COUNT(24)),                                    \
        AGAINST("24 M" words, "1", memory, 24000000),                                              \
        AGAINST("2^26" words, "faster", memory, COUNT(26)),                                        \
        AGAINST("2^28" words, "faster", memory, COUNT(28)),                                        \
        AGAINST("2^30" words, "faster", memory, COUNT(30))
#define CROSSOVER(words, sorter, memory)                                                           \
    {                                                                                              \
        "items from which on all GPUs are faster than one, " words, "24", BENCH_CROSSOVER,         \
            KEYS(sorter, BENCH_ON_GPUS_##memory, 0), KEYS("consort", BENCH_ON_GPU_##memory, 0),    \
            NULL                                                                                   \
    }

static const struct bench_claim claims[] = {
    CROSSOVER("by merge-chunks, pinned", "consort:merge-chunks", PINNED),
    CROSSOVER("by merge-chunks, ordinary", "consort:merge-chunks", HOST),
    CROSSOVER("by exchange-host, pinned", SPREAD, PINNED),
    CROSSOVER("by exchange-host, ordinary", SPREAD, HOST),
    OVER_COUNTS(PINNED, " keys, pinned"),
    AGAINST("2^32 keys, pinned", "faster", PINNED, COUNT(32)),
    OVER_COUNTS(HOST, " keys, ordinary"),
    OF_BUS("2^32 keys, all GPUs, exchange-host over up and down", BENCH_OF_BUS_ONCE,
           KEYS(SPREAD, BENCH_ON_GPUS_PINNED, COUNT(32))),
    OF_BUS("2^32 keys, one GPU in one piece over up and down", BENCH_OF_BUS_ONCE,
           KEYS("consort", BENCH_ON_GPU_PINNED, COUNT(32))),
    OF_BUS("2^32 keys, all GPUs of 4 GiB, over twice both ways", BENCH_OF_BUS_TWICE,
           KEYS(CHUNKED, BENCH_ON_GPUS_PINNED, COUNT(32))),
    OF_BUS("2^32 keys, one GPU of 4 GiB, over twice both ways", BENCH_OF_BUS_TWICE,
           KEYS(CHUNKED, BENCH_ON_GPU_PINNED, COUNT(32))),
    OF_BUS("2^30 pairs, all GPUs, exchange-host over up and down", BENCH_OF_BUS_ONCE,
           PAIRS_OF(SPREAD, BENCH_ON_GPUS_PINNED, COUNT(30))),
    OF_BUS("2^30 pairs, all GPUs, merge-chunks over twice both ways", BENCH_OF_BUS_TWICE,
           PAIRS_OF("consort:merge-chunks", BENCH_ON_GPUS_PINNED, COUNT(30))),
    OF_BUS("2^30 pairs, one GPU of 4 GiB, over twice both ways", BENCH_OF_BUS_TWICE,
           PAIRS_OF(CHUNKED, BENCH_ON_GPU_PINNED, COUNT(30))),
};

const struct bench_study bench_study_multi_gpu = {
    {"multi-gpu", "host arrays on one GPU and on all of them, by number of items", lines, NULL, 0},
    "S. Chen, J. Qin, Y. Xie, J. Zhao, P.-A. Heng: An efficient sorting algorithm with CUDA, 2009 "
    "(GeForce GTX 295, two GPUs; Figure 5)",
    claims,
    sizeof claims / sizeof claims[0],
};
