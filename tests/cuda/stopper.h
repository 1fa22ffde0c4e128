/* SPDX-License-Identifier: Apache-2.0 */
/* Another thread that cancels a run some time after it began. */
#ifndef CONSORT_TESTS_STOPPER_H
#define CONSORT_TESTS_STOPPER_H

#include <pthread.h>

#include "consort.h"

struct stopper {
    volatile int32_t stop;
    long microseconds;
    pthread_t thread;
};

/* Sets the arguments' cancel; after 0 microseconds it is set at once. */
void stopper_start(struct stopper *stopper, long microseconds, consort_arguments *arguments);
void stopper_end(struct stopper *stopper);

#endif
