/* SPDX-License-Identifier: Apache-2.0 */
/* One GPU after the other; copies between them all at once. */
#include "bench_spread.h"

#include "bench_clock.h"

enum {
    EXCHANGE_ROUNDS = 4
};

/* Calls of part p with its GPU current. */
typedef bool part_step(struct bench_spread *spread, uint32_t p, void *context,
                       struct problem *problem);

static bool each_part(const struct bench_spread *spread, part_step *step, void *context,
                      struct problem *problem)
{
    struct bench_spread *all = (struct bench_spread *)spread;
    struct problem ignored;
    bool good = true;
    for (uint32_t p = 0; p < spread->count && good; p++) {
        good = bench_gpu_enter(&spread->parts[p].gpu, problem) && step(all, p, context, problem);
    }
    return spread->count == 0 ||
           (bench_gpu_enter(&spread->parts[0].gpu, good ? problem : &ignored) && good);
}

/* Of all items, where those of part p begin. */
static uint64_t part_begin(const struct bench_input *input, uint32_t gpus, uint32_t p)
{
    return input->length / gpus * p + (p < input->length % gpus ? p : input->length % gpus);
}

static struct bench_input part_of(const struct bench_input *input, uint32_t gpus, uint32_t p)
{
    uint64_t first = part_begin(input, gpus, p);
    struct bench_input part = *input;
    part.items = part.length = part_begin(input, gpus, p + 1) - first;
    part.keys.memory =
        (unsigned char *)input->keys.memory + first * bench_case_stride(&input->shape);
    if (input->shape.value_bytes > 0) {
        part.values.memory =
            (unsigned char *)input->values.memory + first * input->shape.value_bytes;
    }
    return part;
}

static bool open_gpus(struct bench_spread *spread, uint32_t gpus, struct problem *problem)
{
    while (spread->open < gpus) {
        if (!bench_gpu_open(&spread->parts[spread->open].gpu, (int32_t)spread->open, problem)) {
            return false;
        }
        spread->open++;
    }
    return true;
}

static bool make_part(struct bench_spread *spread, uint32_t p, void *input, struct problem *problem)
{
    spread->inputs[p] = part_of(input, spread->count, p);
    return bench_arrays_make(&spread->parts[p], &spread->inputs[p], problem);
}

bool bench_spread_make(struct bench_spread *spread, const struct bench_input *input, uint32_t gpus,
                       struct problem *problem)
{
    bench_spread_release(spread);
    spread->count = gpus;
    return open_gpus(spread, gpus, problem) && each_part(spread, make_part, (void *)input, problem);
}

static bool release_part(struct bench_spread *spread, uint32_t p, void *none,
                         struct problem *problem)
{
    (void)none;
    (void)problem;
    bench_arrays_release(&spread->parts[p]);
    return true;
}

/* At the end of a case: what fails now has no consequence. */
void bench_spread_release(struct bench_spread *spread)
{
    struct problem ignored;
    spread->count = spread->count < spread->open ? spread->count : spread->open;
    (void)each_part(spread, release_part, NULL, &ignored);
    spread->count = 0;
}

void bench_spread_close(struct bench_spread *spread)
{
    struct problem ignored;
    bench_spread_release(spread);
    while (spread->open > 0) {
        struct bench_gpu *gpu = &spread->parts[--spread->open].gpu;
        (void)bench_gpu_enter(gpu, &ignored);
        bench_gpu_close(gpu);
    }
}

static bool restore_part(struct bench_spread *spread, uint32_t p, void *none,
                         struct problem *problem)
{
    (void)none;
    return bench_arrays_restore(&spread->parts[p], problem);
}

static bool wait_for_part(struct bench_spread *spread, uint32_t p, void *none,
                          struct problem *problem)
{
    (void)none;
    const struct bench_gpu *gpu = &spread->parts[p].gpu;
    return bench_driver_good(gpu->driver, gpu->driver->stream_wait(gpu->stream), "stream_wait",
                             problem);
}

/* The sort is queued on streams of its own. */
bool bench_spread_restore(struct bench_spread *spread, struct problem *problem)
{
    return each_part(spread, restore_part, NULL, problem) &&
           each_part(spread, wait_for_part, NULL, problem);
}

