/* SPDX-License-Identifier: Apache-2.0 */
/* The suites that are there. */
#include "bench_suite_list.h"

#include <string.h>

static const struct bench_suite *const suites[] = {
    &bench_suite_foundation,  &bench_suite_cpu_targets, &bench_suite_quick,
    &bench_suite_gpu_quick,   &bench_suite_gpu_full,    &bench_suite_gpu_host,
    &bench_suite_gpu_fastest, &bench_suite_gpu_spread,  &bench_suite_gpu_segments,
    &bench_suite_gpu_widths,  &bench_suite_gpu_replay,  &bench_suite_gpu_adversarial,
    &bench_suite_gpu_skew,
};

const struct bench_suite *bench_suite_at(size_t index)
{
    return index < sizeof suites / sizeof suites[0] ? suites[index] : NULL;
}

const struct bench_suite *bench_suite_find(const char *name)
{
    for (size_t i = 0; bench_suite_at(i) != NULL; i++) {
        if (strcmp(suites[i]->name, name) == 0) {
            return suites[i];
        }
    }
    return NULL;
}

const char *bench_suite_choice(size_t index)
{
    const struct bench_suite *suite = bench_suite_at(index);
    return suite != NULL ? suite->name : NULL;
}
