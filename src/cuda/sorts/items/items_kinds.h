/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The kinds of items that comparison sorts have kernels for: ITEMS_KINDS(X) expands
 * X(code bits, code type, index bits, index type). Codes that travel with an index are made 32, 64
 * or 128 bits wide. Plain C but for the types' names, stamped into kernels.
 */
#ifndef CONSORT_ITEMS_KINDS_H
#define CONSORT_ITEMS_KINDS_H

/* clang-format off */
#define ITEMS_KINDS(X)                                                                             \
    X(8, uint8_t, 0, no_index)     X(16, uint16_t, 0, no_index)                                    \
    X(32, uint32_t, 0, no_index)   X(64, uint64_t, 0, no_index)   X(128, uint128, 0, no_index)     \
    X(32, uint32_t, 32, uint32_t)  X(64, uint64_t, 32, uint32_t)  X(128, uint128, 32, uint32_t)    \
    X(32, uint32_t, 64, uint64_t)  X(64, uint64_t, 64, uint64_t)  X(128, uint128, 64, uint64_t)
/* clang-format on */

#endif
