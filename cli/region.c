/* SPDX-License-Identifier: Apache-2.0 */
/* Large memory: page-aligned, growing without a copy. */
#include "region.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "size_parse.h"

static uint64_t region_mapped(uint64_t bytes)
{
    uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
    return (bytes + page - 1) / page * page;
}

static bool region_complain(uint64_t bytes, const char *what, struct problem *problem)
{
    char size[SIZE_TEXT];
    struct rlimit limit;
    bool limited = getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY;
    return problem_set(problem, "out of memory: %llu bytes (%s) are needed for %s%s",
                       (unsigned long long)bytes, size_format(bytes, size), what,
                       limited ? "; the limit on address space (ulimit -v) is too small" : "");
}

bool region_allocate(struct region *region, uint64_t bytes, const char *what,
                     struct problem *problem)
{
    *region = (struct region){NULL, 0};
    if (bytes > (uint64_t)INTPTR_MAX)
        return region_complain(bytes, what, problem);
    uint64_t mapped = region_mapped(bytes > 0 ? bytes : 1);
    void *memory = mmap(NULL, mapped, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
        return region_complain(bytes, what, problem);
    region->bytes = memory;
    region->size = bytes > 0 ? bytes : 1;
    return true;
}

bool region_resize(struct region *region, uint64_t bytes, const char *what, struct problem *problem)
{
    if (!region->bytes)
        return region_allocate(region, bytes, what, problem);
    if (bytes > (uint64_t)INTPTR_MAX)
        return region_complain(bytes, what, problem);
    void *memory = mremap(region->bytes, region_mapped(region->size),
                          region_mapped(bytes > 0 ? bytes : 1), MREMAP_MAYMOVE);
    if (memory == MAP_FAILED)
        return region_complain(bytes, what, problem);
    region->bytes = memory;
    region->size = bytes > 0 ? bytes : 1;
    return true;
}

void region_release(struct region *region)
{
    if (region->bytes)
        munmap(region->bytes, region_mapped(region->size));
    *region = (struct region){NULL, 0};
}

/* The number after `key` in a file of lines "key value"; an empty key takes the first word. */
static bool region_read_number(const char *path, const char *key, unsigned long long *number)
{
    char line[256];
    bool found = false;
    FILE *file = fopen(path, "re");
    if (!file)
        return false;
    while (!found && fgets(line, sizeof line, file))
        if (strncmp(line, key, strlen(key)) == 0)
            found = sscanf(line + strlen(key), "%llu", number) == 1;
    fclose(file);
    return found;
}

static uint64_t region_left_in_cgroup(void)
{
    unsigned long long limit;
    unsigned long long used;
    unsigned long long cache = 0;
    if (!region_read_number("/sys/fs/cgroup/memory.max", "", &limit) ||
        !region_read_number("/sys/fs/cgroup/memory.current", "", &used))
        return UINT64_MAX;
    /* The page cache counts as used there, but gives way. */
    region_read_number("/sys/fs/cgroup/memory.stat", "inactive_file ", &cache);
    used = used > cache ? used - cache : 0;
    return limit > used ? limit - used : 0;
}

static uint64_t region_left_of_limit(void)
{
    struct rlimit limit;
    unsigned long long pages;
    if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY ||
        !region_read_number("/proc/self/statm", "", &pages))
        return UINT64_MAX;
    uint64_t used = pages * (uint64_t)sysconf(_SC_PAGESIZE);
    return limit.rlim_cur > used ? limit.rlim_cur - used : 0;
}

uint64_t region_available(void)
{
    unsigned long long kilobytes;
    uint64_t least = UINT64_MAX;
    if (region_read_number("/proc/meminfo", "MemAvailable:", &kilobytes))
        least = kilobytes * 1024;
    uint64_t others[] = {region_left_in_cgroup(), region_left_of_limit()};
    for (int i = 0; i < 2; i++)
        if (others[i] < least)
            least = others[i];
    return least;
}
