/* SPDX-License-Identifier: Apache-2.0 */
/* A GPU's clock is tied to the host's by one event that the host waits for. */
#include "multi/multi_clock.h"

#include <time.h>

double multi_clock_now(void)
{
    struct timespec now = {0};
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void clock_make_marks(struct multi_clock *clock)
{
    for (uint32_t turn = 0; turn < MULTI_CLOCK_TURNS; turn++)
        for (int step = 0; step < MULTI_STEPS; step++)
            for (int side = 0; side < 2; side++)
                if (driver_get()->cuEventCreate(&clock->marks[turn][step][side], 0) != CUDA_SUCCESS)
                    clock->marks[turn][step][side] = NULL;
}

void multi_clock_start(struct multi_clock *clock, CUstream stream, double run_began)
{
    const struct driver *driver = driver_get();
    if (driver->cuEventCreate(&clock->base, 0) != CUDA_SUCCESS) {
        clock->base = NULL;
        return;
    }
    clock_make_marks(clock);
    if (driver->cuEventRecord(clock->base, stream) == CUDA_SUCCESS)
        driver->cuEventSynchronize(clock->base);
    clock->base_seconds = multi_clock_now() - run_began;
}

void multi_clock_stop(struct multi_clock *clock)
{
    driver_drop_event(driver_get(), clock->base);
    for (uint32_t turn = 0; turn < MULTI_CLOCK_TURNS; turn++)
        for (int step = 0; step < MULTI_STEPS; step++)
            for (int side = 0; side < 2; side++)
                driver_drop_event(driver_get(), clock->marks[turn][step][side]);
}

static void clock_mark(CUevent mark, CUstream stream)
{
    if (mark)
        driver_get()->cuEventRecord(mark, stream);
}

void multi_clock_begin(const struct multi_clock *clock, uint64_t turn, enum multi_step step,
                       CUstream stream)
{
    clock_mark(clock->marks[turn % MULTI_CLOCK_TURNS][step][0], stream);
}

void multi_clock_end(const struct multi_clock *clock, uint64_t turn, enum multi_step step,
                     CUstream stream)
{
    clock_mark(clock->marks[turn % MULTI_CLOCK_TURNS][step][1], stream);
}

static double clock_seconds(const struct multi_clock *clock, CUevent mark)
{
    float milliseconds = 0;
    if (!mark || driver_get()->cuEventElapsedTime(&milliseconds, clock->base, mark) != CUDA_SUCCESS)
        milliseconds = 0;
    return clock->base_seconds + 1e-3 * (double)milliseconds;
}

struct multi_span multi_clock_read(const struct multi_clock *clock, uint64_t turn,
                                   enum multi_step step)
{
    const CUevent *marks = clock->marks[turn % MULTI_CLOCK_TURNS][step];
    return (struct multi_span){clock_seconds(clock, marks[0]), clock_seconds(clock, marks[1])};
}
