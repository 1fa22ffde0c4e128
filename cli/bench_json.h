/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Results for programs: one JSON document with everything a report needs to be repeated: machine,
 * compiler, versions, commit, date, seed, options, and every single timing. bench/README.md
 * describes its members.
 */
#ifndef CONSORT_CLI_BENCH_JSON_H
#define CONSORT_CLI_BENCH_JSON_H

#include "bench_run.h"
#include "bench_settings.h"

/* To a file or "-". `command` is the command line. */
bool bench_json_write(const struct bench_run *run, const struct bench_settings *settings,
                      const char *path, const char *const *command, struct problem *problem);

#endif
