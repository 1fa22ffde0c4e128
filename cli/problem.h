/* SPDX-License-Identifier: Apache-2.0 */
/* One sentence about what went wrong: how functions that must not print hand an error upwards. */
#ifndef CONSORT_CLI_PROBLEM_H
#define CONSORT_CLI_PROBLEM_H

#include <stdbool.h>

struct problem {
    char text[768];
};

/* Always false, so that a failing function can end with `return problem_set(…)`. Threads may share
 * a problem: the last one's text stays. */
bool problem_set(struct problem *problem, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* As problem_set, with ": " and what errno `os_error` means after it. */
bool problem_system(struct problem *problem, int os_error, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* As problem_set with the library's last message. */
bool problem_library(struct problem *problem);

/* Puts "prefix: " before the text; always false. */
bool problem_prefix(struct problem *problem, const char *prefix);

#endif
