/* SPDX-License-Identifier: Apache-2.0 */
/* Blocks straight from mmap: alignment and page size are ours to choose. */
#include "bench_memory.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#include "bench_driver.h"
#include "parallel.h"

enum {
    PORTABLE = 1 /* pinned for every GPU */
};

static bool huge_pages;
static const struct bench_driver *pinner;
static bool must_pin;

void bench_memory_huge_pages(bool on)
{
    huge_pages = on;
}

void bench_memory_pin(const struct bench_driver *driver, bool must)
{
    pinner = driver;
    must_pin = must;
}

enum {
    PIECE = 1 << 24
};

static bool touch_piece(void *context, uint64_t piece, unsigned worker)
{
    (void)worker;
    const struct bench_block *block = context;
    uint64_t first = piece * PIECE;
    uint64_t left = block->bytes - first;
    memset((unsigned char *)block->memory + first, 0, (size_t)(left < PIECE ? left : PIECE));
    return true;
}

/* Bringing in pages takes one thread longer than making the keys, and a GPU sorts gigabytes. */
static void touch(struct bench_block *block)
{
    parallel_run((block->bytes + PIECE - 1) / PIECE, parallel_processors(), touch_piece, block);
}

static bool map(struct bench_block *block, uint64_t bytes)
{
    bench_memory_release(block);
    uint64_t size = bytes > 0 ? bytes : 1;
    if (size > SIZE_MAX) {
        return false;
    }
    void *memory =
        mmap(NULL, (size_t)size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) {
        return false;
    }
    if (huge_pages) {
        /* Advice: where it is not taken, ordinary pages serve. */
        (void)madvise(memory, (size_t)size, MADV_HUGEPAGE);
    }
    block->memory = memory;
    block->bytes = size;
    touch(block);
    return true;
}

static void unpin(struct bench_block *block)
{
    if (block->pinned_by != NULL) {
        (void)block->pinned_by->host_unregister(block->memory);
        block->pinned_by = NULL;
    }
}

static bool pin(struct bench_block *block)
{
    if (block->pinned_by == pinner) {
        return true;
    }
    unpin(block);
    if (pinner != NULL) {
        if (pinner->host_register(block->memory, (size_t)block->bytes, PORTABLE) != 0) {
            return !must_pin;
        }
        block->pinned_by = pinner;
    }
    return true;
}

bool bench_memory_reserve(struct bench_block *block, uint64_t bytes)
{
    bool enough = bytes <= block->bytes && block->memory != NULL;
    if ((enough || map(block, bytes)) && pin(block)) {
        return true;
    }
    bench_memory_release(block);
    return false;
}

void bench_memory_release(struct bench_block *block)
{
    unpin(block);
    if (block->memory != NULL) {
        munmap(block->memory, (size_t)block->bytes);
    }
    *block = (struct bench_block){0};
}

uint64_t bench_memory_available(void)
{
    FILE *file = fopen("/proc/meminfo", "r");
    if (file == NULL) {
        return UINT64_MAX;
    }
    char line[128];
    uint64_t kibibytes;
    uint64_t available = UINT64_MAX;
    while (fgets(line, sizeof line, file) != NULL) {
        if (sscanf(line, "MemAvailable: %" SCNu64, &kibibytes) == 1) {
            available = kibibytes * 1024;
        }
    }
    fclose(file);
    return available;
}
