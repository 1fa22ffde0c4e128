/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Thread teams: workers that wait by spinning briefly, then asleep, and the pool that lends them.
 */
#include "cpu/team.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

/* A sleeping worker takes 5–60 µs to run again (futex wake-up, x86 KVM guest, 2026-11); phases of a
 * sort follow each other faster than that. 2000 pauses are about 30–80 µs. */
enum {
    TEAM_SPINS = 2000
};

enum {
    TEAM_STACK_BYTES = 1 << 20
};

struct team_worker {
    pthread_t thread;
    struct team_worker *next; /* in the pool's list of idle workers, or in the team's list */
    struct team_pool *pool;
    _Atomic(struct team *) order; /* the team that wants this worker to run; NULL: none */
    uint32_t member;
    atomic_bool stop;
    atomic_bool asleep;
    pthread_mutex_t mutex;
    pthread_cond_t wake;
};

struct team_pool {
    pthread_mutex_t mutex;
    struct team_worker *idle;
    struct team_worker *workers;
    uint32_t started;
    uint32_t generation;
};

struct team {
    struct team_pool *pool;
    bool owns_pool;
    uint32_t size;
    uint32_t generation;
    struct team_worker *workers;
    team_function function;
    void *context;
    _Atomic uint32_t pending; /* workers that have not finished the present run */
    _Atomic uint32_t arrived; /* at the barrier */
    _Atomic uint32_t phase;   /* barriers passed */
    _Atomic uint32_t sleepers;
    pthread_mutex_t mutex;
    pthread_cond_t wake;
};

/* Counts forks seen from the child's side: a pool of another generation has no threads. */
static _Atomic uint32_t team_generation;
static pthread_once_t team_fork_once = PTHREAD_ONCE_INIT;

static void team_after_fork(void)
{
    atomic_fetch_add(&team_generation, 1);
}

static void team_watch_forks(void)
{
    (void)pthread_atfork(NULL, NULL, team_after_fork);
}

static void team_pause(void)
{
#if defined(__x86_64__)
    _mm_pause();
#endif
}

/* Wakes those who sleep on the team's condition. A sleeper announces itself before it looks at its
 * condition a last time, so a change made before this call is never missed. */
static void team_signal(struct team *team)
{
    if (atomic_load(&team->sleepers) == 0)
        return;
    pthread_mutex_lock(&team->mutex);
    pthread_cond_broadcast(&team->wake);
    pthread_mutex_unlock(&team->mutex);
}

/* Waits until *word == value, or, for `until_changed`, until *word != value. */
static void team_wait(struct team *team, _Atomic uint32_t *word, uint32_t value, bool until_changed)
{
    for (uint32_t spin = 0; spin < TEAM_SPINS; spin++) {
        if ((atomic_load_explicit(word, memory_order_acquire) == value) != until_changed)
            return;
        team_pause();
    }
    pthread_mutex_lock(&team->mutex);
    atomic_fetch_add(&team->sleepers, 1);
    while ((atomic_load(word) == value) == until_changed)
        pthread_cond_wait(&team->wake, &team->mutex);
    atomic_fetch_sub(&team->sleepers, 1);
    pthread_mutex_unlock(&team->mutex);
}

static struct team *team_worker_spin(struct team_worker *worker)
{
    for (uint32_t spin = 0; spin < TEAM_SPINS; spin++) {
        struct team *team = atomic_load_explicit(&worker->order, memory_order_acquire);
        if (team || atomic_load_explicit(&worker->stop, memory_order_relaxed))
            return team;
        team_pause();
    }
    return NULL;
}

/* The next team to work for; NULL: the pool is closing. */
static struct team *team_worker_wait(struct team_worker *worker)
{
    struct team *team = team_worker_spin(worker);
    if (team)
        return team;
    pthread_mutex_lock(&worker->mutex);
    atomic_store(&worker->asleep, true);
    while (!(team = atomic_load(&worker->order)) && !atomic_load(&worker->stop))
        pthread_cond_wait(&worker->wake, &worker->mutex);
    atomic_store(&worker->asleep, false);
    pthread_mutex_unlock(&worker->mutex);
    return team;
}

static void team_worker_wake(struct team_worker *worker)
{
    if (!atomic_load(&worker->asleep))
        return;
    pthread_mutex_lock(&worker->mutex);
    pthread_cond_signal(&worker->wake);
    pthread_mutex_unlock(&worker->mutex);
}

/* The last touch of the team by a worker must not race with team_return: the caller waits for
 * `pending` to fall to 0 and for nobody to be inside team_finish (the lock). */
static void team_finish(struct team *team)
{
    pthread_mutex_lock(&team->mutex);
    if (atomic_fetch_sub(&team->pending, 1) == 1 && atomic_load(&team->sleepers) != 0)
        pthread_cond_broadcast(&team->wake);
    pthread_mutex_unlock(&team->mutex);
}

static void *team_worker_main(void *argument)
{
    struct team_worker *worker = argument;
    for (;;) {
        struct team *team = team_worker_wait(worker);
        if (!team)
            return NULL;
        atomic_store_explicit(&worker->order, NULL, memory_order_relaxed);
        team->function(team->context, worker->member, team->size);
        team_finish(team);
    }
}

static bool team_worker_start(struct team_worker *worker, struct team_pool *pool)
{
    worker->pool = pool;
    if (pthread_mutex_init(&worker->mutex, NULL) != 0)
        return false;
    if (pthread_cond_init(&worker->wake, NULL) != 0)
        goto no_condition;
    pthread_attr_t attributes;
    if (pthread_attr_init(&attributes) != 0)
        goto no_thread;
    (void)pthread_attr_setstacksize(&attributes, TEAM_STACK_BYTES);
    int failed = pthread_create(&worker->thread, &attributes, team_worker_main, worker);
    pthread_attr_destroy(&attributes);
    if (!failed)
        return true;
no_thread:
    pthread_cond_destroy(&worker->wake);
no_condition:
    pthread_mutex_destroy(&worker->mutex);
    return false;
}

