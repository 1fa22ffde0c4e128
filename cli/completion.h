/* SPDX-License-Identifier: Apache-2.0 */
/* Shell completions, from the tables of subcommands and options. */
#ifndef CONSORT_CLI_COMPLETION_H
#define CONSORT_CLI_COMPLETION_H

#include <stdbool.h>

/* Prints the script for "bash", "zsh" or "fish"; false for any other shell. */
bool completion_print(const char *shell);

#endif
