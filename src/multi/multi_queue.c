/* SPDX-License-Identifier: Apache-2.0 */
/* Work that several GPUs share. */
#include "multi/multi_queue.h"

void multi_queue_begin(struct multi_queue *queue)
{
    *queue = (struct multi_queue){.mutex = PTHREAD_MUTEX_INITIALIZER,
                                  .change = PTHREAD_COND_INITIALIZER};
}

void multi_queue_end(struct multi_queue *queue)
{
    pthread_cond_destroy(&queue->change);
    pthread_mutex_destroy(&queue->mutex);
}

void multi_queue_fill(struct multi_queue *queue, uint64_t count, uint32_t takers)
{
    queue->next = queue->open = queue->finished = 0;
    queue->count = count;
    queue->takers = takers;
    queue->returned_count = 0;
}

/* With the lock held. */
static uint64_t queue_pick(struct multi_queue *queue)
{
    if (queue->stopped)
        return MULTI_QUEUE_NONE;
    if (queue->returned_count > 0)
        return queue->returned[--queue->returned_count];
    return queue->next < queue->count ? queue->next++ : MULTI_QUEUE_NONE;
}

uint64_t multi_queue_take(struct multi_queue *queue, bool patient)
{
    pthread_mutex_lock(&queue->mutex);
    uint64_t number = queue_pick(queue);
    while (number == MULTI_QUEUE_NONE && patient && queue->open > 0 && !queue->stopped) {
        pthread_cond_wait(&queue->change, &queue->mutex);
        number = queue_pick(queue);
    }
    queue->open += number != MULTI_QUEUE_NONE;
    pthread_mutex_unlock(&queue->mutex);
    return number;
}

void multi_queue_done(struct multi_queue *queue)
{
    pthread_mutex_lock(&queue->mutex);
    queue->open--;
    queue->finished++;
    pthread_cond_broadcast(&queue->change);
    pthread_mutex_unlock(&queue->mutex);
}

void multi_queue_give_back(struct multi_queue *queue, uint64_t number)
{
    pthread_mutex_lock(&queue->mutex);
    queue->returned[queue->returned_count++] = number;
    queue->open--;
    pthread_cond_broadcast(&queue->change);
    pthread_mutex_unlock(&queue->mutex);
}

void multi_queue_leave(struct multi_queue *queue)
{
    pthread_mutex_lock(&queue->mutex);
    queue->takers--;
    pthread_cond_broadcast(&queue->change);
    pthread_mutex_unlock(&queue->mutex);
}

bool multi_queue_watch(struct multi_queue *queue, uint64_t *finished)
{
    pthread_mutex_lock(&queue->mutex);
    while (queue->finished == *finished && queue->takers > 0 && !queue->stopped)
        pthread_cond_wait(&queue->change, &queue->mutex);
    *finished = queue->finished;
    bool more = queue->takers > 0 && !queue->stopped;
    pthread_mutex_unlock(&queue->mutex);
    return more;
}

void multi_queue_stop(struct multi_queue *queue)
{
    pthread_mutex_lock(&queue->mutex);
    queue->stopped = true;
    pthread_cond_broadcast(&queue->change);
    pthread_mutex_unlock(&queue->mutex);
}

bool multi_queue_is_empty(struct multi_queue *queue)
{
    return queue->next == queue->count && queue->returned_count == 0 && queue->open == 0;
}
