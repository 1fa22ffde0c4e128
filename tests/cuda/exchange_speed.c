/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How fast a list in the memory of all GPUs is sorted, beside one GPU that sorts one part:
 *
 *   cuda_exchange_speed COUNT [RUNS [RANGES]]    u32 keys in each part; u64 keys and pairs: half
 *
 * The rate of copies between neighbours, all at once, is timed in the same process. Every result is
 * verified: it rises, and has the same keys by a sum of hashes; of pairs, every value is the place
 * of its key, and rises where keys are equal. A wrong one ends it.
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
#include "distributions.h"
#include "support/random.h"

enum {
    MOST_THREADS = 64,
    MOST_PARTS = 16,
    MOST_RUNS = 16,
    VALUE = 4
};

struct speed_case {
    const char *name;
    consort_type type;
    const char *distribution;
    bool values;
};

static const struct speed_case cases[] = {
    {"u32 uniform", CONSORT_U32, "uniform", false},
    {"u32 zipf", CONSORT_U32, "zipf", false},
    {"u64 uniform", CONSORT_U64, "uniform", false},
    {"u32 + 4 bytes uniform", CONSORT_U32, "uniform", true},
    {"u32 + 4 bytes zipf", CONSORT_U32, "zipf", true},
};

/* What is being measured: the list in host memory, the result there, the parts on the devices. */
static const struct speed_case *now_case;
static unsigned char *list, *result;
static uint32_t *result_values;
static uint64_t part_count, total, key_bytes, room;
static uint32_t parts_count, threads, runs;
static int64_t ranges; /* 0: as many as the plan chooses */
static consort_part parts[MOST_PARTS];
static consort_column columns[MOST_PARTS];

static void give_up(const char *what)
{
    fprintf(stderr, "exchange_speed: %s: %s\n", what, consort_last_error()->message);
    exit(1);
}

static void check(CUresult status, const char *what)
{
    if (status != CUDA_SUCCESS) {
        driver_fail(driver_get(), status, what);
        give_up(what);
    }
}

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static void *pinned(uint64_t bytes)
{
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
        give_up("out of memory");
    madvise(memory, bytes, MADV_HUGEPAGE);
    check(driver_get()->cuMemHostRegister(memory, bytes, 0), "cuMemHostRegister");
    return memory;
}

struct share {
    pthread_t thread;
    uint64_t first, last, sum;
    bool filling, wrong;
};

static uint64_t key_at(const unsigned char *keys, uint64_t i)
{
    return key_bytes == 4 ? ((const uint32_t *)(const void *)keys)[i]
                          : ((const uint64_t *)(const void *)keys)[i];
}

static bool is_out_of_order(uint64_t i)
{
    uint64_t key = key_at(result, i), before = key_at(result, i - 1);
    return key < before ||
           (now_case->values && key == before && result_values[i] <= result_values[i - 1]);
}

static void *share_work(void *context)
{
    struct share *s = context;
    if (s->filling &&
        !distribution_fill(distribution_find(now_case->distribution), now_case->type,
                           list + s->first * key_bytes, s->first, s->last - s->first, total, 1))
        give_up("distribution_fill");
    for (uint64_t i = s->first; i < s->last && s->filling; i++)
        s->sum += random_mix(key_at(list, i) + 1);
    for (uint64_t i = s->first; i < s->last && !s->filling; i++) {
        s->sum += random_mix(key_at(result, i) + 1);
        s->wrong |= i > 0 && is_out_of_order(i);
        s->wrong |= now_case->values && key_at(list, result_values[i]) != key_at(result, i);
    }
    return NULL;
}

/* All of the list, in shares: fills it, or checks the result; returns the sum of hashes. */
static uint64_t work(bool filling)
{
    struct share all[MOST_THREADS];
    uint64_t sum = 0;
    for (uint64_t t = 0; t < threads; t++) {
        all[t] = (struct share){.first = total / threads * t,
                                .last = t + 1 == threads ? total : total / threads * (t + 1),
                                .filling = filling};
        if (pthread_create(&all[t].thread, NULL, share_work, &all[t]) != 0)
            give_up("no thread");
    }
    for (uint64_t t = 0; t < threads; t++) {
        pthread_join(all[t].thread, NULL);
        sum += all[t].sum;
        if (all[t].wrong)
            give_up("the result is wrong");
    }
    return sum;
}

static CUdeviceptr take(uint64_t bytes)
{
    CUdeviceptr memory;
    check(driver_get()->cuMemAlloc(&memory, bytes), "cuMemAlloc");
    return memory;
}

static void *pointer(CUdeviceptr memory)
{
    return (void *)(uintptr_t)memory;
}

