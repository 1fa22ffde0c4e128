/* SPDX-License-Identifier: Apache-2.0 */
/* --help and the option lists of the man pages, from the tables of options. */
#include "help.h"

#include <stdio.h>
#include <string.h>

enum {
    HELP_COLUMN = 30, /* where the explanations begin */
    HELP_WIDTH = 80
};

void help_print_top(void)
{
    printf("consort sorts arrays and files on NVIDIA GPUs or the CPU, with the same bytes out\n"
           "everywhere.\n\n"
           "Usage: consort SUBCOMMAND [OPTION...] [FILE...]\n\n"
           "Subcommands:\n");
    for (size_t i = 0; command_at(i); i++)
        printf("  %-10s%s\n", command_at(i)->name, command_at(i)->summary);
    printf("\nOptions:\n"
           "  -h, --help     print this; `consort SUBCOMMAND --help` has the details\n"
           "      --version  print the version and facts about the build\n\n"
           "Examples:\n"
           "  consort gen -t f32 -n 1G -o data.f32      make a 4 GB file of random floats\n"
           "  consort sort -t f32 data.f32 -o data.f32  sort it in place\n"
           "  consort check -t f32 data.f32             exit 0: it is sorted\n"
           "  consort sort table.npy -o sorted.npy      NumPy files say their type themselves\n"
           "  seq 9 -1 1 | consort sort -t i64 --format text\n");
}

/* Continues a line that is `column` wide, breaking between words. */
static void help_print_wrapped(const char *text, int column)
{
    while (*text) {
        int word = (int)strcspn(text, " ");
        if (column > HELP_COLUMN && column + 1 + word > HELP_WIDTH)
            column = printf("\n%*s", HELP_COLUMN, "") - 1;
        else if (column > HELP_COLUMN)
            column += printf(" ");
        column += printf("%.*s", word, text);
        text += word;
        text += strspn(text, " ");
    }
    putchar('\n');
}

/* The choices, or nothing. */
static void help_choices(const struct option_spec *option, char *text, size_t size)
{
    size_t length = 0;
    text[0] = '\0';
    for (size_t i = 0; option->choice && option->choice(i) && length < size; i++)
        length += (size_t)snprintf(text + length, size - length, "%s%s", i ? ", " : "",
                                   option->choice(i));
}

static void help_print_option(const struct option_spec *option)
{
    char choices[1024];
    int column = option->letter ? printf("  -%c, --%s", option->letter, option->name)
                                : printf("      --%s", option->name);
    if (option->argument)
        column += printf(" %s", option->argument);
    if (column + 2 > HELP_COLUMN) {
        putchar('\n');
        column = 0;
    }
    printf("%*s", HELP_COLUMN - column, "");
    help_choices(option, choices, sizeof choices);
    char text[2048];
    snprintf(text, sizeof text, "%s%s%s", option->help, choices[0] ? "; one of " : "", choices);
    help_print_wrapped(text, HELP_COLUMN);
}

void help_print_command(const struct command *command)
{
    printf("%s: %s\n\nUsage: %s [OPTION...]%s%s\n\nOptions:\n", command->title, command->summary,
           command->title, command->operands[0] ? " " : "", command->operands);
    for (size_t i = 0; command->options[i]; i++)
        help_print_option(command->options[i]);
    printf("  -h, --help%*sprint this\n", HELP_COLUMN - 12, "");
    if (command->examples)
        printf("\nExamples:\n%s", command->examples);
}

void help_print_markdown(const struct command *command)
{
    for (size_t i = 0; command->options[i]; i++) {
        const struct option_spec *option = command->options[i];
        char choices[1024];
        help_choices(option, choices, sizeof choices);
        if (option->letter)
            printf("**-%c**, ", option->letter);
        printf("**--%s**", option->name);
        if (option->argument)
            printf(" *%s*", option->argument);
        printf("\n: %s%s%s.\n\n", option->help, choices[0] ? "; one of " : "", choices);
    }
    printf("**-h**, **--help**\n: print the options and examples.\n");
}
