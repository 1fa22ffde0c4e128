/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Work for several GPUs: numbers 0 to count − 1, each taken by whoever is free. A GPU that fails
 * gives back what it had taken and not finished, and the others take that.
 */
#ifndef CONSORT_MULTI_QUEUE_H
#define CONSORT_MULTI_QUEUE_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

enum {
    MULTI_QUEUE_RETURNED = 64 /* every GPU's slots together are fewer */
};

#define MULTI_QUEUE_NONE UINT64_MAX

struct multi_queue {
    pthread_mutex_t mutex;
    pthread_cond_t change;
    uint64_t next, count;
    uint64_t open, finished; /* taken and not finished; finished */
    uint32_t takers;         /* that have not left */
    uint64_t returned[MULTI_QUEUE_RETURNED];
    uint32_t returned_count;
    bool stopped;
};

void multi_queue_begin(struct multi_queue *queue);
void multi_queue_end(struct multi_queue *queue);

/* Between two uses by workers: the numbers 0 to count − 1, for so many takers. */
void multi_queue_fill(struct multi_queue *queue, uint64_t count, uint32_t takers);

/* A number, or NONE when there is none. A patient taker waits while others may still give one back.
 */
uint64_t multi_queue_take(struct multi_queue *queue, bool patient);

void multi_queue_done(struct multi_queue *queue);
void multi_queue_give_back(struct multi_queue *queue, uint64_t number);

/* A taker will take nothing more. */
void multi_queue_leave(struct multi_queue *queue);

/* For who takes nothing: waits until others than *finished are finished, and counts them. False:
 * all takers have left, or get nothing any more. */
bool multi_queue_watch(struct multi_queue *queue, uint64_t *finished);

/* From now on nobody gets anything. */
void multi_queue_stop(struct multi_queue *queue);

/* True if everything has been done. */
bool multi_queue_is_empty(struct multi_queue *queue);

#endif
