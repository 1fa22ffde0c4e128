/* SPDX-License-Identifier: Apache-2.0 */
/* The document: head, machine, versions, peers, results, targets. */
#include "bench_json.h"

#include <errno.h>
#include <string.h>
#include <time.h>

#include <jansson.h>

#include "bench_commit.h"
#include "bench_machine.h"
#include "bench_study.h"
#include "bench_targets.h"

/* Objects that could not be made are NULL; jansson hands that on up to the dump, which fails. */

static json_t *unsigned_integer(uint64_t number)
{
    return json_integer((json_int_t)number);
}

static json_t *machine_object(void)
{
    struct bench_machine machine;
    bench_machine_read(&machine);
    return json_pack("{s:s, s:s, s:I, s:I, s:I, s:I, s:I, s:s, s:s}", "processor",
                     machine.processor, "architecture", machine.architecture, "processors",
                     (json_int_t)machine.processors, "memory_bytes", (json_int_t)machine.memory,
                     "l1d_bytes", (json_int_t)machine.caches[0], "l2_bytes",
                     (json_int_t)machine.caches[1], "l3_bytes", (json_int_t)machine.caches[2],
                     "kernel", machine.kernel, "transparent_huge_pages", machine.huge_pages);
}

/* NULL where no GPU was measured. The driver's own version is not its API's: Linux tells it. */
static json_t *gpu_object(const struct bench_gpu *gpu)
{
    char driver[BENCH_TEXT];
    if (gpu->driver == NULL) {
        return json_null();
    }
    bench_machine_read_line("/sys/module/nvidia/version", driver);
    return json_pack("{s:s, s:i, s:i, s:i, s:i, s:I, s:i, s:s}", "name", gpu->name, "number",
                     gpu->ordinal, "present", gpu->present, "capability", gpu->capability,
                     "multiprocessors", gpu->multiprocessors, "memory_bytes",
                     (json_int_t)gpu->memory, "cuda_version", gpu->driver_version, "driver",
                     driver);
}

/* The "name: value" lines of consort_build_info(). */
static json_t *build_object(void)
{
    json_t *object = json_object();
    const char *line = consort_build_info();
    while (*line != '\0') {
        size_t length = strcspn(line, "\n");
        const char *colon = memchr(line, ':', length);
        char name[64];
        if (colon != NULL && (size_t)(colon - line) < sizeof name) {
            memcpy(name, line, (size_t)(colon - line));
            name[colon - line] = '\0';
            const char *value = colon + 1 + (colon[1] == ' ');
            json_object_set_new(object, name, json_stringn(value, (size_t)(line + length - value)));
        }
        line += length + (line[length] == '\n');
    }
    return object;
}

static json_t *peers_array(const struct bench_plugins *plugins)
{
    json_t *array = json_array();
    for (uint32_t i = 0; i < plugins->count; i++) {
        const struct peer *peer = plugins->peers[i];
        json_array_append_new(array,
                              json_pack("{s:s, s:s, s:b, s:s?, s:b, s:b}", "name", peer->name,
                                        "description", peer->description, "available",
                                        peer->unavailable == NULL, "reason", peer->unavailable,
                                        "stable", peer->stable, "parallel", peer->parallel));
    }
    return array;
}

static json_t *samples_array(const struct bench_score *score)
{
    json_t *array = json_array();
    for (size_t i = 0; i < score->sample_count; i++) {
        json_array_append_new(array, json_real(score->samples[i]));
    }
    return array;
}

static json_t *numbers_object(const struct bench_number_list *list)
{
    json_t *object = json_object();
    for (uint32_t i = 0; i < list->count; i++) {
        json_object_set_new(object, list->items[i].name,
                            json_integer((json_int_t)list->items[i].value));
    }
    return object;
}

static void add_figures(json_t *object, const struct bench_result *result,
                        const struct bench_score *score)
{
    const struct bench_score *best = bench_result_best_peer(result);
    double rate = bench_score_rate(score, &result->shape);
    double traffic = (double)bench_case_traffic(&result->shape) / score->seconds.median;
    json_object_set_new(object, "samples_seconds", samples_array(score));
    json_object_set_new(object, "median_seconds", json_real(score->seconds.median));
    json_object_set_new(object, "minimum_seconds", json_real(score->seconds.minimum));
    json_object_set_new(object, "maximum_seconds", json_real(score->seconds.maximum));
    json_object_set_new(object, "deviation_seconds", json_real(score->seconds.deviation));
    json_object_set_new(object, "relative_deviation",
                        json_real(score->seconds.deviation / score->seconds.median));
    json_object_set_new(object, "items_per_second", json_real(rate));
    json_object_set_new(object, "bytes_per_second", json_real(traffic));
    json_object_set_new(object, "ceiling_share",
                        result->ceiling > 0 ? json_real(traffic / result->ceiling) : json_null());
    json_object_set_new(object, "ratio_to_best_peer",
                        best != NULL ? json_real(rate / bench_score_rate(best, &result->shape))
                                     : json_null());
}

