/* SPDX-License-Identifier: Apache-2.0 */
/* One sentence about what went wrong. */
#include "problem.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "consort.h"

/* Several threads that share a problem may fail at once: one text must come out whole. */
static pthread_mutex_t problem_mutex = PTHREAD_MUTEX_INITIALIZER;

bool problem_set(struct problem *problem, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    pthread_mutex_lock(&problem_mutex);
    vsnprintf(problem->text, sizeof problem->text, format, arguments);
    pthread_mutex_unlock(&problem_mutex);
    va_end(arguments);
    return false;
}

bool problem_system(struct problem *problem, int os_error, const char *format, ...)
{
    struct problem what;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(what.text, sizeof what.text, format, arguments);
    va_end(arguments);
    return problem_set(problem, "%.640s: %s", what.text, strerror(os_error));
}

bool problem_library(struct problem *problem)
{
    return problem_set(problem, "%s", consort_last_error()->message);
}

bool problem_prefix(struct problem *problem, const char *prefix)
{
    struct problem what = *problem;
    return problem_set(problem, "%.200s: %.550s", prefix, what.text);
}
