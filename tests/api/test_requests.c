/* SPDX-License-Identifier: Apache-2.0 */
/* Requests that cannot be: everything wrong with a descriptor or options fails when planned. */
#include "api/api_test.h"

struct request {
    consort_descriptor descriptor;
    consort_options options;
    consort_field field;
    uint64_t value_bytes[2];
};

static struct request request_of(int32_t operation, consort_type type)
{
    struct request request;
    consort_descriptor_init(&request.descriptor);
    consort_options_init(&request.options);
    request.descriptor.operation = operation;
    request.descriptor.type = type;
    request.descriptor.maximum_count = 100;
    request.field = (consort_field){.type = CONSORT_U32};
    request.value_bytes[0] = request.value_bytes[1] = 4;
    return request;
}

static struct request request_sort(void)
{
    return request_of(CONSORT_OPERATION_SORT, CONSORT_U32);
}

static consort_status request_plan(struct request *request)
{
    consort_plan *plan = (void *)1;
    request->descriptor.options = &request->options;
    consort_status status = consort_plan_create(&request->descriptor, &plan);
    if (status != CONSORT_OK)
        assert_null(plan);
    consort_plan_destroy(status == CONSORT_OK ? plan : NULL);
    return status;
}

#define REFUSED(expected, made, change)                                                            \
    do {                                                                                           \
        struct request r = made;                                                                   \
        change;                                                                                    \
        assert_fails(expected, request_plan(&r));                                                  \
    } while (0)

#define BAD(made, change) REFUSED(CONSORT_ERROR_ARGUMENT, made, change)

static void test_options(void **state)
{
    (void)state;
    struct request good = request_sort();
    assert_works(request_plan(&good));
    BAD(request_sort(), r.options.direction = 2);
    BAD(request_sort(), r.options.direction = -1);
    BAD(request_sort(), r.options.float_order = 4);
    BAD(request_sort(), r.options.float_order = -1);
    BAD(request_sort(), r.options.stable = 2);
    BAD(request_sort(), r.options.stable = -1);
    BAD(request_sort(), r.options.engine = 3);
    BAD(request_sort(), r.options.engine = -1);
    BAD(request_sort(), r.options.device = -3);
    BAD(request_sort(), r.options.device = 0);
    BAD(request_sort(), (r.options.device = 0, r.options.engine = CONSORT_ENGINE_CPU));
}

static void test_algorithms_and_parameters(void **state)
{
    (void)state;
    consort_parameter unknown = {"no-such-parameter", 1}, nameless = {NULL, 1};
    REFUSED(CONSORT_ERROR_UNSUPPORTED, request_sort(), r.options.algorithm = "no-such-algorithm");
    assert_message_has("no-such-algorithm");
    REFUSED(CONSORT_ERROR_UNSUPPORTED, request_sort(), r.options.algorithm = "");
    BAD(request_sort(), (r.options.parameters = &unknown, r.options.parameter_count = 1));
    BAD(request_sort(), (r.options.algorithm = "merge", r.options.parameter_count = 1));
    BAD(request_sort(), (r.options.algorithm = "merge", r.options.parameters = &unknown,
                         r.options.parameter_count = 1));
    assert_message_has("no-such-parameter");
    BAD(request_sort(), (r.options.algorithm = "merge", r.options.parameters = &nameless,
                         r.options.parameter_count = 1));
    BAD(request_sort(), (r.options.algorithm = "merge", r.options.parameters = &unknown,
                         r.options.parameter_count = UINT64_MAX));
}

/* Every parameter of every algorithm: its ends work, one beyond is refused and named. */
static void test_parameter_ranges(void **state)
{
    (void)state;
    for (uint32_t a = 0; a < consort_algorithm_count(); a++) {
        consort_algorithm_info info;
        consort_algorithm_info_init(&info);
        assert_works(consort_algorithm_get_info(a, &info));
        if (info.engine != CONSORT_ENGINE_CPU)
            continue; /* there may be no GPU; tests/cuda tries those */
        for (uint32_t p = 0; p < info.parameter_count; p++) {
            const consort_parameter_info *range = &info.parameters[p];
            consort_parameter parameter = {range->name, 0};
            struct request r = request_of(info.operation, CONSORT_U32);
            r.descriptor.index_type = r.descriptor.offset_type = CONSORT_U32;
            r.options.engine = info.engine;
            r.options.algorithm = info.name;
            r.options.parameters = &parameter;
            r.options.parameter_count = 1;
            assert_true(range->minimum <= range->standard && range->standard <= range->maximum);
            assert_true(range->summary && range->summary[0]);
            parameter.value = range->minimum;
            assert_works(request_plan(&r));
            parameter.value = range->maximum;
            assert_works(request_plan(&r));
            parameter.value = range->minimum - 1;
            assert_fails(CONSORT_ERROR_ARGUMENT, request_plan(&r));
            assert_message_has(range->name);
            parameter.value = range->maximum + 1;
            assert_fails(CONSORT_ERROR_ARGUMENT, request_plan(&r));
        }
    }
}

