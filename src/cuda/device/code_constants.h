/* SPDX-License-Identifier: Apache-2.0 */
/* The constants of a key codec as kernels take them. Plain C, for host and device. */
#ifndef CONSORT_CUDA_CODE_CONSTANTS_H
#define CONSORT_CUDA_CODE_CONSTANTS_H

#include <stdint.h>

struct code_constants {
    uint64_t magnitude[2]; /* low word first */
    uint64_t flip[2];
    uint64_t bias[2];
    uint64_t infinity[2]; /* bits of +Inf; read only where equal_floats */
    uint32_t swap;
    uint32_t identity;     /* 1: the code is the key */
    uint32_t equal_floats; /* 1: both zeros share a code, all NaNs share one: no decode */
    uint32_t reserved;
};

#endif
