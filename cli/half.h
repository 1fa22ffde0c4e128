/* SPDX-License-Identifier: Apache-2.0 */
/* The two 16-bit float formats, to and from double and decimal text, correctly rounded. */
#ifndef CONSORT_CLI_HALF_H
#define CONSORT_CLI_HALF_H

#include <stdbool.h>
#include <stdint.h>

/* `brain`: bfloat16, else binary16. Exact. */
double half_to_double(uint16_t bits, bool brain);

/* The nearest, ties to even; beyond the range ±infinity. `text` is a number strtod accepts. */
uint16_t half_of_text(const char *text, bool brain);

#endif
