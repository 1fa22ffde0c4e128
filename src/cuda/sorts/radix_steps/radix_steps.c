/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The registry's entries of the textbook radix sorts (W. W. Hwu, D. B. Kirk and I. El Hajj,
 * Programming Massively Parallel Processors, 4th edition, chapter 13): one bit a pass, then tiles
 * sorted in shared memory, then digits of several bits, then several keys a thread.
 */
#include "cuda/sorts/radix_steps/radix_steps.h"

#include "core/plan.h"
#include "cuda/sorts/items/cuda_items.h"
#include "cuda/sorts/radix_steps/radix_steps_layout.h"
#include "cuda/sorts/radix_steps/radix_steps_run.h"

/* Places of the parameters; "launches" takes that of "bits". */
enum {
    RADIX_STEPS_BLOCK,
    RADIX_STEPS_BITS,
    RADIX_STEPS_LAUNCHES = RADIX_STEPS_BITS,
    RADIX_STEPS_COARSENING
};

/* Blocks and digits: H200, CUDA 13.0, 2026-11, 2^28 uniform u32. */
enum {
    RADIX_STEPS_MULTIBIT_BITS = 6,
    RADIX_STEPS_COARSENED_BITS = 8
};

#define RADIX_STEPS_BLOCK_INFO(standard)                                                           \
    {                                                                                              \
        "block", "threads, rounded down to a multiple of 32", 32, RADIX_STEPS_MOST_THREADS,        \
            standard                                                                               \
    }
#define RADIX_STEPS_BITS_INFO(standard)                                                            \
    {                                                                                              \
        "bits", "of a digit", 1, RADIX_STEPS_MOST_BITS, standard                                   \
    }

/* The tiled one takes the first alone. */
static const consort_parameter_info radix_1bit_parameters[] = {
    RADIX_STEPS_BLOCK_INFO(256),
    {"launches", "of a pass: 1 scans while it moves; 2 is taken as 1", 1, 3, 3},
};
static const consort_parameter_info radix_multibit_parameters[] = {
    RADIX_STEPS_BLOCK_INFO(512),
    RADIX_STEPS_BITS_INFO(RADIX_STEPS_MULTIBIT_BITS),
};
static const consort_parameter_info radix_coarsened_parameters[] = {
    RADIX_STEPS_BLOCK_INFO(256),
    RADIX_STEPS_BITS_INFO(RADIX_STEPS_COARSENED_BITS),
    {"coarsening", "keys a thread, rounded down to a power of two, and to what fits", 1, 16, 16},
};

static const char *const radix_steps_counters[] = {"passes", "tiles", "table", "bytes"};

static struct radix_steps_shape radix_1bit_shape(const int64_t *parameters)
{
    return (struct radix_steps_shape){.block = (uint32_t)parameters[RADIX_STEPS_BLOCK],
                                      .bits = 1,
                                      .coarsening = 1,
                                      .direct = true,
                                      .one_launch = parameters[RADIX_STEPS_LAUNCHES] < 3};
}

static struct radix_steps_shape radix_tiled_shape(const int64_t *parameters)
{
    return (struct radix_steps_shape){
        .block = (uint32_t)parameters[RADIX_STEPS_BLOCK], .bits = 1, .coarsening = 1};
}

static struct radix_steps_shape radix_multibit_shape(const int64_t *parameters)
{
    struct radix_steps_shape shape = radix_tiled_shape(parameters);
    shape.bits = (uint32_t)parameters[RADIX_STEPS_BITS];
    return shape;
}

static struct radix_steps_shape radix_coarsened_shape(const int64_t *parameters)
{
    struct radix_steps_shape shape = radix_multibit_shape(parameters);
    shape.coarsening = (uint32_t)parameters[RADIX_STEPS_COARSENING];
    return shape;
}

static uint64_t radix_1bit_workspace(const struct request *request, const int64_t *parameters)
{
    return radix_steps_workspace(request, radix_1bit_shape(parameters));
}

static uint64_t radix_tiled_workspace(const struct request *request, const int64_t *parameters)
{
    return radix_steps_workspace(request, radix_tiled_shape(parameters));
}

static uint64_t radix_multibit_workspace(const struct request *request, const int64_t *parameters)
{
    return radix_steps_workspace(request, radix_multibit_shape(parameters));
}

static uint64_t radix_coarsened_workspace(const struct request *request, const int64_t *parameters)
{
    return radix_steps_workspace(request, radix_coarsened_shape(parameters));
}

static consort_status radix_1bit_prepare(struct consort_plan *plan, const struct device *device)
{
    return radix_steps_prepare(plan, device, radix_1bit_shape(plan->parameters));
}

static consort_status radix_tiled_prepare(struct consort_plan *plan, const struct device *device)
{
    return radix_steps_prepare(plan, device, radix_tiled_shape(plan->parameters));
}

static consort_status radix_multibit_prepare(struct consort_plan *plan, const struct device *device)
{
    return radix_steps_prepare(plan, device, radix_multibit_shape(plan->parameters));
}

static consort_status radix_coarsened_prepare(struct consort_plan *plan,
                                              const struct device *device)
{
    return radix_steps_prepare(plan, device, radix_coarsened_shape(plan->parameters));
}

