/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One GPU as the benchmark uses it: a stream, the two events that are its clock, memory, and a
 * comparison of arrays. Work is queued on the one stream; what reads back waits for it.
 */
#ifndef CONSORT_CLI_BENCH_GPU_H
#define CONSORT_CLI_BENCH_GPU_H

#include <stdbool.h>
#include <stdint.h>

#include "bench_driver.h"

struct bench_gpu {
    const struct bench_driver *driver; /* NULL: not open */
    int32_t ordinal;
    int32_t present; /* how many GPUs there are */
    char name[64];
    int32_t driver_version; /* 13000 = CUDA 13.0 */
    int32_t capability;     /* 90 */
    int32_t multiprocessors;
    uint64_t memory; /* bytes */
    void *context;
    void *stream;
    void *start;
    void *stop;
    void *module;
    void *compare;   /* NULL: this build has no kernel for this GPU */
    uint64_t differ; /* a word in device memory */
    int32_t device;  /* the driver's handle */
};

/* A piece of device memory; 0 bytes: none. */
struct bench_span {
    uint64_t memory;
    uint64_t bytes;
};

/* The fatbin that the build embeds. */
extern const unsigned char bench_gpu_image[];

/* Makes GPU number `ordinal` current on this thread. */
bool bench_gpu_open(struct bench_gpu *gpu, int32_t ordinal, struct problem *problem);
void bench_gpu_close(struct bench_gpu *gpu);

/* Makes it current on this thread again. */
bool bench_gpu_enter(const struct bench_gpu *gpu, struct problem *problem);

/* At least so many bytes, at least 1; the content is lost if it grows. */
bool bench_gpu_reserve(const struct bench_gpu *gpu, struct bench_span *span, uint64_t bytes,
                       struct problem *problem);
void bench_gpu_free(const struct bench_gpu *gpu, struct bench_span *span);

bool bench_gpu_write(const struct bench_gpu *gpu, uint64_t to, const void *from, uint64_t bytes,
                     struct problem *problem);
bool bench_gpu_read(const struct bench_gpu *gpu, void *to, uint64_t from, uint64_t bytes,
                    struct problem *problem);
bool bench_gpu_copy(const struct bench_gpu *gpu, uint64_t to, uint64_t from, uint64_t bytes,
                    struct problem *problem);
bool bench_gpu_fill(const struct bench_gpu *gpu, uint64_t memory, unsigned char byte,
                    uint64_t bytes, struct problem *problem);

/* Between the two: what is measured. Stopping waits for it. */
bool bench_gpu_clock_start(const struct bench_gpu *gpu, struct problem *problem);
bool bench_gpu_clock_stop(const struct bench_gpu *gpu, double *seconds, struct problem *problem);

/* *same = are the bytes equal? Without a kernel: no. */
bool bench_gpu_compare(const struct bench_gpu *gpu, uint64_t a, uint64_t b, uint64_t bytes,
                       bool *same, struct problem *problem);

/* Bytes a second, read and written, of copies of `bytes` within the device; 0: not measurable. */
double bench_gpu_copy_rate(const struct bench_gpu *gpu, uint64_t bytes);

#endif
