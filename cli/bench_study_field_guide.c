/* SPDX-License-Identifier: Apache-2.0 */
/* Every algorithm of the GPU beside every other: by width, number of items and distribution. */
#include "bench_study_list.h"

#define SORTERS "--algorithm all --min-time 0 --repeat 3 --budget 0.3 --peers "

#define QUADRATIC "--algorithm transposition --min-time 0 --repeat 3 --budget 0.3 --peers none"

static const char *const lines[] = {
    "--device gpu -t u8,u16,u32,u64,u128 -n 2^12,2^16,2^20,2^24 " SORTERS
    "cub_radix,cub_merge_sort",
    "--device gpu -t u8,u16,u32,u64 -n 2^27 " SORTERS "cub_radix,cub_merge_sort",
    "--device gpu -t u32,u64,f32 -d all -n 2^24 " SORTERS "cub_radix",
    "--device gpu --operation pairs -t u32,u64 --values 8 -n 2^12,2^16,2^20,2^24 " SORTERS
    "cub_radix,cub_merge_sort",
    "--device gpu --operation argsort -t u32,u64 -n 2^12,2^16,2^20,2^24 " SORTERS "cub_radix",
    "--device gpu -t u32 -d all -n 2^16 " SORTERS "cub_radix",
    "--device gpu -t u8,u16,u128 -d all -n 2^20 " SORTERS "cub_radix",
    "--device gpu --operation pairs -t u32,u64 --values 8 -d all -n 2^20 " SORTERS "cub_radix",
    /* Quadratic: as far as a run takes milliseconds. */
    "--device gpu -t u8,u16,u32,u64,u128 -n 2^12,2^16 " QUADRATIC,
    "--device gpu -t u32 -d all -n 2^16 " QUADRATIC,
    "--device gpu --operation pairs -t u32,u64 --values 8 -n 2^12,2^16 " QUADRATIC,
    "--device gpu --operation argsort -t u32,u64 -n 2^12,2^16 " QUADRATIC,
    NULL,
};

const struct bench_study bench_study_field_guide = {
    {"field-guide", "all algorithms of the GPU ranked by width, number of items and distribution",
     lines, NULL, 0},
    "",
    NULL,
    0,
};
