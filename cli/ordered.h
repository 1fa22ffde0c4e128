/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Records and long strings are not moved in memory: a list says their order, and they are gathered
 * when they are written. That saves a second array as long as the file, and hides the gathering
 * behind the disk.
 */
#ifndef CONSORT_CLI_ORDERED_H
#define CONSORT_CLI_ORDERED_H

#include "dataset.h"

/* Whether the dataset's one line is better ordered so; asked before its memory is known to do. */
bool ordered_suits(const struct dataset *dataset, const struct settings *settings);

/* A list for the order of all items. False: no memory. */
bool ordered_begin(struct dataset *dataset, struct problem *problem);

/* Bytes [offset, offset + length) of the items in their order: where they stand, or gathered in
 * `buffer`. */
const void *ordered_part(const struct dataset *dataset, uint64_t offset, uint64_t length,
                         void *buffer);

#endif
