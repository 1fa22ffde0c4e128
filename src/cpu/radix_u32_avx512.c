/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Radix kernels for keys of 32 bits alone, for processors with AVX-512: this source is compiled
 * with -mavx512f -mbmi2.
 */
#include "cpu/radix_instances.h"
#include "cpu/radix_partition.h"

#define RADIX_BITS           32
#define RADIX_KEY            uint32_t
#define RADIX_ISA            radix_avx512
#define RADIX_EXCHANGE(name) radix_##name##_u32

#define RADIX_VALUE 0
#include "cpu/radix_template.h"
