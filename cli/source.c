/* SPDX-License-Identifier: Apache-2.0 */
/* Inputs: files, pipes, standard input. */
#include "source.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "interrupt.h"
#include "io_read.h"
#include "progress.h"
#include "size_parse.h"

enum {
    /* What is asked of a pipe at once; Linux pipes hold 64 kB, or 1 MB if they are widened. */
    SOURCE_PIPE_BLOCK = 1 << 20,
    SOURCE_FIRST_SIZE = 16 << 20
};

/* Files that the system makes up as they are read say that they have 0 bytes (/proc), or a page
 * (/sys), whatever they have. */
static bool source_is_made_up(const struct stat *stat)
{
    return stat->st_size == 0 || (stat->st_blocks == 0 && stat->st_size <= sysconf(_SC_PAGESIZE));
}

static bool source_stat(struct source *source, struct problem *problem)
{
    struct stat stat;
    if (fstat(source->descriptor, &stat) != 0)
        return problem_system(problem, errno, "%.300s: cannot be examined", source->path);
    if (S_ISDIR(stat.st_mode))
        return problem_set(problem, "%.300s: is a directory; name files", source->path);
    if (!S_ISREG(stat.st_mode))
        return true;
    off_t position = lseek(source->descriptor, 0, SEEK_CUR);
    source->sized = position >= 0 && !source_is_made_up(&stat);
    source->position = position >= 0 ? (uint64_t)position : 0;
    source->left = stat.st_size > position ? (uint64_t)(stat.st_size - position) : 0;
    return true;
}

static bool source_open(struct source *source, const char *path, struct problem *problem)
{
    bool standard_input = strcmp(path, "-") == 0;
    if (!*path)
        return problem_set(problem, "an input's name is empty");
    source->path = standard_input ? "standard input" : path;
    source->descriptor =
        standard_input ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
    if (source->descriptor < 0)
        return problem_system(problem, errno, "%.300s: cannot be opened", path);
    return source_stat(source, problem);
}

bool source_open_all(struct source_list *list, char **paths, uint32_t count,
                     struct problem *problem)
{
    uint32_t standard_inputs = 0;
    *list = (struct source_list){calloc(count + 1, sizeof *list->sources), 0};
    if (!list->sources)
        return problem_set(problem, "out of memory for %u inputs", count);
    for (uint32_t i = 0; i < count; i++) {
        standard_inputs += strcmp(paths[i], "-") == 0;
        if (standard_inputs > 1)
            return problem_set(problem, "standard input: named twice; it can be read only once");
        list->sources[list->count].descriptor = -1;
        list->count++;
        if (!source_open(&list->sources[i], paths[i], problem))
            return false;
    }
    return true;
}

void source_close_all(struct source_list *list)
{
    for (uint32_t i = 0; i < list->count; i++)
        if (list->sources[i].descriptor > STDIN_FILENO)
            close(list->sources[i].descriptor);
    free(list->sources);
    *list = (struct source_list){NULL, 0};
}

/* One read(2); 0 bytes at the end. */
static bool source_read_some(struct source *source, void *to, uint64_t bytes, uint64_t *got,
                             struct problem *problem)
{
    for (;;) {
        if (interrupt_requested())
            return problem_set(problem, "interrupted");
        ssize_t result = read(source->descriptor, to, bytes);
        if (result < 0 && errno == EINTR)
            continue;
        if (result < 0)
            return problem_system(problem, errno, "%.300s: cannot be read", source->path);
        *got = (uint64_t)result;
        return true;
    }
}

bool source_read(struct source *source, void *to, uint64_t bytes, uint64_t *got,
                 struct problem *problem)
{
    for (*got = 0; *got < bytes;) {
        uint64_t some = 0;
        if (!source_read_some(source, (unsigned char *)to + *got, bytes - *got, &some, problem))
            return false;
        if (some == 0)
            break;
        *got += some;
    }
    source->position += *got;
    source->left -= source->sized && *got <= source->left ? *got : source->left;
    return true;
}

static bool source_check_limit(const struct source *source, uint64_t bytes, uint64_t limit,
                               struct problem *problem)
{
    char size[SIZE_TEXT];
    if (bytes <= limit)
        return true;
    return problem_set(problem,
                       "%.300s: the input, %llu bytes or more, does not fit the memory of %llu "
                       "bytes (%s) that --memory, `ulimit -v` and the machine allow; this version "
                       "sorts in memory only",
                       source->path, (unsigned long long)bytes, (unsigned long long)limit,
                       size_format(limit, size));
}

/* Room for another block behind `used` bytes: much more, so that it seldom moves, or just that. */
static bool source_make_room(const struct source *source, struct region *region, uint64_t used,
                             struct problem *problem)
{
    uint64_t least = used + SOURCE_PIPE_BLOCK;
    uint64_t size =
        region->size < SOURCE_FIRST_SIZE ? SOURCE_FIRST_SIZE : region->size + region->size / 2;
    return region->size >= least ||
           (size > least && region_resize(region, size, source->path, problem)) ||
           region_resize(region, least, source->path, problem);
}

static bool source_read_stream(struct source *source, struct region *region, uint64_t *used,
                               uint64_t limit, struct problem *problem)
{
    for (;;) {
        uint64_t got = 0;
        if (!source_make_room(source, region, *used, problem) ||
            !source_read_some(source, region->bytes + *used, SOURCE_PIPE_BLOCK, &got, problem))
            return false;
        if (got == 0)
            return *used == 0 || region_resize(region, *used, source->path, problem);
        *used += got;
        progress_add(got);
        if (!source_check_limit(source, *used, limit, problem))
            return false;
    }
}

bool source_read_rest(struct source *source, struct region *region, uint64_t *used, uint64_t limit,
                      unsigned threads, struct problem *problem)
{
    if (!source->sized) {
        /* Fewer switches between writer and reader; refused for what is no pipe. */
        (void)fcntl(source->descriptor, F_SETPIPE_SZ, SOURCE_PIPE_BLOCK);
        return source_read_stream(source, region, used, limit, problem);
    }
    uint64_t size;
    if (source->left == 0)
        return true;
    if (__builtin_add_overflow(*used, source->left, &size))
        return problem_set(problem, "%.300s: the inputs are larger than any memory", source->path);
    if (!source_check_limit(source, size, limit, problem) ||
        (size > region->size && !region_resize(region, size, source->path, problem)))
        return false;
    if (!io_read_file(source->descriptor, source->path, source->position, region->bytes + *used,
                      source->left, threads, problem))
        return false;
    *used = size;
    return true;
}
