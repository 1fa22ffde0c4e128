/* SPDX-License-Identifier: Apache-2.0 */
/* Contexts: worker threads and host memory that runs share. */
#ifndef CONSORT_CORE_CONTEXT_H
#define CONSORT_CORE_CONTEXT_H

#include "consort.h"

struct staging_store;
struct team_pool;

struct consort_context {
    consort_context_options options;
    uint32_t threads;
    struct team_pool *pool;
    struct staging_store *stores; /* what the GPU engine keeps between runs on host arrays */
};

/* The process's default context, made on first use; NULL, the error recorded, if that fails. */
struct consort_context *context_default(void);

/* Memory from the context's allocator, aligned to 64 bytes; NULL, with the error recorded. */
void *context_allocate(struct consort_context *context, uint64_t bytes);
void context_release(struct consort_context *context, void *memory, uint64_t bytes);

#endif
