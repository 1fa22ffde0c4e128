/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Every radix and counting sort against a reference that compares values, not codes: widths, value
 * classes, orders, distributions, sizes around thresholds, in place and apart, 1…4 threads.
 */
#define _DEFAULT_SOURCE /* posix_memalign, usleep */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "consort.h"
#include "cpu/radix.h"
#include "radix_reference.h"

enum algorithm {
    LSD,
    MSD,
    COUNTING,
    INPLACE,
    PRESORTED,
    ALGORITHMS
};

/* Where the output is. */
enum place {
    APART,
    IN_PLACE,
    TWO_BUFFERS, /* apart, and the input may be overwritten */
    PLACES
};

static const uint32_t widths[] = {1, 2, 4, 8, 16};

static const struct values value_classes[] = {
    {0, false, false},  {4, false, false}, {8, false, false},
    {16, false, false}, {4, true, false},  {8, true, true},
};

static uint64_t workspace_of(enum algorithm algorithm, const struct radix_job *job,
                             uint32_t members)
{
    enum radix_takes takes = job->input_is_spare ? RADIX_TAKES_NOTHING
                             : job->index        ? RADIX_TAKES_CODES_TOO
                                                 : RADIX_TAKES_ITEMS;
    switch (algorithm) {
    case LSD:
        return radix_lsd_workspace(job->count, job->width, job->value_bytes, takes, members);
    case MSD:
        return radix_msd_workspace(job->count, job->width, job->value_bytes, takes, members);
    case COUNTING:
        return counting_workspace(job->count, job->width, members);
    case INPLACE:
        return inplace_workspace(job->count, job->width, members);
    default:
        return 0;
    }
}

static bool applies(enum algorithm algorithm, const struct sample *sample,
                    const struct values *values, enum place place)
{
    if (place == TWO_BUFFERS)
        return values->bytes == 0 && (algorithm == LSD || algorithm == MSD);
    if (algorithm == COUNTING)
        return sample->width <= 2 && values->bytes == 0;
    if (algorithm == INPLACE)
        return values->bytes == 0 && place == IN_PLACE;
    return true;
}

static int run_algorithm(enum algorithm algorithm, struct radix_job *job)
{
    switch (algorithm) {
    case LSD:
        return radix_lsd(job);
    case MSD:
        return radix_msd(job);
    case COUNTING:
        return counting_sort(job);
    case INPLACE:
        return inplace_sort(job);
    default:
        return presorted_finish(job) ? RADIX_DONE : RADIX_CANCELLED;
    }
}

/* Buffers of one run; values lie at odd addresses. */
struct buffers {
    unsigned char *keys_in;
    unsigned char *keys_out;
    unsigned char *values_in;
    unsigned char *values_out;
};

static void buffers_make(struct buffers *buffers, const struct sample *sample,
                         const struct payload *payload, bool in_place)
{
    uint64_t key_bytes = sample->count * sample->width;
    buffers->keys_in = malloc(key_bytes + !key_bytes);
    memcpy(buffers->keys_in, sample->keys, key_bytes);
    buffers->keys_out = in_place ? buffers->keys_in : malloc(key_bytes + !key_bytes);
    buffers->values_in = (unsigned char *)malloc(payload->bytes + 1) + 1;
    buffers->values_out =
        in_place ? buffers->values_in : (unsigned char *)malloc(payload->bytes + 1) + 1;
    memcpy(buffers->values_in, payload->in, payload->bytes);
}

static void buffers_free(struct buffers *buffers, bool in_place)
{
    free(buffers->keys_in);
    free(buffers->values_in - 1);
    if (in_place)
        return;
    free(buffers->keys_out);
    free(buffers->values_out - 1);
}

/* The first item that differs is named. */
static void check_items(const char *what, const struct sample *sample, const unsigned char *found,
                        const unsigned char *expected, uint32_t bytes)
{
    if (memcmp(found, expected, sample->count * bytes) == 0)
        return;
    for (uint64_t i = 0; i < sample->count; i++)
        if (memcmp(found + i * bytes, expected + i * bytes, bytes) != 0)
            fail_msg("%s at %ju is not that of input %ju", what, (uintmax_t)i,
                     (uintmax_t)sample->rank[i]);
}

static void check_output(const struct sample *sample, const struct payload *payload,
                         const struct buffers *buffers, bool input_stays)
{
    if (!payload->values.drop_keys)
        check_items("key", sample, buffers->keys_out, sample->sorted, sample->width);
    check_items("value", sample, buffers->values_out, payload->sorted, payload->values.bytes);
    if (input_stays && sample->count)
        assert_memory_equal(buffers->keys_in, sample->keys, sample->count * sample->width);
}

