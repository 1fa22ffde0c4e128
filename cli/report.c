/* SPDX-License-Identifier: Apache-2.0 */
/* Messages to the person at the terminal. */
#include "report.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "interrupt.h"
#include "progress.h"

static const char *report_name = "consort";

void report_set_command(const char *command)
{
    report_name = command;
}

const char *report_command(void)
{
    return report_name;
}

/* The controls of ASCII, and the first byte of U+0080 to U+009F, which are controls as well. */
static bool report_is_control(const unsigned char *text)
{
    return *text < ' ' || *text == 0x7f || (*text == 0xc2 && text[1] >= 0x80 && text[1] < 0xa0);
}

/* Names and text of others are in it: what would move a terminal's cursor is shown as \xNN. */
static void report_print(const char *message)
{
    for (const unsigned char *text = (const unsigned char *)message; *text; text++) {
        bool wide = *text == 0xc2;
        if (!report_is_control(text))
            fputc(*text, stderr);
        else if (fprintf(stderr, "\\x%02x", *text) > 0 && wide)
            fprintf(stderr, "\\x%02x", *++text);
    }
}

int report_error(const char *format, ...)
{
    char text[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    progress_clear();
    fprintf(stderr, "%s: ", report_name);
    report_print(text);
    fputc('\n', stderr);
    return EXIT_TROUBLE;
}

int report_problem(const struct problem *problem)
{
    return report_error("%s", problem->text);
}

int report_finish_stdout(int exit_code)
{
    if (fflush(stdout) == 0 && !ferror(stdout))
        return exit_code;
    if (errno == EPIPE && interrupt_by_pipe())
        interrupt_finish();
    return report_error("standard output: %s", strerror(errno));
}
