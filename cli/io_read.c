/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reading a large part of a regular file with several large requests under way at once. What is in
 * the page cache is copied from there; the rest is read past it (O_DIRECT).
 */
#include "io_read.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "interrupt.h"
#include "parallel.h"
#include "progress.h"

enum {
    IO_READ_BLOCK = 8 << 20,
    /* Threads that wait for the disk need no processor: 4 GB past the page cache on a busy machine
     * of two processors took 5 to 7 s with two, 2 to 4 s with four. */
    IO_READ_DEPTH = 4,
    /* What O_DIRECT wants addresses, offsets and lengths to be a multiple of. */
    IO_READ_ALIGNMENT = 4096,
    IO_READ_PAGES = IO_READ_BLOCK / 4096 + 1
};

struct io_read {
    int cached;
    int direct; /* -1: not possible here */
    const char *path;
    uint64_t offset;
    uint64_t end;
    uint64_t first_block; /* blocks are counted from the file's beginning */
    unsigned char *to;
    struct problem *problem; /* the first one wins */
};

static bool io_read_at(struct io_read *read, int descriptor, uint64_t from, uint64_t end)
{
    while (from < end) {
        ssize_t got = pread(descriptor, read->to + (from - read->offset), end - from, (off_t)from);
        if (interrupt_requested())
            return problem_set(read->problem, "interrupted");
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0 && errno == EINVAL && descriptor == read->direct) {
            descriptor = read->cached; /* a file system with stricter rules for O_DIRECT */
            continue;
        }
        if (got < 0)
            return problem_system(read->problem, errno, "%.300s: cannot be read at byte %llu",
                                  read->path, (unsigned long long)from);
        if (got == 0)
            return problem_set(read->problem,
                               "%.300s: ended at byte %llu instead of %llu: it shrank while being "
                               "read",
                               read->path, (unsigned long long)from, (unsigned long long)read->end);
        from += (uint64_t)got;
        if (descriptor == read->direct && from % IO_READ_ALIGNMENT != 0)
            descriptor = read->cached;
    }
    return true;
}

/* Is most of this part of the file in the page cache? Then copying is faster than the disk. */
static bool io_read_is_cached(const struct io_read *read, uint64_t from, uint64_t end)
{
    unsigned char resident[IO_READ_PAGES];
    uint64_t pages = 0;
    uint64_t count = (end - from + 4095) / 4096;
    void *mapping = mmap(NULL, end - from, PROT_READ, MAP_SHARED, read->cached, (off_t)from);
    if (mapping == MAP_FAILED)
        return true;
    if (mincore(mapping, end - from, resident) != 0)
        memset(resident, 1, sizeof resident);
    munmap(mapping, end - from);
    for (uint64_t i = 0; i < count; i++)
        pages += resident[i] & 1;
    return 2 * pages >= count;
}

static bool io_read_block(void *context, uint64_t index, unsigned worker)
{
    struct io_read *read = context;
    uint64_t from = (read->first_block + index) * IO_READ_BLOCK;
    uint64_t end = from + IO_READ_BLOCK;
    (void)worker;
    from = from < read->offset ? read->offset : from;
    end = end > read->end ? read->end : end;
    uint64_t direct_from = (from + IO_READ_ALIGNMENT - 1) / IO_READ_ALIGNMENT * IO_READ_ALIGNMENT;
    uint64_t direct_end = end / IO_READ_ALIGNMENT * IO_READ_ALIGNMENT;
    if (read->direct < 0 || direct_from >= direct_end ||
        io_read_is_cached(read, direct_from, direct_end))
        direct_from = direct_end = end;
    if (!io_read_at(read, read->cached, from, direct_from) ||
        !io_read_at(read, read->direct, direct_from, direct_end) ||
        !io_read_at(read, read->cached, direct_end, end))
        return false;
    progress_add(end - from);
    return true;
}

/* The same file once more, past the page cache; -1 if that cannot be had. */
static int io_read_open_direct(int descriptor, const struct io_read *read)
{
    char path[64];
    bool congruent = (uintptr_t)read->to % IO_READ_ALIGNMENT == read->offset % IO_READ_ALIGNMENT;
    if (!congruent || read->end - read->offset < IO_READ_BLOCK)
        return -1;
    snprintf(path, sizeof path, "/proc/self/fd/%d", descriptor);
    return open(path, O_RDONLY | O_DIRECT | O_CLOEXEC);
}

bool io_read_file(int descriptor, const char *path, uint64_t offset, void *to, uint64_t bytes,
                  unsigned threads, struct problem *problem)
{
    struct io_read read = {.cached = descriptor,
                           .direct = -1,
                           .path = path,
                           .offset = offset,
                           .end = offset + bytes,
                           .first_block = offset / IO_READ_BLOCK,
                           .to = to,
                           .problem = problem};
    if (bytes == 0)
        return true;
    read.direct = io_read_open_direct(descriptor, &read);
    uint64_t blocks = (read.end - 1) / IO_READ_BLOCK - read.first_block + 1;
    unsigned readers = threads < IO_READ_DEPTH ? IO_READ_DEPTH : threads;
    bool good = parallel_run(blocks, readers, io_read_block, &read);
    if (read.direct >= 0)
        close(read.direct);
    return good;
}
