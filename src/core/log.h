/* SPDX-License-Identifier: Apache-2.0 */
/* The log: off unless CONSORT_LOG asks for it, and then on stderr only. */
#ifndef CONSORT_CORE_LOG_H
#define CONSORT_CORE_LOG_H

#include <stdbool.h>

enum log_level {
    LOG_ERROR = 1,
    LOG_WARN = 2,
    LOG_INFO = 3,
    LOG_TRACE = 4
};

/* True if lines of this level are written. */
bool log_wants(enum log_level level);

/* Writes one line if CONSORT_LOG (error, warn, info or trace; read once) asks for this level. */
void log_write(enum log_level level, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
