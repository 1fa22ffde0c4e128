/* SPDX-License-Identifier: Apache-2.0 */
/* Input that is sorted, flat or strictly reversed already: found in one read that stops early. */
#include "cpu/monotone.h"

#include <stdatomic.h>
#include <string.h>

enum {
    MONOTONE_BLOCK = 1 << 12, /* items between looks at what others found */
    MONOTONE_ALONE = 1 << 15  /* fewer items do not pay for waking threads */
};

struct monotone_job {
    const struct order *order;
    const char *items;
    uint64_t count;
    bool reversed; /* which of the two is still possible */
    atomic_bool broken;
};

static bool monotone_holds(const struct monotone_job *job, uint64_t i)
{
    uint64_t bytes = job->order->item_bytes;
    int sign = order_compare(job->order, job->items + i * bytes, job->items + (i - 1) * bytes);
    return job->reversed ? sign < 0 : sign >= 0;
}

static void monotone_member(void *context, uint32_t member, uint32_t size)
{
    struct monotone_job *job = context;
    uint64_t first, last;
    team_share(job->count, member, size, 1, &first, &last);
    for (uint64_t i = first > 0 ? first : 1; i < last; i++) {
        if (i % MONOTONE_BLOCK == 0 && atomic_load_explicit(&job->broken, memory_order_relaxed))
            return;
        if (!monotone_holds(job, i)) {
            atomic_store(&job->broken, true);
            return;
        }
    }
}

enum monotone monotone_of(struct team *team, const struct order *order, const void *items,
                          uint64_t count)
{
    if (count < 2)
        return MONOTONE_SORTED;
    struct monotone_job job = {.order = order, .items = items, .count = count, .reversed = true};
    job.reversed = monotone_holds(&job, 1);
    uint64_t few = count < MONOTONE_BLOCK ? count : MONOTONE_BLOCK;
    for (uint64_t i = 2; i < few; i++)
        if (!monotone_holds(&job, i))
            return MONOTONE_NEITHER;
    if (few < count && count < MONOTONE_ALONE)
        monotone_member(&job, 0, 1);
    else if (few < count)
        team_run(team, monotone_member, &job);
    if (atomic_load(&job.broken))
        return MONOTONE_NEITHER;
    return job.reversed ? MONOTONE_REVERSED : MONOTONE_SORTED;
}

static void monotone_swap(char *a, char *b, uint64_t bytes)
{
    char held[256];
    while (bytes > 0) {
        uint64_t part = bytes < sizeof held ? bytes : sizeof held;
        memcpy(held, a, part);
        memcpy(a, b, part);
        memcpy(b, held, part);
        a += part, b += part, bytes -= part;
    }
}

void monotone_reverse(const void *in, void *out, uint64_t count, uint64_t bytes)
{
    const char *from = in;
    char *to = out;
    if (in != out) {
        for (uint64_t i = 0; i < count; i++)
            memcpy(to + i * bytes, from + (count - 1 - i) * bytes, bytes);
        return;
    }
    for (uint64_t i = 0; i < count / 2; i++)
        monotone_swap(to + i * bytes, to + (count - 1 - i) * bytes, bytes);
}
