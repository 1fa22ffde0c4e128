/* SPDX-License-Identifier: Apache-2.0 */
/* JSON and figures: where they go, and what happens where one of them cannot be had. */
#include "bench_output.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bench_json.h"
#include "report.h"

static bool is(const char *given, const char *word)
{
    return given != NULL && strcmp(given, word) == 0;
}

__attribute__((format(printf, 3, 4))) static bool
write_path(char path[PATH_MAX], struct problem *problem, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int written = vsnprintf(path, PATH_MAX, format, arguments);
    va_end(arguments);
    return (written > 0 && written < PATH_MAX) || problem_set(problem, "the path is too long");
}

static bool choose_json(struct bench_output *output, const struct bench_settings *settings,
                        struct problem *problem)
{
    output->json = settings->json;
    if (is(settings->json, "none")) {
        output->json = NULL;
    } else if (settings->json == NULL && settings->study != NULL) {
        output->json = output->named;
        return write_path(output->named, problem, "study-%s.json", settings->study);
    }
    return true;
}

static bool folder_of(const char *file, char folder[PATH_MAX], struct problem *problem)
{
    const char *slash = strrchr(file, '/');
    int length = slash != NULL ? (int)(slash - file) : 0;
    return length > 0 ? write_path(folder, problem, "%.*s", length, file)
                      : write_path(folder, problem, "%s", slash != NULL ? "/" : ".");
}

/* Beside the JSON. */
static bool choose_folder(struct bench_output *output, const struct bench_settings *settings,
                          struct problem *problem)
{
    return settings->plot != NULL ? write_path(output->folder, problem, "%s", settings->plot)
                                  : folder_of(output->json, output->folder, problem);
}

/* Asked before minutes of measuring: could the file be written? */
static bool can_write(const char *file, struct problem *problem)
{
    char folder[PATH_MAX];
    if (file == NULL || is(file, "-") || access(file, W_OK) == 0) {
        return true;
    }
    if (errno == ENOENT) {
        if (!folder_of(file, folder, problem)) {
            return false;
        }
        if (access(folder, W_OK | X_OK) == 0) {
            return true;
        }
    }
    return problem_system(problem, errno, "%.500s", file);
}

static bool choose_file(struct bench_output *output, const struct bench_settings *settings,
                        struct problem *problem)
{
    if (output->json != NULL && !is(output->json, "-")) {
        return write_path(output->file, problem, "%s", output->json);
    }
    if (settings->study != NULL) {
        return write_path(output->file, problem, "%s/study-%s.json", output->folder,
                          settings->study);
    }
    return write_path(output->file, problem, "%s/%s.json", output->folder,
                      settings->suite != NULL ? settings->suite : "bench");
}

bool bench_output_prepare(struct bench_output *output, const struct bench_settings *settings,
                          struct problem *problem)
{
    *output = (struct bench_output){0};
    if (!choose_json(output, settings, problem)) {
        return false;
    }
    bool beside = settings->study != NULL && output->json != NULL && !is(output->json, "-");
    output->must_draw = settings->plot != NULL && !is(settings->plot, "none");
    output->draws = output->must_draw || (beside && settings->plot == NULL);
    if (!output->draws) {
        return can_write(output->json, problem);
    }
    if (!choose_folder(output, settings, problem) || !choose_file(output, settings, problem)) {
        return false;
    }
    if (!bench_plot_find(&output->plot, &output->missing) && output->must_draw) {
        *problem = output->missing;
        return problem_prefix(problem, "--plot");
    }
    if (mkdir(output->folder, 0777) != 0 && errno != EEXIST) {
        return problem_system(problem, errno, "%.500s", output->folder);
    }
    return can_write(output->json, problem) && can_write(output->file, problem);
}

static bool draw(const struct bench_output *output, const struct bench_settings *settings,
                 FILE *table, struct problem *problem)
{
    struct problem failure = output->missing;
    if (failure.text[0] == '\0' && bench_plot_draw(&output->plot, output->file, output->folder,
                                                   settings->plot_formats, table, &failure)) {
        return true;
    }
    report_error("no figures: %s", failure.text);
    report_error("the results are in %.400s; figures later: %s %.400s %.400s", output->file,
                 output->plot.python != NULL ? output->plot.python : "python3",
                 output->plot.script[0] != '\0' ? output->plot.script : "plot.py", output->file);
    return !output->must_draw || problem_set(problem, "the figures asked for are missing");
}

/* After the table; the figures follow. */
static void tell(const struct bench_run *run, const char *file)
{
    if (file != NULL) {
        fprintf(run->table, "%s\n", file);
    }
}

bool bench_output_write(const struct bench_output *output, const struct bench_run *run,
                        const struct bench_settings *settings, const char *const *command,
                        struct problem *problem)
{
    if (output->json != NULL && !bench_json_write(run, settings, output->json, command, problem)) {
        return false;
    }
    if (!output->draws) {
        tell(run, output->json == output->named ? output->named : NULL);
        return true;
    }
    if ((output->json == NULL || is(output->json, "-")) &&
        !bench_json_write(run, settings, output->file, command, problem)) {
        return false;
    }
    tell(run, output->file);
    return draw(output, settings, run->table, problem);
}
