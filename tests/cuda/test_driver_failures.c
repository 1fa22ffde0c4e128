/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Every driver call fails once: for N = 1, 2, … the Nth call of a whole use of the library
 * (context, plan, run, destroy) fails, until one use makes fewer calls. Whatever comes out must be
 * an error of the right kind with an input that is as it says, or a right result; and the next use
 * must work. Emulator only.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "consort.h"
#include "cuda/driver/device.h"
#include "device_array.h"
#include "emulator_faults.h"
#include "support/random.h"

enum {
    COUNT = 600,
    FULL_COUNT = 400000,
    VALUE = 12
};

/* What is done with the library. */
struct use {
    const char *name;
    int32_t operation, engine, memory;
    bool in_place, values;
    uint64_t count;
    uint32_t replays; /* a plan that replays runs so many times more */
};

static const struct use uses[] = {
    {"keys in place", CONSORT_OPERATION_SORT, CONSORT_ENGINE_CUDA, CONSORT_MEMORY_HOST, true, false,
     COUNT, 0},
    {"pairs", CONSORT_OPERATION_SORT, CONSORT_ENGINE_CUDA, CONSORT_MEMORY_HOST, false, true, COUNT,
     0},
    {"pairs in place", CONSORT_OPERATION_SORT, CONSORT_ENGINE_CUDA, CONSORT_MEMORY_HOST, true, true,
     COUNT, 0},
    {"argsort", CONSORT_OPERATION_ARGSORT, CONSORT_ENGINE_CUDA, CONSORT_MEMORY_HOST, false, false,
     COUNT, 0},
    {"pairs in device memory", CONSORT_OPERATION_SORT, CONSORT_ENGINE_CUDA, CONSORT_MEMORY_DEVICE,
     false, true, COUNT, 0},
    {"argsort in device memory", CONSORT_OPERATION_ARGSORT, CONSORT_ENGINE_CUDA,
     CONSORT_MEMORY_DEVICE, false, false, COUNT, 0},
    {"replayed pairs", CONSORT_OPERATION_SORT, CONSORT_ENGINE_CUDA, CONSORT_MEMORY_DEVICE, false,
     true, COUNT, 3},
};

/* Input, output and what the output must be. */
struct arrays {
    uint32_t *in, *out, *sorted, *indices, *sorted_indices;
    unsigned char *values, *values_out, *sorted_values;
    uint64_t count;
};

static void *take(uint64_t bytes)
{
    void *memory = calloc(1, bytes);
    assert_non_null(memory);
    return memory;
}

static struct arrays arrays_new(uint64_t count)
{
    uint64_t keys = count * sizeof(uint32_t);
    struct arrays a = {take(keys),          take(keys),          take(keys),
                       take(keys),          take(keys),          take(count * VALUE),
                       take(count * VALUE), take(count * VALUE), count};
    uint64_t seed = 1;
    for (uint64_t i = 0; i < count; i++)
        a.in[i] = (uint32_t)random_below(&seed, 100);
    random_bytes(&seed, a.values, count * VALUE);
    consort_options options;
    consort_options_init(&options);
    options.engine = CONSORT_ENGINE_CPU;
    consort_column column = {.in = a.values, .out = a.sorted_values, .element_bytes = VALUE};
    assert_int_equal(consort_sort_pairs(a.in, a.sorted, &column, 1, count, CONSORT_U32, &options),
                     CONSORT_OK);
    assert_int_equal(
        consort_argsort(a.in, a.sorted_indices, CONSORT_U32, count, CONSORT_U32, &options),
        CONSORT_OK);
    return a;
}

static void arrays_free(struct arrays *a)
{
    void *all[] = {a->in,     a->out,        a->sorted,       a->indices, a->sorted_indices,
                   a->values, a->values_out, a->sorted_values};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        free(all[i]);
}

/* The arrays of one use: copies, so that every use finds the same. */
struct places {
    consort_arguments arguments;
    consort_column column;
    void *workspace;
    uint64_t workspace_bytes;
};

static void *place(const struct use *use, const void *host, uint64_t bytes)
{
    if (use->memory == CONSORT_MEMORY_DEVICE)
        return device_array_new(host, bytes, 0);
    void *copy = take(bytes);
    return host ? memcpy(copy, host, bytes) : copy;
}

static void displace(const struct use *use, void *memory)
{
    if (use->memory == CONSORT_MEMORY_DEVICE)
        device_array_free(memory, 0);
    else
        free(memory);
}

