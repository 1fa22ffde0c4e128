/* SPDX-License-Identifier: Apache-2.0 */
/* Errors as values: a status to return and, per thread, the detail of the last one. */
#ifndef CONSORT_CORE_STATUS_H
#define CONSORT_CORE_STATUS_H

#include "consort.h"

/* Records `status` and a message for consort_last_error() and returns `status`, so that a failing
 * function can end with `return status_fail(…)`. The input counts as whole. */
consort_status status_fail(consort_status status, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* The same for a failed system call: keeps `os_error` and appends its text. */
consort_status status_fail_os(consort_status status, int os_error, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The same for a failed driver call. */
consort_status status_fail_driver(consort_status status, int driver_error, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* After a failure of a run that had begun to write in place. */
void status_input_damaged(void);

#endif
