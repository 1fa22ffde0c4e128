/* SPDX-License-Identifier: Apache-2.0 */
/* A Python is started, first to ask whether it has Matplotlib. */
#include "bench_plot.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench_beside.h"

extern char **environ;

/* Waits for the program; its exit status, or -1 with errno. `silent`: nobody hears it. */
static int run_program(const char *const *words, int out, bool silent)
{
    posix_spawn_file_actions_t actions;
    pid_t child;
    int status;
    int error = posix_spawn_file_actions_init(&actions);
    if (error != 0) {
        errno = error;
        return -1;
    }
    if (silent) {
        error = posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
        error = error != 0
                    ? error
                    : posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO);
    } else {
        error = posix_spawn_file_actions_adddup2(&actions, out, STDOUT_FILENO);
    }
    if (error == 0) {
        /* posix_spawn does not write to the words; its type is older than const. */
        error = posix_spawnp(&child, words[0], &actions, NULL, (char *const *)words, environ);
    }
    posix_spawn_file_actions_destroy(&actions);
    if (error != 0) {
        errno = error;
        return -1;
    }
    while (waitpid(child, &status, 0) < 0) {
        if (errno != EINTR) {
            return -1;
        }
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static bool has_matplotlib(const char *python)
{
    const char *const words[] = {
        python, "-c",
        "import importlib.util, sys; sys.exit(importlib.util.find_spec('matplotlib') is None)",
        NULL};
    return run_program(words, STDOUT_FILENO, true) == 0;
}

bool bench_plot_find(struct bench_plot *plot, struct problem *problem)
{
    /* The first python3 of the path may be a user's own. */
    const char *pythons[] = {"python3", "/usr/bin/python3"};
    const char *given = getenv("CONSORT_PYTHON");
    if (given != NULL && given[0] != '\0') {
        pythons[0] = pythons[1] = given;
    }
    if (!bench_beside_find(plot->script, "plot.py")) {
        plot->script[0] = '\0';
        return problem_set(problem, "plot.py, which draws them, is not installed");
    }
    for (size_t i = 0; i < sizeof pythons / sizeof pythons[0]; i++) {
        if (has_matplotlib(pythons[i])) {
            plot->python = pythons[i];
            return true;
        }
    }
    return problem_set(problem,
                       "no Python with Matplotlib: install python3-matplotlib, or name one "
                       "that has it in CONSORT_PYTHON");
}

bool bench_plot_draw(const struct bench_plot *plot, const char *json, const char *folder,
                     const char *formats, FILE *out, struct problem *problem)
{
    /* -B: what is installed is not ours to write to. */
    const char *const words[] = {plot->python, "-B",       plot->script, json, "-o",
                                 folder,       "--format", formats,      NULL};
    fflush(out);
    int status = run_program(words, fileno(out), false);
    if (status < 0) {
        return problem_system(problem, errno, "%.200s", plot->python);
    }
    return status == 0 || problem_set(problem, "%.300s failed", plot->script);
}
