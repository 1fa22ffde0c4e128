/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Serial sorts of plain codes in place, without workspace. Quicksort with a heapsort behind it is
 * what is left when not even a small buffer is allowed; the bitonic network is the baseline that
 * parallel bitonic sorts are measured against.
 */
#include "cpu/code_sorts.h"

#include <string.h>

#include "core/plan.h"
#include "core/status.h"
#include "cpu/cost.h"

enum {
    CODE_SORTS_INSERTION = 24, /* codes sorted by insertion */
    CODE_SORTS_NINTHER = 128   /* more codes are worth a median of nine */
};

struct code_kernels {
    void (*encode)(const struct codec *constants, const void *in, void *out, uint64_t count);
    void (*decode)(const struct codec *constants, void *array, uint64_t count);
    void (*bitonic)(void *array, uint64_t count, uint64_t size, uint64_t stride);
    void (*quick)(void *array, uint64_t count);
};

#define CODE_BITS 8
#define CODE_KEY  uint8_t
#include "cpu/code_sorts_template.h"
#define CODE_BITS 16
#define CODE_KEY  uint16_t
#include "cpu/code_sorts_template.h"
#define CODE_BITS 32
#define CODE_KEY  uint32_t
#include "cpu/code_sorts_template.h"
#define CODE_BITS 64
#define CODE_KEY  uint64_t
#include "cpu/code_sorts_template.h"
#define CODE_BITS 128
#define CODE_KEY  uint128
#include "cpu/code_sorts_template.h"

static const struct code_kernels *code_sorts_kernels(uint32_t width)
{
    return width == 1   ? &code_sorts_u8
           : width == 2 ? &code_sorts_u16
           : width == 4 ? &code_sorts_u32
           : width == 8 ? &code_sorts_u64
                        : &code_sorts_u128;
}

typedef bool (*code_sorts_function)(const struct code_kernels *kernels, void *codes, uint64_t count,
                                    const struct checkpoint *checkpoint);

static consort_status code_sorts_run(const struct consort_plan *plan, const struct run *run,
                                     code_sorts_function sort)
{
    const consort_arguments *arguments = run->arguments;
    const struct codec *codec = &plan->request.order.pieces[0].codec;
    const struct code_kernels *kernels = code_sorts_kernels(codec->width);
    void *out = arguments->out;
    if (plan->request.form == CONSORT_FORM_DOUBLE_BUFFER) {
        out = (void *)arguments->in;
        run->outcome->buffer = 0;
    }
    if (checkpoint_pass(run->checkpoint, 0, arguments->count))
        return status_fail(CONSORT_ERROR_CANCELLED, "the sort was cancelled");
    if (out == arguments->in)
        *run->input_whole = false;
    kernels->encode(codec, arguments->in, out, arguments->count);
    bool done = sort(kernels, out, arguments->count, run->checkpoint);
    kernels->decode(codec, out, arguments->count);
    if (done && !checkpoint_pass(run->checkpoint, arguments->count, arguments->count))
        return CONSORT_OK;
    return status_fail(CONSORT_ERROR_CANCELLED, "the sort was cancelled");
}

static bool code_sorts_quick(const struct code_kernels *kernels, void *codes, uint64_t count,
                             const struct checkpoint *checkpoint)
{
    (void)checkpoint;
    kernels->quick(codes, count);
    return true;
}

static bool code_sorts_bitonic(const struct code_kernels *kernels, void *codes, uint64_t count,
                               const struct checkpoint *checkpoint)
{
    uint64_t steps = 0, step = 0, half = 1;
    for (uint64_t levels = 1; half < count; half *= 2)
        steps += levels++;
    for (half = 1; half < count; half *= 2) {
        kernels->bitonic(codes, count, 2 * half, 2 * half);
        for (uint64_t stride = half / 2; stride > 0; stride /= 2) {
            if (checkpoint_pass(checkpoint, count / steps * step++, count))
                return false;
            kernels->bitonic(codes, count, 2 * half, stride);
        }
    }
    return true;
}

static consort_status code_sorts_run_quick(const struct consort_plan *plan, const struct run *run)
{
    return code_sorts_run(plan, run, code_sorts_quick);
}

static consort_status code_sorts_run_bitonic(const struct consort_plan *plan, const struct run *run)
{
    return code_sorts_run(plan, run, code_sorts_bitonic);
}

static const char *code_sorts_refuses(const struct request *request)
{
    if (!order_is_plain(&request->order))
        return "it exchanges scalar keys whose order is total";
    return request->value_count > 0 ? "it moves no values" : NULL;
}

const struct algorithm sort_quick = {
    .name = "quick",
    .summary = "serial quicksort in place without workspace, with heapsort against bad pivots "
               "(introsort: Musser 1997)",
    .operation = CONSORT_OPERATION_SORT,
    .engine = CONSORT_ENGINE_CPU,
    .serial = true,
    .refuses = code_sorts_refuses,
    .cost = cost_quick,
    .run = code_sorts_run_quick,
};

const struct algorithm sort_bitonic_serial = {
    .name = "bitonic-serial",
    .summary = "the bitonic network on one thread, for any count: the baseline of parallel bitonic "
               "sorts (Batcher 1968)",
    .operation = CONSORT_OPERATION_SORT,
    .engine = CONSORT_ENGINE_CPU,
    .serial = true,
    .refuses = code_sorts_refuses,
    .cost = cost_bitonic_serial,
    .run = code_sorts_run_bitonic,
};
