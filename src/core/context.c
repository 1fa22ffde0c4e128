/* SPDX-License-Identifier: Apache-2.0 */
/* Contexts: worker threads and host memory that runs share. */
#include "core/context.h"

#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "core/sized.h"
#include "core/status.h"
#include "cpu/team.h"
#include "cuda/cuda_engine.h"

enum {
    CONTEXT_ALIGNMENT = 64,
    CONTEXT_MAXIMUM_THREADS = 1024,
    CONTEXT_HUGE_PAGE = 2 << 20
};

static pthread_mutex_t context_lock = PTHREAD_MUTEX_INITIALIZER;
static struct consort_context *context_shared;

void consort_context_options_init(consort_context_options *options)
{
    if (options)
        *options = (consort_context_options){.size = sizeof *options};
}

static uint32_t context_processors(void)
{
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) == 0 && CPU_COUNT(&set) > 0)
        return (uint32_t)CPU_COUNT(&set);
    return 1;
}

static consort_status context_check(const consort_context_options *options)
{
    if (options->threads > CONTEXT_MAXIMUM_THREADS)
        return status_fail(CONSORT_ERROR_ARGUMENT, "context: %u threads, at most %d are possible",
                           options->threads, CONTEXT_MAXIMUM_THREADS);
    if (!options->allocate != !options->release)
        return status_fail(CONSORT_ERROR_ARGUMENT,
                           "context: allocate and release must be set together");
    if (options->reserved != 0)
        return status_fail(CONSORT_ERROR_ARGUMENT, "context: reserved must be 0");
    return CONSORT_OK;
}

consort_status consort_context_create(const consort_context_options *options,
                                      consort_context **context)
{
    if (!context)
        return status_fail(CONSORT_ERROR_ARGUMENT, "consort_context_create: context is NULL");
    *context = NULL;
    consort_context_options wanted;
    consort_context_options_init(&wanted);
    if (options && !sized_read(&wanted, sizeof wanted, options, "consort_context_options"))
        return CONSORT_ERROR_ARGUMENT;
    consort_status status = context_check(&wanted);
    if (status != CONSORT_OK)
        return status;
    struct consort_context *made = calloc(1, sizeof *made);
    if (!made)
        return status_fail(CONSORT_ERROR_MEMORY, "context: out of memory");
    made->options = wanted;
    made->threads = wanted.threads ? wanted.threads : context_processors();
    made->pool = team_pool_create(made->threads);
    if (!made->pool) {
        free(made);
        return status_fail(CONSORT_ERROR_MEMORY, "context: out of memory for worker threads");
    }
    *context = made;
    return CONSORT_OK;
}

void consort_context_destroy(consort_context *context)
{
    if (!context)
        return;
    cuda_engine_leave(context);
    team_pool_destroy(context->pool);
    free(context);
}

struct consort_context *context_default(void)
{
    pthread_mutex_lock(&context_lock);
    if (!context_shared)
        consort_context_create(NULL, &context_shared);
    struct consort_context *context = context_shared;
    pthread_mutex_unlock(&context_lock);
    return context;
}

/* The caller's allocator promises 16 bytes of alignment only: the distance to the aligned address
 * stands in the 8 bytes before it. */
static void *context_allocate_by_caller(const consort_context_options *options, uint64_t bytes)
{
    char *raw = options->allocate(options->allocator, bytes + CONTEXT_ALIGNMENT);
    if (!raw)
        return NULL;
    uint64_t shift = CONTEXT_ALIGNMENT - ((uintptr_t)raw & (CONTEXT_ALIGNMENT - 1));
    memcpy(raw + shift - sizeof shift, &shift, sizeof shift);
    return raw + shift;
}

/* Large buffers that are written in many places at once want few translations. */
static void *context_allocate_by_malloc(uint64_t bytes)
{
    uint64_t alignment = bytes >= 4 * CONTEXT_HUGE_PAGE ? CONTEXT_HUGE_PAGE : CONTEXT_ALIGNMENT;
    void *memory = NULL;
    if (posix_memalign(&memory, alignment, bytes) != 0)
        return NULL;
    if (alignment == CONTEXT_HUGE_PAGE)
        madvise(memory, bytes, MADV_HUGEPAGE);
    return memory;
}

void *context_allocate(struct consort_context *context, uint64_t bytes)
{
    void *memory = NULL;
    if (bytes <= (uint64_t)PTRDIFF_MAX - CONTEXT_HUGE_PAGE)
        memory = context->options.allocate ? context_allocate_by_caller(&context->options, bytes)
                                           : context_allocate_by_malloc(bytes);
    if (!memory)
        status_fail(CONSORT_ERROR_MEMORY,
                    "out of memory for %llu bytes of workspace; set workspace_limit to sort with "
                    "less",
                    (unsigned long long)bytes);
    return memory;
}

void context_release(struct consort_context *context, void *memory, uint64_t bytes)
{
    if (!memory)
        return;
    if (!context->options.release) {
        free(memory);
        return;
    }
    uint64_t shift;
    memcpy(&shift, (char *)memory - sizeof shift, sizeof shift);
    context->options.release(context->options.allocator, (char *)memory - shift,
                             bytes + CONTEXT_ALIGNMENT);
}
