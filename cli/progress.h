/* SPDX-License-Identifier: Apache-2.0 */
/* One line on stderr: what is being done, how far, how fast, how long still. */
#ifndef CONSORT_CLI_PROGRESS_H
#define CONSORT_CLI_PROGRESS_H

#include <stdint.h>

enum progress_wish {
    PROGRESS_AUTO = 0, /* only if stderr is a terminal */
    PROGRESS_ALWAYS,
    PROGRESS_NEVER
};

void progress_configure(enum progress_wish wish);

/* Begins a phase: "reading", "sorting", "writing". `total` 0 = unknown. `bytes`: units are bytes.
 */
void progress_begin(const char *phase, uint64_t total, int bytes);

/* More is done; any thread may call. Draws at most six times a second. */
void progress_add(uint64_t amount);

/* For the library: a consort_progress function. */
int32_t progress_of_sort(void *context, uint64_t done, uint64_t total);

/* Ends a phase; prints its line for good if progress was asked for by force. */
void progress_end(void);

/* Takes the line off the terminal, before something else is printed. */
void progress_clear(void);

#endif
