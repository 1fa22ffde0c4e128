/* SPDX-License-Identifier: Apache-2.0 */
/* Reading a large part of a regular file with several large requests under way at once. */
#ifndef CONSORT_CLI_IO_READ_H
#define CONSORT_CLI_IO_READ_H

#include <stdbool.h>
#include <stdint.h>

#include "problem.h"

/* All `bytes` from `offset` on, or an error: a file that ends sooner is one. Memory that lies like
 * the file modulo 4096 is read into without a copy. Messages begin with `path`. */
bool io_read_file(int descriptor, const char *path, uint64_t offset, void *to, uint64_t bytes,
                  unsigned threads, struct problem *problem);

#endif
