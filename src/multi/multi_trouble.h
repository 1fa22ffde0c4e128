/* SPDX-License-Identifier: Apache-2.0 */
/* Why one GPU failed, kept by its thread for the caller's: the last error is a thread's own. */
#ifndef CONSORT_MULTI_TROUBLE_H
#define CONSORT_MULTI_TROUBLE_H

#include <stdbool.h>

#include "consort.h"

enum {
    MULTI_MESSAGE_BYTES = 512
};

struct multi_trouble {
    consort_status status; /* CONSORT_OK: none */
    int32_t driver_error;
    char message[MULTI_MESSAGE_BYTES];
};

/* Keeps the thread's last error. */
void multi_trouble_note(struct multi_trouble *trouble, consort_status status);

/* Records it as this thread's last error, of that GPU, if it is not negative. Returns its status.
 */
consort_status multi_trouble_tell(const struct multi_trouble *trouble, int32_t device);

/* True if another GPU, or the CPU, could do better: a GPU is full, gone or no use. */
bool multi_trouble_is_own(consort_status status);

#endif
