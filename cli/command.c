/* SPDX-License-Identifier: Apache-2.0 */
/* The table of subcommands. */
#include "command.h"

#include <string.h>

#include "help.h"
#include "report.h"

static const struct command *const command_table[] = {
    &command_sort, &command_check, &command_gen, &command_info, &command_bench,
};

const struct command *command_at(size_t index)
{
    return index < sizeof command_table / sizeof command_table[0] ? command_table[index] : NULL;
}

const struct command *command_find(const char *name)
{
    for (size_t i = 0; command_at(i); i++)
        if (strcmp(command_at(i)->name, name) == 0)
            return command_at(i);
    return NULL;
}

bool command_parse(const struct command *command, int argc, char **argv, void *settings,
                   int *operands, int *exit_code)
{
    struct problem problem;
    bool help_wanted;
    report_set_command(command->title);
    if (!option_parse(command->options, argc, argv, settings, operands, &help_wanted, &problem)) {
        *exit_code = report_problem(&problem);
        return false;
    }
    if (!help_wanted)
        return true;
    help_print_command(command);
    *exit_code = report_finish_stdout(EXIT_GOOD);
    return false;
}
