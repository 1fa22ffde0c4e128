/* SPDX-License-Identifier: Apache-2.0 */
/* Merging two sorted lists, with values, by merge path. */
#ifndef CONSORT_CPU_MERGE_PATH_H
#define CONSORT_CPU_MERGE_PATH_H

#include "core/algorithm.h"

extern const struct algorithm merge_path;

#endif
