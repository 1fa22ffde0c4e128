/* SPDX-License-Identifier: Apache-2.0 */
/* From a table of options to getopt_long. */
#include "option.h"

#include <getopt.h>
#include <string.h>

/* getopt_long's values for long options start above every letter. */
enum {
    OPTION_FIRST_VALUE = 1000,
    OPTION_HELP = 999
};

struct option_tables {
    struct option long_options[OPTION_MAXIMUM + 2];
    char letters[2 * OPTION_MAXIMUM + 4];
};

const char *option_choice_of(const char *const *names, size_t count, size_t index)
{
    return index < count ? names[index] : NULL;
}

static void option_fill_tables(const struct option_spec *const *options,
                               struct option_tables *tables)
{
    size_t count = 0;
    /* ':' first: a missing argument is told apart from an unknown option. */
    char *letter = tables->letters;
    *letter++ = ':';
    for (; options[count]; count++) {
        const struct option_spec *option = options[count];
        tables->long_options[count] =
            (struct option){option->name, option->argument ? required_argument : no_argument, NULL,
                            OPTION_FIRST_VALUE + (int)count};
        if (!option->letter)
            continue;
        *letter++ = option->letter;
        if (option->argument)
            *letter++ = ':';
    }
    *letter++ = 'h';
    *letter = '\0';
    tables->long_options[count] = (struct option){"help", no_argument, NULL, OPTION_HELP};
    tables->long_options[count + 1] = (struct option){NULL, 0, NULL, 0};
}

static const struct option_spec *option_of_value(const struct option_spec *const *options,
                                                 int value)
{
    if (value >= OPTION_FIRST_VALUE)
        return options[value - OPTION_FIRST_VALUE];
    for (; *options; options++)
        if ((*options)->letter == value)
            return *options;
    return NULL;
}

static bool option_apply(const struct option_spec *option, void *settings, struct problem *problem)
{
    if (option->apply(settings, option->argument ? optarg : NULL, problem))
        return true;
    char prefix[64] = "--";
    strncat(prefix, option->name, sizeof prefix - 3);
    return problem_prefix(problem, prefix);
}

static bool option_complain(const struct option_spec *const *options, int value, char **argv,
                            struct problem *problem)
{
    const char *word = argv[optind - 1];
    const struct option_spec *option = optopt ? option_of_value(options, optopt) : NULL;
    if (value == ':')
        return problem_set(problem, "option --%s needs an argument, %s",
                           option ? option->name : word + 2, option ? option->argument : "a value");
    if (option)
        return problem_set(problem, "option --%s takes no argument", option->name);
    if (optopt > 0 && optopt < OPTION_HELP)
        return problem_set(problem, "unknown option -%c; --help lists the options", optopt);
    return problem_set(problem, "unknown or ambiguous option %.60s; --help lists the options",
                       word);
}

bool option_parse(const struct option_spec *const *options, int argc, char **argv, void *settings,
                  int *operands, bool *help_wanted, struct problem *problem)
{
    struct option_tables tables;
    option_fill_tables(options, &tables);
    opterr = 0;
    optind = 0; /* glibc: start afresh, whatever was parsed before */
    *help_wanted = false;
    for (;;) {
        int value = getopt_long(argc, argv, tables.letters, tables.long_options, NULL);
        if (value == -1)
            break;
        if (value == 'h' || value == OPTION_HELP) {
            *help_wanted = true;
            return true;
        }
        if (value == '?' || value == ':')
            return option_complain(options, value, argv, problem);
        if (!option_apply(option_of_value(options, value), settings, problem))
            return false;
    }
    *operands = optind;
    return true;
}
