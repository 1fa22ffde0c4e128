/* SPDX-License-Identifier: Apache-2.0 */
/* --help and the option lists of the man pages. */
#ifndef CONSORT_CLI_HELP_H
#define CONSORT_CLI_HELP_H

#include "command.h"

void help_print_top(void);
void help_print_command(const struct command *command);

/* The option list as Markdown that go-md2man turns into a man page's OPTIONS section. */
void help_print_markdown(const struct command *command);

#endif
