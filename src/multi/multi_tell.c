/* SPDX-License-Identifier: Apache-2.0 */
/* Phases by the host's clock; steps of chunks and parts, added up over all GPUs, by their events.
 */
#include "multi/multi_tell.h"

#include "core/log.h"

static uint64_t tell_nanoseconds(double seconds)
{
    return seconds > 0.0 ? (uint64_t)(1e9 * seconds) : 0;
}

bool multi_tell_is_wanted(const struct run *run)
{
    return run->arguments->outcome != NULL || log_wants(LOG_TRACE);
}

void multi_tell_lap(struct multi *multi, enum multi_counter phase)
{
    double now = multi_clock_now() - multi->began;
    multi->run->outcome->counters[phase] = tell_nanoseconds(now - multi->lap);
    multi->lap = now;
}

static void tell_steps(const struct multi *multi, const struct multi_times *times,
                       enum multi_counter first)
{
    uint64_t *counters = multi->run->outcome->counters + first;
    for (uint32_t number = 0; number < multi->chunk_count; number++)
        for (int step = 0; step < MULTI_STEPS; step++) {
            const struct multi_span *span = &times[number].steps[step];
            counters[step] += tell_nanoseconds(span->end - span->begin);
        }
}

/* bench/timeline.py reads these lines. */
static void tell_log(const struct multi_times *times, uint32_t count, const char *what)
{
    for (uint32_t number = 0; number < count && log_wants(LOG_TRACE); number++) {
        const struct multi_span *s = times[number].steps;
        log_write(LOG_TRACE,
                  "merge-chunks: %s %u on GPU %d: up %.6f to %.6f, sort %.6f to %.6f, down %.6f to "
                  "%.6f s",
                  what, number, times[number].device, s[MULTI_UP].begin, s[MULTI_UP].end,
                  s[MULTI_SORT].begin, s[MULTI_SORT].end, s[MULTI_DOWN].begin, s[MULTI_DOWN].end);
    }
}

void multi_tell(const struct multi *multi)
{
    uint64_t *counters = multi->run->outcome->counters;
    counters[MULTI_COUNT_CHUNKS] = multi->chunk_count;
    for (uint32_t w = 0; w < multi->worker_count; w++) {
        bool failed = multi->workers[w].trouble.status != CONSORT_OK;
        counters[MULTI_COUNT_DEVICES] += multi->workers[w].opened && !failed;
        counters[MULTI_COUNT_FAILED] += failed;
    }
    if (!multi->times)
        return;
    tell_steps(multi, multi->times, MULTI_COUNT_CHUNK_STEPS);
    tell_steps(multi, multi->times + multi->chunk_count, MULTI_COUNT_PART_STEPS);
    log_write(
        LOG_TRACE, "merge-chunks: %llu items: open %.6f, chunks %.6f, cuts %.6f, parts %.6f s",
        (unsigned long long)multi->list.count, 1e-9 * (double)counters[MULTI_COUNT_OPEN],
        1e-9 * (double)counters[MULTI_COUNT_CHUNK_PHASE], 1e-9 * (double)counters[MULTI_COUNT_CUTS],
        1e-9 * (double)counters[MULTI_COUNT_PART_PHASE]);
    tell_log(multi->times, multi->chunk_count, "chunk");
    tell_log(multi->times + multi->chunk_count, multi->chunk_count, "part");
}
