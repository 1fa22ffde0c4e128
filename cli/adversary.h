/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Keys made against our own sorts on the GPU, by someone who has read them: what they sample, how
 * many keys their leaves hold, which counters of theirs share a bank of shared memory.
 */
#ifndef CONSORT_CLI_ADVERSARY_H
#define CONSORT_CLI_ADVERSARY_H

#include "generator.h"

void adversary_hidden_crowd(struct generator *generator, uint64_t index, unsigned char *out);
void adversary_hidden_peel(struct generator *generator, uint64_t index, unsigned char *out);
void adversary_hidden_even(struct generator *generator, uint64_t index, unsigned char *out);
void adversary_peeled(struct generator *generator, uint64_t index, unsigned char *out);
void adversary_one_bank(struct generator *generator, uint64_t index, unsigned char *out);
void adversary_table_bank(struct generator *generator, uint64_t index, unsigned char *out);
void adversary_late_pair(struct generator *generator, uint64_t index, unsigned char *out);
void adversary_long_leaf(struct generator *generator, uint64_t index, unsigned char *out);
void adversary_clustered(struct generator *generator, uint64_t index, unsigned char *out);
void adversary_colliding(struct generator *generator, uint64_t index, unsigned char *out);

#endif
