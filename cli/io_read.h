/* SPDX-License-Identifier: Apache-2.0 */
/* Reading large parts of a regular file, past the page cache where it holds nothing of them. */
#ifndef CONSORT_CLI_IO_READ_H
#define CONSORT_CLI_IO_READ_H

#include <stdbool.h>
#include <stdint.h>

#include "problem.h"

struct io_reader {
    int cached;
    int direct;       /* the same file past the page cache; -1: not possible */
    const char *path; /* messages begin with it */
};

void io_reader_open(struct io_reader *reader, int descriptor, const char *path);
void io_reader_close(struct io_reader *reader);

/* All `bytes` from `offset` on, or an error: a file that ends sooner is one. Memory that lies like
 * the file modulo 4096 is read into without a copy. Any thread. */
bool io_reader_read(const struct io_reader *reader, uint64_t offset, void *to, uint64_t bytes,
                    struct problem *problem);

/* The same with several large requests under way at once. */
bool io_read_file(int descriptor, const char *path, uint64_t offset, void *to, uint64_t bytes,
                  unsigned threads, struct problem *problem);

#endif
