/* SPDX-License-Identifier: Apache-2.0 */
/*
 * S. Chen, J. Qin, Y. Xie, J. Zhao, P.-A. Heng, "An efficient sorting algorithm with CUDA", Journal
 * of the Chinese Institute of Engineers, 2009: Figure 5, one GPU against several over the number of
 * items. Its sub-lists are sorted independently and merged two by two on a GPU; ours are merged
 * by exact cuts. Transfers are included, as in all of its figures; whether its lists were pinned it
 * does not say. Large lists come first, so that memory is taken once.
 */
#include "bench_study_list.h"

#define LARGEST "2^32"
#define COUNTS  "2^30,2^29,2^28,2^26,24e6,2^24,2^22,2^20 "
#define PAIRS   "--operation pairs --values 4 -n 2^28,2^26 "
#define QUICKLY "--separate --min-time 0 --repeat 3 --budget 1.2 --peers none "
#define ONE     "--device gpu --algorithm auto,merge-chunks "
#define ALL     "--device gpus --algorithm merge-chunks "

static const char *const lines[] = {
    "-t u32 --memory pinned -n " LARGEST "," COUNTS ALL QUICKLY,
    "-t u32 --memory pinned -n " LARGEST " --device gpu " QUICKLY,
    "-t u32 --memory pinned -n " COUNTS ONE QUICKLY,
    "-t u32 --memory pinned -n 2^30 -d zipf,sorted,equal " ALL QUICKLY,
    "-t u32 --memory pinned " PAIRS ALL QUICKLY,
    "-t u32 --memory pinned " PAIRS ONE QUICKLY,
    "-t u32 --memory host -n " LARGEST "," COUNTS ALL QUICKLY,
    "-t u32 --memory host -n " LARGEST " --device gpu " QUICKLY,
    "-t u32 --memory host -n " COUNTS ONE QUICKLY,
    "-t u32 --memory host " PAIRS ALL QUICKLY,
    "-t u32 --memory host " PAIRS ONE QUICKLY,
    NULL,
};

#define KEYS(sorter, place, items)                                                                 \
    {                                                                                              \
        .name = (sorter), .where = (place), .type = CONSORT_U32, .count = (items)                  \
    }
#define COUNT(exponent) (UINT64_C(1) << (exponent))
#define AGAINST(words, paper, memory, items)                                                       \
    {                                                                                              \
        "all GPUs against one, " words, paper, BENCH_SPEED_UP,                                     \
            KEYS("consort:merge-chunks", BENCH_ON_GPUS_##memory, items),                           \
            KEYS("consort", BENCH_ON_GPU_##memory, items), NULL                                    \
    }
#define OVER_COUNTS(memory, words)                                                                 \
    AGAINST("2^20" words, "not faster", memory, COUNT(20)),                                        \
        AGAINST("2^22" words, "not faster", memory, COUNT(22)),                                    \
        AGAINST("2^24" words, "not faster", memory, COUNT(24)),                                    \
        AGAINST("24 M" words, "1", memory, 24000000),                                              \
        AGAINST("2^26" words, "faster", memory, COUNT(26)),                                        \
        AGAINST("2^28" words, "faster", memory, COUNT(28)),                                        \
        AGAINST("2^30" words, "faster", memory, COUNT(30)),                                        \
        AGAINST("2^32" words, "faster", memory, COUNT(32))
#define CROSSOVER(words, memory, one)                                                              \
    {                                                                                              \
        "items from which on all GPUs are faster than " words, "24", BENCH_CROSSOVER,              \
            KEYS("consort:merge-chunks", BENCH_ON_GPUS_##memory, 0),                               \
            KEYS(one, BENCH_ON_GPU_##memory, 0), NULL                                              \
    }

static const struct bench_claim claims[] = {
    CROSSOVER("one, pinned", PINNED, "consort"),
    CROSSOVER("one in chunks, pinned", PINNED, "consort:merge-chunks"),
    CROSSOVER("one, ordinary", HOST, "consort"),
    CROSSOVER("one in chunks, ordinary", HOST, "consort:merge-chunks"),
    OVER_COUNTS(PINNED, " keys, pinned"),
    OVER_COUNTS(HOST, " keys, ordinary"),
};

const struct bench_study bench_study_multi_gpu = {
    {"multi-gpu", "host arrays on one GPU and on all of them, by number of items", lines, NULL, 0},
    "S. Chen, J. Qin, Y. Xie, J. Zhao, P.-A. Heng: An efficient sorting algorithm with CUDA, 2009 "
    "(GeForce GTX 295, two GPUs; Figure 5)",
    claims,
    sizeof claims / sizeof claims[0],
};
