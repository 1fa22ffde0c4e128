/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Checkpoints: where long work reports progress and learns that it has been cancelled. Engines
 * pass one between phases (a radix pass, a merge level, a bucket), never per item.
 */
#ifndef CONSORT_CORE_CHECKPOINT_H
#define CONSORT_CORE_CHECKPOINT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct checkpoint {
    int32_t (*progress)(void *context, uint64_t done, uint64_t total); /* NULL: nobody asks */
    void (*begin_again)(void *context);                                /* NULL: nobody asks */
    void *context;
    const volatile int32_t *cancel; /* NULL: cannot be cancelled from outside */
};

/* True: stop as soon as memory is consistent. Only the calling thread of a run (team member 0, or
 * between team runs) may pass a reporting checkpoint; any thread may ask checkpoint_cancelled. */
static inline bool checkpoint_cancelled(const struct checkpoint *checkpoint)
{
    return checkpoint && checkpoint->cancel && *checkpoint->cancel != 0;
}

/* After a failure: what is reported from now on is of another way to do it all. */
static inline void checkpoint_begin_again(const struct checkpoint *checkpoint)
{
    if (checkpoint && checkpoint->begin_again)
        checkpoint->begin_again(checkpoint->context);
}

static inline bool checkpoint_pass(const struct checkpoint *checkpoint, uint64_t done,
                                   uint64_t total)
{
    if (!checkpoint)
        return false;
    if (checkpoint->progress && checkpoint->progress(checkpoint->context, done, total) != 0)
        return true;
    return checkpoint_cancelled(checkpoint);
}

#endif
