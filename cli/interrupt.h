/* SPDX-License-Identifier: Apache-2.0 */
/* SIGINT, SIGTERM and SIGHUP ask long work to stop, and so does a reader that closes its pipe; the
 * command tidies up and dies of the signal. */
#ifndef CONSORT_CLI_INTERRUPT_H
#define CONSORT_CLI_INTERRUPT_H

#include <stdbool.h>
#include <stdint.h>

/* A pipe that is closed kills nobody: writing fails. Call first. */
void interrupt_hold_pipes(void);

/* After such a failure: true if the command is to die of it, as others in a pipeline do, and has
 * been told so; false if SIGPIPE was ignored from outside: then it is trouble like any other. */
bool interrupt_by_pipe(void);

/* Call once, before any thread starts. A second signal kills at once: timeout(1) sends two. */
void interrupt_install(void);

/* What is removed then: a file of that name in an open folder; NULL: nothing. The name must stay.
 */
void interrupt_remove(int folder, const char *name);

/* Non-zero once a signal came: what consort_arguments.cancel points to. */
const volatile int32_t *interrupt_flag(void);
bool interrupt_requested(void);

/* Dies of the signal that came, so that shells see what happened; returns if none came. */
void interrupt_finish(void);

#endif
