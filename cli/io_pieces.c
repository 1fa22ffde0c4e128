/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An output written in pieces. Whole pages go past the page cache, if the target lets us; what is
 * left at the ends of pieces waits in memory until they have, because a page must not be written
 * both ways at a time.
 */
#include "io_pieces.h"

#include <string.h>

#include "interrupt.h"
#include "io_write.h"

enum {
    IO_PIECES_FIRST_SIZE = 1 << 20
};

/* Stands before its bytes in `ends`. */
struct io_pieces_end {
    uint64_t offset;
    uint64_t length;
};

void io_pieces_begin(struct io_pieces *pieces, struct target *target, struct problem *problem)
{
    *pieces = (struct io_pieces){
        .target = target, .mutex = PTHREAD_MUTEX_INITIALIZER, .problem = problem};
}

static bool io_pieces_keep_locked(struct io_pieces *pieces, uint64_t offset, const void *bytes,
                                  uint64_t length)
{
    struct io_pieces_end end = {offset, length};
    uint64_t needed = pieces->used + sizeof end + length;
    uint64_t size = pieces->ends.size ? pieces->ends.size : IO_PIECES_FIRST_SIZE;
    while (size < needed)
        size *= 2;
    if (size > pieces->ends.size &&
        !region_resize(&pieces->ends, size, "the ends of pieces", pieces->problem))
        return false;
    memcpy(pieces->ends.bytes + pieces->used, &end, sizeof end);
    memcpy(pieces->ends.bytes + pieces->used + sizeof end, bytes, length);
    pieces->used = needed;
    return true;
}

static bool io_pieces_keep(struct io_pieces *pieces, uint64_t offset, const void *bytes,
                           uint64_t length)
{
    if (length == 0)
        return true;
    pthread_mutex_lock(&pieces->mutex);
    bool good = io_pieces_keep_locked(pieces, offset, bytes, length);
    pthread_mutex_unlock(&pieces->mutex);
    return good;
}

bool io_pieces_write(struct io_pieces *pieces, uint64_t offset, const void *bytes, uint64_t length)
{
    const unsigned char *from = bytes;
    uint64_t head = -offset % IO_PIECES_PAGE;
    if (interrupt_requested())
        return problem_set(pieces->problem, "interrupted");
    if (!pieces->target->direct)
        return io_write_all(pieces->target, from, length, (int64_t)offset, pieces->problem);
    if (head >= length)
        return io_pieces_keep(pieces, offset, from, length);
    uint64_t tail = (length - head) % IO_PIECES_PAGE;
    uint64_t whole = length - head - tail;
    return io_pieces_keep(pieces, offset, from, head) &&
           io_write_all(pieces->target, from + head, whole, (int64_t)(offset + head),
                        pieces->problem) &&
           io_pieces_keep(pieces, offset + head + whole, from + head + whole, tail);
}

bool io_pieces_finish(struct io_pieces *pieces, uint64_t length)
{
    struct io_pieces_end end;
    io_write_leave_direct(pieces->target);
    for (uint64_t at = 0; at < pieces->used; at += sizeof end + end.length) {
        memcpy(&end, pieces->ends.bytes + at, sizeof end);
        if (!io_write_all(pieces->target, pieces->ends.bytes + at + sizeof end, end.length,
                          (int64_t)end.offset, pieces->problem))
            return false;
    }
    pieces->target->length += length;
    return true;
}

void io_pieces_release(struct io_pieces *pieces)
{
    region_release(&pieces->ends);
}
