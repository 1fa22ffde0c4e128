/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Segmented sorts of every length: each case is asked for no less than the fastest peer does. The
 * lengths: all that one lane sorts, or two, then those around the places where ours or a peer goes
 * another way.
 */
#include "bench_suite_list.h"

#define BRIEFLY "--device gpu --operation segmented -n 3e7 --min-time 0 --repeat 15 --budget 0.03 "

/* CUB's radix sort takes a block for each segment, some 0.17 microseconds each: nothing for short
 * ones, of which there are millions. */
#define QUICK BRIEFLY "--peers cub_segmented_sort "
#define BOTH  BRIEFLY "--peers cub_segmented_sort,cub_segmented_radix "

#define TINY                                                                                       \
    "--segment 1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,"  \
    "31,32,33,34,35,36,37,38,39,40 "
#define SHORT      "--segment 41,42,43,44,45,46,47,48,49,50,51,52,53,54,55,56,57,58,59,60,61,62,63,64 "
#define SOME_SHORT "--segment 41,44,48,52,56,60,63,64 "
#define MEDIUM     "--segment 65,72,80,88,96,104,112,120,127,128,129,200,255,256,257 "
#define LONG                                                                                       \
    "--segment 500,511,512,513,1000,1023,1024,1025,2000,2048,2049,4096,4097,5000,8192,8193,1e4,"   \
    "10752,10753,16384,16385,2e4,5e4,1e5,1e6,1e7,3e7 "
#define SOME_LONG                                                                                  \
    "--segment 500,512,513,1000,1024,1025,2048,2049,4096,4097,8192,8193,1e4,1e5,1e6,1e7,3e7 "

#define MIXES       "--lengths uniform,zipf,power,one-large "
#define SHORT_MIXED MIXES "--segment 2,10,16,40,100 "
#define LONG_MIXED  MIXES "--segment 1000,1e4 "
#define MIXED(type) QUICK SHORT_MIXED type, BOTH LONG_MIXED type

#define EVERY(type)                                                                                \
    QUICK TINY type, QUICK SHORT type, QUICK MEDIUM type, BOTH LONG type, MIXED(type)
#define MOST(type)                                                                                 \
    QUICK TINY type, QUICK SOME_SHORT type, QUICK MEDIUM type, BOTH SOME_LONG type, MIXED(type)

static const char *const lines[] = {
    EVERY("-t u32"),
    EVERY("-t u32 --values 4"),
    MOST("-t u64"),
    MOST("-t u64 --values 8"),
    QUICK "--segment 1,3,10,17,31,33,64,100 -t u8,u16,u128,f32",
    BOTH "--segment 1000,1e4,1e5 -t u8,u16,u128,f32",
    NULL,
};

static const struct bench_target targets[] = {{.every = true, .ratio = 1}};

const struct bench_suite bench_suite_gpu_segments = {
    "gpu-segments",
    "segmented sorts of every length against the best peer; two minutes",
    lines,
    targets,
    sizeof targets / sizeof targets[0],
};
