/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Options as data: one table per subcommand, from which getopt_long, --help, the shell completions
 * and the man pages' option lists are all made.
 */
#ifndef CONSORT_CLI_OPTION_H
#define CONSORT_CLI_OPTION_H

#include <stdbool.h>
#include <stddef.h>

#include "problem.h"

/* What a shell should offer for an argument that has no fixed choices. */
enum option_completion {
    OPTION_COMPLETES_NOTHING = 0,
    OPTION_COMPLETES_FILES,
    OPTION_COMPLETES_FOLDERS
};

struct option_spec {
    const char *name;     /* "type": long name */
    char letter;          /* 't', or 0 */
    const char *argument; /* "TYPE", or NULL for a switch */
    const char *help;     /* one line */
    /* The index-th value an argument may have, NULL past the last; NULL function: any value. */
    const char *(*choice)(size_t index);
    enum option_completion completion;
    /* Puts the value (NULL for a switch) into `settings`. */
    bool (*apply)(void *settings, const char *value, struct problem *problem);
};

enum {
    OPTION_MAXIMUM = 48
};

/* `options` ends with NULL. What getopt_long takes out of argv goes to `settings`; *operands is
 * the index of the first operand (argv is permuted). *help_wanted: --help was met. */
bool option_parse(const struct option_spec *const *options, int argc, char **argv, void *settings,
                  int *operands, bool *help_wanted, struct problem *problem);

/* For choice functions over a NULL-terminated array of `count` names. */
const char *option_choice_of(const char *const *names, size_t count, size_t index);

#endif
