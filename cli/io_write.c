/* SPDX-License-Identifier: Apache-2.0 */
/* Writing large output: many blocks at once where the target lets us, in order where not. */
#include "io_write.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "interrupt.h"
#include "parallel.h"
#include "progress.h"
#include "region.h"

enum {
    IO_WRITE_ALIGNMENT = 4096,
    /* As for reading: threads that wait for the disk need no processor. */
    IO_WRITE_DEPTH = 4
};

struct io_write {
    struct target *target;
    io_write_part part;
    void *context;
    uint64_t bytes;
    unsigned char *buffers; /* IO_WRITE_BLOCK for each worker; less for a single block */
    struct problem *problem;
};

/* True if O_DIRECT was on: some file systems accept it and then refuse to write, or want larger
 * multiples than pages. */
static bool io_write_drop_direct(int descriptor)
{
    int flags = fcntl(descriptor, F_GETFL);
    return flags >= 0 && (flags & O_DIRECT) && fcntl(descriptor, F_SETFL, flags & ~O_DIRECT) == 0;
}

/* Descriptor flags cannot differ by thread. */
void io_write_leave_direct(struct target *target)
{
    if (target->direct)
        io_write_drop_direct(target->descriptor);
    target->direct = false;
}

bool io_write_all(const struct target *target, const void *bytes, uint64_t length, int64_t offset,
                  struct problem *problem)
{
    const unsigned char *from = bytes;
    while (length > 0) {
        ssize_t done = offset < 0 ? write(target->descriptor, from, length)
                                  : pwrite(target->descriptor, from, length, offset);
        if (interrupt_requested())
            return problem_set(problem, "interrupted");
        if (done < 0 && errno == EINTR)
            continue;
        if (done < 0 && errno == EINVAL && io_write_drop_direct(target->descriptor))
            continue;
        if (done < 0 && errno == EPIPE && interrupt_by_pipe())
            return problem_set(problem, "interrupted");
        if (done < 0 && errno == EPIPE)
            return problem_set(problem,
                               "%.300s: the reader of the pipe closed it; the rest of the "
                               "output is lost",
                               target->path);
        if (done < 0)
            return problem_system(problem, errno, "%.300s: cannot be written", target->path);
        from += done;
        length -= (uint64_t)done;
        offset += offset < 0 ? 0 : done;
    }
    return true;
}

static bool io_write_block(void *context, uint64_t index, unsigned worker)
{
    struct io_write *write = context;
    struct target *target = write->target;
    uint64_t offset = index * IO_WRITE_BLOCK;
    uint64_t length =
        write->bytes - offset < IO_WRITE_BLOCK ? write->bytes - offset : IO_WRITE_BLOCK;
    unsigned char *buffer = write->buffers + (uint64_t)worker * IO_WRITE_BLOCK;
    if (interrupt_requested())
        return problem_set(write->problem, "interrupted");
    const void *from = write->part(write->context, offset, length, buffer);
    if (!from)
        return problem_set(write->problem, "%.300s: the output cannot be made", target->path);
    if (target->direct && (uintptr_t)from % IO_WRITE_ALIGNMENT != 0)
        from = memcpy(buffer, from, length);
    int64_t place = target->seekable ? (int64_t)(target->length + offset) : -1;
    if (!io_write_all(target, from, length, place, write->problem))
        return false;
    progress_add(length);
    return true;
}

/* A direct write must be whole pages: what is left over goes through the page cache at the end. */
static uint64_t io_write_tail(const struct io_write *write)
{
    uint64_t last = write->bytes % IO_WRITE_BLOCK;
    bool fits = write->target->length % IO_WRITE_ALIGNMENT == 0;
    if (!write->target->direct || !fits)
        io_write_leave_direct(write->target);
    return write->target->direct && last % IO_WRITE_ALIGNMENT != 0 ? last : 0;
}

/* A buffer for each writer; where memory is short, for fewer of them. */
static bool io_write_allocate(struct io_write *write, struct region *buffers, uint64_t blocks,
                              unsigned *writers)
{
    bool good;
    do
        good = region_allocate(buffers,
                               blocks > 1 ? (uint64_t)*writers * IO_WRITE_BLOCK : write->bytes,
                               "write buffers", write->problem);
    while (!good && blocks > 1 && (*writers /= 2) > 0);
    write->buffers = buffers->bytes;
    return good;
}

bool io_write_parts(struct target *target, io_write_part part, void *context, uint64_t bytes,
                    unsigned threads, struct problem *problem)
{
    struct io_write write = {target, part, context, bytes, NULL, problem};
    struct region buffers;
    uint64_t tail = io_write_tail(&write);
    uint64_t blocks = (bytes - tail + IO_WRITE_BLOCK - 1) / IO_WRITE_BLOCK;
    unsigned writers = threads < IO_WRITE_DEPTH ? IO_WRITE_DEPTH : threads;
    if (writers > blocks)
        writers = blocks > 0 ? (unsigned)blocks : 1;
    /* Order is kept by one thread where offsets mean nothing. */
    if (!target->seekable)
        writers = 1;
    if (writers > PARALLEL_MAXIMUM)
        writers = PARALLEL_MAXIMUM;
    if (!io_write_allocate(&write, &buffers, blocks, &writers))
        return false;
    bool good = parallel_run(blocks, writers, io_write_block, &write);
    io_write_leave_direct(target);
    if (good && tail > 0)
        good = io_write_block(&write, blocks, 0);
    region_release(&buffers);
    target->length += good ? bytes : 0;
    return good;
}

bool io_write_append(struct target *target, const void *bytes, uint64_t length,
                     struct problem *problem)
{
    io_write_leave_direct(target);
    int64_t place = target->seekable ? (int64_t)target->length : -1;
    if (!io_write_all(target, bytes, length, place, problem))
        return false;
    target->length += length;
    return true;
}
