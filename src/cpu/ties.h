/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Ties: orders whose normalised keys are longer than a code leave runs of equal codes behind. Each
 * run is merge-sorted by the full order.
 */
#ifndef CONSORT_CPU_TIES_H
#define CONSORT_CPU_TIES_H

#include "core/checkpoint.h"
#include "core/order.h"
#include "cpu/team.h"

struct ties_job {
    const struct order *order;
    const void *items;
    const uint128 *codes; /* sorted */
    void *indices;        /* of the items, in the order of the codes */
    void *spare;          /* as large as `indices` */
    uint32_t index_bytes;
    uint64_t count;
    struct team *team;
    const struct checkpoint *checkpoint;
};

/* False: cancelled. */
bool ties_sort(const struct ties_job *job);

#endif
