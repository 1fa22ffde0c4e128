/* SPDX-License-Identifier: Apache-2.0 */
/* What the host side and the kernels of `shell` share. Plain C, included by both. */
#ifndef CONSORT_SHELL_LAYOUT_H
#define CONSORT_SHELL_LAYOUT_H

#include "cuda/sorts/items/items_layout.h"

enum {
    SHELL_THREADS = 512, /* of a block that sorts or merges in shared memory */
    SHELL_PASS_THREADS = 64,
    SHELL_MOST_ROUNDS = 60
};

/* The windows there are kernels for: SHELL_WINDOWS(X, …) expands X(window, …). */
#define SHELL_WINDOWS(X, ...) X(8, __VA_ARGS__) X(21, __VA_ARGS__) X(32, __VA_ARGS__)

/* All zero before a run; read and written without atomics: who stores, stores a 1. */
struct shell_control {
    uint32_t exchanged[SHELL_MOST_ROUNDS]; /* by round: whether a merge moved anything */
    uint32_t reserved[64 - SHELL_MOST_ROUNDS];
};

#endif
