/* SPDX-License-Identifier: Apache-2.0 */
/* Every type but byte strings, in this machine's byte order. */
#ifndef CONSORT_TESTS_NUMBER_TYPES_H
#define CONSORT_TESTS_NUMBER_TYPES_H

#include "consort.h"

enum {
    NUMBER_TYPES = 14
};

extern const consort_type number_types[NUMBER_TYPES];

#endif
