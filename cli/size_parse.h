/* SPDX-License-Identifier: Apache-2.0 */
/* Sizes and counts as people write them. Pure functions. */
#ifndef CONSORT_CLI_SIZE_PARSE_H
#define CONSORT_CLI_SIZE_PARSE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "problem.h"

/* Plain decimal digits, nothing else, up to UINT64_MAX. */
bool size_parse_number(const char *text, size_t length, uint64_t *number);

/* Counts of items: "1000", "10M" (powers of 1000; k or K, M, G, T), "1e8", "2^28". */
bool size_parse_count(const char *text, uint64_t *count, struct problem *problem);

/* Bytes: as counts, but the letters are powers of 1024, as GNU sort -S has them. */
bool size_parse_bytes(const char *text, uint64_t *bytes, struct problem *problem);

enum {
    SIZE_TEXT = 16
};

/* "3.9 GB", "512 bytes": for people. Returns `text`. */
const char *size_format(uint64_t bytes, char text[SIZE_TEXT]);

#endif
