/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CONSORT_EXCHANGE_BRACKETS_H
#define CONSORT_EXCHANGE_BRACKETS_H

#include "multi/exchange/exchange_rounds.h"

/* For one run after the other; freed by free(). NULL: there is no memory. */
struct brackets *brackets_create(void);

/* Selects the run's ranks by brackets of a sample. *found: they are; else it did not pay or the
 * sample was wrong, and ranks must begin anew. */
consort_status brackets_select(struct rounds *rounds, bool *found);

#endif
