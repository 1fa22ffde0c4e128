/* SPDX-License-Identifier: Apache-2.0 */
/*
 * All radix kernels for one key width and one value size.
 *
 * Template parameters, all required:
 *   RADIX_BITS    8, 16, 32, 64 or 128
 *   RADIX_KEY     the unsigned type of that width
 *   RADIX_VALUE   bytes of a value: 0, 4, 8 or 16
 *   RADIX_ISA     prefix of all names: `radix`, or `radix_avx2` or `radix_avx512` in sources
 *                 compiled for those
 * and one that is not, without values only:
 *   RADIX_EXCHANGE  the name of vectorized partitions (radix_partition.h), which take the place of
 *                   counting and scattering in leaves, and of vectorized digits by prefixes
 *
 * Defines `struct radix_kernels ISA_uBITS_vVALUE_kernels`. RADIX_BITS, RADIX_KEY and RADIX_ISA
 * stay defined.
 */
#if !defined(RADIX_BITS) || !defined(RADIX_KEY) || !defined(RADIX_VALUE) || !defined(RADIX_ISA)
#error "radix_template.h needs RADIX_BITS, RADIX_KEY, RADIX_VALUE and RADIX_ISA"
#endif

#include "cpu/radix_item_template.h"
#include "cpu/radix_scatter_template.h"
#include "cpu/radix_leaf_template.h"
#if !RADIX_VALUE
#include "cpu/radix_order_template.h"
#endif

const struct radix_kernels RADIX_FN(kernels) = {
    .item_bytes = sizeof(RADIX_ITEM),
    .buffer_bytes = RADIX_LINE * sizeof(RADIX_ITEM),
    .histogram = RADIX_FN(histogram),
    .sample = RADIX_FN(sample),
    .scatter = RADIX_FN(scatter),
    .leaf = RADIX_FN(leaf),
    .settle = RADIX_FN(settle),
#if !RADIX_VALUE
    .holds = RADIX_FN(holds),
#endif
#ifdef RADIX_EXCHANGE
    .exchange = RADIX_FN(exchange),
    .tally = RADIX_FN(tally),
#endif
};

#undef RADIX_PASTE_
#undef RADIX_PASTE
#undef RADIX_FN
#undef RADIX_CODEC_
#undef RADIX_CODEC__
#undef RADIX_CODEC
#undef RADIX_ITEM
#undef RADIX_VIEW
#undef RADIX_VALUE_T
#undef RADIX_ALIGN
#undef RADIX_LINE
#undef RADIX_HAS_PREFIXES
#undef RADIX_VALUE
