/* SPDX-License-Identifier: Apache-2.0 */
/* From "block=64,128" to the combinations of all parameters' values. */
#include "bench_parameters.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool parse_values(const char *text, struct bench_parameter *parameter,
                         struct problem *problem)
{
    parameter->value_count = 0;
    for (const char *rest = text;; rest++) {
        char *end;
        long long value = strtoll(rest, &end, 10);
        if (end == rest || (*end != ',' && *end != '\0')) {
            return problem_set(problem, "\"%.40s\": %s is a whole number, or several with commas",
                               text, parameter->name);
        }
        if (parameter->value_count == BENCH_PARAMETER_VALUES) {
            return problem_set(problem, "more than %d values of %s", BENCH_PARAMETER_VALUES,
                               parameter->name);
        }
        parameter->values[parameter->value_count++] = value;
        rest = end;
        if (*end == '\0') {
            return true;
        }
    }
}

bool bench_parameters_parse(const char *text, struct bench_parameters *parameters,
                            struct problem *problem)
{
    size_t length = strcspn(text, "=");
    if (text[length] == '\0' || length == 0 || length >= BENCH_NUMBER_NAME) {
        return problem_set(problem, "\"%.60s\" is not NAME=VALUE", text);
    }
    size_t place = 0;
    while (place < parameters->count &&
           (strlen(parameters->items[place].name) != length ||
            memcmp(parameters->items[place].name, text, length) != 0)) {
        place++;
    }
    if (place == BENCH_PARAMETERS) {
        return problem_set(problem, "more than %d parameters", BENCH_PARAMETERS);
    }
    struct bench_parameter *parameter = &parameters->items[place];
    memcpy(parameter->name, text, length);
    parameter->name[length] = '\0';
    parameters->count += place == parameters->count;
    return parse_values(text + length + 1, parameter, problem);
}

static bool find_algorithm(const char *name, int32_t engine, int32_t operation,
                           consort_algorithm_info *info)
{
    for (uint32_t i = 0; i < consort_algorithm_count(); i++) {
        consort_algorithm_info_init(info);
        if (consort_algorithm_get_info(i, info) == CONSORT_OK && info->engine == engine &&
            info->operation == operation && strcmp(info->name, name) == 0) {
            return true;
        }
    }
    return false;
}

static bool check_values(const struct bench_parameter *parameter,
                         const consort_algorithm_info *info, struct problem *problem)
{
    uint32_t at = 0;
    while (at < info->parameter_count && strcmp(info->parameters[at].name, parameter->name) != 0) {
        at++;
    }
    if (at == info->parameter_count) {
        return problem_set(problem, "%s has no parameter \"%s\"; `consort info` lists them",
                           info->name, parameter->name);
    }
    const consort_parameter_info *known = &info->parameters[at];
    for (size_t i = 0; i < parameter->value_count; i++) {
        if (parameter->values[i] < known->minimum || parameter->values[i] > known->maximum) {
            return problem_set(problem, "%s of %s is %" PRId64 " to %" PRId64 ", not %" PRId64,
                               known->name, info->name, known->minimum, known->maximum,
                               parameter->values[i]);
        }
    }
    return true;
}

bool bench_parameters_check(const struct bench_parameters *parameters, const char *algorithm,
                            int32_t engine, int32_t operation, struct problem *problem)
{
    consort_algorithm_info info;
    if (strcmp(algorithm, "auto") == 0 || strcmp(algorithm, "all") == 0) {
        return problem_set(problem, "parameters belong to an algorithm: name it by --algorithm");
    }
    if (!find_algorithm(algorithm, engine, operation, &info)) {
        return problem_set(problem, "the engine %s has no algorithm \"%s\" for %s",
                           consort_engine_name(engine), algorithm,
                           consort_operation_name(operation));
    }
    for (size_t i = 0; i < parameters->count; i++) {
        if (!check_values(&parameters->items[i], &info, problem)) {
            return false;
        }
    }
    return true;
}

size_t bench_parameters_variants(const struct bench_parameters *parameters)
{
    size_t product = 1;
    for (size_t i = 0; i < parameters->count; i++) {
        product *= parameters->items[i].value_count;
    }
    return product;
}

void bench_parameters_variant(const struct bench_parameters *parameters, size_t index,
                              struct bench_number_list *variant)
{
    variant->count = (uint32_t)parameters->count;
    for (size_t i = parameters->count; i-- > 0;) {
        const struct bench_parameter *parameter = &parameters->items[i];
        struct bench_number *number = &variant->items[i];
        snprintf(number->name, sizeof number->name, "%s", parameter->name);
        number->value = parameter->values[index % parameter->value_count];
        index /= parameter->value_count;
    }
}
