/* SPDX-License-Identifier: Apache-2.0 */
/*
 * W. W. Hwu, D. B. Kirk, I. El Hajj, Programming Massively Parallel Processors, 4th edition,
 * chapter 13: the stages of its radix sort against each other. It gives reasons, no figures.
 */
#include "bench_study_list.h"

static const char *const lines[] = {
    "--device gpu -t u32 -n 2^12,2^16,2^20,2^24,2^26,2^28 --min-time 0 --repeat 5 --algorithm "
    "radix-1bit,radix-1bit-tiled,radix-multibit,radix-coarsened,lsd,msd,merge --peers cub_radix",
    "--device gpu -t u32 -n 2^26 --min-time 0 --repeat 5 --algorithm radix-1bit --set launches=1,3 "
    "--peers none",
    "--device gpu -t u32 -n 2^26 --min-time 0 --repeat 5 --algorithm radix-multibit --set "
    "bits=1,2,3,4,5,6,7,8 --peers none",
    "--device gpu -t u32 -n 2^26 --min-time 0 --repeat 5 --algorithm radix-coarsened --set "
    "bits=1,2,3,4,5,6,7,8 --set coarsening=1,4,8,16 --peers none",
    "--device gpu -t u32 --operation pairs --values 4 -n 2^16,2^20,2^24,2^26 --min-time 0 --repeat "
    "5 --algorithm radix-1bit,radix-1bit-tiled,radix-multibit,radix-coarsened,lsd,merge --peers "
    "cub_radix",
    NULL,
};

#define PICK(sorter)                                                                               \
    {                                                                                              \
        .name = "consort:" sorter, .where = BENCH_ON_GPU, .type = CONSORT_U32, .count = 1 << 26    \
    }
#define AGAINST(words, one, other)                                                                 \
    {                                                                                              \
        words, "faster", BENCH_SPEED_UP, PICK(one), PICK(other), NULL                              \
    }

static const struct bench_claim claims[] = {
    AGAINST("tiles sorted in shared memory against one bit alone", "radix-1bit-tiled",
            "radix-1bit"),
    AGAINST("digits of 4 bits against 1 bit", "radix-multibit/bits=4", "radix-multibit/bits=1"),
    AGAINST("digits of 2 bits against 1 bit", "radix-multibit/bits=2", "radix-multibit/bits=1"),
    AGAINST("digits of 8 bits against 4 bits", "radix-multibit/bits=8", "radix-multibit/bits=4"),
    AGAINST("8 keys a thread against 1, 4 bits", "radix-coarsened/bits=4/coarsening=8",
            "radix-coarsened/bits=4/coarsening=1"),
    AGAINST("8 keys a thread against 1, 8 bits", "radix-coarsened/bits=8/coarsening=8",
            "radix-coarsened/bits=8/coarsening=1"),
    AGAINST("radix sort against merge sort", "radix-coarsened", "merge"),
};

const struct bench_study bench_study_textbook = {
    {"textbook", "the four stages of the textbook's radix sort; digit width and coarsening", lines,
     NULL, 0},
    "W. W. Hwu, D. B. Kirk, I. El Hajj: Programming Massively Parallel Processors, 4th edition, "
    "chapter 13",
    claims,
    sizeof claims / sizeof claims[0],
};
