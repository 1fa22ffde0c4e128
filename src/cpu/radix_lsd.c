/* SPDX-License-Identifier: Apache-2.0 */
/*
 * LSD radix sort: one stable scatter over memory per digit, lowest first. Digits in which all keys
 * agree are left out.
 */
#include "cpu/radix_run.h"

enum {
    LSD_BITS = 8,
    LSD_MAX_DIGITS = 16,
    LSD_LEAF = 4096, /* up to here the passes stay in cache */
};

struct lsd_digits {
    uint32_t count;
    struct radix_digit digit[LSD_MAX_DIGITS];
};

uint64_t radix_lsd_workspace(uint64_t count, uint32_t width, uint32_t value_bytes,
                             enum radix_takes takes, uint32_t members)
{
    if (count <= LSD_LEAF)
        return radix_leaf_workspace(count, width, value_bytes);
    return radix_run_workspace(count, width, value_bytes, takes, members);
}

static uint32_t lsd_lowest_bit(uint128 x)
{
    return (uint64_t)x ? (uint32_t)__builtin_ctzll((uint64_t)x)
                       : 64 + (uint32_t)__builtin_ctzll((uint64_t)(x >> 64));
}

/* Digits over the varying bits; each starts at a varying bit, so constant stretches cost nothing.
 */
static void lsd_plan(struct lsd_digits *digits, uint128 varying)
{
    digits->count = 0;
    while (varying) {
        uint32_t shift = lsd_lowest_bit(varying);
        uint32_t span = radix_bit_width(varying) - shift;
        uint32_t bits = span < LSD_BITS ? span : LSD_BITS;
        digits->digit[digits->count++] = (struct radix_digit){.shift = shift, .bits = bits};
        varying = shift + bits < 128 ? varying >> (shift + bits) << (shift + bits) : 0;
    }
}

/* Places alternate between workspace and output and end in the output; an odd number of passes
 * starts there when input and output are apart, and needs one copy more when they are not. */
static enum radix_place lsd_to(const struct radix_run *run, const struct lsd_digits *digits,
                               uint32_t digit)
{
    bool last = digit + 1 == digits->count;
    if (run->in_place)
        return digit % 2 == 0 ? RADIX_ITEMS : last ? RADIX_FINAL : RADIX_CODES;
    if ((digits->count - digit) % 2 == 0)
        return RADIX_ITEMS;
    return last ? RADIX_FINAL : RADIX_CODES;
}

/* Nothing may be written over the input before it was read: with a spare input and an even number
 * of passes, which begins in `items`, output and input change their parts. */
static void lsd_exchange(struct radix_state *state, const struct radix_job *job)
{
    state->items = job->keys_out;
    state->codes = state->keys_out = (void *)job->keys_in;
}

static enum radix_result lsd_passes(struct radix_run *run, const struct lsd_digits *digits)
{
    const struct checkpoint *checkpoint = run->job->checkpoint;
    uint64_t count = run->job->count;
    enum radix_place from = RADIX_INPUT;
    for (uint32_t digit = 0; digit < digits->count; digit++) {
        if (checkpoint_pass(checkpoint, digit * count, digits->count * count))
            return RADIX_CANCELLED;
        if (digit > 0)
            radix_run_histogram(run, from, 0, count, digits->digit[digit]);
        enum radix_place to = lsd_to(run, digits, digit);
        radix_run_scatter(run, to);
        from = to;
    }
    if (from != RADIX_FINAL)
        radix_run_settle(run, from, 0, count);
    return RADIX_DONE;
}

enum radix_result radix_lsd(struct radix_job *job)
{
    job->modified = false;
    if (job->count <= LSD_LEAF)
        return radix_run_leaf(job);
    struct radix_run run;
    if (!radix_run_begin(&run, job))
        return RADIX_SMALL_WORKSPACE;
    const struct radix_state *state = &run.state;
    struct lsd_digits digits;
    lsd_plan(&digits, state->kernels->sample(state, RADIX_INPUT, 0, job->count) | 1);
    const struct radix_digit first = digits.digit[0];
    radix_run_histogram(&run, RADIX_INPUT, 0, job->count, first);
    lsd_plan(&digits, run.varying);
    if (digits.count &&
        (digits.digit[0].shift != first.shift || digits.digit[0].bits != first.bits))
        radix_run_histogram(&run, RADIX_INPUT, 0, job->count, digits.digit[0]);
    job->ends_in_input = job->input_is_spare && digits.count > 0 && digits.count % 2 == 0;
    if (job->ends_in_input)
        lsd_exchange(&run.state, job);
    return lsd_passes(&run, &digits);
}
