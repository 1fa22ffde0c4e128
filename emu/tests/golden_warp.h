/* SPDX-License-Identifier: Apache-2.0 */
/* The table of warp intrinsics: one row an operation, one number a lane. Shared by the program that
 * records it on a GPU and the test that repeats it in the emulator. */
#ifndef CONSORT_GOLDEN_WARP_H
#define CONSORT_GOLDEN_WARP_H

#include <stdint.h>
#include <stdio.h>

enum {
    golden_rows = 400,
    golden_lanes = 32
};

static inline void golden_print(const uint64_t *table, uint32_t rows, FILE *to)
{
    for (uint32_t row = 0; row < rows; row++)
        for (int lane = 0; lane < golden_lanes; lane++)
            fprintf(to, "%llx%c", (unsigned long long)table[row * golden_lanes + lane],
                    lane == golden_lanes - 1 ? '\n' : ' ');
}

#endif
