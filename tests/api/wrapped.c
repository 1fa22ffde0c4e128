/* SPDX-License-Identifier: Apache-2.0 */
/* System functions made to fail. */
#include "api/wrapped.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

static _Atomic uint64_t allocations, allocation_to_fail, threads, thread_to_fail;
static atomic_int fail_once;

void wrapped_fail_allocation(uint64_t nth, int once)
{
    atomic_store(&allocations, 0);
    atomic_store(&fail_once, once);
    atomic_store(&allocation_to_fail, nth);
}

uint64_t wrapped_allocations(void)
{
    return atomic_load(&allocations);
}

void wrapped_fail_thread(uint64_t nth)
{
    atomic_store(&threads, 0);
    atomic_store(&thread_to_fail, nth);
}

static int wrapped_fails_now(void)
{
    uint64_t now = atomic_fetch_add(&allocations, 1) + 1, nth = atomic_load(&allocation_to_fail);
    return nth != 0 && (now == nth || (now > nth && !atomic_load(&fail_once)));
}

void *__real_malloc(size_t bytes);
void *__wrap_malloc(size_t bytes);
void *__wrap_malloc(size_t bytes)
{
    return wrapped_fails_now() ? NULL : __real_malloc(bytes);
}

void *__real_calloc(size_t count, size_t bytes);
void *__wrap_calloc(size_t count, size_t bytes);
void *__wrap_calloc(size_t count, size_t bytes)
{
    return wrapped_fails_now() ? NULL : __real_calloc(count, bytes);
}

void *__real_realloc(void *memory, size_t bytes);
void *__wrap_realloc(void *memory, size_t bytes);
void *__wrap_realloc(void *memory, size_t bytes)
{
    return wrapped_fails_now() ? NULL : __real_realloc(memory, bytes);
}

void *__real_aligned_alloc(size_t alignment, size_t bytes);
void *__wrap_aligned_alloc(size_t alignment, size_t bytes);
void *__wrap_aligned_alloc(size_t alignment, size_t bytes)
{
    return wrapped_fails_now() ? NULL : __real_aligned_alloc(alignment, bytes);
}

int __real_posix_memalign(void **memory, size_t alignment, size_t bytes);
int __wrap_posix_memalign(void **memory, size_t alignment, size_t bytes);
int __wrap_posix_memalign(void **memory, size_t alignment, size_t bytes)
{
    return wrapped_fails_now() ? ENOMEM : __real_posix_memalign(memory, alignment, bytes);
}

char *__real_strdup(const char *text);
char *__wrap_strdup(const char *text);
char *__wrap_strdup(const char *text)
{
    return wrapped_fails_now() ? NULL : __real_strdup(text);
}

int __real_pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
                          void *(*function)(void *), void *argument);
int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
                          void *(*function)(void *), void *argument);
int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
                          void *(*function)(void *), void *argument)
{
    uint64_t nth = atomic_load(&thread_to_fail);
    if (nth != 0 && atomic_fetch_add(&threads, 1) + 1 >= nth)
        return EAGAIN;
    return __real_pthread_create(thread, attributes, function, argument);
}
