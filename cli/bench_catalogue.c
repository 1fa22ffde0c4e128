/* SPDX-License-Identifier: Apache-2.0 */
/* Prints types, distributions, operations, algorithms, peers and suites. */
#include "bench_catalogue.h"

#include <stdio.h>

#include "bench_case.h"
#include "bench_study.h"

static void print_distributions(const char *title, const struct distribution *list, size_t count)
{
    printf("\n%s\n", title);
    for (size_t i = 0; i < count; i++) {
        printf("  %-16s %s\n", list[i].name, list[i].description);
    }
}

static void print_algorithms(void)
{
    printf("\nalgorithms (--algorithm)\n");
    for (uint32_t i = 0; i < consort_algorithm_count(); i++) {
        consort_algorithm_info info;
        consort_algorithm_info_init(&info);
        if (consort_algorithm_get_info(i, &info) == CONSORT_OK) {
            printf("  %-16s %s, %s: %s\n", info.name, consort_operation_name(info.operation),
                   consort_engine_name(info.engine), info.summary);
        }
    }
}

static void print_peers(const struct bench_plugins *plugins)
{
    printf("\npeers (--peers)\n");
    for (uint32_t i = 0; i < plugins->count; i++) {
        const struct peer *peer = plugins->peers[i];
        if (peer->unavailable != NULL) {
            printf("  %-26s missing: %s\n", peer->name, peer->unavailable);
        } else {
            printf("  %-26s %s%s%s%s\n", peer->name, peer->description,
                   peer->stable ? ", stable" : "", peer->parallel ? ", parallel" : "",
                   peer->memory != PEER_HOST ? ", GPU" : "");
        }
    }
    if (plugins->problem.text[0] != '\0') {
        printf("  %s\n", plugins->problem.text);
    }
    if (plugins->device_problem.text[0] != '\0') {
        printf("  %s\n", plugins->device_problem.text);
    }
}

void bench_catalogue_print(const struct bench_plugins *plugins)
{
    size_t count;
    const struct distribution *list;
    printf("types (-t)\n"
           "  u8 u16 u32 u64 u128 i8 i16 i32 i64 i128 f16 bf16 f32 f64 bytes:1 ... bytes:255\n");
    list = distribution_list(&count);
    print_distributions("distributions (-d, all)", list, count);
    list = distribution_adversaries(&count);
    print_distributions("made against our own sorts (-d, adversarial)", list, count);
    printf("\noperations (--operation)\n ");
    for (int i = 0; i < BENCH_OPERATION_COUNT; i++) {
        printf(" %s", bench_operation_name((enum bench_operation)i));
    }
    printf("\n");
    print_algorithms();
    print_peers(plugins);
    printf("\nsuites (--suite)\n");
    for (size_t i = 0; bench_suite_at(i) != NULL; i++) {
        printf("  %-16s %s\n", bench_suite_at(i)->name, bench_suite_at(i)->summary);
    }
    printf("\nstudies (--study)\n");
    for (size_t i = 0; bench_study_at(i) != NULL; i++) {
        const struct bench_suite *suite = &bench_study_at(i)->suite;
        printf("  %-16s %s\n", suite->name, suite->summary);
    }
}
