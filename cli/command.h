/* SPDX-License-Identifier: Apache-2.0 */
/* Subcommands as data. A new one is a file with a `struct command` and one line in the table. */
#ifndef CONSORT_CLI_COMMAND_H
#define CONSORT_CLI_COMMAND_H

#include <stdbool.h>
#include <stddef.h>

#include "option.h"

struct command {
    const char *name;
    const char *title;                        /* "consort sort": what its messages begin with */
    const char *summary;                      /* one line */
    const char *operands;                     /* "IN...", or "" */
    const char *examples;                     /* lines for the end of --help, or NULL */
    const struct option_spec *const *options; /* ends with NULL */
    enum option_completion operand_completion;
    /* argv[0] is the subcommand's name. Returns the exit code. */
    int (*run)(int argc, char **argv);
};

extern const struct command command_sort;
extern const struct command command_check;
extern const struct command command_gen;
extern const struct command command_info;
extern const struct command command_bench;

/* The index-th subcommand; NULL past the last. */
const struct command *command_at(size_t index);
const struct command *command_find(const char *name);

/* Parses the options; *operands is the index of the first operand. False: the subcommand returns
 * *exit_code at once (help was printed, or an error reported). */
bool command_parse(const struct command *command, int argc, char **argv, void *settings,
                   int *operands, int *exit_code);

#endif
