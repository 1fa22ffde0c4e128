/* SPDX-License-Identifier: Apache-2.0 */
/* From names to contenders. */
#include "bench_lineup.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "bench_parse.h"
#include "bench_peer.h"

bool bench_lineup_all_peers(const struct bench_settings *settings)
{
    return bench_names_only(&settings->peers, "all");
}

static void name_subject(struct bench_contender *contender, const struct bench_consort *subject,
                         bool on_device)
{
    static const char *const forms[] = {"/in-place", "", "/double-buffer", "/launches"};
    bool forced = strcmp(subject->algorithm, "auto") != 0;
    snprintf(contender->name, sizeof contender->name, "consort%s%s", forced ? ":" : "",
             forced ? subject->algorithm : "");
    for (uint32_t i = 0; i < subject->parameters.count; i++) {
        const struct bench_number *parameter = &subject->parameters.items[i];
        size_t length = strlen(contender->name);
        snprintf(contender->name + length, sizeof contender->name - length, "/%s=%" PRId64,
                 parameter->name, parameter->value);
    }
    size_t length = strlen(contender->name);
    snprintf(contender->name + length, sizeof contender->name - length, "%s%s%s",
             subject->unstable ? "/unstable" : "", subject->one_call ? "/one-call" : "",
             on_device ? forms[subject->form] : "");
}

static void add_subject(struct bench_lineup *lineup, const struct bench_case *shape,
                        const struct bench_consort *like)
{
    if (lineup->subject_count == BENCH_SUBJECTS) {
        return;
    }
    struct bench_consort *subject = &lineup->subjects[lineup->subject_count++];
    struct bench_contender *contender = &lineup->contenders[lineup->count++];
    *subject = *like;
    *contender = (struct bench_contender){
        .methods = shape->spread      ? &bench_consort_on_gpus
                   : shape->on_device ? &bench_consort_on_device
                                      : &bench_consort_on_host,
        .subject = subject,
    };
    name_subject(contender, subject, shape->on_device);
}

/* Merges, argsorts and selections have two places, whatever form is named. */
static bool wants_form(const struct bench_settings *settings, const struct bench_case *shape,
                       enum bench_form form)
{
    const bool *forms = settings->forms;
    bool apart = shape->operation == BENCH_MERGE || shape->operation == BENCH_ARGSORT ||
                 shape->operation == BENCH_TOP_K;
    if (!apart || form == BENCH_FORM_LAUNCHES) {
        return forms[form];
    }
    return form == BENCH_FORM_COPY &&
           (forms[BENCH_FORM_COPY] || forms[BENCH_FORM_IN_PLACE] || forms[BENCH_FORM_DOUBLE]);
}

static void add_forms(struct bench_lineup *lineup, const struct bench_settings *settings,
                      const struct bench_case *shape, struct bench_consort like)
{
    for (int form = 0; form < BENCH_FORM_COUNT; form++) {
        like.form = (enum bench_form)form;
        if (wants_form(settings, shape, like.form)) {
            add_subject(lineup, shape, &like);
        }
    }
}

static void add_interfaces(struct bench_lineup *lineup, const struct bench_settings *settings,
                           const struct bench_case *shape, struct bench_consort like)
{
    like.form = shape->separate || shape->spread ? BENCH_FORM_COPY : BENCH_FORM_IN_PLACE;
    if (settings->plans) {
        add_subject(lineup, shape, &like);
    }
    if (settings->one_calls) {
        like.one_call = true;
        add_subject(lineup, shape, &like);
    }
}

/* Each combination of its parameters. */
static void add_algorithm(struct bench_lineup *lineup, const struct bench_settings *settings,
                          const struct bench_case *shape, const char *algorithm)
{
    size_t variants = bench_parameters_variants(&settings->parameters);
    for (size_t i = 0; i < variants; i++) {
        struct bench_consort like = {.unstable = settings->unstable};
        snprintf(like.algorithm, sizeof like.algorithm, "%s", algorithm);
        bench_parameters_variant(&settings->parameters, i, &like.parameters);
        if (shape->on_device) {
            add_forms(lineup, settings, shape, like);
        } else {
            add_interfaces(lineup, settings, shape, like);
        }
    }
}

