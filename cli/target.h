/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where output goes. A regular or absent file is replaced whole, and only by target_commit: until
 * then, and whatever kills us, the old one stands and nothing lies beside it. Everything else
 * (standard output, pipes, devices) is written as it comes.
 */
#ifndef CONSORT_CLI_TARGET_H
#define CONSORT_CLI_TARGET_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

#include "problem.h"

struct target {
    const char *path; /* for messages */
    int descriptor;
    bool replaces;   /* written whole elsewhere, then put in place */
    bool seekable;   /* may be written at any offset, in any order */
    bool direct;     /* O_DIRECT is on */
    uint64_t length; /* bytes appended so far */
    int folder;      /* of the real file; -1 if none */
    char name[NAME_MAX + 1];
    char temporary[NAME_MAX + 1]; /* "" while the new file has no name */
};

/* NULL or "-": standard output; `binary` output to a terminal is refused. `expected` bytes (0 =
 * unknown) are reserved, so that a full disk is found before the work begins. */
bool target_open(struct target *target, const char *path, bool binary, uint64_t expected,
                 struct problem *problem);

/* Makes what was written durable and puts it in place. */
bool target_commit(struct target *target, struct problem *problem);

/* Leaves everything as it was before target_open; also after target_commit, then without effect. */
void target_close(struct target *target);

#endif
