/* SPDX-License-Identifier: Apache-2.0 */
/* Strings as Python's repr() writes them: how names stand in the header of a .npy file. A pure
 * function. */
#ifndef CONSORT_CLI_NPY_STRING_H
#define CONSORT_CLI_NPY_STRING_H

#include <stdbool.h>
#include <stddef.h>

enum npy_string_result {
    NPY_STRING_GOOD,
    NPY_STRING_OPEN,   /* the text ends before the closing quote; *at is behind the opening one */
    NPY_STRING_ESCAPE, /* an escape that repr() does not write; *at is its backslash */
    NPY_STRING_ZERO,   /* a character of value 0 */
    NPY_STRING_LONG    /* more than fits */
};

/* Reads the literal whose opening quote is text[*at], and moves *at behind it. What it says goes in
 * UTF-8, with NUL behind, to the `size` bytes at `to`; if `to` is NULL, nowhere. `latin`: the text
 * is Latin-1, not UTF-8. */
enum npy_string_result npy_string_read(const char *text, size_t length, size_t *at, bool latin,
                                       char *to, size_t size);

#endif
