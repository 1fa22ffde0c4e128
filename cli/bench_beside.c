/* SPDX-License-Identifier: Apache-2.0 */
/* Places relative to the executable's. */
#include "bench_beside.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* The build, beside it, and two ways of installing. */
static const char *const places[] = {"../bench", ".", "../libexec/consort", "../lib/consort"};

static bool folder_of_executable(char folder[PATH_MAX])
{
    ssize_t length = readlink("/proc/self/exe", folder, PATH_MAX - 1);
    if (length <= 0) {
        return false;
    }
    folder[length] = '\0';
    char *slash = strrchr(folder, '/');
    if (slash != NULL) {
        *slash = '\0';
    }
    return slash != NULL;
}

bool bench_beside_find(char path[PATH_MAX], const char *file)
{
    char folder[PATH_MAX];
    if (!folder_of_executable(folder)) {
        return false;
    }
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        int written = snprintf(path, PATH_MAX, "%s/%s/%s", folder, places[i], file);
        if (written > 0 && written < PATH_MAX && access(path, R_OK) == 0) {
            return true;
        }
    }
    return false;
}