static void places_make(struct places *p, const struct use *use, const struct arrays *a)
{
    uint64_t keys = a->count * sizeof(uint32_t), values = a->count * VALUE;
    *p = (struct places){0};
    consort_arguments_init(&p->arguments);
    p->arguments.count = a->count;
    p->arguments.in = place(use, a->in, keys);
    if (use->operation == CONSORT_OPERATION_ARGSORT)
        p->arguments.indices = place(use, NULL, keys);
    else
        p->arguments.out = use->in_place ? (void *)p->arguments.in : place(use, NULL, keys);
    if (use->values) {
        p->column = (consort_column){.in = place(use, a->values, values), .element_bytes = VALUE};
        p->column.out = use->in_place ? (void *)p->column.in : place(use, NULL, values);
        p->arguments.values = &p->column;
    }
    if (use->memory == CONSORT_MEMORY_DEVICE) {
        p->workspace_bytes = 1 << 20;
        p->workspace = place(use, NULL, p->workspace_bytes);
    }
}

static void places_free(const struct places *p, const struct use *use)
{
    displace(use, (void *)p->arguments.in);
    if (p->arguments.indices)
        displace(use, p->arguments.indices);
    else if (!use->in_place)
        displace(use, p->arguments.out);
    if (use->values) {
        displace(use, (void *)p->column.in);
        if (!use->in_place)
            displace(use, p->column.out);
    }
    if (p->workspace)
        displace(use, p->workspace);
}

static void expect(const struct use *use, const void *at, const void *wanted, uint64_t bytes)
{
    void *read = take(bytes);
    if (use->memory == CONSORT_MEMORY_DEVICE)
        device_array_read(read, at, bytes);
    else
        memcpy(read, at, bytes);
    assert_memory_equal(read, wanted, bytes);
    free(read);
}

static void expect_input(const struct places *p, const struct use *use, const struct arrays *a)
{
    expect(use, p->arguments.in, a->in, a->count * sizeof *a->in);
    if (use->values)
        expect(use, p->column.in, a->values, a->count * VALUE);
}

static void expect_result(const struct places *p, const struct use *use, const struct arrays *a)
{
    if (use->operation == CONSORT_OPERATION_ARGSORT)
        expect(use, p->arguments.indices, a->sorted_indices, a->count * sizeof(uint32_t));
    else
        expect(use, p->arguments.out, a->sorted, a->count * sizeof(uint32_t));
    if (use->values)
        expect(use, p->column.out, a->sorted_values, a->count * VALUE);
}

static consort_status use_plan(const struct use *use, struct places *p, consort_context *context)
{
    consort_descriptor descriptor;
    consort_options options;
    consort_plan *plan;
    uint64_t bytes = VALUE;
    consort_descriptor_init(&descriptor);
    consort_options_init(&options);
    options.context = context;
    options.engine = use->engine;
    options.threads = 1;
    descriptor.operation = use->operation;
    descriptor.type = CONSORT_U32;
    descriptor.maximum_count = use->count;
    descriptor.memory = use->memory;
    descriptor.replay = use->replays > 0;
    descriptor.index_type = use->operation == CONSORT_OPERATION_ARGSORT ? CONSORT_U32 : 0;
    descriptor.value_bytes = &bytes;
    descriptor.value_count = use->values;
    descriptor.options = &options;
    consort_status status = consort_plan_create(&descriptor, &plan);
    if (status != CONSORT_OK)
        return status;
    for (uint32_t i = 0; i <= use->replays && status == CONSORT_OK; i++)
        status = consort_plan_run(plan, &p->arguments, p->workspace, p->workspace_bytes, NULL);
    consort_plan_destroy(plan);
    return status;
}

static consort_status use_once(const struct use *use, struct places *p)
{
    consort_context_options options;
    consort_context *context;
    consort_context_options_init(&options);
    options.threads = 2;
    assert_int_equal(consort_context_create(&options, &context), CONSORT_OK);
    consort_status status = use_plan(use, p, context);
    consort_context_destroy(context);
    return status;
}

/* One use with a failure. True if it made fewer calls than that. */
static bool try_failure(const struct use *use, const struct arrays *a, const char *what,
                        uint64_t at)
{
    struct places p;
    places_make(&p, use, a);
    emulator_fail(what, at);
    consort_status status = use_once(use, &p);
    bool whole = consort_last_error()->input_whole;
    bool over = emulator_calls() < at;
    emulator_fail(NULL, 0);
    if (status != CONSORT_OK && !emulator_caused(status))
        fail_msg("%s, %s:%llu: %s", use->name, what, (unsigned long long)at,
                 consort_last_error()->message);
    if (status == CONSORT_OK)
        expect_result(&p, use, a);
    if (!use->in_place || (status != CONSORT_OK && whole))
        expect_input(&p, use, a);
    if (over)
        assert_int_equal(status, CONSORT_OK);
    places_free(&p, use);
    return over;
}

