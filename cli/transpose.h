/* SPDX-License-Identifier: Apache-2.0 */
/* Columns to rows and back, so that every line to be sorted is contiguous. */
#ifndef CONSORT_CLI_TRANSPOSE_H
#define CONSORT_CLI_TRANSPOSE_H

#include "dataset.h"

/* Turns each length × inner matrix of items into inner × length, or back; nothing if inner = 1. */
bool transpose_dataset(struct dataset *dataset, bool back, struct problem *problem);

#endif
