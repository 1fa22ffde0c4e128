/* SPDX-License-Identifier: Apache-2.0 */
/* Who takes part in a case: our algorithms and the peers that were asked for. */
#ifndef CONSORT_CLI_BENCH_LINEUP_H
#define CONSORT_CLI_BENCH_LINEUP_H

#include "bench_consort.h"
#include "bench_plugin.h"
#include "bench_settings.h"

enum {
    /* Each algorithm by plan and by one call. */
    BENCH_SUBJECTS = 2 * BENCH_LIST,
    BENCH_CONTENDERS = BENCH_SUBJECTS + BENCH_PLUGIN_PEERS
};

struct bench_lineup {
    struct bench_consort subjects[BENCH_SUBJECTS];
    size_t subject_count;
    struct bench_contender contenders[BENCH_CONTENDERS];
    size_t count;
};

/* False: a peer is asked for that no plugin knows. The lineup points into itself: do not copy it.
 */
bool bench_lineup_make(struct bench_lineup *lineup, const struct bench_settings *settings,
                       const struct bench_plugins *plugins, const struct bench_case *shape,
                       struct problem *problem);

/* Were all peers asked for, so that those that cannot do a case need no mention? */
bool bench_lineup_all_peers(const struct bench_settings *settings);

#endif