struct team_pool *team_pool_create(uint32_t threads)
{
    pthread_once(&team_fork_once, team_watch_forks);
    struct team_pool *pool = calloc(1, sizeof *pool);
    if (!pool)
        return NULL;
    if (pthread_mutex_init(&pool->mutex, NULL) != 0) {
        free(pool);
        return NULL;
    }
    pool->generation = atomic_load(&team_generation);
    if (threads > 1)
        pool->workers = calloc(threads - 1, sizeof *pool->workers);
    while (pool->workers && pool->started + 1 < threads &&
           team_worker_start(&pool->workers[pool->started], pool)) {
        pool->workers[pool->started].next = pool->idle;
        pool->idle = &pool->workers[pool->started];
        pool->started++;
    }
    return pool;
}

void team_pool_destroy(struct team_pool *pool)
{
    if (!pool)
        return;
    bool here = pool->generation == atomic_load(&team_generation);
    for (uint32_t i = 0; here && i < pool->started; i++) {
        struct team_worker *worker = &pool->workers[i];
        pthread_mutex_lock(&worker->mutex);
        atomic_store(&worker->stop, true);
        pthread_cond_signal(&worker->wake);
        pthread_mutex_unlock(&worker->mutex);
    }
    for (uint32_t i = 0; here && i < pool->started; i++) {
        pthread_join(pool->workers[i].thread, NULL);
        pthread_cond_destroy(&pool->workers[i].wake);
        pthread_mutex_destroy(&pool->workers[i].mutex);
    }
    if (here)
        pthread_mutex_destroy(&pool->mutex);
    free(pool->workers);
    free(pool);
}

uint32_t team_pool_threads(const struct team_pool *pool)
{
    if (!pool || pool->generation != atomic_load(&team_generation))
        return 1;
    return pool->started + 1;
}

static void team_take_workers(struct team *team, struct team_pool *pool, uint32_t wanted)
{
    pthread_mutex_lock(&pool->mutex);
    while (team->size < wanted && pool->idle) {
        struct team_worker *worker = pool->idle;
        pool->idle = worker->next;
        worker->member = team->size++;
        worker->next = team->workers;
        team->workers = worker;
    }
    pthread_mutex_unlock(&pool->mutex);
}

struct team *team_borrow(struct team_pool *pool, uint32_t wanted)
{
    struct team *team = calloc(1, sizeof *team);
    if (!team)
        return NULL;
    team->pool = pool;
    team->size = 1;
    team->generation = atomic_load(&team_generation);
    if (wanted <= 1 || team_pool_threads(pool) == 1)
        return team;
    if (pthread_mutex_init(&team->mutex, NULL) != 0)
        return team;
    if (pthread_cond_init(&team->wake, NULL) != 0) {
        pthread_mutex_destroy(&team->mutex);
        return team;
    }
    team_take_workers(team, pool, wanted);
    if (team->size == 1) {
        pthread_cond_destroy(&team->wake);
        pthread_mutex_destroy(&team->mutex);
    }
    return team;
}

void team_return(struct team *team)
{
    if (!team)
        return;
    if (team->size > 1 && team->generation == atomic_load(&team_generation)) {
        pthread_mutex_lock(&team->pool->mutex);
        while (team->workers) {
            struct team_worker *worker = team->workers;
            team->workers = worker->next;
            worker->next = team->pool->idle;
            team->pool->idle = worker;
        }
        pthread_mutex_unlock(&team->pool->mutex);
        pthread_cond_destroy(&team->wake);
        pthread_mutex_destroy(&team->mutex);
    }
    free(team);
}

struct team *team_create(uint32_t size)
{
    struct team_pool *pool = size > 1 ? team_pool_create(size) : NULL;
    struct team *team = team_borrow(pool, size);
    if (!team) {
        team_pool_destroy(pool);
        return NULL;
    }
    team->owns_pool = true;
    return team;
}

void team_destroy(struct team *team)
{
    if (!team)
        return;
    struct team_pool *pool = team->owns_pool ? team->pool : NULL;
    team_return(team);
    team_pool_destroy(pool);
}

uint32_t team_size(const struct team *team)
{
    return team->generation == atomic_load(&team_generation) ? team->size : 1;
}

void team_run(struct team *team, team_function function, void *context)
{
    uint32_t size = team_size(team);
    if (size == 1) {
        function(context, 0, 1);
        return;
    }
    team->function = function;
    team->context = context;
    atomic_store(&team->pending, size - 1);
    for (struct team_worker *worker = team->workers; worker; worker = worker->next) {
        atomic_store(&worker->order, team);
        team_worker_wake(worker);
    }
    function(context, 0, size);
    team_wait(team, &team->pending, 0, false);
    /* The last worker may still hold the lock it finished under. */
    pthread_mutex_lock(&team->mutex);
    pthread_mutex_unlock(&team->mutex);
}

void team_barrier(struct team *team)
{
    uint32_t size = team_size(team);
    if (size == 1)
        return;
    uint32_t phase = atomic_load(&team->phase);
    if (atomic_fetch_add(&team->arrived, 1) + 1 == size) {
        atomic_store(&team->arrived, 0);
        atomic_fetch_add(&team->phase, 1);
        team_signal(team);
        return;
    }
    team_wait(team, &team->phase, phase, true);
}
