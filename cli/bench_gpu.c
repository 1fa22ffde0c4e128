/* SPDX-License-Identifier: Apache-2.0 */
/* The driver's calls, each with its failure put into words. */
#include "bench_gpu.h"

#include <stdio.h>

#include "bench_statistics.h"

enum {
    ATTRIBUTE_MULTIPROCESSORS = 16,
    ATTRIBUTE_MAJOR = 75,
    ATTRIBUTE_MINOR = 76,
    COMPARE_THREADS = 256,
    COMPARE_BLOCKS = 2048,
    COPY_WARM_UPS = 2,
    COPY_ROUNDS = 9
};

#define GOOD(call) bench_driver_good(gpu->driver, gpu->driver->call, #call, problem)

static bool find_device(struct bench_gpu *gpu, struct problem *problem)
{
    int count = 0;
    if (!GOOD(device_count(&count))) {
        return false;
    }
    if (gpu->ordinal >= count) {
        return problem_set(problem, "there is no GPU %d: %d found", gpu->ordinal, count);
    }
    gpu->present = count;
    return GOOD(device_get(&gpu->device, gpu->ordinal)) &&
           GOOD(context_retain(&gpu->context, gpu->device)) && GOOD(context_set(gpu->context));
}

static bool describe(struct bench_gpu *gpu, struct problem *problem)
{
    int major = 0;
    int minor = 0;
    size_t memory = 0;
    if (!GOOD(device_name(gpu->name, sizeof gpu->name, gpu->device)) ||
        !GOOD(version(&gpu->driver_version)) ||
        !GOOD(device_attribute(&major, ATTRIBUTE_MAJOR, gpu->device)) ||
        !GOOD(device_attribute(&minor, ATTRIBUTE_MINOR, gpu->device)) ||
        !GOOD(device_attribute(&gpu->multiprocessors, ATTRIBUTE_MULTIPROCESSORS, gpu->device)) ||
        !GOOD(device_memory(&memory, gpu->device))) {
        return false;
    }
    gpu->capability = 10 * major + minor;
    gpu->memory = memory;
    return true;
}

/* Without the kernel every result is copied back: slower, but no worse. */
static void load_kernel(struct bench_gpu *gpu)
{
    const struct bench_driver *driver = gpu->driver;
    if (driver->module_load(&gpu->module, bench_gpu_image) != 0) {
        gpu->module = NULL;
    } else if (driver->module_function(&gpu->compare, gpu->module, "bench_compare") != 0) {
        gpu->compare = NULL;
    }
}

bool bench_gpu_open(struct bench_gpu *gpu, int32_t ordinal, struct problem *problem)
{
    *gpu = (struct bench_gpu){.ordinal = ordinal, .driver = bench_driver_open(problem)};
    if (gpu->driver == NULL) {
        return false;
    }
    if (!find_device(gpu, problem) || !describe(gpu, problem) ||
        !GOOD(stream_create(&gpu->stream, 0)) || !GOOD(event_create(&gpu->start, 0)) ||
        !GOOD(event_create(&gpu->stop, 0)) ||
        !GOOD(memory_allocate(&gpu->differ, sizeof(uint32_t)))) {
        bench_gpu_close(gpu);
        return false;
    }
    load_kernel(gpu);
    return true;
}

bool bench_gpu_enter(const struct bench_gpu *gpu, struct problem *problem)
{
    return GOOD(context_set(gpu->context));
}

void bench_gpu_close(struct bench_gpu *gpu)
{
    const struct bench_driver *driver = gpu->driver;
    if (driver == NULL) {
        return;
    }
    /* At the end of everything: what fails now has no consequence. */
    if (gpu->differ != 0) {
        (void)driver->memory_free(gpu->differ);
    }
    if (gpu->module != NULL) {
        (void)driver->module_unload(gpu->module);
    }
    if (gpu->start != NULL) {
        (void)driver->event_destroy(gpu->start);
    }
    if (gpu->stop != NULL) {
        (void)driver->event_destroy(gpu->stop);
    }
    if (gpu->stream != NULL) {
        (void)driver->stream_destroy(gpu->stream);
    }
    if (gpu->context != NULL) {
        (void)driver->context_release(gpu->device);
    }
    *gpu = (struct bench_gpu){0};
}

bool bench_gpu_reserve(const struct bench_gpu *gpu, struct bench_span *span, uint64_t bytes,
                       struct problem *problem)
{
    uint64_t wanted = bytes > 0 ? bytes : 1;
    if (span->bytes >= wanted) {
        return true;
    }
    bench_gpu_free(gpu, span);
    if (!GOOD(memory_allocate(&span->memory, (size_t)wanted))) {
        span->memory = 0;
        return problem_prefix(problem, "not enough device memory");
    }
    span->bytes = wanted;
    return true;
}

