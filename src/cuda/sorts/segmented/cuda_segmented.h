/* SPDX-License-Identifier: Apache-2.0 */
/* `segmented` on the GPU: any mix of segments, by sorting networks and, for large ones, partitions.
 */
#ifndef CONSORT_CUDA_SEGMENTED_H
#define CONSORT_CUDA_SEGMENTED_H

#include "core/algorithm.h"

extern const struct algorithm cuda_segmented_sort;

#endif
