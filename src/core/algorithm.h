/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Algorithms: what an engine offers, as table entries keyed by (operation, engine, name). The
 * planner sees nothing but this.
 */
#ifndef CONSORT_CORE_ALGORITHM_H
#define CONSORT_CORE_ALGORITHM_H

#include "core/checkpoint.h"
#include "core/request.h"

enum {
    ALGORITHM_MAXIMUM_PARAMETERS = 8
};

struct device;

/*
 * Host arrays on a GPU: copies overlap with an algorithm that tells, while it queues its work, how
 * far the queue has come. Such an algorithm sorts keys with an index first and moves columns then,
 * or takes the items piece by piece.
 */
struct run_steps {
    bool here; /* the items are in this GPU's memory: none arrive, `in` is where they are */
    /* What is queued next reads `count` items from `first` on, in device memory at `place`. */
    consort_status (*items_wanted)(void *context, uint64_t first, uint64_t count, void *place);
    /* The next launch reads a column: nothing before it did. */
    consort_status (*column_wanted)(void *context, uint32_t column);
    /* `out`, or a column's `out`, is complete after what is queued by now. */
    consort_status (*items_done)(void *context);
    consort_status (*column_done)(void *context, uint32_t column);
    void *context;
};

/* What a run hands to an algorithm: arguments already checked, workspace of the planned size. */
struct run {
    const consort_arguments *arguments;
    void *workspace; /* 64-byte aligned on the host, 256 on a device */
    /* On the CPU never NULL, counters zeroed, buffer 1. On a GPU device memory, or NULL. */
    consort_outcome *outcome;
    const struct checkpoint *checkpoint;
    consort_stream stream;
    bool *input_whole;             /* set to false before the first write over an input */
    const struct run_steps *steps; /* NULL: nobody listens */
};

static inline consort_status run_wants_items(const struct run *run, uint64_t first, uint64_t count,
                                             void *place)
{
    return run->steps ? run->steps->items_wanted(run->steps->context, first, count, place)
                      : CONSORT_OK;
}

static inline consort_status run_wants_column(const struct run *run, uint32_t column)
{
    return run->steps ? run->steps->column_wanted(run->steps->context, column) : CONSORT_OK;
}

static inline consort_status run_items_done(const struct run *run)
{
    return run->steps ? run->steps->items_done(run->steps->context) : CONSORT_OK;
}

static inline consort_status run_column_done(const struct run *run, uint32_t column)
{
    return run->steps ? run->steps->column_done(run->steps->context, column) : CONSORT_OK;
}

struct algorithm {
    const char *name;
    const char *summary;
    int32_t operation;
    int32_t engine;
    bool stable;    /* keeps the order of equal items */
    bool quadratic; /* planned only by force */
    bool serial;    /* one thread, whatever the plan has */
    bool steps;     /* tells run->steps about every column; without it they are all brought first */
    bool arrives;   /* GPUs, host plans only: asks run->steps for its items, in any pieces */
    bool pieces;    /* does CONSORT_FORM_PIECES, too */
    bool host_run;  /* GPUs, host plans: takes devices and memory by itself; none is entered, its
                     * workspace is host memory, its cost counts the copies */
    bool spread;    /* takes lists in the memory of several GPUs, and nothing else; with host_run */
    const consort_parameter_info *parameters;
    uint32_t parameter_count;
    const char *const *counters; /* names for outcome->counters */
    uint32_t counter_count;

    /* NULL if it can do the request (stability apart), else why not, in words that fit after
     * "cannot do this: ". */
    const char *(*refuses)(const struct request *request);

    /* Bytes of workspace for the request; `parameters` holds a value for each of the table's. On a
     * GPU: of device memory. */
    uint64_t (*workspace)(const struct request *request, const int64_t *parameters);

    /* GPUs: bytes of shared memory of its largest block. NULL: at most 99 KiB, which all have. */
    uint64_t (*shared)(const struct request *request);

    /* Estimated nanoseconds for a run of maximum_count items: only its order among candidates
     * matters. */
    double (*cost)(const struct request *request);

    /* GPUs only: loads the kernels for a chosen plan on a device that is entered, and leaves what
     * runs need in plan->state, one block of malloc. With host_run: of every device it may use;
     * `device` is NULL, and it sets plan->device. */
    consort_status (*prepare)(struct consort_plan *plan, const struct device *device);

    /* Gives back what plan->state points to; NULL: it is that one block. */
    void (*release)(struct consort_plan *plan);

    /* On a GPU: queues the work for arrays in device memory; the device is entered. */
    consort_status (*run)(const struct consort_plan *plan, const struct run *run);
};

/* What parameters are if nobody says otherwise. */
static inline void algorithm_standards(const struct algorithm *algorithm, int64_t *parameters)
{
    for (uint32_t i = 0; i < algorithm->parameter_count; i++)
        parameters[i] = algorithm->parameters[i].standard;
}

/* The registry, all engines together. */
uint32_t algorithm_count(void);
const struct algorithm *algorithm_at(uint32_t index);

#endif
