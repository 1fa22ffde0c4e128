/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Watches a long run and stops it. A cancelled run is an error like any other; with separate places
 * for input and output the input is still what it was.
 */
#include <consort.h>
#include <stdio.h>
#include <stdlib.h>

enum {
    COUNT = 1 << 20
};

struct watch {
    int patient; /* 0: give up at the first report */
    int reports;
};

static int32_t watch_progress(void *context, uint64_t done, uint64_t total)
{
    struct watch *watch = context;
    watch->reports++;
    (void)done, (void)total;
    return !watch->patient;
}

static consort_status watched_sort(const uint32_t *in, uint32_t *out, struct watch *watch)
{
    consort_descriptor descriptor;
    consort_descriptor_init(&descriptor);
    descriptor.operation = CONSORT_OPERATION_SORT;
    descriptor.type = CONSORT_U32;
    descriptor.maximum_count = COUNT;
    consort_plan *plan = NULL;
    consort_status status = consort_plan_create(&descriptor, &plan);
    if (status != CONSORT_OK)
        return status;

    consort_arguments arguments;
    consort_arguments_init(&arguments);
    arguments.in = in;
    arguments.out = out;
    arguments.count = COUNT;
    arguments.progress = watch_progress;
    arguments.progress_context = watch;
    status = consort_plan_run(plan, &arguments, NULL, 0, NULL);
    consort_plan_destroy(plan);
    return status;
}

int main(void)
{
    uint32_t *in = malloc(COUNT * sizeof *in);
    uint32_t *out = malloc(COUNT * sizeof *out);
    if (!in || !out)
        return 1;
    for (uint32_t i = 0; i < COUNT; i++)
        in[i] = i * 2654435761u;

    struct watch patient = {.patient = 1};
    consort_status status = watched_sort(in, out, &patient);
    printf("patient:   %s, %s\n", consort_status_name(status),
           patient.reports > 0 ? "progress was reported" : "no progress was reported");

    struct watch impatient = {.patient = 0};
    status = watched_sort(in, out, &impatient);
    printf("impatient: %s, the input is %s\n", consort_status_name(status),
           consort_last_error()->input_whole ? "whole" : "damaged");
    free(in);
    free(out);
    return 0;
}
