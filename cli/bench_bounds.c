/* SPDX-License-Identifier: Apache-2.0 */
/* The ceiling of a case, and what the bus alone needs. */
#include "bench_bounds.h"

static enum bench_way way_of(const struct bench_case *shape)
{
    if (shape->gpu < 0) {
        return BENCH_WAY_HOST;
    }
    return shape->on_device || shape->spread ? BENCH_WAY_DEVICE
           : shape->pinned                   ? BENCH_WAY_PINNED
                                             : BENCH_WAY_BUS;
}

/* What the bus alone needs for a sort of pinned arrays: measured with its keys, in proportion for
 * the values. A case without it is none the worse. */
static void measure_bus(struct bench_run *run, struct bench_result *result)
{
    const struct bench_case *shape = &result->shape;
    bool sorts = shape->operation == BENCH_SORT || shape->operation == BENCH_PAIRS;
    struct problem unsaid;
    if (!shape->pinned || !sorts ||
        !bench_links_measure(&result->bus, &run->arrays.gpu, shape->every_gpu,
                             run->input.keys.memory, run->place.keys.memory,
                             shape->count * bench_case_stride(shape), &unsaid)) {
        return;
    }
    double keys = (double)bench_case_stride(shape);
    double share = (keys + shape->value_bytes) / keys;
    result->bus.up *= share;
    result->bus.down *= share;
    result->bus.both *= share;
}

void bench_bounds_measure(struct bench_run *run, struct bench_result *result)
{
    const struct bench_case *shape = &result->shape;
    uint64_t traffic = bench_case_traffic(shape);
    measure_bus(run, result);
    if (shape->every_gpu && !shape->spread) {
        double seconds = result->bus.up + result->bus.down;
        result->ceiling = seconds > 0 ? (double)traffic / seconds : 0;
        result->ceiling_bytes = traffic / 2;
        return;
    }
    uint32_t shares = shape->spread ? shape->gpus : 1;
    const struct bench_ceiling *ceiling =
        bench_ceiling_of(&run->ceilings, way_of(shape), &run->arrays.gpu, traffic / shares,
                         shape->gpu < 0 ? shape->threads : 0);
    result->ceiling = ceiling->bytes_per_second * shares;
    result->ceiling_bytes = ceiling->bytes;
    if (shape->spread) {
        result->exchange = bench_spread_exchange_rate(&run->spread);
    }
}