static void test_every_call_fails_once(void **state)
{
    (void)state;
    for (size_t u = 0; u < sizeof uses / sizeof *uses; u++) {
        struct arrays a = arrays_new(uses[u].count);
        uint64_t calls = 1;
        while (!try_failure(&uses[u], &a, "any", calls))
            calls++;
        print_message("%s: %llu calls\n", uses[u].name, (unsigned long long)calls - 1);
        arrays_free(&a);
    }
}

/* What the planner put on the GPU by itself must come out right even if the GPU does not. */
static void test_the_cpu_takes_over(void **state)
{
    (void)state;
    const struct use use = {"auto",
                            CONSORT_OPERATION_SORT,
                            CONSORT_ENGINE_AUTO,
                            CONSORT_MEMORY_HOST,
                            true,
                            false,
                            150000,
                            0};
    static const char *const kinds[] = {"alloc", "launch", "copy", "sync"};
    struct arrays a = arrays_new(use.count);
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        struct places p;
        places_make(&p, &use, &a);
        emulator_fail(kinds[k], 1);
        assert_int_equal(use_once(&use, &p), CONSORT_OK);
        assert_true(emulator_calls() > 1); /* it was on the GPU */
        emulator_fail(NULL, 0);
        expect_result(&p, &use, &a);
        places_free(&p, &use);
    }
    arrays_free(&a);
}

static void test_a_full_gpu(void **state)
{
    (void)state;
    const struct driver *driver = driver_get();
    size_t unused = 0, total = 0;
    struct arrays a = arrays_new(uses[0].count);
    /* More than idle memory that earlier runs left in the pool. */
    struct arrays large = arrays_new(FULL_COUNT);
    assert_int_equal(driver->cuMemGetInfo(&unused, &total), CUDA_SUCCESS);
    void *most = device_array_new(NULL, unused - 4096, 0);
    for (size_t u = 0; u < 4; u++) {
        struct places p;
        struct use use = uses[u];
        use.count = FULL_COUNT;
        places_make(&p, &use, &large);
        assert_int_equal(use_once(&use, &p), CONSORT_ERROR_DEVICE_MEMORY);
        assert_int_equal(consort_last_error()->input_whole, 1);
        expect_input(&p, &use, &large);
        places_free(&p, &use);
    }
    arrays_free(&large);
    device_array_free(most, 0);
    assert_true(try_failure(&uses[0], &a, "any", 1000000));
    arrays_free(&a);
}

/* In a process of its own: the first use, which starts the driver, and a device that is lost. */
static int child(const struct use *use, const char *what, uint64_t at)
{
    struct places p;
    struct arrays a = arrays_new(use->count);
    places_make(&p, use, &a);
    emulator_fail(what, at);
    consort_status status = use_once(use, &p);
    bool over = emulator_calls() < at;
    bool right = memcmp(p.arguments.out, status == CONSORT_OK ? a.sorted : a.in,
                        a.count * sizeof *a.in) == 0;
    bool claimed = status == CONSORT_OK || consort_last_error()->input_whole;
    places_free(&p, use);
    arrays_free(&a);
    if (status != CONSORT_OK && !emulator_caused(status))
        return 4;
    if (over && status != CONSORT_OK)
        return 5;
    return right == claimed || !claimed ? over : 6;
}

static void try_children(const char *what)
{
    for (uint64_t at = 1, over = 0; !over; at++) {
        assert_true(at < 2000);
        pid_t process = fork();
        assert_true(process >= 0);
        if (process == 0)
            exit(child(&uses[0], what, at));
        int result = 0;
        assert_int_equal(waitpid(process, &result, 0), process);
        if (!WIFEXITED(result) || WEXITSTATUS(result) > 1)
            fail_msg("%s:%llu: exit status %d", what, (unsigned long long)at, result);
        over = (uint64_t)WEXITSTATUS(result);
    }
}

int main(int count, char **words)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_call_fails_once),
        cmocka_unit_test(test_the_cpu_takes_over),
        cmocka_unit_test(test_a_full_gpu),
    };
    if (!emulator_find()) {
        print_message("skipped: not the emulator\n");
        return 77;
    }
    if (count > 1) { /* before anything opens the driver */
        try_children(words[1]);
        return 0;
    }
    if (!device_array_begin()) {
        print_message("skipped: %s\n", driver_absence());
        return 77;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
