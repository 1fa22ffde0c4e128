/* SPDX-License-Identifier: Apache-2.0 */
/* Writing large output: many blocks at once where the target lets us, in order where not. */
#ifndef CONSORT_CLI_IO_WRITE_H
#define CONSORT_CLI_IO_WRITE_H

#include <stdbool.h>
#include <stdint.h>

#include "problem.h"
#include "target.h"

enum {
    /* Every part asked for begins at a multiple of this. */
    IO_WRITE_BLOCK = 8 << 20
};

/* Where bytes [offset, offset + length) of the output stand: in memory that stays, or made in
 * `buffer`, which holds `length`. Called by several threads at once. NULL: it cannot be made. */
typedef const void *(*io_write_part)(void *context, uint64_t offset, uint64_t length, void *buffer);

/* Writes an output of `bytes` bytes, part by part. */
bool io_write_parts(struct target *target, io_write_part part, void *context, uint64_t bytes,
                    unsigned threads, struct problem *problem);

/* All `length` bytes at `offset` of the file; −1: wherever the descriptor stands. */
bool io_write_all(const struct target *target, const void *bytes, uint64_t length, int64_t offset,
                  struct problem *problem);

/* What follows goes through the page cache: for what is no whole page. No thread may be writing. */
void io_write_leave_direct(struct target *target);

/* Writes more bytes after those that came before: for output whose length is not known. */
bool io_write_append(struct target *target, const void *bytes, uint64_t length,
                     struct problem *problem);

#endif