/* What presorted_finish takes: keys that are alone may repeat in a falling list. */
static bool is_presorted(const struct sample *sample, const struct values *values)
{
    return sample->ascending || sample->falling || (sample->falling_repeats && values->bytes == 0);
}

static void check_run(const struct sample *sample, const struct payload *payload, enum place place,
                      enum algorithm algorithm, struct team *team)
{
    const struct values *values = &payload->values;
    if (!applies(algorithm, sample, values, place))
        return;
    bool in_place = place == IN_PLACE && !values->drop_keys;
    struct buffers buffers;
    buffers_make(&buffers, sample, payload, in_place);
    struct radix_job job = {.keys_in = buffers.keys_in,
                            .keys_out = values->drop_keys ? NULL : buffers.keys_out,
                            .values_in = values->index ? NULL : buffers.values_in,
                            .values_out = buffers.values_out,
                            .count = sample->count,
                            .width = sample->width,
                            .value_bytes = values->bytes,
                            .index = values->index,
                            .input_is_spare = place == TWO_BUFFERS,
                            .codec = codec_for(sample->width, sample->order),
                            .team = team};
    job.workspace_bytes = workspace_of(algorithm, &job, team_size(team));
    if (posix_memalign(&job.workspace, 64, job.workspace_bytes + !job.workspace_bytes) != 0)
        fail_msg("no memory");
    memset(job.workspace, 0xa5, job.workspace_bytes);
    int result = run_algorithm(algorithm, &job);
    if (algorithm == PRESORTED)
        assert_int_equal(result == RADIX_DONE, is_presorted(sample, values));
    else
        assert_int_equal(result, RADIX_DONE);
    struct buffers found = buffers;
    if (job.ends_in_input)
        found.keys_out = found.keys_in;
    if (result == RADIX_DONE)
        check_output(sample, payload, &found, !in_place && place != TWO_BUFFERS);
    free(job.workspace);
    buffers_free(&buffers, in_place);
}

static void check_sample(uint32_t width, enum order order, enum distribution distribution,
                         uint64_t count, struct team *team)
{
    struct sample sample;
    if (!sample_make(&sample, width, order, distribution, count))
        return;
    for (size_t v = 0; v < sizeof value_classes / sizeof *value_classes; v++) {
        struct payload payload;
        payload_make(&payload, &sample, value_classes[v]);
        for (uint32_t place = 0; place < PLACES; place++)
            for (uint32_t algorithm = 0; algorithm < ALGORITHMS; algorithm++)
                check_run(&sample, &payload, place, algorithm, team);
        payload_free(&payload);
    }
    sample_free(&sample);
}

/* Sanitizers, which take ten times as long, take one long list of so many that others take, or one
 * team. */
static uint32_t sparsely(uint32_t skip, uint32_t sanitized)
{
    return getenv("CONSORT_TEST_TRIALS") ? sanitized * skip : skip;
}

static void check_sizes(const uint64_t *counts, size_t sizes, uint32_t threads, uint32_t skip)
{
    struct team *team = team_create(threads);
    uint32_t turn = 0;
    for (size_t c = 0; c < sizes; c++)
        for (size_t w = 0; w < sizeof widths / sizeof *widths; w++)
            for (uint32_t order = 0; order < ORDERS; order++)
                for (uint32_t distribution = 0; distribution < DISTRIBUTIONS; distribution++)
                    if (turn++ % skip == 0)
                        check_sample(widths[w], order, distribution, counts[c], team);
    team_destroy(team);
}

static void small_sizes(void **state)
{
    (void)state;
    static const uint64_t counts[] = {0, 1, 2, 3, 31, 32, 33, 64, 65, 255, 256, 257, 1000};
    check_sizes(counts, sizeof counts / sizeof *counts, 1, 1);
}

static void threshold_sizes(void **state)
{
    (void)state;
    static const uint64_t counts[] = {4095, 4096, 4097, 8191, 8192, 16383, 16384, 16385};
    check_sizes(counts, sizeof counts / sizeof *counts, 1, 29);
}

static void teams(void **state)
{
    (void)state;
    static const uint64_t counts[] = {4097, 20000, 70001};
    for (uint32_t threads = 1; threads <= 4; threads++)
        check_sizes(counts, sizeof counts / sizeof *counts, threads, sparsely(30 + threads, 3));
}

/* Ranges of more parts than members, too: which member has which is chance. */
static void large_buckets(void **state)
{
    (void)state;
    static const uint64_t counts[] = {600001};
    check_sizes(counts, 1, 1, sparsely(37, 4));
    check_sizes(counts, 1, 2, sparsely(97, 3));
    check_sizes(counts, 1, 3, sparsely(47, 4));
}

/* Sizes at which both the first partition and a bucket of it are sampled, and at which one key is
 * more than a leaf. */
