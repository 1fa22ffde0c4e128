/* SPDX-License-Identifier: Apache-2.0 */
/* Input that is sorted, flat or strictly reversed already: found in one read that stops early. */
#include "cpu/monotone.h"

#include <stdatomic.h>
#include <string.h>

#include "cpu/radix.h"

enum {
    MONOTONE_BLOCK = 1 << 9, /* items between looks at what others found */
    MONOTONE_ALONE = 1 << 15 /* fewer items do not pay for waking threads */
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

/* Whether all of [first, last), first > 0, follow their predecessors as expected. */
static bool monotone_holds_in(const struct monotone_job *job, uint64_t first, uint64_t last)
{
    if (order_is_plain(job->order))
        return presorted_holds(&job->order->pieces[0].codec, job->items,
                               job->reversed ? PRESORTED_FALLING_STRICTLY : PRESORTED_RISING, first,
                               last);
    while (first < last && monotone_holds(job, first))
        first++;
    return first == last;
}

static void monotone_member(void *context, uint32_t member, uint32_t size)
{
    struct monotone_job *job = context;
    uint64_t first, last;
    team_share(job->count, member, size, 1, &first, &last);
    first = first > 0 ? first : 1;
    while (first < last && !atomic_load_explicit(&job->broken, memory_order_relaxed)) {
        uint64_t end = last - first < MONOTONE_BLOCK ? last : first + MONOTONE_BLOCK;
        if (!monotone_holds_in(job, first, end))
            atomic_store(&job->broken, true);
        first = end;
    }
}

enum monotone monotone_of(struct team *team, const struct order *order, const void *items,
                          uint64_t count)
{
    if (count < 2)
        return MONOTONE_SORTED;
    struct monotone_job job = {.order = order, .items = items, .count = count, .reversed = true};
    job.reversed = monotone_holds(&job, 1);
    if (!monotone_holds_in(&job, 1, count < MONOTONE_BLOCK ? count : MONOTONE_BLOCK))
        return MONOTONE_NEITHER;
    if (count >= MONOTONE_ALONE)
        team_run(team, monotone_member, &job);
    else
        monotone_member(&job, 0, 1);
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
