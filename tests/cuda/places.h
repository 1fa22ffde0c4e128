/* SPDX-License-Identifier: Apache-2.0 */
/* Memory of every kind that a run on host arrays may be given, for tests. */
#ifndef CONSORT_TESTS_PLACES_H
#define CONSORT_TESTS_PLACES_H

#include <stdint.h>

enum place_kind {
    PLACE_PAGEABLE,
    PLACE_PINNED,
    PLACE_MANAGED,
    PLACE_DEVICE, /* of GPU 0 */
    PLACE_OTHER,  /* of GPU 1 */
    PLACE_KINDS
};

enum {
    PLACE_UNSET = 0xa5
};

/* `bytes` bytes of a kind, a copy of those at `host`, or PLACE_UNSET if that is NULL. The test
 * fails if there are none. */
void *place_new(enum place_kind kind, const void *host, uint64_t bytes);

/* Copies from a place to ordinary memory. */
void place_read(enum place_kind kind, void *host, const void *place, uint64_t bytes);
void place_free(enum place_kind kind, void *place);

#endif