/* All that have the operation; quadratic ones only by name. */
static void add_registry(struct bench_lineup *lineup, const struct bench_settings *settings,
                         const struct bench_case *shape)
{
    int32_t engine = shape->gpu >= 0 ? CONSORT_ENGINE_CUDA : CONSORT_ENGINE_CPU;
    add_algorithm(lineup, settings, shape, "auto");
    for (uint32_t i = 0; i < consort_algorithm_count(); i++) {
        consort_algorithm_info info;
        consort_algorithm_info_init(&info);
        if (consort_algorithm_get_info(i, &info) == CONSORT_OK && !info.quadratic &&
            info.engine == engine && info.operation == bench_operation_number(shape->operation)) {
            add_algorithm(lineup, settings, shape, info.name);
        }
    }
}

/* Of several numbers of threads a serial peer takes part at the first. */
static bool takes_part(const struct bench_settings *settings, const struct bench_case *shape,
                       const struct peer *peer)
{
    return peer->parallel || settings->threads.count < 2 ||
           shape->threads == settings->threads.items[0];
}

static void add_peer(struct bench_lineup *lineup, const struct bench_settings *settings,
                     const struct bench_case *shape, const struct peer *peer)
{
    if (lineup->count == BENCH_CONTENDERS || !takes_part(settings, shape, peer)) {
        return;
    }
    struct bench_contender *contender = &lineup->contenders[lineup->count++];
    *contender = (struct bench_contender){
        .methods = shape->on_device ? &bench_peer_on_device : &bench_peer_on_host,
        .subject = peer,
        .peer = true,
    };
    snprintf(contender->name, sizeof contender->name, "%.47s", peer->name);
}

/* Parallel sorts on one thread would only be slower than their serial kin. */
static void add_all_peers(struct bench_lineup *lineup, const struct bench_settings *settings,
                          const struct bench_plugins *plugins, const struct bench_case *shape)
{
    for (uint32_t i = 0; i < plugins->count; i++) {
        const struct peer *peer = plugins->peers[i];
        bool here = shape->on_device == (peer->memory != PEER_HOST);
        if (peer->unavailable == NULL && here && (shape->threads > 1 || !peer->parallel)) {
            add_peer(lineup, settings, shape, peer);
        }
    }
}

/* All that are called so: "cub_radix" is every version's. */
static bool add_called(struct bench_lineup *lineup, const struct bench_settings *settings,
                       const struct bench_plugins *plugins, const struct bench_case *shape,
                       const char *name)
{
    bool found = false;
    for (uint32_t i = 0; i < plugins->count; i++) {
        if (bench_plugin_is_called(plugins->peers[i], name)) {
            add_peer(lineup, settings, shape, plugins->peers[i]);
            found = true;
        }
    }
    return found;
}

static bool add_named_peers(struct bench_lineup *lineup, const struct bench_settings *settings,
                            const struct bench_plugins *plugins, const struct bench_case *shape,
                            struct problem *problem)
{
    const struct bench_names *names = &settings->peers;
    for (size_t i = 0; i < names->count; i++) {
        if (!add_called(lineup, settings, plugins, shape, names->items[i]) && plugins->count > 0 &&
            !settings->lenient) {
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
            add_algorithm(lineup, settings, shape, settings->algorithms.items[i]);
        }
    }
    if (shape->spread) { /* no peer sorts such lists */
        return true;
    }
    if (bench_lineup_all_peers(settings)) {
        add_all_peers(lineup, settings, plugins, shape);
        return true;
    }
    return bench_names_only(&settings->peers, "none") ||
           add_named_peers(lineup, settings, plugins, shape, problem);
}