static void bits_that_a_sample_misses(void **state)
{
    (void)state;
    for (uint32_t threads = sparsely(1, 2); threads <= 2; threads++) {
        struct team *team = team_create(threads);
        check_sample(4, UNSIGNED_UP, HIDDEN_BIT, 600001, team);
        check_sample(8, UNSIGNED_UP, HIDDEN_DEEPER, 600001, team);
        check_sample(4, FLOAT_UP, EQUAL, 600001, team);
        team_destroy(team);
    }
}

/* Two ascending runs are not one, wherever they meet: at the first key of a block, too. */
static void runs_that_meet_near_blocks(void **state)
{
    enum {
        RUNS_COUNT = 70000
    };
    static uint32_t keys[RUNS_COUNT];
    (void)state;
    for (uint32_t border = 1; border < RUNS_COUNT; border++) {
        if ((border + 2) % 512 > 4)
            continue;
        for (uint32_t i = 0; i < RUNS_COUNT; i++)
            keys[i] = i < border ? i + RUNS_COUNT : i - border;
        assert_int_equal(consort_sort(keys, keys, RUNS_COUNT, CONSORT_U32, NULL), CONSORT_OK);
        bool rising = true;
        for (uint32_t i = 1; i < RUNS_COUNT; i++)
            rising &= keys[i - 1] < keys[i];
        assert_true(rising);
    }
}

static int32_t count_down(void *context, uint64_t done, uint64_t total)
{
    uint32_t *left = context;
    assert_true(done <= total);
    return (*left)-- == 0;
}

/* Cancelled at its k-th report, a sort says so, leaves disjoint input alone and, when it says that
 * nothing was modified, has not touched the output. */
static void cancellation(void **state)
{
    (void)state;
    struct sample sample;
    struct payload payload;
    assert_true(sample_make(&sample, 4, UNSIGNED_UP, UNIFORM, 100000));
    payload_make(&payload, &sample, value_classes[0]);
    struct team *team = team_create(2);
    for (uint32_t algorithm = LSD; algorithm <= INPLACE; algorithm++)
        for (uint32_t reports = 0; reports < 6; reports++) {
            if (algorithm == COUNTING)
                continue;
            struct buffers buffers;
            buffers_make(&buffers, &sample, &payload, true);
            uint32_t left = reports;
            struct checkpoint checkpoint = {.progress = count_down, .context = &left};
            struct radix_job job = {.keys_in = buffers.keys_in,
                                    .keys_out = buffers.keys_out,
                                    .count = sample.count,
                                    .width = 4,
                                    .codec = codec_for(4, UNSIGNED_UP),
                                    .team = team,
                                    .checkpoint = &checkpoint};
            job.workspace_bytes = workspace_of(algorithm, &job, 2);
            assert_int_equal(posix_memalign(&job.workspace, 64, job.workspace_bytes), 0);
            int result = run_algorithm(algorithm, &job);
            if (reports == 0) {
                assert_int_equal(result, RADIX_CANCELLED);
                assert_false(job.modified);
            }
            if (!job.modified)
                assert_memory_equal(buffers.keys_in, sample.keys, sample.count * 4);
            if (result == RADIX_DONE)
                check_output(&sample, &payload, &buffers, false);
            free(job.workspace);
            buffers_free(&buffers, true);
        }
    team_destroy(team);
    payload_free(&payload);
    sample_free(&sample);
}

static void workspace_is_checked(void **state)
{
    (void)state;
    struct team *team = team_create(1);
    uint16_t keys[20000] = {3, 2, 1};
    struct radix_job job = {.keys_in = keys,
                            .keys_out = keys,
                            .count = 20000,
                            .width = 2,
                            .codec = codec_for(2, UNSIGNED_UP),
                            .team = team};
    for (uint32_t algorithm = LSD; algorithm <= INPLACE; algorithm++) {
        job.workspace_bytes = workspace_of(algorithm, &job, 1) - 1;
        assert_int_equal(run_algorithm(algorithm, &job), RADIX_SMALL_WORKSPACE);
        assert_false(job.modified);
    }
    assert_int_equal(keys[0], 3);
    assert_true(radix_msd_workspace(UINT64_MAX, 8, 8, RADIX_TAKES_CODES_TOO, 4) == UINT64_MAX);
    assert_true(radix_lsd_workspace(UINT64_MAX / 16, 16, 16, RADIX_TAKES_CODES_TOO, 4) ==
                UINT64_MAX);
    team_destroy(team);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_sizes),
        cmocka_unit_test(threshold_sizes),
        cmocka_unit_test(teams),
        cmocka_unit_test(large_buckets),
        cmocka_unit_test(bits_that_a_sample_misses),
        cmocka_unit_test(runs_that_meet_near_blocks),
        cmocka_unit_test(cancellation),
        cmocka_unit_test(workspace_is_checked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
