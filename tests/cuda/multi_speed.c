/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How fast a list longer than a GPU's memory is sorted, beside what the bus alone needs:
 *
 *   cuda_multi_speed COUNT MEMORY [RUNS]    u32 keys, bytes of each GPU's memory (0: no limit)
 *
 * The bus is timed in the same process with the same arrays: up alone, down alone, both at once.
 * Every result is verified (sorted, and the same keys by a sum of hashes); a wrong one ends it.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "consort.h"
#include "cuda/driver/device.h"
#include "support/random.h"

enum {
    MOST_THREADS = 64,
    PIECE = 32 << 20
};

static uint32_t *in, *out, *spare; /* spare: the workspace */
static uint64_t count, bytes;
static uint32_t threads;

static void give_up(const char *what)
{
    fprintf(stderr, "multi_speed: %s: %s\n", what, consort_last_error()->message);
    exit(1);
}

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static uint32_t *map(void)
{
    void *memory =
        mmap(NULL, bytes + PIECE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
        give_up("out of memory");
    madvise(memory, bytes, MADV_HUGEPAGE);
    return memory;
}

/* A share of the array, filled, or summed and checked. */
struct share {
    pthread_t thread;
    uint64_t first, last, sum;
    bool disorder;
    const uint32_t *keys; /* NULL: fill `in` and touch the others */
};

static void *share_work(void *context)
{
    struct share *s = context;
    for (uint64_t i = s->first; i < s->last; i++) {
        if (!s->keys) {
            in[i] = (uint32_t)random_mix(i + 1);
            out[i] = spare[i] = 0;
        } else {
            s->sum += random_mix(s->keys[i] + 0x9e3779b97f4a7c15u);
            s->disorder |= i > 0 && s->keys[i] < s->keys[i - 1];
        }
    }
    return NULL;
}

static uint64_t shares(const uint32_t *keys, bool *disorder)
{
    struct share all[MOST_THREADS];
    uint64_t sum = 0;
    for (uint64_t t = 0; t < threads; t++) {
        all[t] = (struct share){
            .first = count / threads * t, .last = count / threads * (t + 1), .keys = keys};
        if (t + 1 == threads)
            all[t].last = count;
        if (pthread_create(&all[t].thread, NULL, share_work, &all[t]) != 0)
            give_up("no thread");
    }
    for (uint64_t t = 0; t < threads; t++) {
        pthread_join(all[t].thread, NULL);
        sum += all[t].sum;
        *disorder |= all[t].disorder;
    }
    return sum;
}

static void check(CUresult result, const char *what)
{
    if (result != CUDA_SUCCESS) {
        driver_fail(driver_get(), result, what);
        give_up(what);
    }
}

/* Seconds for copying the whole list between `in`, `out` and every GPU, each a part of it. */
static double bus(bool up, bool down)
{
    const struct driver *driver = driver_get();
    int32_t devices = device_count();
    CUstream streams[2][MOST_THREADS];
    CUdeviceptr memory[2][MOST_THREADS];
    for (int32_t d = 0; d < devices; d++) {
        device_enter(device_open(d));
        for (int way = 0; way < 2; way++) {
            check(driver->cuMemAlloc(&memory[way][d], PIECE), "cuMemAlloc");
            check(driver->cuStreamCreate(&streams[way][d], CU_STREAM_NON_BLOCKING), "stream");
        }
        device_leave(NULL);
    }
    double began = now();
    for (uint64_t at = 0, d = 0; at < bytes; at += PIECE, d = (d + 1) % (uint64_t)devices) {
        uint64_t part = bytes - at < PIECE ? bytes - at : PIECE;
        device_enter(device_open((int32_t)d));
        if (up)
            check(driver->cuMemcpyHtoDAsync(memory[0][d], (char *)in + at, part, streams[0][d]),
                  "up");
        if (down)
            check(driver->cuMemcpyDtoHAsync((char *)out + at, memory[1][d], part, streams[1][d]),
                  "down");
        device_leave(NULL);
    }
    for (int32_t d = 0; d < devices; d++)
        for (int way = 0; way < 2; way++) {
            device_enter(device_open(d));
            check(driver->cuStreamSynchronize(streams[way][d]), "copying");
            device_leave(NULL);
        }
    double seconds = now() - began;
    for (int32_t d = 0; d < devices; d++)
        for (int way = 0; way < 2; way++) {
            device_enter(device_open(d));
            check(driver->cuMemFree(memory[way][d]), "cuMemFree");
            check(driver->cuStreamDestroy(streams[way][d]), "cuStreamDestroy");
            device_leave(NULL);
        }
    return seconds;
}

static consort_plan *plan_of(const char *algorithm, int64_t memory)
{
    consort_descriptor descriptor;
    consort_options options;
    consort_plan *plan;
    const consort_parameter parameter = {"memory", memory};
    consort_descriptor_init(&descriptor);
    consort_options_init(&options);
    options.engine = CONSORT_ENGINE_CUDA;
    options.device = algorithm ? CONSORT_DEVICE_ALL : 0;
    options.algorithm = algorithm;
    options.parameters = &parameter;
    options.parameter_count = algorithm != NULL;
    descriptor.operation = CONSORT_OPERATION_SORT;
    descriptor.type = CONSORT_U32;
    descriptor.maximum_count = count;
    descriptor.options = &options;
    if (consort_plan_create(&descriptor, &plan) != CONSORT_OK)
        give_up("plan");
    return plan;
}

static void measure(const char *what, const char *algorithm, int64_t memory, uint64_t sum, int runs,
                    double bound)
{
    consort_plan *plan = plan_of(algorithm, memory);
    consort_plan_info info;
    consort_plan_info_init(&info);
    consort_plan_get_info(plan, &info);
    for (int run = 0; run < runs; run++) {
        consort_arguments arguments;
        consort_outcome outcome;
        bool disorder = false;
        consort_arguments_init(&arguments);
        arguments.count = count;
        arguments.in = in;
        arguments.out = out;
        arguments.outcome = &outcome;
        double began = now();
        if (consort_plan_run(plan, &arguments, info.workspace ? spare : NULL, info.workspace,
                             NULL) != CONSORT_OK)
            give_up(what);
        double seconds = now() - began;
        bool same = shares(out, &disorder) == sum && !disorder;
        printf("%-24s %-14s %8.1f ms  %6.2f G/s  %5.2f of the bus  chunks %llu GPUs %llu  %s\n",
               what, info.algorithm, 1e3 * seconds, 1e-9 * (double)count / seconds, seconds / bound,
               (unsigned long long)outcome.counters[0], (unsigned long long)outcome.counters[1],
               same ? "right" : "WRONG");
        if (!same)
            exit(1);
    }
    consort_plan_destroy(plan);
}

static void pin(void *memory, bool pinned)
{
    const struct driver *driver = driver_get();
    device_enter(device_open(0));
    check(pinned ? driver->cuMemHostRegister(memory, bytes + PIECE, CUDA_HOST_REGISTER_PORTABLE)
                 : driver->cuMemHostUnregister(memory),
          "pinning");
    device_leave(NULL);
}

int main(int words, char **word)
{
    bool disorder = false;
    if (words < 3 || device_count() == 0)
        return 77;
    count = strtoull(word[1], NULL, 0);
    int64_t memory = strtoll(word[2], NULL, 0);
    int runs = words > 3 ? atoi(word[3]) : 3;
    bytes = count * sizeof *in;
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    threads = processors < MOST_THREADS ? (uint32_t)processors : MOST_THREADS;
    in = map();
    out = map();
    spare = map();
    shares(NULL, &disorder);
    uint64_t sum = shares(in, &disorder);
    pin(in, true);
    pin(out, true);
    bus(true, true);
    double up = bus(true, false), down = bus(false, true), both = bus(true, true);
    printf("%llu u32 keys, %d GPUs, %u threads; bus: up %.1f ms, down %.1f, both at once %.1f "
           "(%.1f GB/s each way)\n",
           (unsigned long long)count, device_count(), threads, 1e3 * up, 1e3 * down, 1e3 * both,
           1e-9 * (double)bytes / both);
    measure("pinned", "merge-chunks", memory, sum, runs, 2 * both);
    pin(spare, true);
    measure("pinned, workspace too", "merge-chunks", memory, sum, runs, 2 * both);
    measure("pinned, no limit", "merge-chunks", 0, sum, runs, 2 * both);
    measure("pinned, in one piece", NULL, 0, sum, runs, up + down);
    pin(spare, false);
    pin(in, false);
    pin(out, false);
    measure("ordinary", "merge-chunks", memory, sum, runs, 2 * both);
    measure("ordinary, in one piece", NULL, 0, sum, runs, up + down);
    return 0;
}
