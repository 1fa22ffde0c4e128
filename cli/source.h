/* SPDX-License-Identifier: Apache-2.0 */
/* Inputs: files, pipes, standard input. */
#ifndef CONSORT_CLI_SOURCE_H
#define CONSORT_CLI_SOURCE_H

#include <stdbool.h>
#include <stdint.h>

#include "problem.h"
#include "region.h"

struct source {
    const char *path; /* for messages */
    int descriptor;
    bool sized;        /* a regular file: position and left are known */
    uint64_t position; /* where the unread part begins */
    uint64_t left;     /* bytes from there to the end */
};

struct source_list {
    struct source *sources;
    uint32_t count;
};

/* Opens all; "-" is standard input. Messages begin with the path. */
bool source_open_all(struct source_list *list, char **paths, uint32_t count,
                     struct problem *problem);
void source_close_all(struct source_list *list);

/* Reads exactly `bytes`, fewer only at the end; *got says how many. For headers. */
bool source_read(struct source *source, void *to, uint64_t bytes, uint64_t *got,
                 struct problem *problem);

/* Appends all that is left to `region`, which holds *used bytes and grows. At most `limit` bytes in
 * all (--memory): one more is an error. */
bool source_read_rest(struct source *source, struct region *region, uint64_t *used, uint64_t limit,
                      unsigned threads, struct problem *problem);

#endif
