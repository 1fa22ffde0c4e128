/* SPDX-License-Identifier: Apache-2.0 */
/* Input that is sorted, flat or strictly reversed already: found in one read that stops early. */
#ifndef CONSORT_CPU_MONOTONE_H
#define CONSORT_CPU_MONOTONE_H

#include <stdint.h>

#include "core/order.h"
#include "cpu/team.h"

enum monotone {
    MONOTONE_NEITHER,
    MONOTONE_SORTED,   /* no item comes before its predecessor */
    MONOTONE_REVERSED, /* every item comes strictly before its predecessor */
};

enum monotone monotone_of(struct team *team, const struct order *order, const void *items,
                          uint64_t count);

/* Reverses a column from `in` to `out`, which may be the same place. */
void monotone_reverse(const void *in, void *out, uint64_t count, uint64_t bytes);

#endif
