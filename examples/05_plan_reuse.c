/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Plans once, runs many times: a context with two threads, a plan for up to 100 000 keys, and one
 * workspace that every run uses. Nothing is allocated inside consort_plan_run.
 */
#include <consort.h>
#include <stdio.h>
#include <stdlib.h>

enum {
    MAXIMUM = 100000
};

static uint64_t keys[MAXIMUM];

/* Any numbers will do: a linear congruential generator (Knuth's MMIX constants). */
static void fill(uint64_t count, uint64_t seed)
{
    for (uint64_t i = 0; i < count; i++) {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        keys[i] = seed;
    }
}

static consort_status run_all(const consort_plan *plan, void *workspace)
{
    consort_arguments arguments;
    consort_arguments_init(&arguments);
    arguments.in = keys;
    arguments.out = keys;
    for (uint64_t count = 100; count <= MAXIMUM; count *= 10) {
        fill(count, count);
        arguments.count = count;
        consort_status status =
            consort_plan_run(plan, &arguments, workspace, consort_plan_workspace(plan), NULL);
        uint64_t first_disorder = 0;
        if (status == CONSORT_OK)
            status = consort_is_sorted(keys, count, CONSORT_U64, NULL, &first_disorder);
        if (status != CONSORT_OK)
            return status;
        printf("%6u keys: %s\n", (unsigned)count,
               first_disorder == count ? "sorted" : "not sorted");
    }
    return CONSORT_OK;
}

int main(void)
{
    consort_context *context = NULL;
    consort_plan *plan = NULL;
    void *workspace = NULL;

    consort_context_options context_options;
    consort_context_options_init(&context_options);
    context_options.threads = 2;
    consort_status status = consort_context_create(&context_options, &context);

    consort_options options;
    consort_options_init(&options);
    options.context = context;
    consort_descriptor descriptor;
    consort_descriptor_init(&descriptor);
    descriptor.operation = CONSORT_OPERATION_SORT;
    descriptor.type = CONSORT_U64;
    descriptor.maximum_count = MAXIMUM;
    descriptor.options = &options;
    if (status == CONSORT_OK)
        status = consort_plan_create(&descriptor, &plan);

    if (status == CONSORT_OK) {
        /* Host workspaces are aligned to 64 bytes, and so is their size for aligned_alloc. */
        size_t bytes = (consort_plan_workspace(plan) + 63) / 64 * 64;
        workspace = aligned_alloc(64, bytes > 0 ? bytes : 64);
        status = workspace ? run_all(plan, workspace) : CONSORT_ERROR_MEMORY;
    }
    if (status != CONSORT_OK)
        fprintf(stderr, "%s\n", consort_status_string(status));

    free(workspace);
    consort_plan_destroy(plan);
    consort_context_destroy(context);
    return status == CONSORT_OK ? 0 : 1;
}
