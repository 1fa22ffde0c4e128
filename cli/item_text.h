/* SPDX-License-Identifier: Apache-2.0 */
/* Values as text: exact for integers, the shortest that reads back as the same for floats. */
#ifndef CONSORT_CLI_ITEM_TEXT_H
#define CONSORT_CLI_ITEM_TEXT_H

#include <stddef.h>

#include "layout.h"

enum {
    ITEM_TEXT = 400,
    ITEM_TEXT_NUMBER = 48 /* any number and its NUL */
};

/* Writes a number of a scalar type that stands at `item`, in whatever byte order, unaligned.
 * Returns its length. */
size_t item_text_number(consort_type type, const void *item, char text[ITEM_TEXT_NUMBER]);

/* For messages: a number, a quoted byte string, or a record's key fields. */
void item_text_write(const struct layout *layout, const void *item, char text[ITEM_TEXT]);

#endif
