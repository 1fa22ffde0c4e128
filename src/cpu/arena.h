/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Workspace arithmetic: the same list of parts is first summed (when a plan is made) and then
 * carved (when it runs), each part at a cache line of its own.
 */
#ifndef CONSORT_CPU_ARENA_H
#define CONSORT_CPU_ARENA_H

#include <stdint.h>

#include "core/request.h"

enum {
    ARENA_LINE = 64
};

/* Bytes of `count` items of `bytes` each, up to a whole line; UINT64_MAX when out of range. */
static inline uint64_t arena_bytes(uint64_t count, uint64_t bytes)
{
    uint64_t size = request_bytes(count, bytes);
    return size == UINT64_MAX ? size : (size + ARENA_LINE - 1) / ARENA_LINE * ARENA_LINE;
}

/* a + b, sticking at UINT64_MAX. */
static inline uint64_t arena_add(uint64_t a, uint64_t b)
{
    return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

/* Takes the next `count` items of `bytes` each from *rest. */
static inline void *arena_take(char **rest, uint64_t count, uint64_t bytes)
{
    char *part = *rest;
    *rest += arena_bytes(count, bytes);
    return part;
}

#endif