static void make_parts(void)
{
    for (uint32_t p = 0; p < parts_count; p++) {
        const struct device *device = device_open((int32_t)p);
        device_enter(device);
        columns[p] = (consort_column){
            .in = pointer(take(room)), .out = pointer(take(room)), .element_bytes = VALUE};
        parts[p] = (consort_part){.device = (int32_t)p,
                                  .in = pointer(take(room)),
                                  .out = pointer(take(room)),
                                  .values = &columns[p]};
        device_leave(device);
    }
}

/* The list to the devices; its values are the places of the keys. */
static void bring(void)
{
    const struct driver *driver = driver_get();
    for (uint64_t i = 0; i < total && now_case->values; i++)
        result_values[i] = (uint32_t)i;
    for (uint32_t p = 0; p < parts_count; p++) {
        const struct device *device = device_open((int32_t)p);
        uint64_t first = p * part_count;
        parts[p].count = part_count;
        device_enter(device);
        check(driver->cuMemcpyHtoD((CUdeviceptr)(uintptr_t)parts[p].in, list + first * key_bytes,
                                   part_count * key_bytes),
              "up");
        if (now_case->values)
            check(driver->cuMemcpyHtoD((CUdeviceptr)(uintptr_t)columns[p].in, result_values + first,
                                       part_count * VALUE),
                  "up");
        device_leave(device);
    }
}

static void fetch(void)
{
    const struct driver *driver = driver_get();
    for (uint32_t p = 0; p < parts_count; p++) {
        const struct device *device = device_open((int32_t)p);
        uint64_t first = p * part_count;
        device_enter(device);
        check(driver->cuMemcpyDtoH(result + first * key_bytes, (CUdeviceptr)(uintptr_t)parts[p].out,
                                   part_count * key_bytes),
              "down");
        if (now_case->values)
            check(driver->cuMemcpyDtoH(result_values + first,
                                       (CUdeviceptr)(uintptr_t)columns[p].out, part_count * VALUE),
                  "down");
        device_leave(device);
    }
}

static void describe(consort_descriptor *descriptor, uint64_t count)
{
    static const uint64_t value_bytes = VALUE;
    consort_descriptor_init(descriptor);
    descriptor->operation = CONSORT_OPERATION_SORT;
    descriptor->type = now_case->type;
    descriptor->maximum_count = count;
    descriptor->value_bytes = &value_bytes;
    descriptor->value_count = now_case->values;
}

static int compare_times(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *times)
{
    qsort(times, runs, sizeof *times, compare_times);
    return times[runs / 2];
}

/* One part by one GPU, workspace beforehand: milliseconds. */
static double time_one(void)
{
    consort_descriptor descriptor;
    consort_options options;
    consort_arguments arguments;
    consort_plan *plan;
    double times[MOST_RUNS];
    const struct device *device = device_open(0);
    describe(&descriptor, part_count);
    consort_options_init(&options);
    options.engine = CONSORT_ENGINE_CUDA;
    options.device = 0;
    descriptor.options = &options;
    descriptor.memory = CONSORT_MEMORY_DEVICE;
    if (consort_plan_create(&descriptor, &plan) != CONSORT_OK)
        give_up("one GPU");
    device_enter(device);
    CUdeviceptr workspace = take(consort_plan_workspace(plan) + 1);
    consort_arguments_init(&arguments);
    arguments.count = part_count;
    arguments.in = parts[0].in;
    arguments.out = parts[0].out;
    arguments.values = columns;
    for (uint32_t r = 0; r < runs; r++) {
        double began = now();
        if (consort_plan_run(plan, &arguments, pointer(workspace), consort_plan_workspace(plan),
                             NULL) != CONSORT_OK)
            give_up("one GPU");
        check(driver_get()->cuStreamSynchronize(NULL), "one GPU");
        times[r] = 1e3 * (now() - began);
    }
    check(driver_get()->cuMemFree(workspace), "cuMemFree");
    device_leave(device);
    consort_plan_destroy(plan);
    return median(times);
}

