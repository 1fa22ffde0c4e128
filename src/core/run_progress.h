/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a caller is told of a run: never less than before, of a total that stays, though the work
 * may begin again by another way that counts in other units. What remains is then that way's whole.
 */
#ifndef CONSORT_CORE_RUN_PROGRESS_H
#define CONSORT_CORE_RUN_PROGRESS_H

#include "core/checkpoint.h"

struct run_progress {
    int32_t (*report)(void *context, uint64_t done, uint64_t total); /* the caller's */
    void *context;
    uint64_t done, total; /* as told last */
    uint64_t begun;       /* of it, when the way that is tried now began */
};

/* A run's checkpoint that reports through `progress`; NULL as `report`: nobody asks. */
struct checkpoint run_progress_checkpoint(struct run_progress *progress,
                                          const volatile int32_t *cancel);

#endif
