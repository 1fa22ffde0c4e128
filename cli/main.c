/* SPDX-License-Identifier: Apache-2.0 */
/* The command `consort`: finds the subcommand and hands over. */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "command.h"
#include "completion.h"
#include "consort.h"
#include "help.h"
#include "interrupt.h"
#include "report.h"

static int main_version(void)
{
    printf("consort %s\n%s", consort_version_string(), consort_build_info());
    return report_finish_stdout(EXIT_GOOD);
}

static int main_help(void)
{
    help_print_top();
    return report_finish_stdout(EXIT_GOOD);
}

/* `consort completion bash|zsh|fish` and `consort help-markdown SUBCOMMAND`: for the build. */
static int main_generate(int argc, char **argv)
{
    if (argc == 3 && strcmp(argv[1], "completion") == 0 && completion_print(argv[2]))
        return report_finish_stdout(EXIT_GOOD);
    if (argc == 3 && strcmp(argv[1], "help-markdown") == 0 && command_find(argv[2])) {
        help_print_markdown(command_find(argv[2]));
        return report_finish_stdout(EXIT_GOOD);
    }
    return report_error("usage: consort completion bash|zsh|fish, or consort help-markdown "
                        "SUBCOMMAND");
}

/* A file opened as descriptor 0, 1 or 2 would be taken for a standard stream that is closed, and
 * messages would be written into the output. What stands there instead fails as the closed one. */
static void main_fill_standard_descriptors(void)
{
    for (int i = STDIN_FILENO; i <= STDERR_FILENO; i++)
        if (fcntl(i, F_GETFD) < 0)
            (void)!open("/dev/null", i == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}

int main(int argc, char **argv)
{
    main_fill_standard_descriptors();
    interrupt_hold_pipes();
    if (argc < 2)
        return report_error("no subcommand; `consort --help` lists them");
    const char *word = argv[1];
    if (strcmp(word, "--version") == 0)
        return main_version();
    if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0)
        return main_help();
    if (strcmp(word, "completion") == 0 || strcmp(word, "help-markdown") == 0)
        return main_generate(argc, argv);
    const struct command *command = command_find(word);
    if (!command)
        return report_error("unknown %s \"%.60s\"; `consort --help` lists what there is",
                            word[0] == '-' ? "option" : "subcommand", word);
    return command->run(argc - 1, argv + 1);
}