static void test_engines(void **state)
{
    (void)state;
    consort_status no_gpu = CONSORT_ERROR_NO_DEVICE;
    REFUSED(no_gpu, request_sort(), r.options.engine = CONSORT_ENGINE_CUDA);
    REFUSED(no_gpu, request_sort(), (r.options.engine = CONSORT_ENGINE_CUDA, r.options.device = 7));
    REFUSED(CONSORT_ERROR_UNSUPPORTED, request_sort(), r.descriptor.memory = CONSORT_MEMORY_DEVICE);
    BAD(request_sort(), r.descriptor.memory = 2);
    BAD(request_sort(), r.descriptor.memory = -1);
}

static void test_types_and_operations(void **state)
{
    (void)state;
    BAD(request_of(0, CONSORT_U32), (void)0);
    BAD(request_of(7, CONSORT_U32), (void)0);
    BAD(request_of(-1, CONSORT_U32), (void)0);
    BAD(request_of(CONSORT_OPERATION_SORT, 0), (void)0);
    BAD(request_of(CONSORT_OPERATION_SORT, -1), (void)0);
    BAD(request_of(CONSORT_OPERATION_SORT, 0x0103), (void)0);
    BAD(request_of(CONSORT_OPERATION_SORT, 0x0301), (void)0);
    BAD(request_of(CONSORT_OPERATION_SORT, 0x0500), (void)0);
    BAD(request_of(CONSORT_OPERATION_SORT, CONSORT_U32 | 3 << 16), (void)0);
    BAD(request_of(CONSORT_OPERATION_SORT, CONSORT_U32 | 1 << 24), (void)0);
}

static struct request request_record(void)
{
    struct request request = request_of(CONSORT_OPERATION_SORT, CONSORT_RECORD);
    request.descriptor.record_bytes = 12;
    request.descriptor.field_count = 1;
    return request;
}

#define BAD_RECORD(change) BAD(request_record(), (r.descriptor.fields = &r.field, change))

static void test_records(void **state)
{
    (void)state;
    struct request good = request_record();
    good.descriptor.fields = &good.field;
    assert_works(request_plan(&good));
    BAD_RECORD(r.descriptor.fields = NULL);
    BAD_RECORD(r.descriptor.field_count = 0);
    BAD_RECORD(r.descriptor.field_count = UINT32_MAX);
    BAD_RECORD(r.descriptor.record_bytes = 0);
    BAD_RECORD(r.descriptor.record_bytes = 3);
    BAD_RECORD(r.field.offset = 9);
    assert_message_has("field 0");
    BAD_RECORD(r.field.offset = UINT64_MAX);
    BAD_RECORD(r.field.offset = UINT64_MAX - 3);
    BAD_RECORD(r.field.type = CONSORT_RECORD);
    BAD_RECORD(r.field.type = CONSORT_CALLBACK);
    BAD_RECORD(r.field.type = 0);
    BAD_RECORD(r.field.direction = 2);
    BAD_RECORD(r.field.float_order = 4);
    BAD_RECORD(r.field.reserved = 1);
    BAD_RECORD(r.options.direction = CONSORT_DESCENDING);
    BAD_RECORD(r.options.float_order = CONSORT_TOTAL_ORDER);
    BAD_RECORD(r.descriptor.maximum_count = UINT64_MAX / 12 + 1);
}

static int32_t compare_nothing(void *context, const void *a, const void *b)
{
    (void)context, (void)a, (void)b;
    return 0;
}

static struct request request_callback(void)
{
    struct request request = request_of(CONSORT_OPERATION_SORT, CONSORT_CALLBACK);
    request.descriptor.record_bytes = 12;
    request.descriptor.compare = compare_nothing;
    return request;
}

static void test_callbacks(void **state)
{
    (void)state;
    struct request good = request_callback();
    assert_works(request_plan(&good));
    BAD(request_callback(), r.descriptor.compare = NULL);
    BAD(request_callback(), r.descriptor.record_bytes = 0);
    BAD(request_callback(), r.options.direction = 1);
    BAD(request_callback(), r.options.float_order = 1);
    struct request r = request_callback();
    r.options.engine = CONSORT_ENGINE_CUDA;
    assert_int_not_equal(request_plan(&r), CONSORT_OK);
}

