/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Host memory of a benchmark: page-aligned, and touched before any clock runs, so that no timing
 * contains a page fault of ours.
 */
#ifndef CONSORT_CLI_BENCH_MEMORY_H
#define CONSORT_CLI_BENCH_MEMORY_H

#include <stdbool.h>
#include <stdint.h>

struct bench_driver;

struct bench_block {
    void *memory;
    uint64_t bytes;
    const struct bench_driver *pinned_by; /* NULL: ordinary memory */
};

/* Ask the kernel for huge pages from now on? Everybody measured gets the same pages. */
void bench_memory_huge_pages(bool on);

/* From now on blocks are pinned by this driver, whose context is current; NULL: by none. Unless
 * they must be, ordinary memory serves where none can be pinned. */
void bench_memory_pin(const struct bench_driver *driver, bool must);

/* Makes the block hold at least `bytes`, pinned or not as asked for last; its content is lost if it
 * grows. False: no memory, and the block is empty. */
bool bench_memory_reserve(struct bench_block *block, uint64_t bytes);

void bench_memory_release(struct bench_block *block);

/* Bytes the system can give now without swapping; UINT64_MAX if it does not tell. */
uint64_t bench_memory_available(void);

#endif
