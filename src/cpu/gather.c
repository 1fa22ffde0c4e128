/* SPDX-License-Identifier: Apache-2.0 */
/* Moving whole columns: by a permutation, or as they stand. */
#include "cpu/gather.h"

#include <string.h>

enum {
    GATHER_AHEAD = 16,      /* elements between a prefetch and its load */
    GATHER_ALONE = 1 << 16, /* fewer bytes do not pay for waking threads */
    GATHER_GRAIN = 64       /* elements: members do not write to one cache line */
};

struct gather_job {
    const char *from;
    char *to;
    const void *indices;
    uint32_t index_bytes;
    uint64_t count;
    uint64_t bytes;
};

static inline uint64_t gather_index(const struct gather_job *job, uint64_t j)
{
    return job->index_bytes == 4 ? ((const uint32_t *)job->indices)[j]
                                 : ((const uint64_t *)job->indices)[j];
}

/* `bytes` is a constant at the calls that matter, so that copies become single moves. */
static inline __attribute__((always_inline)) void
gather_range(const struct gather_job *job, uint64_t first, uint64_t last, uint64_t bytes)
{
    for (uint64_t j = first; j < last; j++) {
        if (last - j > GATHER_AHEAD)
            __builtin_prefetch(job->from + gather_index(job, j + GATHER_AHEAD) * bytes);
        memcpy(job->to + j * bytes, job->from + gather_index(job, j) * bytes, bytes);
    }
}

static void gather_member(void *context, uint32_t member, uint32_t size)
{
    const struct gather_job *job = context;
    uint64_t first, last;
    team_share(job->count, member, size, GATHER_GRAIN, &first, &last);
    switch (job->bytes) {
    case 1:
        gather_range(job, first, last, 1);
        return;
    case 2:
        gather_range(job, first, last, 2);
        return;
    case 4:
        gather_range(job, first, last, 4);
        return;
    case 8:
        gather_range(job, first, last, 8);
        return;
    case 16:
        gather_range(job, first, last, 16);
        return;
    default:
        gather_range(job, first, last, job->bytes);
    }
}

static void gather_do(struct team *team, team_function function, struct gather_job *job)
{
    if (job->count <= GATHER_ALONE / (job->bytes < GATHER_ALONE ? job->bytes : GATHER_ALONE))
        function(job, 0, 1);
    else
        team_run(team, function, job);
}

void gather_elements(struct team *team, const void *from, void *to, const void *indices,
                     uint32_t index_bytes, uint64_t count, uint64_t bytes)
{
    struct gather_job job = {.from = from,
                             .to = to,
                             .indices = indices,
                             .index_bytes = index_bytes,
                             .count = count,
                             .bytes = bytes};
    gather_do(team, gather_member, &job);
}

static void gather_copy_member(void *context, uint32_t member, uint32_t size)
{
    const struct gather_job *job = context;
    uint64_t first, last;
    team_share(job->count, member, size, 4096, &first, &last);
    if (first < last)
        memcpy(job->to + first, job->from + first, last - first);
}

void gather_copy(struct team *team, const void *from, void *to, uint64_t bytes)
{
    struct gather_job job = {.from = from, .to = to, .count = bytes, .bytes = 1};
    if (from != to)
        gather_do(team, gather_copy_member, &job);
}

void gather_column(struct team *team, const void *in, void *out, void *buffer, const void *indices,
                   uint32_t index_bytes, uint64_t count, uint64_t bytes)
{
    gather_elements(team, in, in == out ? buffer : out, indices, index_bytes, count, bytes);
    if (in == out)
        gather_copy(team, buffer, out, count * bytes);
}

static void gather_identity_member(void *context, uint32_t member, uint32_t size)
{
    const struct gather_job *job = context;
    uint64_t first, last;
    team_share(job->count, member, size, GATHER_GRAIN, &first, &last);
    if (job->index_bytes == 4) {
        uint32_t *indices = (uint32_t *)(void *)job->to;
        for (uint64_t j = first; j < last; j++)
            indices[j] = (uint32_t)j;
    } else {
        uint64_t *indices = (uint64_t *)(void *)job->to;
        for (uint64_t j = first; j < last; j++)
            indices[j] = j;
    }
}

void gather_identity(struct team *team, void *indices, uint32_t index_bytes, uint64_t count)
{
    struct gather_job job = {
        .to = indices, .index_bytes = index_bytes, .count = count, .bytes = index_bytes};
    gather_do(team, gather_identity_member, &job);
}
