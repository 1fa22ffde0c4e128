/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The workspace of a radix run, and the phases that a team does together.
 */
#include "cpu/radix_run.h"

#include <string.h>

#include "cpu/radix_instances.h"

/* Two leaf buffers of this size stay in a second-level cache of 2 MiB (1 MiB: their working set is
 * rarely full). */
enum {
    RADIX_LEAF_BYTES = 1 << 20
};

enum {
    RADIX_LINE_BYTES = 64,
    RADIX_STREAM_BYTES = 1 << 23,
};

/* Ranges are cut finer than there are members, since these are never equally fast for long: their
 * cores have other work, or share a processor with somebody's. A part pays for an incomplete line
 * at both ends of each bucket. */
enum {
    RADIX_PARTS = 16,           /* per member */
    RADIX_LEAST_PART = 1 << 17, /* items */
};

uint64_t radix_leaf_items(uint32_t item_bytes)
{
    return RADIX_LEAF_BYTES / item_bytes;
}

#define RADIX_ROW(isa, bits)                                                                       \
    {                                                                                              \
        &isa##_u##bits##_v0_kernels, &isa##_u##bits##_v4_kernels, &isa##_u##bits##_v8_kernels,     \
            &isa##_u##bits##_v16_kernels                                                           \
    }

/* Shifts by a variable and the codec cost less with BMI2 and AVX2: leaves of u32 take 5.2 ns a key
 * instead of 5.8 (Xeon, Emerald Rapids, 2026-11). Without values the narrow and the 128-bit keys
 * gain nothing. */