/* All parts by all GPUs. */
static double time_all(consort_outcome *outcome)
{
    consort_descriptor descriptor;
    consort_arguments arguments;
    consort_plan *plan;
    double times[MOST_RUNS];
    int32_t devices[MOST_PARTS];
    describe(&descriptor, total);
    for (uint32_t p = 0; p < parts_count; p++)
        devices[p] = (int32_t)p;
    const consort_parameter parameter = {"ranges", ranges};
    consort_options options;
    consort_options_init(&options);
    options.algorithm = "exchange";
    options.parameters = &parameter;
    options.parameter_count = 1;
    descriptor.options = &options;
    descriptor.memory = CONSORT_MEMORY_SPREAD;
    descriptor.devices = devices;
    descriptor.device_count = parts_count;
    if (consort_plan_create(&descriptor, &plan) != CONSORT_OK)
        give_up("all GPUs");
    consort_arguments_init(&arguments);
    arguments.count = total;
    arguments.parts = parts;
    arguments.outcome = outcome;
    for (uint32_t r = 0; r < runs; r++) {
        double began = now();
        if (consort_plan_run(plan, &arguments, NULL, 0, NULL) != CONSORT_OK)
            give_up("all GPUs");
        times[r] = 1e3 * (now() - began);
        printf("  run %u: %.2f ms, select %.2f, partition %.2f, exchange and sort %.2f\n", r,
               times[r], 1e-6 * (double)outcome->counters[3], 1e-6 * (double)outcome->counters[4],
               1e-6 * (double)outcome->counters[5]);
    }
    consort_plan_destroy(plan);
    return median(times);
}

static void measure(const struct speed_case *this_case, uint64_t count)
{
    consort_outcome outcome;
    now_case = this_case;
    key_bytes = consort_type_size(this_case->type);
    part_count = key_bytes + (this_case->values ? VALUE : 0) > 4 ? count / 2 : count;
    total = part_count * parts_count;
    uint64_t sum = work(true);
    bring();
    double one = time_one();
    double all = time_all(&outcome);
    fetch();
    if (work(false) != sum)
        give_up("the result has other keys");
    double item = (double)key_bytes + (this_case->values ? VALUE : 0);
    printf("%s, %llu in each of %u parts: %.2f ms, %.1f G/s; one GPU, one part: %.2f ms, %.1f G/s; "
           "%.2f times; %llu ranges, %llu rounds, %.1f GB crossed\n",
           this_case->name, (unsigned long long)part_count, parts_count, all,
           1e-6 * (double)total / all, one, 1e-6 * (double)part_count / one,
           (double)parts_count * one / all, (unsigned long long)outcome.counters[0],
           (unsigned long long)outcome.counters[1], 1e-9 * item * (double)outcome.counters[2]);
    fflush(stdout);
}

/* Every device from its neighbour, all at once: GB/s each. */
static void measure_links(void)
{
    const struct driver *driver = driver_get();
    CUstream streams[MOST_PARTS];
    double best = 0.0;
    for (uint32_t r = 0; r < runs; r++) {
        double began = 0.0;
        for (uint32_t p = 0; p < parts_count; p++) {
            const struct device *device = device_open((int32_t)p);
            uint32_t from = (p + 1) % parts_count;
            device_enter(device);
            if (r == 0) {
                check(driver->cuStreamCreate(&streams[p], CU_STREAM_NON_BLOCKING), "stream");
                if (from != p)
                    driver->cuCtxEnablePeerAccess(device_open((int32_t)from)->context, 0);
            }
            if (p == 0)
                began = now();
            check(driver->cuMemcpyPeerAsync((CUdeviceptr)(uintptr_t)parts[p].out, device->context,
                                            (CUdeviceptr)(uintptr_t)parts[from].in,
                                            device_open((int32_t)from)->context, room, streams[p]),
                  "copying");
            device_leave(device);
        }
        for (uint32_t p = 0; p < parts_count; p++)
            check(driver->cuStreamSynchronize(streams[p]), "copying");
        double rate = 1e-9 * (double)room / (now() - began);
        best = rate > best ? rate : best;
    }
    printf("copies from a neighbour, all %u at once: %.0f GB/s each\n", parts_count, best);
}

int main(int words, char **word)
{
    uint64_t count = words > 1 ? strtoull(word[1], NULL, 0) : (uint64_t)1 << 22;
    runs = words > 2 ? (uint32_t)strtoul(word[2], NULL, 0) : 3;
    ranges = words > 3 ? strtoll(word[3], NULL, 0) : 0;
    runs = runs < 1 ? 1 : runs < MOST_RUNS ? runs : MOST_RUNS;
    parts_count = (uint32_t)device_count();
    if (parts_count == 0 || !device_open(0)) {
        printf("skipped: %s\n", driver_absence());
        return 77;
    }
    parts_count = parts_count < MOST_PARTS ? parts_count : MOST_PARTS;
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    threads = processors < MOST_THREADS ? (uint32_t)processors : MOST_THREADS;
    room = count * 4;
    make_parts();
    device_enter(device_open(0));
    list = pinned(room * parts_count);
    result = pinned(room * parts_count);
    result_values = pinned(room * parts_count);
    measure_links();
    for (size_t i = 0; i < (ranges > 0 ? 1 : sizeof cases / sizeof *cases); i++)
        measure(&cases[i], count);
    return 0;
}
