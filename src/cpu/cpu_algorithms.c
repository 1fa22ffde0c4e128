/* SPDX-License-Identifier: Apache-2.0 */
/* The CPU engine's part of the registry: one line for each (operation, algorithm). */
#include "cpu/cpu_algorithms.h"

#include "cpu/code_sorts.h"
#include "cpu/merge_path.h"
#include "cpu/pieces.h"
#include "cpu/scan.h"
#include "cpu/segmented_merge.h"
#include "cpu/segmented_radix.h"
#include "cpu/sort_merge.h"
#include "cpu/sort_radix.h"
#include "cpu/sort_symmerge.h"
#include "cpu/top_k_heap.h"
#include "cpu/top_k_radix.h"

const struct algorithm *const cpu_algorithms[] = {
    &sort_lsd,        &sort_msd,           &sort_counting,       &sort_inplace, &sort_merge,
    &sort_symmerge,   &sort_quick,         &sort_bitonic_serial, &sort_pieces,  &argsort_lsd,
    &argsort_msd,     &argsort_merge,      &argsort_symmerge,    &merge_path,   &segmented_radix,
    &segmented_merge, &segmented_symmerge, &top_k_radix,         &top_k_heap,   &scan_is_sorted,
};

const uint32_t cpu_algorithm_count = sizeof cpu_algorithms / sizeof cpu_algorithms[0];
