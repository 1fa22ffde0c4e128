/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A team of threads that runs one function together (single program, multiple data). Workers
 * sleep between runs; a team is used by one caller at a time; the caller is member 0.
 *
 * Workers live in a pool that many callers share: each run borrows those that are idle and gives
 * them back. Too few workers, threads that cannot be created and a forked child (which inherits no
 * thread) all mean a smaller team, never an error.
 */
#ifndef CONSORT_CPU_TEAM_H
#define CONSORT_CPU_TEAM_H

#include <stdint.h>

struct team;
struct team_pool;

/* A pool for teams of up to `threads` members (a caller and threads - 1 workers). NULL: no memory.
 */
struct team_pool *team_pool_create(uint32_t threads);

/* Every team must have been returned. NULL is allowed. */
void team_pool_destroy(struct team_pool *pool);

/* The most members a team of this pool can have. */
uint32_t team_pool_threads(const struct team_pool *pool);

/* A team of at most `wanted` members out of the idle workers; NULL only when there is no memory.
 * `pool` may be NULL: a team of one. */
struct team *team_borrow(struct team_pool *pool, uint32_t wanted);
void team_return(struct team *team);

/* A team with workers of its own. NULL: no memory. */
struct team *team_create(uint32_t size);
void team_destroy(struct team *team);

typedef void (*team_function)(void *context, uint32_t member, uint32_t size);

/* Members of this team, at least 1. */
uint32_t team_size(const struct team *team);

/* Calls function(context, member, size) once on every member and returns when all have returned;
 * what members wrote is then visible to the caller. */
void team_run(struct team *team, team_function function, void *context);

/* Inside a function that team_run called: waits for all members. */
void team_barrier(struct team *team);

/* The half-open share [*first, *last) of `count` items that belongs to `member` of `size`, cut at
 * multiples of `grain` (a power of two). */
static inline void team_share(uint64_t count, uint32_t member, uint32_t size, uint64_t grain,
                              uint64_t *first, uint64_t *last)
{
    uint64_t blocks = (count / grain) + (count % grain != 0);
    uint64_t low = blocks / size * member + (blocks % size * member) / size;
    uint64_t high = blocks / size * (member + 1) + (blocks % size * (member + 1)) / size;
    *first = low * grain < count ? low * grain : count;
    *last = high * grain < count ? high * grain : count;
}

#endif
