/* SPDX-License-Identifier: Apache-2.0 */
/* Keys of a distribution, written to a target in parallel. */
#ifndef CONSORT_CLI_GEN_DATA_H
#define CONSORT_CLI_GEN_DATA_H

#include "distributions.h"
#include "target.h"

struct gen_data {
    const struct distribution *distribution;
    consort_type type;
    uint64_t count;
    uint64_t seed;
    const char *header; /* goes before the keys */
    uint64_t header_bytes;
};

/* The header and the keys' bytes. */
bool gen_data_write(const struct gen_data *data, struct target *target, unsigned threads,
                    struct problem *problem);

/* The keys as numbers, one a line. */
bool gen_data_write_text(const struct gen_data *data, struct target *target, unsigned threads,
                         struct problem *problem);

#endif
