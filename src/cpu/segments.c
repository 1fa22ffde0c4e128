/* SPDX-License-Identifier: Apache-2.0 */
/* Handing the segments of an array to a team. */
#include "cpu/segments.h"

#include "cpu/columns.h"
#include "cpu/gather.h"

enum {
    SEGMENTS_BATCH_ITEMS = 1 << 14, /* work between two looks at the shared counter */
    SEGMENTS_BATCH = 1 << 12,       /* segments, so that empty ones count as work, too */
    SEGMENTS_LARGE = 1 << 16,       /* items; smaller segments do not pay for a team */
    SEGMENTS_SHARES = 8 /* larger ones than 1/8 of a member's share unbalance the team */
};

static void segments_copy_range(const struct consort_plan *plan, const struct run *run,
                                struct team *team, uint64_t first, uint64_t last)
{
    if (first == last)
        return;
    for (uint32_t i = 0; i < columns_count(&plan->request); i++) {
        struct column column = columns_at(&plan->request, run->arguments, i);
        gather_copy(team, (const char *)column.in + first * column.bytes,
                    (char *)column.out + first * column.bytes, (last - first) * column.bytes);
    }
}

void segments_copy_rest(const struct consort_plan *plan, const struct run *run, struct team *team)
{
    const struct segments segments = {.request = &plan->request, .run = run};
    uint64_t count = run->arguments->segment_count;
    uint64_t first = count ? segments_offset(&segments, 0) : 0;
    uint64_t last = count ? segments_offset(&segments, count) : 0;
    segments_copy_range(plan, run, team, 0, first);
    segments_copy_range(plan, run, team, last, run->arguments->count);
}

/* The end of a batch that begins with segment `first`: offsets never decrease, so that bisection
 * finds where it has enough items. */
static uint64_t segments_batch_end(const struct segments *segments, uint64_t first)
{
    uint64_t left = segments->run->arguments->segment_count - first;
    uint64_t low = first + 1, high = first + (left < SEGMENTS_BATCH ? left : SEGMENTS_BATCH);
    uint64_t begin = segments_offset(segments, first);
    while (low < high) {
        uint64_t middle = low + (high - low) / 2;
        if (segments_offset(segments, middle) - begin < SEGMENTS_BATCH_ITEMS)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static bool segments_take(struct segments *segments, uint64_t *first, uint64_t *last)
{
    uint64_t next = atomic_load(&segments->next);
    do {
        if (next >= segments->run->arguments->segment_count)
            return false;
        *first = next;
        *last = segments_batch_end(segments, next);
    } while (!atomic_compare_exchange_weak(&segments->next, &next, *last));
    return true;
}

static void segments_report(struct segments *segments, uint32_t member, uint64_t count)
{
    const struct run *run = segments->run;
    uint64_t done = atomic_fetch_add(&segments->done, count) + count;
    if (member == 0 ? checkpoint_pass(run->checkpoint, done, run->arguments->count)
                    : checkpoint_cancelled(run->checkpoint))
        atomic_store(&segments->cancelled, true);
}

static void segments_member(void *context, uint32_t member, uint32_t size)
{
    (void)size;
    struct segments *segments = context;
    uint64_t segment, end;
    while (!atomic_load(&segments->cancelled) && segments_take(segments, &segment, &end)) {
        uint64_t sorted = 0;
        uint64_t first = segments_offset(segments, segment);
        for (; segment < end; segment++) {
            uint64_t last = segments_offset(segments, segment + 1);
            if (last - first > segments->most_small) {
                atomic_fetch_add(&segments->larges, 1);
            } else {
                if (last > first)
                    segments->small(segments->context, member, first, last);
                sorted += last - first;
            }
            first = last;
        }
        segments_report(segments, member, sorted);
    }
}

static void segments_run_large(struct segments *segments)
{
    uint64_t count = segments->run->arguments->segment_count;
    uint64_t left = atomic_load(&segments->larges);
    uint64_t first = segments_offset(segments, 0);
    for (uint64_t s = 0; s < count && left > 0 && !atomic_load(&segments->cancelled); s++) {
        uint64_t last = segments_offset(segments, s + 1);
        if (last - first > segments->most_small) {
            left--;
            if (!segments->large(segments->context, first, last))
                atomic_store(&segments->cancelled, true);
            segments_report(segments, 0, last - first);
        }
        first = last;
    }
}

bool segments_run(struct segments *segments)
{
    const consort_arguments *arguments = segments->run->arguments;
    uint64_t share = arguments->count / team_size(segments->team) / SEGMENTS_SHARES;
    if (!segments->large)
        segments->most_small = UINT64_MAX;
    else if (segments->most_small == 0)
        segments->most_small = share > SEGMENTS_LARGE ? share : SEGMENTS_LARGE;
    atomic_init(&segments->next, 0);
    atomic_init(&segments->done, 0);
    atomic_init(&segments->larges, 0);
    atomic_init(&segments->cancelled,
                checkpoint_pass(segments->run->checkpoint, 0, arguments->count));
    if (!atomic_load(&segments->cancelled) && arguments->segment_count > 0) {
        team_run(segments->team, segments_member, segments);
        segments_run_large(segments);
    }
    return !atomic_load(&segments->cancelled) &&
           !checkpoint_pass(segments->run->checkpoint, arguments->count, arguments->count);
}
