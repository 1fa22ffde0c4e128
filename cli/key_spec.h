/* SPDX-License-Identifier: Apache-2.0 */
/* --key as people write it. A pure function. */
#ifndef CONSORT_CLI_KEY_SPEC_H
#define CONSORT_CLI_KEY_SPEC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "consort.h"
#include "problem.h"

enum key_spec_kind {
    KEY_SPEC_BYTES, /* OFFSET:LENGTH */
    KEY_SPEC_TYPE,  /* OFFSET:TYPE */
    KEY_SPEC_FIELD  /* FIELD or name=FIELD */
};

enum {
    KEY_SPEC_NAME = 256
};

struct key_spec {
    enum key_spec_kind kind;
    uint64_t offset;
    uint64_t length;
    consort_type type;
    char field[KEY_SPEC_NAME];
    int32_t direction; /* −1: neither :asc nor :desc */
};

bool key_spec_parse(const char *text, size_t length, struct key_spec *key, struct problem *problem);

#endif
