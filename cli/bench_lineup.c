/* SPDX-License-Identifier: Apache-2.0 */
/* From names to contenders. */
#include "bench_lineup.h"

#include <stdio.h>
#include <string.h>

#include "bench_peer.h"

static bool is_only(const struct bench_names *names, const char *word)
{
    return names->count == 1 && strcmp(names->items[0], word) == 0;
}

bool bench_lineup_all_peers(const struct bench_settings *settings)
{
    return is_only(&settings->peers, "all");
}

static void add_subject(struct bench_lineup *lineup, const struct bench_settings *settings,
                        const char *algorithm, bool one_call)
{
    if (lineup->subject_count == BENCH_SUBJECTS) {
        return;
    }
    struct bench_consort *subject = &lineup->subjects[lineup->subject_count++];
    *subject = (struct bench_consort){
        .one_call = one_call, .separate = settings->separate, .unstable = settings->unstable};
    snprintf(subject->algorithm, sizeof subject->algorithm, "%s", algorithm);
    lineup->contenders[lineup->count++] = bench_consort_contender(subject);
}

static void add_algorithm(struct bench_lineup *lineup, const struct bench_settings *settings,
                          const char *algorithm)
{
    if (settings->plans) {
        add_subject(lineup, settings, algorithm, false);
    }
    if (settings->one_calls) {
        add_subject(lineup, settings, algorithm, true);
    }
}

/* All that have the operation; quadratic ones only by name. */
static void add_registry(struct bench_lineup *lineup, const struct bench_settings *settings,
                         const struct bench_case *shape)
{
    add_algorithm(lineup, settings, "auto");
    for (uint32_t i = 0; i < consort_algorithm_count(); i++) {
        consort_algorithm_info info;
        consort_algorithm_info_init(&info);
        if (consort_algorithm_get_info(i, &info) == CONSORT_OK && !info.quadratic &&
            info.engine == CONSORT_ENGINE_CPU &&
            info.operation == bench_operation_number(shape->operation)) {
            add_algorithm(lineup, settings, info.name);
        }
    }
}

static void add_peer(struct bench_lineup *lineup, const struct peer *peer)
{
    if (lineup->count < BENCH_CONTENDERS) {
        lineup->contenders[lineup->count++] = bench_peer_contender(peer);
    }
}

/* Parallel sorts on one thread would only be slower than their serial kin. */
static void add_all_peers(struct bench_lineup *lineup, const struct bench_plugins *plugins,
                          const struct bench_case *shape)
{
    for (uint32_t i = 0; i < plugins->count; i++) {
        const struct peer *peer = plugins->peers[i];
        if (peer->unavailable == NULL && (shape->threads > 1 || !peer->parallel)) {
            add_peer(lineup, peer);
        }
    }
}

static bool add_named_peers(struct bench_lineup *lineup, const struct bench_settings *settings,
                            const struct bench_plugins *plugins, struct problem *problem)
{
    const struct bench_names *names = &settings->peers;
    for (size_t i = 0; i < names->count; i++) {
        const struct peer *peer = bench_plugin_find(plugins, names->items[i]);
        if (peer != NULL) {
            add_peer(lineup, peer);
        } else if (plugins->count > 0 && !settings->peers_optional) {
            return problem_set(problem, "there is no peer \"%s\"; --list names them",
                               names->items[i]);
        }
    }
    return true;
}

bool bench_lineup_make(struct bench_lineup *lineup, const struct bench_settings *settings,
                       const struct bench_plugins *plugins, const struct bench_case *shape,
                       struct problem *problem)
{
    *lineup = (struct bench_lineup){0};
    for (size_t i = 0; i < settings->algorithms.count; i++) {
        if (strcmp(settings->algorithms.items[i], "all") == 0) {
            add_registry(lineup, settings, shape);
        } else {
            add_algorithm(lineup, settings, settings->algorithms.items[i]);
        }
    }
    if (bench_lineup_all_peers(settings)) {
        add_all_peers(lineup, plugins, shape);
        return true;
    }
    return is_only(&settings->peers, "none") || add_named_peers(lineup, settings, plugins, problem);
}
