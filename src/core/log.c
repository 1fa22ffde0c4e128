/* SPDX-License-Identifier: Apache-2.0 */
/* The log: off unless CONSORT_LOG asks for it, and then on stderr only. */
#include "core/log.h"

#include <errno.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const log_names[] = {"off", "error", "warn", "info", "trace"};
static pthread_once_t log_once = PTHREAD_ONCE_INIT;
static int log_level_wanted;

static void log_read_environment(void)
{
    const char *wanted = getenv("CONSORT_LOG");
    for (int level = LOG_ERROR; wanted && level <= LOG_TRACE; level++)
        if (strcmp(wanted, log_names[level]) == 0)
            log_level_wanted = level;
}

bool log_wants(enum log_level level)
{
    pthread_once(&log_once, log_read_environment);
    return (int)level <= log_level_wanted;
}

void log_write(enum log_level level, const char *format, ...)
{
    if (!log_wants(level))
        return;
    int saved_errno = errno;
    char line[640];
    int length = snprintf(line, sizeof line, "consort %s: ", log_names[level]);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line + length, sizeof line - (size_t)length, format, arguments);
    va_end(arguments);
    fprintf(stderr, "%s\n", line);
    errno = saved_errno;
}