void bench_gpu_free(const struct bench_gpu *gpu, struct bench_span *span)
{
    if (span->bytes > 0) {
        (void)gpu->driver->memory_free(span->memory);
    }
    *span = (struct bench_span){0};
}

bool bench_gpu_write(const struct bench_gpu *gpu, uint64_t to, const void *from, uint64_t bytes,
                     struct problem *problem)
{
    return bytes == 0 || (GOOD(stream_wait(gpu->stream)) && GOOD(copy_in(to, from, (size_t)bytes)));
}

bool bench_gpu_read(const struct bench_gpu *gpu, void *to, uint64_t from, uint64_t bytes,
                    struct problem *problem)
{
    return bytes == 0 ||
           (GOOD(stream_wait(gpu->stream)) && GOOD(copy_out(to, from, (size_t)bytes)));
}

bool bench_gpu_copy(const struct bench_gpu *gpu, uint64_t to, uint64_t from, uint64_t bytes,
                    struct problem *problem)
{
    return bytes == 0 || GOOD(copy_within(to, from, (size_t)bytes, gpu->stream));
}

bool bench_gpu_fill(const struct bench_gpu *gpu, uint64_t memory, unsigned char byte,
                    uint64_t bytes, struct problem *problem)
{
    return bytes == 0 || GOOD(fill(memory, byte, (size_t)bytes, gpu->stream));
}

bool bench_gpu_clock_start(const struct bench_gpu *gpu, struct problem *problem)
{
    /* What was queued before must not be waited for between the events. */
    return GOOD(stream_wait(gpu->stream)) && GOOD(event_record(gpu->start, gpu->stream));
}

bool bench_gpu_clock_stop(const struct bench_gpu *gpu, double *seconds, struct problem *problem)
{
    float milliseconds = 0;
    if (!GOOD(event_record(gpu->stop, gpu->stream)) || !GOOD(event_wait(gpu->stop)) ||
        !GOOD(event_elapsed(&milliseconds, gpu->start, gpu->stop))) {
        return false;
    }
    *seconds = 1e-3 * (double)milliseconds;
    return true;
}

bool bench_gpu_compare(const struct bench_gpu *gpu, uint64_t a, uint64_t b, uint64_t bytes,
                       bool *same, struct problem *problem)
{
    uint64_t differ = gpu->differ;
    uint32_t found = 1;
    void *arguments[] = {&a, &b, &bytes, &differ};
    *same = false;
    if (gpu->compare == NULL) {
        return true;
    }
    uint64_t wanted = bytes / COMPARE_THREADS / sizeof(uint64_t) + 1;
    unsigned blocks = wanted < COMPARE_BLOCKS ? (unsigned)wanted : COMPARE_BLOCKS;
    if (!bench_gpu_fill(gpu, differ, 0, sizeof found, problem) ||
        !GOOD(launch(gpu->compare, blocks, 1, 1, COMPARE_THREADS, 1, 1, 0, gpu->stream, arguments,
                     NULL)) ||
        !bench_gpu_read(gpu, &found, differ, sizeof found, problem)) {
        return false;
    }
    *same = found == 0;
    return true;
}

static bool time_copies(const struct bench_gpu *gpu, const struct bench_span *from,
                        const struct bench_span *to, double *seconds)
{
    struct problem ignored;
    double samples[COPY_ROUNDS];
    for (int round = -COPY_WARM_UPS; round < COPY_ROUNDS; round++) {
        double *sample = &samples[round > 0 ? round : 0];
        if (!bench_gpu_clock_start(gpu, &ignored) ||
            !bench_gpu_copy(gpu, to->memory, from->memory, from->bytes, &ignored) ||
            !bench_gpu_clock_stop(gpu, sample, &ignored)) {
            return false;
        }
    }
    *seconds = bench_statistics_of(samples, COPY_ROUNDS).median;
    return true;
}

double bench_gpu_copy_rate(const struct bench_gpu *gpu, uint64_t bytes)
{
    struct bench_span from = {0};
    struct bench_span to = {0};
    struct problem ignored;
    double seconds = 0;
    bool good = bench_gpu_reserve(gpu, &from, bytes, &ignored) &&
                bench_gpu_reserve(gpu, &to, bytes, &ignored) &&
                time_copies(gpu, &from, &to, &seconds);
    bench_gpu_free(gpu, &from);
    bench_gpu_free(gpu, &to);
    return good && seconds > 0 ? 2 * (double)bytes / seconds : 0;
}
