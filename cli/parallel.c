/* SPDX-License-Identifier: Apache-2.0 */
/* Work cut into numbered blocks that several threads take from a common counter. */
#include "parallel.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>

enum {
    /* Little is on it; the system's 8 MB each would count against a limit on address space. */
    PARALLEL_STACK_BYTES = 1 << 20
};

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

/* Starts up to `count` helpers; fewer where the system has no more. */
static unsigned parallel_start(pthread_t *helpers, unsigned count, struct parallel_work *work)
{
    pthread_attr_t attributes;
    unsigned started = 0;
    if (pthread_attr_init(&attributes) != 0)
        return 0;
    (void)pthread_attr_setstacksize(&attributes, PARALLEL_STACK_BYTES);
    while (started < count &&
           pthread_create(&helpers[started], &attributes, parallel_worker, work) == 0)
        started++;
    pthread_attr_destroy(&attributes);
    return started;
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
    if (threads > 1)
        started = parallel_start(helpers, threads - 1, &work);
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
