/* SPDX-License-Identifier: Apache-2.0 */
/* What the library is asked to do with a dataset, within the memory there is. */
#ifndef CONSORT_CLI_JOB_H
#define CONSORT_CLI_JOB_H

#include "dataset.h"

/* A device that is not there is found before anything is read. */
bool job_check_device(const struct settings *settings, struct problem *problem);

/* Whether the planner would sort `count` such items on the CPU. Asking costs next to nothing: a GPU
 * that it starts and the kernels that it loads stay for the plan that uses them. */
bool job_is_for_cpu(const struct dataset *dataset, const struct settings *settings, uint64_t count);

/* Sorts the items in place, every line of the shape by itself; text lines go with their keys.
 * Records and long strings stay where they are, if there is memory for a list of their order. */
bool job_sort(struct dataset *dataset, const struct settings *settings, struct problem *problem);

/* The first item that stands before its predecessor in the order: *line is the line of the shape
 * and *place the position in it; *place = dataset->length if all are sorted. */
bool job_check(struct dataset *dataset, const struct settings *settings, uint64_t *line,
               uint64_t *place, struct problem *problem);

#endif
