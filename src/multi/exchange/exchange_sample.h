/* SPDX-License-Identifier: Apache-2.0 */
/* Keys drawn of all members, evenly: what brackets and estimates begin with. */
#ifndef CONSORT_EXCHANGE_SAMPLE_H
#define CONSORT_EXCHANGE_SAMPLE_H

#include "multi/exchange/exchange_rounds.h"

struct exchange_drawn {
    uint64_t stride, samples; /* of so many keys one is drawn; of all members */
};

/* False: keys are too few to be worth it. */
bool exchange_sample_plan(const struct exchange *x, struct exchange_drawn *drawn);

/* Whether places of the run's ranks in a sample are further apart than chance moves them. */
bool exchange_sample_tells_apart(const struct exchange *x, const struct exchange_drawn *drawn);

/* Keys drawn of so many. */
uint64_t exchange_sample_share(const struct exchange_drawn *drawn, uint64_t count);

/* How far a rank may be from its place in the sample. */
uint64_t exchange_sample_spread(const struct exchange_drawn *drawn);

/* The least number whose square is not less. */
uint64_t exchange_root(uint64_t number);

/* Queues the drawing; rounds then count what was drawn. */
consort_status exchange_sample_draw(struct rounds *rounds, const struct exchange_drawn *drawn);

#endif
