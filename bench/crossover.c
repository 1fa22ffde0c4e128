/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Host arrays on the CPU and on the GPU, one table: from how many keys on the GPU is faster. The
 * constants of src/cuda/cuda_engine.c are fitted to it.
 *
 *   crossover [LEAST [MOST]]   powers of two, 10 to 28 if not given
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "consort.h"

enum {
    CROSSOVER_RUNS = 7,
    CROSSOVER_ENGINES = 2
};

static double crossover_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

static int crossover_compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static consort_plan *crossover_plan(consort_type type, uint64_t count, int32_t engine)
{
    consort_descriptor descriptor;
    consort_options options;
    consort_plan *plan = NULL;
    consort_descriptor_init(&descriptor);
    consort_options_init(&options);
    options.engine = engine;
    descriptor.operation = CONSORT_OPERATION_SORT;
    descriptor.type = type;
    descriptor.maximum_count = count;
    descriptor.options = &options;
    if (consort_plan_create(&descriptor, &plan) != CONSORT_OK)
        fprintf(stderr, "crossover: %s\n", consort_last_error()->message);
    return plan;
}

/* Median milliseconds of a run after one to warm up; negative if it fails. */
static double crossover_time(const consort_plan *plan, const consort_arguments *arguments)
{
    double times[CROSSOVER_RUNS];
    for (int run = -1; run < CROSSOVER_RUNS; run++) {
        double start = crossover_now();
        if (consort_plan_run(plan, arguments, NULL, 0, NULL) != CONSORT_OK) {
            fprintf(stderr, "crossover: %s\n", consort_last_error()->message);
            return -1.0;
        }
        times[run < 0 ? 0 : run] = crossover_now() - start;
    }
    qsort(times, CROSSOVER_RUNS, sizeof *times, crossover_compare);
    return times[CROSSOVER_RUNS / 2];
}

static int crossover_row(consort_type type, uint64_t count, const void *in, void *out)
{
    static const int32_t engines[CROSSOVER_ENGINES] = {CONSORT_ENGINE_CPU, CONSORT_ENGINE_CUDA};
    double times[CROSSOVER_ENGINES];
    char name[16];
    consort_arguments arguments;
    consort_arguments_init(&arguments);
    arguments.count = count;
    arguments.in = in;
    arguments.out = out;
    for (int i = 0; i < CROSSOVER_ENGINES; i++) {
        consort_plan *plan = crossover_plan(type, count, engines[i]);
        times[i] = plan ? crossover_time(plan, &arguments) : -1.0;
        consort_plan_destroy(plan);
        if (times[i] < 0.0)
            return 1;
    }
    consort_type_name(type, name, sizeof name);
    printf("%-4s %11llu %11.4f %11.4f %8.2f\n", name, (unsigned long long)count, times[0], times[1],
           times[0] / times[1]);
    return 0;
}

static uint64_t crossover_mix(uint64_t z)
{
    z = (z + 0x9e3779b97f4a7c15u) * 0xbf58476d1ce4e5b9u;
    return (z ^ z >> 29) * 0x94d049bb133111ebu;
}

int main(int count, char **words)
{
    static const consort_type types[] = {CONSORT_U32, CONSORT_U64};
    int least = count > 1 ? atoi(words[1]) : 10, most = count > 2 ? atoi(words[2]) : 28;
    if (least < 0 || most > 36 || least > most) {
        fprintf(stderr, "usage: crossover [LEAST [MOST]], powers of two\n");
        return 2;
    }
    uint64_t words64 = (uint64_t)1 << most;
    uint64_t *in = malloc(words64 * sizeof *in), *out = malloc(words64 * sizeof *out);
    int failed = !in || !out;
    for (uint64_t i = 0; !failed && i < words64; i++)
        in[i] = out[i] = crossover_mix(i);
    printf("type       count      cpu ms      gpu ms  cpu/gpu\n");
    for (size_t t = 0; t < sizeof types / sizeof *types; t++)
        for (int power = least; power <= most && !failed; power++)
            failed = crossover_row(types[t], (uint64_t)1 << power, in, out);
    free(in);
    free(out);
    return failed;
}
