/* SPDX-License-Identifier: Apache-2.0 */
/* Sort, argsort and segmented sort without workspace, by SymMerge. */
#ifndef CONSORT_CPU_SORT_SYMMERGE_H
#define CONSORT_CPU_SORT_SYMMERGE_H

#include "core/algorithm.h"

extern const struct algorithm sort_symmerge;
extern const struct algorithm argsort_symmerge;
extern const struct algorithm segmented_symmerge;

#endif
