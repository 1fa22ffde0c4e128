/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Large memory: page-aligned, growing without a copy. No huge pages are asked for: a virtual
 * machine may have given those that are free back to its host, and waits for each when it is
 * touched again (12 million records of 100 bytes from disk to disk: 4.1 to 4.4 s with them, 1.5
 * to 1.6 s without, 2026-11).
 */
#ifndef CONSORT_CLI_REGION_H
#define CONSORT_CLI_REGION_H

#include <stdbool.h>
#include <stdint.h>

#include "problem.h"

struct region {
    unsigned char *bytes;
    uint64_t size; /* what was asked for */
};

/* Zeroed memory; `what` names it in the message: "400 bytes for the keys". */
bool region_allocate(struct region *region, uint64_t bytes, const char *what,
                     struct problem *problem);

/* Keeps the content; may move it. On failure the region is as it was. */
bool region_resize(struct region *region, uint64_t bytes, const char *what,
                   struct problem *problem);

void region_release(struct region *region);

/* Bytes this process can still get: free memory of the machine, of its cgroup, and what the limit
 * on its address space (ulimit -v) leaves, whichever is least. UINT64_MAX if unknown. */
uint64_t region_available(void);

#endif
