/* SPDX-License-Identifier: Apache-2.0 */
/* The GPU engine's part of the registry: one line for each (operation, algorithm). */
#include "cuda/cuda_algorithms.h"

#include "cuda/sorts/arrivals/arrivals.h"
#include "cuda/sorts/bitonic/cuda_bitonic.h"
#include "cuda/sorts/bucket/bucket.h"
#include "cuda/sorts/coded/coded.h"
#include "cuda/sorts/counting/cuda_counting.h"
#include "cuda/sorts/fused/fused.h"
#include "cuda/sorts/heap_bitonic/heap_bitonic.h"
#include "cuda/sorts/hybrid/hybrid.h"
#include "cuda/sorts/lsd/lsd.h"
#include "cuda/sorts/merge/cuda_merge.h"
#include "cuda/sorts/merge/cuda_merge_path.h"
#include "cuda/sorts/merge_lists/merge_lists.h"
#include "cuda/sorts/msd/msd.h"
#include "cuda/sorts/normalised/normalised.h"
#include "cuda/sorts/odd_even_merge/odd_even_merge.h"
#include "cuda/sorts/quick/quick.h"
#include "cuda/sorts/radix_steps/radix_steps.h"
#include "cuda/sorts/sample/sample.h"
#include "cuda/sorts/scan/cuda_scan.h"
#include "cuda/sorts/segmented/cuda_segmented.h"
#include "cuda/sorts/shell/shell.h"
#include "cuda/sorts/topk/topk.h"
#include "cuda/sorts/transposition/transposition.h"

/* clang-format off */
const struct algorithm *const cuda_algorithms[] = {
    &lsd_sort,
    &hybrid_sort,
    &fused_sort,
    &cuda_counting_sort,
    &msd_sort,
    &arrivals_sort,
    &normalised_sort,
    &cuda_merge_sort,
    &cuda_bitonic_sort,
    &heap_bitonic_sort,
    &odd_even_merge_sort,
    &shell_sort,
    &quick_sort,
    &sample_sort,
    &transposition_sort,
    &bucket_sort,
    &radix_1bit_sort,
    &radix_1bit_tiled_sort,
    &radix_multibit_sort,
    &radix_coarsened_sort,
    &lsd_argsort,
    &hybrid_argsort,
    &fused_argsort,
    &normalised_argsort,
    &cuda_merge_argsort,
    &cuda_bitonic_argsort,
    &heap_bitonic_argsort,
    &odd_even_merge_argsort,
    &shell_argsort,
    &quick_argsort,
    &sample_argsort,
    &transposition_argsort,
    &bucket_argsort,
    &radix_1bit_argsort,
    &radix_1bit_tiled_argsort,
    &radix_multibit_argsort,
    &radix_coarsened_argsort,
    &cuda_merge_path,
    &cuda_merge_lists,
    &coded_merge,
    &topk_radix_select,
    &coded_top_k,
    &cuda_scan_is_sorted,
    &cuda_segmented_sort,
    &coded_segmented_sort,
};
/* clang-format on */

const uint32_t cuda_algorithm_count = sizeof cuda_algorithms / sizeof cuda_algorithms[0];
