/* SPDX-License-Identifier: Apache-2.0 */
/*
 * When chunks and parts crossed the bus and were sorted, by events on the streams that do it. Only
 * if somebody asks: for the run's outcome, or for a log of everything. What goes wrong here costs
 * the figures, never the run.
 */
#ifndef CONSORT_MULTI_CLOCK_H
#define CONSORT_MULTI_CLOCK_H

#include "cuda/driver/driver.h"

enum multi_step {
    MULTI_UP,
    MULTI_SORT,
    MULTI_DOWN,
    MULTI_STEPS
};

enum {
    MULTI_CLOCK_TURNS = 4 /* so many after it came, a slot's chunk has reached the host */
};

/* Seconds since the run began. */
struct multi_span {
    double begin, end;
};

/* Of one chunk or part. */
struct multi_times {
    int32_t device;
    struct multi_span steps[MULTI_STEPS];
};

/* Of one GPU; zeroed, it measures nothing. */
struct multi_clock {
    CUevent base;
    double base_seconds; /* when it was */
    CUevent marks[MULTI_CLOCK_TURNS][MULTI_STEPS][2];
};

/* Of the host, in seconds. */
double multi_clock_now(void);

/* Makes the events. The device is entered, here and below, and the stream is idle. */
void multi_clock_start(struct multi_clock *clock, CUstream stream, double run_began);
void multi_clock_stop(struct multi_clock *clock);

/* The beginning or the end of a step of what came in that turn is here in the stream. */
void multi_clock_begin(const struct multi_clock *clock, uint64_t turn, enum multi_step step,
                       CUstream stream);
void multi_clock_end(const struct multi_clock *clock, uint64_t turn, enum multi_step step,
                     CUstream stream);

/* Beginning and end of that step were marked in that turn, and what precedes them has been done. */
struct multi_span multi_clock_read(const struct multi_clock *clock, uint64_t turn,
                                   enum multi_step step);

#endif
