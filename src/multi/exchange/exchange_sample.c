/* SPDX-License-Identifier: Apache-2.0 */
#include "multi/exchange/exchange_sample.h"

enum {
    SAMPLE_LEAST_STRIDE = 16, /* keys of which one is drawn: else reading all costs as little */
    SAMPLE_DEVIATIONS = 4     /* of a rank's place in the sample, each way */
};

uint64_t exchange_sample_share(const struct exchange_drawn *drawn, uint64_t count)
{
    return (count + drawn->stride - 1) / drawn->stride;
}

bool exchange_sample_plan(const struct exchange *x, struct exchange_drawn *drawn)
{
    uint64_t wanted = (uint64_t)x->plan->parameters[EXCHANGE_PARAMETER_SAMPLE], longest = 0;
    for (uint32_t m = 0; m < x->member_count; m++)
        if (x->members[m].part->count > longest)
            longest = x->members[m].part->count;
    if (wanted == 0 || longest / wanted < SAMPLE_LEAST_STRIDE)
        return false;
    *drawn = (struct exchange_drawn){.stride = longest / wanted};
    for (uint32_t m = 0; m < x->member_count; m++)
        drawn->samples += exchange_sample_share(drawn, x->members[m].part->count);
    return true;
}

uint64_t exchange_root(uint64_t number)
{
    uint64_t root = 0;
    for (uint64_t bit = (uint64_t)1 << 31; bit > 0; bit /= 2)
        if ((root + bit) * (root + bit) < number)
            root += bit;
    return number > 0 ? root + 1 : 0;
}

/* Deviations are half a root at most. */
uint64_t exchange_sample_spread(const struct exchange_drawn *drawn)
{
    return exchange_root(drawn->samples) * SAMPLE_DEVIATIONS / 2 + 1;
}

bool exchange_sample_tells_apart(const struct exchange *x, const struct exchange_drawn *drawn)
{
    uint64_t nearest = UINT64_MAX;
    for (uint32_t j = 1; j < x->rank_count; j++)
        if (x->ranks[j].left - x->ranks[j - 1].left < nearest)
            nearest = x->ranks[j].left - x->ranks[j - 1].left;
    return nearest / drawn->stride > 2 * exchange_sample_spread(drawn);
}

struct sample_draw {
    struct rounds *rounds;
    const struct exchange_drawn *drawn;
};

static consort_status sample_draw_on(struct exchange *x, struct exchange_member *member,
                                     void *context)
{
    const struct sample_draw *draw = context;
    struct rounds_source *source = &draw->rounds->sources[member - x->members];
    uint64_t count = member->part->count;
    struct exchange_sample a = {.keys = member->part->in,
                                .codes = (void *)(uintptr_t)member->columns[0].send,
                                .count = count,
                                .samples = exchange_sample_share(draw->drawn, count),
                                .stride = draw->drawn->stride,
                                .codec = draw->rounds->codec};
    void *parameters[] = {&a};
    *source = (struct rounds_source){.keys = a.codes, .count = a.samples, .coded = true};
    if (count == 0)
        return CONSORT_OK;
    return launch_kernel(&member->sample,
                         (a.samples + EXCHANGE_COUNT_THREADS - 1) / EXCHANGE_COUNT_THREADS,
                         member->lane->sort, parameters);
}

consort_status exchange_sample_draw(struct rounds *rounds, const struct exchange_drawn *drawn)
{
    struct sample_draw draw = {rounds, drawn};
    return exchange_each(rounds->x, sample_draw_on, &draw);
}
