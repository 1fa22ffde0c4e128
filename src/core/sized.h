/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Structures that start with their size, so that callers built against an older or newer header
 * keep working: members the caller lacks take their defaults, members the library lacks must be 0.
 */
#ifndef CONSORT_CORE_SIZED_H
#define CONSORT_CORE_SIZED_H

#include <stdbool.h>
#include <stddef.h>

/* Copies the caller's structure over `target`, which holds the defaults and has `target_bytes`
 * bytes. False, with the error recorded under `name`, if its size is impossible or its unknown tail
 * is not all zero. */
bool sized_read(void *target, size_t target_bytes, const void *caller, const char *name);

/* Copies `source` to the caller's structure, no more than its size says; keeps that size. */
bool sized_write(void *caller, const void *source, size_t source_bytes, const char *name);

#endif