static bool compare_part(struct bench_spread *spread, uint32_t p, void *context,
                         struct problem *problem)
{
    const struct bench_arrays *part = &spread->parts[p];
    bool *same = context;
    bool this_one = false;
    if (*same &&
        !bench_arrays_is_known(part, bench_arrays_at(part, BENCH_OUT), &this_one, problem)) {
        return false;
    }
    *same = this_one;
    return true;
}

bool bench_spread_is_known(const struct bench_spread *spread, bool *same, struct problem *problem)
{
    *same = true;
    return each_part(spread, compare_part, same, problem);
}

static bool know_part(struct bench_spread *spread, uint32_t p, void *none, struct problem *problem)
{
    (void)none;
    struct bench_arrays *part = &spread->parts[p];
    return bench_arrays_know(part, bench_arrays_at(part, BENCH_OUT), problem);
}

bool bench_spread_know(struct bench_spread *spread, struct problem *problem)
{
    return each_part(spread, know_part, NULL, problem);
}

struct fetching {
    unsigned char *keys;
    unsigned char *values;
};

static bool fetch_part(struct bench_spread *spread, uint32_t p, void *context,
                       struct problem *problem)
{
    const struct bench_arrays *part = &spread->parts[p];
    struct fetching *to = context;
    bool good =
        bench_arrays_fetch(part, bench_arrays_at(part, BENCH_OUT), to->keys, to->values, problem);
    to->keys += part->key_bytes;
    to->values += part->value_bytes;
    return good;
}

bool bench_spread_fetch(const struct bench_spread *spread, void *keys, void *values,
                        struct problem *problem)
{
    struct fetching to = {keys, values};
    return each_part(spread, fetch_part, &to, problem);
}

static bool meet_others(struct bench_spread *spread, uint32_t p, void *none,
                        struct problem *problem)
{
    (void)none;
    (void)problem;
    const struct bench_gpu *gpu = &spread->parts[p].gpu;
    for (uint32_t other = 0; other < spread->count; other++) {
        if (other != p) { /* where it cannot be, copies go through the host */
            (void)gpu->driver->peer_enable(spread->parts[other].gpu.context, 0);
        }
    }
    return true;
}

/* From the one that stands so many steps behind: nobody is asked by two at once. */
static bool copy_step(struct bench_spread *spread, uint32_t p, void *step, struct problem *problem)
{
    const struct bench_arrays *to = &spread->parts[p];
    const struct bench_arrays *from = &spread->parts[(p + *(uint32_t *)step) % spread->count];
    uint64_t bytes = spread->parts[spread->count - 1].key_bytes / spread->count;
    return bench_driver_good(to->gpu.driver,
                             to->gpu.driver->copy_peer(to->keys[BENCH_OUT].memory + p * bytes,
                                                       to->gpu.context, from->keys[BENCH_IN].memory,
                                                       from->gpu.context, bytes, to->gpu.stream),
                             "copy_peer", problem);
}

static bool exchange_once(const struct bench_spread *spread, double *rate)
{
    struct problem ignored;
    double start = bench_clock_seconds();
    bool good = true;
    for (uint32_t step = 1; step < spread->count && good; step++) {
        good = each_part(spread, copy_step, &step, &ignored);
    }
    good = good && each_part(spread, wait_for_part, NULL, &ignored);
    uint64_t bytes = spread->parts[spread->count - 1].key_bytes / spread->count;
    *rate = (double)(bytes * (spread->count - 1)) / (bench_clock_seconds() - start);
    return good;
}

double bench_spread_exchange_rate(const struct bench_spread *spread)
{
    struct problem ignored;
    double best = 0;
    double rate;
    if (spread->count < 2 || !each_part(spread, meet_others, NULL, &ignored)) {
        return 0;
    }
    for (int round = 0; round < EXCHANGE_ROUNDS; round++) {
        if (!exchange_once(spread, &rate)) {
            return 0;
        }
        best = rate > best ? rate : best;
    }
    return best;
}
