/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Stable parallel merge sort of one array of elements: tiles sorted by single threads, then levels
 * of pairwise merges, each cut into equal pieces of output by co-ranks (Odeh, Green, Mwassi,
 * Shmueli, Birk: Merge Path, 2012).
 */
#ifndef CONSORT_CPU_MERGESORT_H
#define CONSORT_CPU_MERGESORT_H

#include "core/checkpoint.h"
#include "core/order.h"
#include "cpu/team.h"

enum {
    MERGESORT_ELEMENT_BYTES = 64
}; /* larger ones are sorted through an index */

/* What an element is. */
enum mergesort_kind {
    MERGESORT_ITEM,    /* an item of the order */
    MERGESORT_INDEX32, /* the position of an item, 4 bytes */
    MERGESORT_INDEX64, /* the same, 8 bytes */
};

struct mergesort;

struct mergesort_kernels {
    void (*tile)(const struct mergesort *sort, const char *in, char *out, char *spare,
                 uint64_t count);
    void (*merge)(const struct mergesort *sort, const char *a, const char *a_end, const char *b,
                  const char *b_end, char *out);
    /* merge, which also notes for each output whether it came from b */
    void (*trace)(const struct mergesort *sort, const char *a, const char *a_end, const char *b,
                  const char *b_end, char *out, unsigned char *from_b);
    uint64_t (*co_rank)(const struct mergesort *sort, const char *a, uint64_t a_count,
                        const char *b, uint64_t b_count, uint64_t rank);
};

/* How elements compare, and how many bytes they have. */
struct mergesort {
    const struct mergesort_kernels *kernels;
    const struct order *order;
    const char *items; /* what indices point into */
    uint64_t item_bytes;
    uint64_t bytes;
    struct codec codec; /* of plain codes */
};

/* `items` matters to indices only. Plain codes get kernels of their own. */
struct mergesort mergesort_of(enum mergesort_kind kind, const struct order *order,
                              const void *items);

struct mergesort_job {
    struct mergesort sort;
    const char *in; /* may be `out` or `spare` */
    char *out;
    char *spare; /* as large as `out` */
    uint64_t count;
    struct team *team;
    const struct checkpoint *checkpoint; /* NULL: do not ask */
};

/* False: it was cancelled, and what `out` and `spare` held is lost. */
bool mergesort_run(const struct mergesort_job *job);

#endif