static const struct radix_kernels *radix_fast_kernels(uint32_t row, uint32_t column)
{
#ifdef __x86_64__
    static const struct radix_kernels *const alone[2] = {&radix_avx512_u32_v0_kernels,
                                                         &radix_avx512_u64_v0_kernels};
    if ((row == 2 || row == 3) && column == 0 && __builtin_cpu_supports("avx512f") &&
        __builtin_cpu_supports("bmi2"))
        return alone[row - 2];
    static const struct radix_kernels *const table[2][4] = {RADIX_ROW(radix_avx2, 32),
                                                            RADIX_ROW(radix_avx2, 64)};
    if ((row == 2 || row == 3) && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2"))
        return table[row - 2][column];
#endif
    (void)row, (void)column;
    return NULL;
}

const struct radix_kernels *radix_kernels_of(uint32_t width, uint32_t value_bytes)
{
    static const struct radix_kernels *const table[5][4] = {
        RADIX_ROW(radix, 8), RADIX_ROW(radix, 16), RADIX_ROW(radix, 32), RADIX_ROW(radix, 64),
        RADIX_ROW(radix, 128)};
    uint32_t row = width <= 16 ? (uint32_t)__builtin_ctz(width | 32) : 5;
    uint32_t column = value_bytes == 0    ? 0
                      : value_bytes == 4  ? 1
                      : value_bytes == 8  ? 2
                      : value_bytes == 16 ? 3
                                          : 4;
    if (row >= 5 || width != 1u << row || column >= 4)
        return NULL;
    const struct radix_kernels *fast = radix_fast_kernels(row, column);
    return fast ? fast : table[row][column];
}

/* Sums that stick at UINT64_MAX. */
static uint64_t radix_add(uint64_t a, uint64_t b)
{
    return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

static uint64_t radix_array(uint64_t count, uint64_t bytes)
{
    uint64_t size;
    if (__builtin_mul_overflow(count, bytes, &size) || size > UINT64_MAX - RADIX_LINE_BYTES)
        return UINT64_MAX;
    return (size + RADIX_LINE_BYTES - 1) / RADIX_LINE_BYTES * RADIX_LINE_BYTES;
}

static uint64_t radix_digits_bytes(void)
{
    return radix_array((RADIX_LEAF_DIGITS + 1) * (uint64_t)RADIX_LEAF_BUCKETS, sizeof(uint32_t));
}

static uint64_t radix_scratch_bytes(const struct radix_kernels *kernels)
{
    uint64_t buckets = RADIX_MAX_BUCKETS;
    return radix_array(1, sizeof(struct radix_scratch)) +
           radix_array(buckets, kernels->buffer_bytes) +
           3 * radix_array(buckets, sizeof(uint64_t)) + radix_array(buckets, sizeof(uint32_t)) +
           radix_digits_bytes() +
           2 * radix_array(radix_leaf_items(kernels->item_bytes), kernels->item_bytes);
}

/* The parts of a range. No fewer items or members have more. */
static uint32_t radix_parts(uint64_t count, uint32_t members)
{
    uint64_t most = (uint64_t)members * RADIX_PARTS, parts = count / RADIX_LEAST_PART;
    if (members == 1 || parts < members)
        return members;
    return (uint32_t)(parts < most ? parts : most);
}

static uint64_t radix_tables_bytes(uint64_t count, uint32_t members)
{
    return radix_array((uint64_t)radix_parts(count, members) * RADIX_MAX_BUCKETS, sizeof(uint64_t));
}

uint64_t radix_leaf_workspace(uint64_t count, uint32_t width, uint32_t value_bytes)
{
    const struct radix_kernels *kernels = radix_kernels_of(width, value_bytes);
    return radix_digits_bytes() + 2 * radix_array(count, kernels->item_bytes);
}

uint64_t radix_run_workspace(uint64_t count, uint32_t width, uint32_t value_bytes,
                             enum radix_takes takes, uint32_t members)
{
    const struct radix_kernels *kernels = radix_kernels_of(width, value_bytes);
    uint64_t bytes = takes == RADIX_TAKES_NOTHING ? 0 : radix_array(count, kernels->item_bytes);
    if (takes == RADIX_TAKES_CODES_TOO)
        bytes = radix_add(bytes, radix_array(count, width));
    bytes = radix_add(bytes, radix_array(RADIX_MAX_BUCKETS, sizeof(uint64_t)));
    bytes = radix_add(bytes, radix_tables_bytes(count, members));
    bytes = radix_add(bytes, radix_array(1, sizeof(struct radix_prefixes)));
    return radix_add(bytes, radix_array(members, radix_scratch_bytes(kernels)));
}

static void *radix_carve(unsigned char **rest, uint64_t bytes)
{
    void *part = *rest;
    *rest += bytes;
    return part;
}

static void radix_state_of(struct radix_state *state, const struct radix_job *job)
{
    *state = (struct radix_state){
        .keys_in = job->keys_in,
        .values_in = job->index ? NULL : job->values_in,
        .codes = job->keys_out,
        .keys_out = job->keys_out,
        .values_out = job->values_out,
        .codec = job->codec,
        .kernels = radix_kernels_of(job->width, job->value_bytes),
    };
    state->leaf_items = radix_leaf_items(state->kernels->item_bytes);
    state->stream = job->count * state->kernels->item_bytes > RADIX_STREAM_BYTES;
}

static void radix_carve_scratch(struct radix_run *run, unsigned char **rest)
{
    const struct radix_kernels *kernels = run->state.kernels;
    uint64_t table = radix_array(RADIX_MAX_BUCKETS, sizeof(uint64_t));
    uint64_t leaf = radix_array(run->state.leaf_items, kernels->item_bytes);
    run->scratch = radix_carve(rest, radix_array(run->members, sizeof *run->scratch));
    for (uint32_t member = 0; member < run->members; member++) {
        struct radix_scratch *scratch = &run->scratch[member];
        scratch->buffers = radix_carve(rest, radix_array(RADIX_MAX_BUCKETS, kernels->buffer_bytes));
        scratch->position = radix_carve(rest, table);
        scratch->begin = radix_carve(rest, table);
        scratch->counts = radix_carve(rest, table);
        scratch->cursor = radix_carve(rest, radix_array(RADIX_MAX_BUCKETS, sizeof(uint32_t)));
        scratch->digits = radix_carve(rest, radix_digits_bytes());
        scratch->first = radix_carve(rest, leaf);
        scratch->second = radix_carve(rest, leaf);
    }
}

static enum radix_takes radix_takes_of(const struct radix_job *job)
{
    return job->input_is_spare ? RADIX_TAKES_NOTHING
           : job->index        ? RADIX_TAKES_CODES_TOO
                               : RADIX_TAKES_ITEMS;
}

bool radix_run_begin(struct radix_run *run, struct radix_job *job)
{
    uint32_t members = team_size(job->team);
    if (radix_run_workspace(job->count, job->width, job->value_bytes, radix_takes_of(job),
                            members) > job->workspace_bytes)
        return false;
    memset(run, 0, sizeof *run);
    run->job = job;
    run->members = members;
    run->in_place = job->keys_in == job->keys_out ||
                    (job->value_bytes && !job->index && job->values_in == job->values_out);
    radix_state_of(&run->state, job);
    unsigned char *rest = job->workspace;
    if (job->input_is_spare)
        run->state.items = (void *)job->keys_in;
    else
        run->state.items =
            radix_carve(&rest, radix_array(job->count, run->state.kernels->item_bytes));
    if (job->index) {
        void *codes = radix_carve(&rest, radix_array(job->count, job->width));
        if (!job->keys_out)
            run->state.codes = codes;
    }
    run->ends = radix_carve(&rest, radix_array(RADIX_MAX_BUCKETS, sizeof(uint64_t)));
    run->tables = radix_carve(&rest, radix_tables_bytes(job->count, members));
    run->prefixes = radix_carve(&rest, radix_array(1, sizeof *run->prefixes));
    radix_carve_scratch(run, &rest);
    return true;
}

enum radix_result radix_run_leaf(struct radix_job *job)
{
    if (radix_leaf_workspace(job->count, job->width, job->value_bytes) > job->workspace_bytes)
        return RADIX_SMALL_WORKSPACE;
    struct radix_state state;
    radix_state_of(&state, job);
    unsigned char *rest = job->workspace;
    struct radix_scratch scratch = {.digits = radix_carve(&rest, radix_digits_bytes())};
    scratch.first = radix_carve(&rest, radix_array(job->count, state.kernels->item_bytes));
    scratch.second = rest;
    state.kernels->leaf(&state, &scratch, RADIX_INPUT, 0, job->count, job->codec.bits);
    job->modified = true;
    return RADIX_DONE;
}

/* The next part of the range that nobody has; false: none is left. */
static bool radix_run_next(struct radix_run *run, uint32_t *part, uint64_t *first, uint64_t *last)
{
    *part = atomic_fetch_add_explicit(&run->next, 1, memory_order_relaxed);
    if (*part >= run->parts)
        return false;
    team_share(run->last - run->first, *part, run->parts, 64, first, last);
    *first += run->first;
    *last += run->first;
    return true;
}

static void radix_run_together(struct radix_run *run, team_function function)
{
    atomic_store_explicit(&run->next, 0, memory_order_relaxed);
    team_run(run->job->team, function, run);
}

static uint64_t *radix_run_table(const struct radix_run *run, uint32_t part)
{
    return run->tables + ((uint64_t)part << run->digit.bits);
}

static void radix_histogram_member(void *context, uint32_t member, uint32_t size)
{
    (void)size;
    struct radix_run *run = context;
    struct radix_scratch *seen = &run->scratch[member], scratch = *seen;
    uint64_t first, last;
    uint32_t part;
    seen->counted = false;
    while (radix_run_next(run, &part, &first, &last)) {
        scratch.counts = radix_run_table(run, part);
        run->state.kernels->histogram(&run->state, &scratch, run->from, first, last, &run->digit);
        if (first == last)
            continue;
        if (!seen->counted) {
            seen->pivot = scratch.pivot;
            seen->varying = 0;
        }
        seen->varying |= scratch.varying | (scratch.pivot ^ seen->pivot);
        seen->counted = true;
    }
}

void radix_run_histogram(struct radix_run *run, enum radix_place from, uint64_t first,
                         uint64_t last, struct radix_digit digit)
{
    run->from = from;
    run->first = first;
    run->last = last;
    run->digit = digit;
    run->parts = radix_parts(last - first, run->members);
    radix_run_together(run, radix_histogram_member);
    const struct radix_scratch *one = NULL;
    run->varying = 0;
    for (uint32_t member = 0; member < run->members; member++) {
        const struct radix_scratch *scratch = &run->scratch[member];
        if (!scratch->counted)
            continue;
        one = one ? one : scratch;
        run->varying |= scratch->varying | (scratch->pivot ^ one->pivot);
    }
}

static void radix_scatter_member(void *context, uint32_t member, uint32_t size)
{
    (void)size;
    struct radix_run *run = context;
    struct radix_scratch scratch = run->scratch[member];
    uint64_t first, last;
    uint32_t part;
    while (radix_run_next(run, &part, &first, &last)) {
        scratch.position = radix_run_table(run, part);
        run->state.kernels->scatter(&run->state, &scratch, run->from, run->to, first, last,
                                    &run->digit);
    }
}

/* Where each part's items go: counts become places, in the order of the parts, so that equal digits
 * stay in order. */
static void radix_run_places(struct radix_run *run)
{
    const uint32_t buckets = 1u << run->digit.bits;
    uint64_t place = run->first;
    memset(run->ends, 0, buckets * sizeof *run->ends);
    for (uint32_t part = 0; part < run->parts; part++) {
        const uint64_t *counts = radix_run_table(run, part);
        for (uint32_t bucket = 0; bucket < buckets; bucket++)
            run->ends[bucket] += counts[bucket];
    }
    for (uint32_t bucket = 0; bucket < buckets; bucket++) {
        uint64_t count = run->ends[bucket];
        run->ends[bucket] = place;
        place += count;
    }
    for (uint32_t part = 0; part < run->parts; part++) {
        uint64_t *places = radix_run_table(run, part);
        for (uint32_t bucket = 0; bucket < buckets; bucket++) {
            uint64_t count = places[bucket];
            places[bucket] = run->ends[bucket];
            run->ends[bucket] += count;
        }
    }
}

void radix_run_scatter(struct radix_run *run, enum radix_place to)
{
    radix_run_places(run);
    run->to = to;
    if (to != RADIX_ITEMS)
        run->job->modified = true;
    radix_run_together(run, radix_scatter_member);
}

static void radix_settle_member(void *context, uint32_t member, uint32_t size)
{
    (void)member, (void)size;
    struct radix_run *run = context;
    uint64_t first, last;
    uint32_t part;
    while (radix_run_next(run, &part, &first, &last))
        run->state.kernels->settle(&run->state, run->from, first, last);
}

void radix_run_settle(struct radix_run *run, enum radix_place from, uint64_t first, uint64_t last)
{
    run->from = from;
    run->first = first;
    run->last = last;
    run->parts = radix_parts(last - first, run->members);
    run->job->modified = true;
    radix_run_together(run, radix_settle_member);
}
