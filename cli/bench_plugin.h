/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds and opens the plugins of peers. Nothing depends on them: without any, only this library is
 * measured, and the report says so.
 */
#ifndef CONSORT_CLI_BENCH_PLUGIN_H
#define CONSORT_CLI_BENCH_PLUGIN_H

#include <stdint.h>

#include "../bench/peers.h"
#include "problem.h"

enum {
    BENCH_PLUGIN_PEERS = 64
};

struct bench_plugins {
    const struct peer *peers[BENCH_PLUGIN_PEERS]; /* the missing ones too */
    uint32_t count;
    struct problem problem; /* why there are none, or fewer than asked for; empty if all is well */
    struct problem device_problem; /* the same about peers on GPUs */
};

/*
 * Opens what $CONSORT_BENCH_PEERS lists (paths with colons between; empty: none); if it is not set,
 * the plugins beside the executable: of the build, or as installed. Plugins stay open.
 */
void bench_plugin_open(struct bench_plugins *plugins);

/* NULL if there is none of that name. */
const struct peer *bench_plugin_find(const struct bench_plugins *plugins, const char *name);

#endif
