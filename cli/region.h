/* SPDX-License-Identifier: Apache-2.0 */
/* Large memory: page-aligned, on huge pages where the system lets us, growing without a copy. */
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

/* The same on small pages, for what is written once and read once, front to back: a machine whose
 * memory its host brings only at the first touch gives out small pages that it had before first. */
bool region_allocate_small(struct region *region, uint64_t bytes, const char *what,
                           struct problem *problem);

/* Keeps the content; may move it. On failure the region is as it was. */
bool region_resize(struct region *region, uint64_t bytes, const char *what,
                   struct problem *problem);

void region_release(struct region *region);

/* Bytes this process can still get: free memory of the machine, of its cgroup, and what the limit
 * on its address space (ulimit -v) leaves, whichever is least. UINT64_MAX if unknown. */
uint64_t region_available(void);

#endif
