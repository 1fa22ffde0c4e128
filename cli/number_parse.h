/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers from text, exactly. Pure functions over bytes: nothing after `length` is read. */
#ifndef CONSORT_CLI_NUMBER_PARSE_H
#define CONSORT_CLI_NUMBER_PARSE_H

#include <stddef.h>

#include "consort.h"

enum number_result {
    NUMBER_GOOD = 0,
    NUMBER_EMPTY,        /* nothing but blanks */
    NUMBER_INVALID,      /* no number of this kind */
    NUMBER_OUT_OF_RANGE, /* a number that the type cannot hold */
    NUMBER_NO_MEMORY     /* thousands of digits, and no memory for a copy */
};

/*
 * One number with blanks (spaces, tabs, and the carriage return of a CRLF line) around it, of a
 * scalar type, into `item` in native byte order. Integers are decimal; floats decimal, inf,
 * infinity or nan in any case, correctly rounded. *column, from 0, is where it went wrong.
 */
enum number_result number_parse(consort_type type, const char *text, size_t length, void *item,
                                size_t *column);

#endif
