/* SPDX-License-Identifier: Apache-2.0 */
/* Phases by the host's clock; copies and sorts of ranges by events on the GPUs' streams. */
#include "core/log.h"
#include "multi/exchange/exchange.h"

static uint64_t tell_nanoseconds(double seconds)
{
    return seconds > 0.0 ? (uint64_t)(1e9 * seconds) : 0;
}

/* Events for the clock cost time of their own. */
consort_status exchange_tell_start(struct exchange *x, struct exchange_member *member, void *none)
{
    (void)none;
    if (x->run->arguments->outcome || log_wants(LOG_TRACE))
        multi_clock_start(&member->clock, member->lane->sort, x->began);
    return CONSORT_OK;
}

/* The range of that turn is sorted. bench/timeline.py reads the line. */
void exchange_tell_range(struct exchange_member *member, uint32_t turn, uint32_t range)
{
    if (!member->clock.base)
        return;
    struct multi_span up = multi_clock_read(&member->clock, turn, MULTI_UP);
    struct multi_span sort = multi_clock_read(&member->clock, turn, MULTI_SORT);
    member->arriving += up.end - up.begin;
    member->sorting += sort.end - sort.begin;
    log_write(LOG_TRACE, "exchange: range %u on GPU %d: up %.6f to %.6f, sort %.6f to %.6f s",
              range, member->device->ordinal, up.begin, up.end, sort.begin, sort.end);
}

/* Of the member that it took longest. */
static void tell_longest(uint64_t *counter, double seconds)
{
    if (tell_nanoseconds(seconds) > *counter)
        *counter = tell_nanoseconds(seconds);
}

void exchange_tell(const struct exchange *x)
{
    uint64_t *counters = x->run->outcome->counters;
    for (uint32_t m = 0; m < x->member_count; m++) {
        tell_longest(&counters[EXCHANGE_COUNT_ARRIVE], x->members[m].arriving);
        tell_longest(&counters[EXCHANGE_COUNT_RANGE_SORTS], x->members[m].sorting);
    }
    log_write(LOG_TRACE, "exchange: %llu items: select %.6f, partition %.6f, ranges %.6f s",
              (unsigned long long)x->run->arguments->count,
              1e-9 * (double)counters[EXCHANGE_COUNT_SELECT],
              1e-9 * (double)counters[EXCHANGE_COUNT_MOVE],
              1e-9 * (double)counters[EXCHANGE_COUNT_SORT]);
}
