/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Radix kernels for keys of 64 bits, with values of 0, 4, 8 and 16 bytes, for processors with AVX2
 * and BMI2: this source is compiled with -mavx2 -mbmi2.
 */
#include "cpu/radix_instances.h"

#define RADIX_BITS 64
#define RADIX_KEY  uint64_t
#define RADIX_ISA  radix_avx2

#define RADIX_VALUE 0
#include "cpu/radix_template.h"
#define RADIX_VALUE 4
#include "cpu/radix_template.h"
#define RADIX_VALUE 8
#include "cpu/radix_template.h"
#define RADIX_VALUE 16
#include "cpu/radix_template.h"
