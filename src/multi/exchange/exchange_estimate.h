/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CONSORT_EXCHANGE_ESTIMATE_H
#define CONSORT_EXCHANGE_ESTIMATE_H

#include "multi/exchange/exchange_rounds.h"

/* For one run after the other; freed by free(). NULL: there is no memory. */
struct estimate *estimate_create(void);

/* Cuts the run's ranges by a sample and gives every piece its room. *found: done; else there is not
 * enough room, or ranges would be too uneven, and they must be cut exactly. */
consort_status estimate_select(struct rounds *rounds, bool *found);

#endif
