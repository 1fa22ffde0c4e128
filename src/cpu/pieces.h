/* SPDX-License-Identifier: Apache-2.0 */
/* Sort by distribution, of items that come and go in pieces. */
#ifndef CONSORT_CPU_PIECES_H
#define CONSORT_CPU_PIECES_H

#include "core/algorithm.h"

extern const struct algorithm sort_pieces;

#endif
