/* SPDX-License-Identifier: Apache-2.0 */
/* Work cut into numbered blocks that several threads take from a common counter. */
#ifndef CONSORT_CLI_PARALLEL_H
#define CONSORT_CLI_PARALLEL_H

#include <stdbool.h>
#include <stdint.h>

/* `worker` is below the number of threads asked for, and no two running calls share one. False
 * stops the others as soon as they have finished their blocks. */
typedef bool (*parallel_block)(void *context, uint64_t block, unsigned worker);

/* Blocks 0 … count − 1, in rising order of start, on at most `threads` threads, the caller's
 * included; threads that cannot be started are done without. False if any block said so. */
bool parallel_run(uint64_t count, unsigned threads, parallel_block run, void *context);

/* Processors this process may use, at most PARALLEL_MAXIMUM. */
unsigned parallel_processors(void);

enum {
    PARALLEL_MAXIMUM = 64
};

#endif
