/* SPDX-License-Identifier: Apache-2.0 */
/* One GPU against all of them, arrays in host memory: from how many items on it pays. */
#include "bench_study_list.h"

#define COUNTS  "-t u32 -n 2^20,2^22,2^24,2^26,2^28,2^30 --memory host --peers none "
#define QUICKLY "--min-time 0 --repeat 3 --separate"

static const char *const lines[] = {
    "--device gpu --algorithm auto,merge-chunks " COUNTS QUICKLY,
    "--device gpus --algorithm auto,merge-chunks " COUNTS QUICKLY,
    "--device gpus --algorithm auto,merge-chunks -d zipf " COUNTS QUICKLY,
    "--device gpus --operation pairs --values 4 --algorithm auto,merge-chunks " COUNTS QUICKLY,
    NULL,
};

const struct bench_study bench_study_multi_gpu = {
    {"multi-gpu", "host arrays on one GPU and on all of them, by number of items", lines, NULL, 0},
    "",
    NULL,
    0,
};
