/* SPDX-License-Identifier: Apache-2.0 */
/* The subcommand `consort bench`. */
#ifndef CONSORT_CLI_BENCH_H
#define CONSORT_CLI_BENCH_H

#include "command.h"

extern const struct command command_bench;

#endif
