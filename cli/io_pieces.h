/* SPDX-License-Identifier: Apache-2.0 */
/* An output written in pieces of any length, in any order, by several threads. */
#ifndef CONSORT_CLI_IO_PIECES_H
#define CONSORT_CLI_IO_PIECES_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "problem.h"
#include "region.h"
#include "target.h"

enum {
    IO_PIECES_PAGE = 4096
};

struct io_pieces {
    struct target *target; /* seekable */
    struct region ends;    /* what is no whole page, with its place: written at the end */
    uint64_t used;
    pthread_mutex_t mutex;
    struct problem *problem;
};

void io_pieces_begin(struct io_pieces *pieces, struct target *target, struct problem *problem);

/* Any thread. `bytes` lies like the file: address and offset are equal modulo a page. */
bool io_pieces_write(struct io_pieces *pieces, uint64_t offset, const void *bytes, uint64_t length);

/* After the last one, of `length` bytes in all. */
bool io_pieces_finish(struct io_pieces *pieces, uint64_t length);

void io_pieces_release(struct io_pieces *pieces);

#endif
