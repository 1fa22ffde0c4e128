/* SPDX-License-Identifier: Apache-2.0 */
/* Errors as values: a status to return and, per thread, the detail of the last one. */
#ifndef CONSORT_CORE_STATUS_H
#define CONSORT_CORE_STATUS_H

#include <stdbool.h>

#include "consort.h"

enum {
    STATUS_MESSAGE_BYTES = 512
};

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

/* A thread's last error, kept for another thread, or for when what is tried next fails, too. */
struct status_kept {
    consort_status status; /* CONSORT_OK: none */
    int32_t os_error, driver_error, input_whole;
    char message[STATUS_MESSAGE_BYTES];
};

void status_keep(struct status_kept *kept);

/* Records it as this thread's last error; returns its status. */
consort_status status_tell(const struct status_kept *kept);

/* What was this thread's last error is so again, as if nothing had failed since. */
void status_restore(const struct status_kept *kept);

/* After a failure of a run whose input is no longer what it was; `what` is of it goes behind the
 * message. */
void status_input_damaged(const char *what);

/* True if another GPU, or the CPU, could do better: a GPU is full, gone or no use. */
bool status_blames_device(consort_status status);

#endif
