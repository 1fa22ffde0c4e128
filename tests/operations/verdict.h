/* SPDX-License-Identifier: Apache-2.0 */
/* The verdict on a finished run: is the result what the reference says? */
#ifndef CONSORT_TESTS_VERDICT_H
#define CONSORT_TESTS_VERDICT_H

#include "operations/buffers.h"

/* `stable`: did the plan promise it? True if right; else `text` says what is wrong. */
bool verdict(const struct exercise *exercise, const struct buffers *buffers,
             const consort_arguments *arguments, bool stable, char *text, size_t size);

#endif
