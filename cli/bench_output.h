/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where results go besides the table. A study writes study-NAME.json into the working folder and
 * its figures beside it, unless told otherwise; all other runs write what they are told to.
 */
#ifndef CONSORT_CLI_BENCH_OUTPUT_H
#define CONSORT_CLI_BENCH_OUTPUT_H

#include <limits.h>

#include "bench_plot.h"
#include "bench_run.h"
#include "bench_settings.h"

struct bench_output {
    const char *json;    /* path, "-" or NULL; may point into `named` */
    bool draws;          /* figures */
    bool must_draw;      /* they were asked for: without them the command fails */
    char file[PATH_MAX]; /* the JSON that they are drawn of, which stays */
    char folder[PATH_MAX];
    char named[PATH_MAX];
    struct bench_plot plot;
    struct problem missing; /* why there will be no figures, or "" */
};

/* Before anything is measured; false: figures were asked for that cannot be drawn. */
bool bench_output_prepare(struct bench_output *output, const struct bench_settings *settings,
                          struct problem *problem);

/* After: JSON first, so that nothing which goes wrong with figures loses what was measured. */
bool bench_output_write(const struct bench_output *output, const struct bench_run *run,
                        const struct bench_settings *settings, const char *const *command,
                        struct problem *problem);

#endif