static json_t *score_object(const struct bench_result *result, const struct bench_score *score)
{
    json_t *object =
        json_pack("{s:s, s:s, s:s, s:s, s:b, s:I, s:s, s:s?}", "name", score->name, "kind",
                  score->peer ? "peer" : "consort", "algorithm", score->algorithm, "engine",
                  score->engine, "stable", score->stable, "workspace_bytes",
                  (json_int_t)score->workspace, "verdict", bench_verdict_name(score->verdict),
                  "problem", score->verdict == BENCH_VERIFIED ? NULL : score->problem.text);
    json_object_set_new(object, "parameters", numbers_object(&score->parameters));
    json_object_set_new(object, "counters", numbers_object(&score->counters));
    if (score->verdict == BENCH_VERIFIED && score->seconds.median > 0) {
        add_figures(object, result, score);
    }
    return object;
}

static json_t *bus_object(const struct bench_links *bus)
{
    return bus->gpus == 0
               ? json_null()
               : json_pack("{s:I, s:f, s:f, s:f}", "gpus", (json_int_t)bus->gpus, "up_seconds",
                           bus->up, "down_seconds", bus->down, "both_seconds", bus->both);
}

static json_t *result_object(const struct bench_result *result)
{
    const struct bench_case *shape = &result->shape;
    const struct bench_score *best = bench_result_best_peer(result);
    bool on_gpus = shape->on_device || shape->spread;
    char type[16] = "?";
    (void)consort_type_name(shape->type, type, sizeof type);
    json_t *scores = json_array();
    for (size_t i = 0; i < result->score_count; i++) {
        json_array_append_new(scores, score_object(result, &result->scores[i]));
    }
    json_t *object = json_pack(
        "{s:s, s:s, s:I, s:I, s:s, s:I, s:I, s:b, s:I, s:I}", "operation",
        bench_operation_name(shape->operation), "type", type, "key_bytes",
        (json_int_t)consort_type_size(shape->type), "value_bytes", (json_int_t)shape->value_bytes,
        "distribution", shape->distribution->name, "count", (json_int_t)shape->count, "threads",
        (json_int_t)shape->threads, "pinned", result->pinned, "batch", (json_int_t)result->batch,
        "traffic_bytes", (json_int_t)bench_case_traffic(shape));
    json_object_set_new(object, "device",
                        json_string(shape->every_gpu  ? "gpus"
                                    : shape->gpu >= 0 ? "gpu"
                                                      : "cpu"));
    json_object_set_new(object, "memory",
                        json_string(on_gpus         ? "device"
                                    : shape->pinned ? "pinned"
                                                    : "host"));
    json_object_set_new(object, "form",
                        on_gpus ? json_null()
                                : json_string(shape->separate ? "separate" : "in place"));
    json_object_set_new(object, "gpus", unsigned_integer(shape->gpus));
    json_object_set_new(object, "exchange_bytes_per_second",
                        result->exchange > 0 ? json_real(result->exchange) : json_null());
    json_object_set_new(object, "k", unsigned_integer(shape->k));
    json_object_set_new(object, "segment", unsigned_integer(shape->segment));
    json_object_set_new(object, "lengths", json_string(bench_lengths_name(shape->lengths)));
    json_object_set_new(object, "record_bytes", unsigned_integer(shape->record_bytes));
    json_object_set_new(object, "ceiling_bytes", unsigned_integer(result->ceiling_bytes));
    json_object_set_new(object, "ceiling_bytes_per_second", json_real(result->ceiling));
    json_object_set_new(object, "bus", bus_object(&result->bus));
    json_object_set_new(object, "best_peer", best != NULL ? json_string(best->name) : json_null());
    json_object_set_new(object, "scores", scores);
    return object;
}

static json_t *results_array(const struct bench_results *results)
{
    json_t *array = json_array();
    for (size_t i = 0; i < results->count; i++) {
        json_array_append_new(array, result_object(&results->items[i]));
    }
    return array;
}

