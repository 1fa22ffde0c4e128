/* SPDX-License-Identifier: Apache-2.0 */
/* Figures of results: bench/plot.py, by a Python that has Matplotlib, both found at run time. */
#ifndef CONSORT_CLI_BENCH_PLOT_H
#define CONSORT_CLI_BENCH_PLOT_H

#include <limits.h>
#include <stdio.h>

#include "problem.h"

struct bench_plot {
    char script[PATH_MAX];
    const char *python;
};

/* False, with what to install: something is missing. */
bool bench_plot_find(struct bench_plot *plot, struct problem *problem);

/* Draws the results in `json` into `folder`; the paths of the figures go to `out`. */
bool bench_plot_draw(const struct bench_plot *plot, const char *json, const char *folder,
                     const char *formats, FILE *out, struct problem *problem);

#endif
