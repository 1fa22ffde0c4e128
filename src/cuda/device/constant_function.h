/* SPDX-License-Identifier: Apache-2.0 */
/* Functions that the host side and the kernels share, and whose results kernels need as constants.
 * C has no such functions, and C++ no other name for them. */
#ifndef CONSORT_CUDA_CONSTANT_FUNCTION_H
#define CONSORT_CUDA_CONSTANT_FUNCTION_H

#ifdef __cplusplus
#define CONSTANT_FUNCTION constexpr
#else
#define CONSTANT_FUNCTION static inline
#endif

#endif