/* Nanoseconds of a sort; of a pass, its launches; for each item; for each byte of an item. */
struct radix_steps_cost {
    double sort, pass, item, byte;
};

/* H200, CUDA 13.0, 2026-11: fitted to uniform u32 and u64 keys, 2^12 (0.40 and 0.62, 0.42 and 0.62,
 * 0.08 and 0.12, 0.08 and 0.15 ms) and 2^28 (74.6 and 167, 83.6 and 181, 32.2 and 65.1, 11.8 and
 * 26.2 ms). Items with an index are gathered afterwards: 15 ms at 2^28, of few, replayed, 5 µs
 * (2^6 and 2^14 u8 alone 13 and 21.5 µs, with 4 bytes 18 and 28). */
static double radix_steps_cost(const struct request *request, uint32_t bits,
                               struct radix_steps_cost cost)
{
    double count = (double)request->maximum_count;
    uint32_t index_bytes = cuda_items_index_bytes(request);
    double bytes = cuda_items_code_bytes(request) + index_bytes;
    return cost.sort +
           radix_steps_passes(request, bits) *
               (cost.pass + count * (cost.item + cost.byte * bytes)) +
           (index_bytes > 0 ? 5e3 + 0.056 * count : 0.0);
}

static double radix_1bit_cost(const struct request *request)
{
    return radix_steps_cost(request, 1, (struct radix_steps_cost){0.0, 11e3, 0.0076, 0.00027});
}

static double radix_tiled_cost(const struct request *request)
{
    return radix_steps_cost(request, 1, (struct radix_steps_cost){0.0, 11e3, 0.0089, 0.0002});
}

static double radix_multibit_cost(const struct request *request)
{
    return radix_steps_cost(request, RADIX_STEPS_MULTIBIT_BITS,
                            (struct radix_steps_cost){0.0, 13.5e3, 0.0179, 0.00052});
}

static double radix_coarsened_cost(const struct request *request)
{
    return radix_steps_cost(request, RADIX_STEPS_COARSENED_BITS,
                            (struct radix_steps_cost){7e3, 18e3, 0.0097, 0.0003});
}

/* What all entries agree in. */
#define RADIX_STEPS_ENTRY(does)                                                                    \
    .operation = (does), .engine = CONSORT_ENGINE_CUDA, .stable = true,                            \
    .counters = radix_steps_counters, .counter_count = 4, .refuses = cuda_items_refuses,           \
    .run = radix_steps_run

#define RADIX_1BIT                                                                                 \
    .name = "radix-1bit", .summary = "radix sort, one bit a pass, straight to its place",          \
    .parameters = radix_1bit_parameters, .parameter_count = 2, .workspace = radix_1bit_workspace,  \
    .cost = radix_1bit_cost, .prepare = radix_1bit_prepare

#define RADIX_1BIT_TILED                                                                           \
    .name = "radix-1bit-tiled",                                                                    \
    .summary =                                                                                     \
        "radix sort, one bit a pass, tiles sorted in shared memory before they are written",       \
    .parameters = radix_1bit_parameters, .parameter_count = 1, .workspace = radix_tiled_workspace, \
    .cost = radix_tiled_cost, .prepare = radix_tiled_prepare

#define RADIX_MULTIBIT                                                                             \
    .name = "radix-multibit", .summary = "radix sort, a digit a pass, tiles of one key a thread",  \
    .parameters = radix_multibit_parameters, .parameter_count = 2,                                 \
    .workspace = radix_multibit_workspace, .cost = radix_multibit_cost,                            \
    .prepare = radix_multibit_prepare

#define RADIX_COARSENED                                                                            \
    .name = "radix-coarsened", .summary = "radix sort, a digit a pass, several keys a thread",     \
    .parameters = radix_coarsened_parameters, .parameter_count = 3,                                \
    .workspace = radix_coarsened_workspace, .cost = radix_coarsened_cost,                          \
    .prepare = radix_coarsened_prepare

const struct algorithm radix_1bit_sort = {RADIX_1BIT, RADIX_STEPS_ENTRY(CONSORT_OPERATION_SORT)};
const struct algorithm radix_1bit_argsort = {RADIX_1BIT,
                                             RADIX_STEPS_ENTRY(CONSORT_OPERATION_ARGSORT)};
const struct algorithm radix_1bit_tiled_sort = {RADIX_1BIT_TILED,
                                                RADIX_STEPS_ENTRY(CONSORT_OPERATION_SORT)};
const struct algorithm radix_1bit_tiled_argsort = {RADIX_1BIT_TILED,
                                                   RADIX_STEPS_ENTRY(CONSORT_OPERATION_ARGSORT)};
const struct algorithm radix_multibit_sort = {RADIX_MULTIBIT,
                                              RADIX_STEPS_ENTRY(CONSORT_OPERATION_SORT)};
const struct algorithm radix_multibit_argsort = {RADIX_MULTIBIT,
                                                 RADIX_STEPS_ENTRY(CONSORT_OPERATION_ARGSORT)};
const struct algorithm radix_coarsened_sort = {RADIX_COARSENED,
                                               RADIX_STEPS_ENTRY(CONSORT_OPERATION_SORT)};
const struct algorithm radix_coarsened_argsort = {RADIX_COARSENED,
                                                  RADIX_STEPS_ENTRY(CONSORT_OPERATION_ARGSORT)};
