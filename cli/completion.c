/* SPDX-License-Identifier: Apache-2.0 */
/* Shell completions, from the tables of subcommands and options. */
#include "completion.h"

#include <stdio.h>
#include <string.h>

#include "command.h"

static void completion_words(const struct option_spec *option, const char *separator)
{
    for (size_t i = 0; option->choice(i); i++)
        printf("%s%s", i ? separator : "", option->choice(i));
}

static void completion_bash_option(const struct option_spec *option)
{
    if (!option->argument)
        return;
    printf("    --%s", option->name);
    if (option->letter)
        printf("|-%c", option->letter);
    printf(") ");
    if (option->choice) {
        printf("COMPREPLY=($(compgen -W '");
        completion_words(option, " ");
        printf("' -- \"$current\")) ;;\n");
    } else if (option->completion == OPTION_COMPLETES_FOLDERS) {
        printf("_consort_paths dirnames -d ;;\n");
    } else if (option->completion == OPTION_COMPLETES_FILES) {
        printf("_consort_paths default -f ;;\n");
    } else {
        printf("COMPREPLY=() ;;\n");
    }
}

static void completion_bash_command(const struct command *command)
{
    printf("_consort_%s() {\n    case $previous in\n", command->name);
    for (size_t i = 0; command->options[i]; i++)
        completion_bash_option(command->options[i]);
    printf("    *) if [[ $current == -* ]]; then\n        COMPREPLY=($(compgen -W '--help");
    for (size_t i = 0; command->options[i]; i++)
        printf(" --%s", command->options[i]->name);
    printf("' -- \"$current\"))\n");
    if (command->operand_completion == OPTION_COMPLETES_FILES)
        printf("    else _consort_paths default -f\n");
    printf("    fi ;;\n    esac\n}\n\n");
}

/* Words are taken from the line itself: bash splits COMP_WORDS at ':', which stands in types, and
 * at '='. Names of files are left to readline, which knows how to quote them. */
static void completion_bash(void)
{
    printf("# bash completion for consort\n\n"
           "_consort_paths() {\n"
           "    COMPREPLY=()\n"
           "    compopt -o \"$1\" 2>/dev/null || mapfile -t COMPREPLY < <(compgen \"$2\" -- "
           "\"$current\")\n"
           "}\n\n");
    for (size_t i = 0; command_at(i); i++)
        completion_bash_command(command_at(i));
    printf("_consort() {\n"
           "    local line=${COMP_LINE:0:COMP_POINT} words current previous skip\n"
           "    read -ra words <<<\"$line\"\n"
           "    [[ $line == *' ' ]] && words+=('')\n"
           "    current=${words[-1]} previous=${words[-2]}\n"
           "    if [[ $current == --*=* ]]; then\n"
           "        previous=${current%%%%=*} current=${current#*=}\n"
           "    fi\n"
           "    if ((${#words[@]} <= 2)); then\n"
           "        COMPREPLY=($(compgen -W '--help --version");
    for (size_t i = 0; command_at(i); i++)
        printf(" %s", command_at(i)->name);
    printf("' -- \"$current\"))\n"
           "    elif declare -F \"_consort_${words[1]}\" >/dev/null; then\n"
           "        \"_consort_${words[1]}\"\n"
           "    fi\n"
           "    if [[ $current == *:* && $COMP_WORDBREAKS == *:* ]]; then\n"
           "        skip=${current%%\"${current##*:}\"}\n"
           "        COMPREPLY=(\"${COMPREPLY[@]#\"$skip\"}\")\n"
           "    fi\n"
           "}\n\n"
           "complete -F _consort consort\n");
}

/* Within '…': quotes, brackets and colons mean something to _arguments. */
static void completion_zsh_text(const char *text)
{
    for (; *text; text++) {
        if (*text == '\'')
            printf("'\\''");
        else if (strchr("[]:\\", *text))
            printf("\\%c", *text);
        else
            putchar(*text);
    }
}

static void completion_zsh_argument(const struct option_spec *option)
{
    printf(":%s:", option->argument);
    if (option->choice) {
        printf("(");
        for (size_t i = 0; option->choice(i); i++) {
            printf("%s", i ? " " : "");
            completion_zsh_text(option->choice(i));
        }
        printf(")");
    } else if (option->completion == OPTION_COMPLETES_FILES) {
        printf("_files");
    } else if (option->completion == OPTION_COMPLETES_FOLDERS) {
        printf("_files -/");
    }
}