static void test_sizes(void **state)
{
    (void)state;
    BAD(request_sort(), r.descriptor.maximum_count = UINT64_MAX);
    BAD(request_sort(), r.descriptor.maximum_count = UINT64_MAX / 4 + 1);
    BAD(request_sort(), r.descriptor.maximum_count = (uint64_t)PTRDIFF_MAX / 4 + 1);
    BAD(request_sort(), r.descriptor.value_count = 1);
    BAD(request_sort(), (r.value_bytes[1] = 0, r.descriptor.value_bytes = r.value_bytes,
                         r.descriptor.value_count = 2));
    assert_message_has("column 1");
    BAD(request_sort(), (r.value_bytes[0] = UINT64_MAX / 2,
                         r.descriptor.value_bytes = r.value_bytes, r.descriptor.value_count = 1));
    BAD(request_sort(),
        (r.descriptor.value_bytes = r.value_bytes, r.descriptor.value_count = UINT32_MAX));
}

static void test_operation_members(void **state)
{
    (void)state;
    static const int32_t without_values[] = {CONSORT_OPERATION_ARGSORT, CONSORT_OPERATION_TOP_K,
                                             CONSORT_OPERATION_IS_SORTED};
    for (int i = 0; i < 3; i++)
        BAD(request_of(without_values[i], CONSORT_U32),
            (r.descriptor.index_type = CONSORT_U32, r.descriptor.value_bytes = r.value_bytes,
             r.descriptor.value_count = 1));
    BAD(request_of(CONSORT_OPERATION_ARGSORT, CONSORT_U32), (void)0);
    BAD(request_of(CONSORT_OPERATION_ARGSORT, CONSORT_U32), r.descriptor.index_type = CONSORT_I32);
    BAD(request_of(CONSORT_OPERATION_ARGSORT, CONSORT_U8),
        (r.descriptor.index_type = CONSORT_U32,
         r.descriptor.maximum_count = ((uint64_t)1 << 32) + 1));
    BAD(request_of(CONSORT_OPERATION_ARGSORT, CONSORT_U8),
        (r.descriptor.index_type = CONSORT_U64, r.descriptor.maximum_count = (uint64_t)1 << 61));
    BAD(request_of(CONSORT_OPERATION_TOP_K, CONSORT_U32), r.descriptor.index_type = CONSORT_U16);
    BAD(request_of(CONSORT_OPERATION_TOP_K, CONSORT_U32), r.descriptor.maximum_rows = 0);
    BAD(request_of(CONSORT_OPERATION_SEGMENTED_SORT, CONSORT_U32), (void)0);
    BAD(request_of(CONSORT_OPERATION_SEGMENTED_SORT, CONSORT_U32),
        r.descriptor.offset_type = CONSORT_I64);
    BAD(request_of(CONSORT_OPERATION_SEGMENTED_SORT, CONSORT_U32),
        (r.descriptor.offset_type = CONSORT_U64, r.descriptor.maximum_segments = UINT64_MAX));
    BAD(request_sort(), r.descriptor.form = 4);
    BAD(request_sort(), r.descriptor.form = -1);
    BAD(request_sort(), r.descriptor.replay = 2);
    BAD(request_sort(), r.descriptor.replay = -1);
    BAD(request_sort(), r.descriptor.reserved = 1);
    BAD(request_of(CONSORT_OPERATION_MERGE, CONSORT_U32),
        r.descriptor.form = CONSORT_FORM_DOUBLE_BUFFER);
    BAD(request_of(CONSORT_OPERATION_IS_SORTED, CONSORT_U32),
        r.descriptor.form = CONSORT_FORM_PIECES);
    BAD(request_sort(),
        (r.descriptor.form = CONSORT_FORM_PIECES, r.descriptor.memory = CONSORT_MEMORY_DEVICE));
    REFUSED(CONSORT_ERROR_UNSUPPORTED, request_sort(),
            (r.descriptor.form = CONSORT_FORM_PIECES, r.options.algorithm = "lsd"));
    assert_message_has("whole arrays");
}

static void test_null(void **state)
{
    (void)state;
    consort_plan *plan = (void *)1;
    struct request r = request_sort();
    assert_fails(CONSORT_ERROR_ARGUMENT, consort_plan_create(NULL, &plan));
    assert_null(plan);
    assert_fails(CONSORT_ERROR_ARGUMENT, consort_plan_create(&r.descriptor, NULL));
    consort_plan_destroy(NULL);
    consort_context_destroy(NULL);
    consort_descriptor_init(NULL);
    consort_options_init(NULL);
    consort_arguments_init(NULL);
    consort_plan_info_init(NULL);
    consort_algorithm_info_init(NULL);
    consort_context_options_init(NULL);
    assert_int_equal(consort_plan_workspace(NULL), 0);
    assert_null(consort_plan_counter_name(NULL, 0));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_options),
        cmocka_unit_test(test_algorithms_and_parameters),
        cmocka_unit_test(test_parameter_ranges),
        cmocka_unit_test(test_engines),
        cmocka_unit_test(test_types_and_operations),
        cmocka_unit_test(test_records),
        cmocka_unit_test(test_callbacks),
        cmocka_unit_test(test_sizes),
        cmocka_unit_test(test_operation_members),
        cmocka_unit_test(test_null),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
