/* SPDX-License-Identifier: Apache-2.0 */
/* Messages to the person at the terminal: "consort sort: data.bin: what, where, what to do". */
#ifndef CONSORT_CLI_REPORT_H
#define CONSORT_CLI_REPORT_H

#include "problem.h"

/* Exit codes, as GNU sort's. */
enum {
    EXIT_GOOD = 0,
    EXIT_UNSORTED = 1,
    EXIT_TROUBLE = 2
};

/* What messages begin with: "consort" or "consort sort". The string must stay. */
void report_set_command(const char *command);
const char *report_command(void);

/* Always EXIT_TROUBLE. */
int report_error(const char *format, ...) __attribute__((format(printf, 1, 2)));
int report_problem(const struct problem *problem);

/* Flushes stdout; EXIT_TROUBLE with a message if what was printed did not arrive. */
int report_finish_stdout(int exit_code);

#endif