static void completion_zsh_option(const struct option_spec *option)
{
    char forms[2][64] = {"", ""};
    snprintf(forms[0], sizeof forms[0], "--%s", option->name);
    if (option->letter)
        snprintf(forms[1], sizeof forms[1], "-%c", option->letter);
    for (int i = 0; i < 2 && forms[i][0]; i++) {
        printf(" \\\n        '*%s%s[", forms[i], option->argument && i == 0 ? "=" : "");
        completion_zsh_text(option->help);
        printf("]");
        if (option->argument)
            completion_zsh_argument(option);
        printf("'");
    }
}

static void completion_zsh(void)
{
    printf("#compdef consort\n\n_consort() {\n"
           "    local -a subcommands\n    subcommands=(");
    for (size_t i = 0; command_at(i); i++) {
        printf("\n        '%s:", command_at(i)->name);
        completion_zsh_text(command_at(i)->summary);
        printf("'");
    }
    printf("\n    )\n    if ((CURRENT == 2)); then\n"
           "        _describe subcommand subcommands\n        return\n    fi\n"
           "    local subcommand=$words[2]\n"
           "    shift words\n    ((CURRENT--))\n    case $subcommand in\n");
    for (size_t i = 0; command_at(i); i++) {
        const struct command *command = command_at(i);
        printf("    %s) _arguments -s '--help[print the options]'", command->name);
        for (size_t j = 0; command->options[j]; j++)
            completion_zsh_option(command->options[j]);
        if (command->operand_completion == OPTION_COMPLETES_FILES)
            printf(" \\\n        '*:file:_files'");
        printf(" ;;\n");
    }
    printf("    esac\n}\n\n_consort \"$@\"\n");
}

static void completion_fish_text(const char *text)
{
    putchar('\'');
    for (; *text; text++)
        printf(*text == '\'' || *text == '\\' ? "\\%c" : "%c", *text);
    putchar('\'');
}

static void completion_fish_option(const struct command *command, const struct option_spec *option)
{
    printf("complete -c consort -n '__fish_seen_subcommand_from %s' -l %s", command->name,
           option->name);
    if (option->letter)
        printf(" -s %c", option->letter);
    if (option->argument)
        printf(option->completion == OPTION_COMPLETES_NOTHING ? " -x" : " -r");
    if (option->choice) {
        printf(" -a '");
        completion_words(option, " ");
        printf("'");
    } else if (option->completion == OPTION_COMPLETES_FOLDERS) {
        printf(" -a '(__fish_complete_directories)'");
    } else if (option->completion == OPTION_COMPLETES_FILES) {
        printf(" -F");
    }
    printf(" -d ");
    completion_fish_text(option->help);
    putchar('\n');
}

static void completion_fish(void)
{
    printf("# fish completion for consort\n"
           "complete -c consort -n __fish_use_subcommand -f\n"
           "complete -c consort -n __fish_use_subcommand -l version -d 'print the version'\n"
           "complete -c consort -l help -s h -d 'print the options'\n");
    for (size_t i = 0; command_at(i); i++) {
        const struct command *command = command_at(i);
        printf("complete -c consort -n __fish_use_subcommand -a %s -d ", command->name);
        completion_fish_text(command->summary);
        putchar('\n');
        if (command->operand_completion == OPTION_COMPLETES_NOTHING)
            printf("complete -c consort -n '__fish_seen_subcommand_from %s' -f\n", command->name);
        for (size_t j = 0; command->options[j]; j++)
            completion_fish_option(command, command->options[j]);
    }
}

bool completion_print(const char *shell)
{
    static const struct {
        const char *name;
        void (*print)(void);
    } shells[] = {{"bash", completion_bash}, {"zsh", completion_zsh}, {"fish", completion_fish}};
    for (size_t i = 0; i < sizeof shells / sizeof shells[0]; i++) {
        if (strcmp(shells[i].name, shell) != 0)
            continue;
        shells[i].print();
        return true;
    }
    return false;
}
