/* SPDX-License-Identifier: Apache-2.0 */
/* Work cut into numbered blocks that several threads take from a common counter. */
#include "parallel.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>

struct parallel_work {
    _Atomic uint64_t next;
    _Atomic unsigned workers;
    atomic_bool failed;
    uint64_t count;
    parallel_block run;
    void *context;
};

static void *parallel_worker(void *argument)
{
    struct parallel_work *work = argument;
    unsigned worker = atomic_fetch_add(&work->workers, 1);
    while (!atomic_load_explicit(&work->failed, memory_order_relaxed)) {
        uint64_t block = atomic_fetch_add_explicit(&work->next, 1, memory_order_relaxed);
        if (block >= work->count)
            break;
        if (!work->run(work->context, block, worker))
            atomic_store(&work->failed, true);
    }
    return NULL;
}

bool parallel_run(uint64_t count, unsigned threads, parallel_block run, void *context)
{
    struct parallel_work work = {.count = count, .run = run, .context = context};
    pthread_t helpers[PARALLEL_MAXIMUM];
    unsigned started = 0;
    sigset_t all;
    sigset_t before;
    if (threads > PARALLEL_MAXIMUM)
        threads = PARALLEL_MAXIMUM;
    if (threads > count)
        threads = (unsigned)count;
    /* Signals go to the main thread, whose blocking reads they must wake. */
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    while (started + 1 < threads &&
           pthread_create(&helpers[started], NULL, parallel_worker, &work) == 0)
        started++;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    parallel_worker(&work);
    for (unsigned i = 0; i < started; i++)
        pthread_join(helpers[i], NULL);
    return !atomic_load(&work.failed);
}

unsigned parallel_processors(void)
{
    cpu_set_t set;
    int count = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
    return count > PARALLEL_MAXIMUM ? PARALLEL_MAXIMUM : count > 0 ? (unsigned)count : 1;
}
