/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reading large parts of a regular file. What is in the page cache is copied from there; the rest
 * is read past it (O_DIRECT).
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

/* A part of a file on its way to memory. */
struct io_read {
    const struct io_reader *reader;
    uint64_t offset;
    uint64_t end;
    unsigned char *to;
    struct problem *problem;
};

static bool io_read_at(const struct io_read *read, int descriptor, uint64_t from, uint64_t end)
{
    const struct io_reader *reader = read->reader;
    while (from < end) {
        ssize_t got = pread(descriptor, read->to + (from - read->offset), end - from, (off_t)from);
        if (interrupt_requested())
            return problem_set(read->problem, "interrupted");
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0 && errno == EINVAL && descriptor == reader->direct) {
            descriptor = reader->cached; /* a file system with stricter rules for O_DIRECT */
            continue;
        }
        if (got < 0)
            return problem_system(read->problem, errno, "%.300s: cannot be read at byte %llu",
                                  reader->path, (unsigned long long)from);
        if (got == 0)
            return problem_set(read->problem,
                               "%.300s: ended at byte %llu instead of %llu: it shrank while being "
                               "read",
                               reader->path, (unsigned long long)from,
                               (unsigned long long)read->end);
        from += (uint64_t)got;
        if (descriptor == reader->direct && from % IO_READ_ALIGNMENT != 0)
            descriptor = reader->cached;
    }
    return true;
}

/* Is most of this part of the file in the page cache? Then copying is faster than the disk. */
static bool io_read_is_cached(const struct io_reader *reader, uint64_t from, uint64_t end)
{
    unsigned char resident[IO_READ_PAGES];
    uint64_t pages = 0;
    uint64_t count = (end - from + 4095) / 4096;
    void *mapping = mmap(NULL, end - from, PROT_READ, MAP_SHARED, reader->cached, (off_t)from);
    if (mapping == MAP_FAILED)
        return true;
    if (mincore(mapping, end - from, resident) != 0)
        memset(resident, 1, sizeof resident);
    munmap(mapping, end - from);
    for (uint64_t i = 0; i < count; i++)
        pages += resident[i] & 1;
    return 2 * pages >= count;
}

/* At most IO_READ_BLOCK bytes. */
static bool io_read_part(const struct io_read *read, uint64_t from, uint64_t end)
{
    const struct io_reader *reader = read->reader;
    bool congruent = (uintptr_t)read->to % IO_READ_ALIGNMENT == read->offset % IO_READ_ALIGNMENT;
    uint64_t direct_from = (from + IO_READ_ALIGNMENT - 1) / IO_READ_ALIGNMENT * IO_READ_ALIGNMENT;
    uint64_t direct_end = end / IO_READ_ALIGNMENT * IO_READ_ALIGNMENT;
    if (reader->direct < 0 || !congruent || direct_from >= direct_end ||
        io_read_is_cached(reader, direct_from, direct_end))
        direct_from = direct_end = end;
    return io_read_at(read, reader->cached, from, direct_from) &&
           io_read_at(read, reader->direct, direct_from, direct_end) &&
           io_read_at(read, reader->cached, direct_end, end);
}

void io_reader_open(struct io_reader *reader, int descriptor, const char *path)
{
    char same[64];
    snprintf(same, sizeof same, "/proc/self/fd/%d", descriptor);
    *reader = (struct io_reader){
        .cached = descriptor, .direct = open(same, O_RDONLY | O_DIRECT | O_CLOEXEC), .path = path};
}

void io_reader_close(struct io_reader *reader)
{
    if (reader->direct >= 0)
        close(reader->direct);
    reader->direct = -1;
}

/* Reads part `index` of it, cut at multiples of IO_READ_BLOCK of the file; 0: it failed. */
static uint64_t io_read_block(const struct io_read *read, uint64_t index)
{
    uint64_t from = (read->offset / IO_READ_BLOCK + index) * IO_READ_BLOCK;
    uint64_t end = from + IO_READ_BLOCK;
    from = from < read->offset ? read->offset : from;
    end = end > read->end ? read->end : end;
    return io_read_part(read, from, end) ? end - from : 0;
}

static uint64_t io_read_blocks(const struct io_read *read)
{
    return (read->end - 1) / IO_READ_BLOCK - read->offset / IO_READ_BLOCK + 1;
}

bool io_reader_read(const struct io_reader *reader, uint64_t offset, void *to, uint64_t bytes,
                    struct problem *problem)
{
    struct io_read read = {reader, offset, offset + bytes, to, problem};
    bool good = true;
    for (uint64_t i = 0; good && bytes > 0 && i < io_read_blocks(&read); i++)
        good = io_read_block(&read, i) > 0;
    return good;
}

static bool io_read_file_block(void *context, uint64_t index, unsigned worker)
{
    uint64_t bytes = io_read_block(context, index);
    (void)worker;
    progress_add(bytes);
    return bytes > 0;
}

bool io_read_file(int descriptor, const char *path, uint64_t offset, void *to, uint64_t bytes,
                  unsigned threads, struct problem *problem)
{
    struct io_reader reader;
    struct io_read read = {&reader, offset, offset + bytes, to, problem};
    if (bytes == 0)
        return true;
    io_reader_open(&reader, descriptor, path);
    unsigned readers = threads < IO_READ_DEPTH ? IO_READ_DEPTH : threads;
    bool good = parallel_run(io_read_blocks(&read), readers, io_read_file_block, &read);
    io_reader_close(&reader);
    return good;
}