static json_t *targets_array(const char *suite_name, const struct bench_results *results)
{
    json_t *array = json_array();
    const struct bench_suite *suite = suite_name != NULL ? bench_suite_find(suite_name) : NULL;
    struct bench_target target;
    for (size_t i = 0; suite != NULL && bench_targets_at(suite, results, i, &target); i++) {
        char label[BENCH_LABEL];
        double ratio = bench_targets_ratio(&target, results);
        bench_targets_label(&target, label);
        json_array_append_new(array,
                              json_pack("{s:s, s:f, s:f, s:s}", "target", label, "required_ratio",
                                        target.ratio, "measured_ratio", ratio, "verdict",
                                        bench_targets_verdict(&target, ratio)));
    }
    return array;
}

/* Does the absolute path `file`, or NULL, stand in the word? */
static bool holds(const char *word, const char *file)
{
    return file != NULL && file[0] == '/' && file >= word && file <= word + strlen(word);
}

/* The command line; of files and folders by absolute path the name alone: results are published,
 * and folders say more about a machine than anybody asked for. Paths point into words, or are
 * NULL. */
static json_t *words_array(const char *const *command, const struct bench_settings *settings)
{
    json_t *words = json_array();
    for (; *command != NULL; command++) {
        const char *word = *command;
        const char *file = holds(word, settings->json)   ? settings->json
                           : holds(word, settings->plot) ? settings->plot
                                                         : NULL;
        json_array_append_new(words, file != NULL ? json_sprintf("%.*s%s", (int)(file - word), word,
                                                                 strrchr(file, '/') + 1)
                                                  : json_string(word));
    }
    return words;
}

/* Null without a study. Claims that were not measured have no number. */
static json_t *study_object(const char *name, const struct bench_results *results)
{
    const struct bench_study *study = name != NULL ? bench_study_find(name) : NULL;
    if (study == NULL) {
        return json_null();
    }
    json_t *claims = json_array();
    for (size_t i = 0; i < study->claim_count; i++) {
        const struct bench_claim *claim = &study->claims[i];
        double measured;
        bool known = bench_study_measured(claim, results, &measured);
        json_array_append_new(claims,
                              json_pack("{s:s, s:s, s:s, s:o}", "claim", claim->label, "paper",
                                        claim->paper, "unit", bench_study_unit(claim->kind),
                                        "measured", known ? json_real(measured) : json_null()));
    }
    return json_pack("{s:s, s:s, s:s, s:o}", "name", study->suite.name, "summary",
                     study->suite.summary, "source", study->source, "claims", claims);
}

static json_t *document(const struct bench_run *run, const struct bench_settings *settings,
                        const char *const *command)
{
    char date[32] = "";
    time_t now = time(NULL);
    struct tm utc;
    if (gmtime_r(&now, &utc) != NULL) {
        strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%SZ", &utc);
    }
    json_t *words = words_array(command, settings);
    json_t *object =
        json_pack("{s:s, s:i, s:s, s:s, s:s?, s:I, s:o}", "format", "consort-bench",
                  "format_version", 1, "date", date, "commit", bench_commit(), "suite",
                  settings->suite, "seed", (json_int_t)settings->seed, "command", words);
    json_object_set_new(object, "huge_pages", json_boolean(settings->huge_pages));
    json_object_set_new(object, "machine", machine_object());
    json_object_set_new(object, "gpu", gpu_object(&run->arrays.gpu));
    json_object_set_new(object, "library", json_string(consort_version_string()));
    json_object_set_new(object, "build", build_object());
    json_object_set_new(object, "peers", peers_array(&run->plugins));
    json_object_set_new(object, "results", results_array(&run->results));
    json_object_set_new(object, "study", study_object(settings->study, &run->results));
    json_object_set_new(object, "targets", targets_array(settings->suite, &run->results));
    return object;
}

bool bench_json_write(const struct bench_run *run, const struct bench_settings *settings,
                      const char *path, const char *const *command, struct problem *problem)
{
    const size_t flags = JSON_INDENT(1) | JSON_REAL_PRECISION(9);
    json_t *root = document(run, settings, command);
    bool to_stdout = strcmp(path, "-") == 0;
    FILE *file = root == NULL ? NULL : to_stdout ? stdout : fopen(path, "w");
    if (file == NULL) {
        json_decref(root);
        return problem_system(problem, errno, "%.500s", path);
    }
    bool good = json_dumpf(root, file, flags) == 0 && fputc('\n', file) != EOF;
    good = (to_stdout ? fflush(file) : fclose(file)) == 0 && good;
    json_decref(root);
    return good || problem_system(problem, errno, "%.500s: could not write", path);
}
