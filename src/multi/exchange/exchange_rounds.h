/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rounds of a selection over all members: each member counts its keys on its GPU, by the digit that
 * follows each prefix that is still looked for or by classes, and the host adds up and descends.
 */
#ifndef CONSORT_EXCHANGE_ROUNDS_H
#define CONSORT_EXCHANGE_ROUNDS_H

#include "multi/exchange/exchange.h"

/* Where the keys of a round are. */
struct rounds_source {
    const void *keys;
    uint64_t count;
    bool coded;   /* they are codes that a round kept */
    bool keeping; /* this round keeps */
};

struct rounds {
    struct exchange *x;
    struct rounds_source sources[REQUEST_MOST_PARTS];
    struct exchange_rank *ranks; /* that are looked for, in the order of the list */
    uint32_t rank_count;
    struct exchange_count round;
    struct code_constants codec;        /* of the caller's keys */
    uint64_t *bins[REQUEST_MOST_PARTS]; /* of every member: what was counted */
    uint32_t done;
};

/* Members' keys as the caller gave them. */
void rounds_of_all(struct rounds *rounds);

/* One round as `rounds->round` says, on every member that has keys; fills `bins`. */
consort_status rounds_count(struct rounds *rounds);

/* Digits from the highest on, until at most so many items have the prefix of a rank or no digit is
 * left: ranks have their codes down to bit `round.shift`, and how many items come before and have
 * them. */
consort_status rounds_select(struct rounds *rounds, uint64_t few);

/* Numbers the rows of ranks: equal codes are neighbours and share one. */
void rounds_number_rows(struct exchange_rank *ranks, uint32_t count, struct exchange_codes *codes);

/* Adds a code behind the others; returns its place. */
uint32_t rounds_add_code(struct exchange_codes *codes, uint128 code);

#endif
