/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The binary interface, pinned: sizes of structures, places of members, values of enumerators, on
 * machines with 64-bit pointers. A line that must change means a new soname, or a member that was
 * not added at the end.
 */
#include "api/api_test.h"

struct pin {
    const char *name;
    int64_t actual;
    int64_t pinned;
};

#define SIZE(type, bytes)                                                                          \
    {                                                                                              \
#type, sizeof(type), bytes                                                                 \
    }
#define MEMBER(type, member, offset, bytes)                                                        \
    {#type "." #member " offset", offsetof(type, member), offset},                                 \
    {                                                                                              \
#type "." #member " size", sizeof(((type *)0)->member), bytes                              \
    }
#define VALUE(name, number)                                                                        \
    {                                                                                              \
#name, name, number                                                                        \
    }

static const struct pin pins[] = {
    /* Numbers cross every language border as int32_t. */
    SIZE(consort_status, 4),
    SIZE(consort_type, 4),
    SIZE(CONSORT_OK, 4),
    SIZE(consort_compare, 8),
    SIZE(consort_progress, 8),
    SIZE(consort_stream, 8),
    SIZE(consort_error, 24),
    MEMBER(consort_error, status, 0, 4),
    MEMBER(consort_error, os_error, 4, 4),
    MEMBER(consort_error, driver_error, 8, 4),
    MEMBER(consort_error, input_whole, 12, 4),
    MEMBER(consort_error, message, 16, 8),
    SIZE(consort_context_options, 40),
    MEMBER(consort_context_options, size, 0, 8),
    MEMBER(consort_context_options, threads, 8, 4),
    MEMBER(consort_context_options, reserved, 12, 4),
    MEMBER(consort_context_options, allocate, 16, 8),
    MEMBER(consort_context_options, release, 24, 8),
    MEMBER(consort_context_options, allocator, 32, 8),
    SIZE(consort_parameter, 16),
    MEMBER(consort_parameter, name, 0, 8),
    MEMBER(consort_parameter, value, 8, 8),
    SIZE(consort_options, 72),
    MEMBER(consort_options, size, 0, 8),
    MEMBER(consort_options, context, 8, 8),
    MEMBER(consort_options, direction, 16, 4),
    MEMBER(consort_options, float_order, 20, 4),
    MEMBER(consort_options, stable, 24, 4),
    MEMBER(consort_options, engine, 28, 4),
    MEMBER(consort_options, device, 32, 4),
    MEMBER(consort_options, threads, 36, 4),
    MEMBER(consort_options, algorithm, 40, 8),
    MEMBER(consort_options, parameters, 48, 8),
    MEMBER(consort_options, parameter_count, 56, 8),
    MEMBER(consort_options, workspace_limit, 64, 8),
    SIZE(consort_column, 32),
    MEMBER(consort_column, in, 0, 8),
    MEMBER(consort_column, out, 8, 8),
    MEMBER(consort_column, in_b, 16, 8),
    MEMBER(consort_column, element_bytes, 24, 8),
    SIZE(consort_part, 48),
    MEMBER(consort_part, device, 0, 4),
    MEMBER(consort_part, reserved, 4, 4),
    MEMBER(consort_part, count, 8, 8),
    MEMBER(consort_part, in, 16, 8),
    MEMBER(consort_part, out, 24, 8),
    MEMBER(consort_part, values, 32, 8),
    MEMBER(consort_part, indices, 40, 8),
    SIZE(consort_field, 24),
    MEMBER(consort_field, offset, 0, 8),
    MEMBER(consort_field, type, 8, 4),
    MEMBER(consort_field, direction, 12, 4),
    MEMBER(consort_field, float_order, 16, 4),
    MEMBER(consort_field, reserved, 20, 4),
    SIZE(consort_descriptor, 136),
    MEMBER(consort_descriptor, size, 0, 8),
    MEMBER(consort_descriptor, operation, 8, 4),
    MEMBER(consort_descriptor, type, 12, 4),
    MEMBER(consort_descriptor, maximum_count, 16, 8),
    MEMBER(consort_descriptor, value_bytes, 24, 8),
    MEMBER(consort_descriptor, value_count, 32, 4),
    MEMBER(consort_descriptor, index_type, 36, 4),
    MEMBER(consort_descriptor, record_bytes, 40, 8),
    MEMBER(consort_descriptor, fields, 48, 8),
    MEMBER(consort_descriptor, field_count, 56, 4),
    MEMBER(consort_descriptor, offset_type, 60, 4),
    MEMBER(consort_descriptor, maximum_segments, 64, 8),
    MEMBER(consort_descriptor, maximum_k, 72, 8),
    MEMBER(consort_descriptor, maximum_rows, 80, 8),
    MEMBER(consort_descriptor, compare, 88, 8),
    MEMBER(consort_descriptor, compare_context, 96, 8),
    MEMBER(consort_descriptor, memory, 104, 4),
    MEMBER(consort_descriptor, form, 108, 4),
    MEMBER(consort_descriptor, options, 112, 8),
    MEMBER(consort_descriptor, devices, 120, 8),
    MEMBER(consort_descriptor, device_count, 128, 8),
    SIZE(consort_plan_info, 56),
    MEMBER(consort_plan_info, size, 0, 8),
    MEMBER(consort_plan_info, algorithm, 8, 8),
    MEMBER(consort_plan_info, engine, 16, 4),
    MEMBER(consort_plan_info, device, 20, 4),
    MEMBER(consort_plan_info, threads, 24, 4),
    MEMBER(consort_plan_info, stable, 28, 4),
    MEMBER(consort_plan_info, workspace, 32, 8),
    MEMBER(consort_plan_info, alignment, 40, 8),
    MEMBER(consort_plan_info, capturable, 48, 4),
    MEMBER(consort_plan_info, counter_count, 52, 4),
    SIZE(consort_outcome, 128),
    MEMBER(consort_outcome, status, 0, 4),
    MEMBER(consort_outcome, buffer, 4, 4),
    MEMBER(consort_outcome, position, 8, 8),
    MEMBER(consort_outcome, counters, 16, 112),
    SIZE(consort_arguments, 144),
    MEMBER(consort_arguments, size, 0, 8),
    MEMBER(consort_arguments, count, 8, 8),
    MEMBER(consort_arguments, device_count, 16, 8),
    MEMBER(consort_arguments, in, 24, 8),
    MEMBER(consort_arguments, out, 32, 8),
    MEMBER(consort_arguments, values, 40, 8),
    MEMBER(consort_arguments, indices, 48, 8),
    MEMBER(consort_arguments, in_b, 56, 8),
    MEMBER(consort_arguments, count_b, 64, 8),
    MEMBER(consort_arguments, offsets, 72, 8),
    MEMBER(consort_arguments, segment_count, 80, 8),
    MEMBER(consort_arguments, k, 88, 8),
    MEMBER(consort_arguments, rows, 96, 8),
    MEMBER(consort_arguments, outcome, 104, 8),
    MEMBER(consort_arguments, progress, 112, 8),
    MEMBER(consort_arguments, progress_context, 120, 8),
    MEMBER(consort_arguments, cancel, 128, 8),
    MEMBER(consort_arguments, parts, 136, 8),
    SIZE(consort_parameter_info, 40),
    MEMBER(consort_parameter_info, name, 0, 8),
    MEMBER(consort_parameter_info, summary, 8, 8),
    MEMBER(consort_parameter_info, minimum, 16, 8),
    MEMBER(consort_parameter_info, maximum, 24, 8),
    MEMBER(consort_parameter_info, standard, 32, 8),
    SIZE(consort_device_info, 40),
    MEMBER(consort_device_info, size, 0, 8),
    MEMBER(consort_device_info, name, 8, 8),
    MEMBER(consort_device_info, capability, 16, 4),
    MEMBER(consort_device_info, processors, 20, 4),
    MEMBER(consort_device_info, memory, 24, 8),
    MEMBER(consort_device_info, in_all, 32, 4),
    MEMBER(consort_device_info, reserved, 36, 4),
    SIZE(consort_algorithm_info, 56),
    MEMBER(consort_algorithm_info, size, 0, 8),
    MEMBER(consort_algorithm_info, name, 8, 8),
    MEMBER(consort_algorithm_info, summary, 16, 8),
    MEMBER(consort_algorithm_info, operation, 24, 4),
    MEMBER(consort_algorithm_info, engine, 28, 4),
    MEMBER(consort_algorithm_info, stable, 32, 4),
    MEMBER(consort_algorithm_info, quadratic, 36, 4),
    MEMBER(consort_algorithm_info, serial, 40, 4),
    MEMBER(consort_algorithm_info, parameter_count, 44, 4),
    MEMBER(consort_algorithm_info, parameters, 48, 8),
    VALUE(CONSORT_OK, 0),
    VALUE(CONSORT_ERROR_ARGUMENT, 1),
    VALUE(CONSORT_ERROR_UNSUPPORTED, 2),
    VALUE(CONSORT_ERROR_MEMORY, 3),
    VALUE(CONSORT_ERROR_DEVICE_MEMORY, 4),
    VALUE(CONSORT_ERROR_WORKSPACE, 5),
    VALUE(CONSORT_ERROR_OVERLAP, 6),
    VALUE(CONSORT_ERROR_ALIGNMENT, 7),
    VALUE(CONSORT_ERROR_OFFSETS, 8),
    VALUE(CONSORT_ERROR_CANCELLED, 9),
    VALUE(CONSORT_ERROR_NO_DEVICE, 10),
    VALUE(CONSORT_ERROR_NO_KERNEL, 11),
    VALUE(CONSORT_ERROR_DRIVER, 12),
    VALUE(CONSORT_ERROR_DEVICE_LOST, 13),
    VALUE(CONSORT_ERROR_CAPTURE, 14),
    VALUE(CONSORT_ERROR_SYSTEM, 15),
    VALUE(CONSORT_ERROR_INTERNAL, 16),
    VALUE(CONSORT_KIND_UNSIGNED, 1),
    VALUE(CONSORT_KIND_SIGNED, 2),
    VALUE(CONSORT_KIND_FLOAT, 3),
    VALUE(CONSORT_KIND_BFLOAT, 4),
    VALUE(CONSORT_KIND_BYTES, 5),
    VALUE(CONSORT_KIND_RECORD, 6),
    VALUE(CONSORT_KIND_CALLBACK, 7),
    VALUE(CONSORT_NATIVE, 0),
    VALUE(CONSORT_LITTLE_ENDIAN, 1),
    VALUE(CONSORT_BIG_ENDIAN, 2),
    VALUE(CONSORT_U8, 257),
    VALUE(CONSORT_U16, 258),
    VALUE(CONSORT_U32, 260),
    VALUE(CONSORT_U64, 264),
    VALUE(CONSORT_U128, 272),
    VALUE(CONSORT_I8, 513),
    VALUE(CONSORT_I16, 514),
    VALUE(CONSORT_I32, 516),
    VALUE(CONSORT_I64, 520),
    VALUE(CONSORT_I128, 528),
    VALUE(CONSORT_F16, 770),
    VALUE(CONSORT_F32, 772),
    VALUE(CONSORT_F64, 776),
    VALUE(CONSORT_BF16, 1026),
    VALUE(CONSORT_RECORD, 1536),
    VALUE(CONSORT_CALLBACK, 1792),
    VALUE(CONSORT_ASCENDING, 0),
    VALUE(CONSORT_DESCENDING, 1),
    VALUE(CONSORT_NAN_LAST, 0),
    VALUE(CONSORT_NAN_FIRST, 1),
    VALUE(CONSORT_TOTAL_ORDER, 2),
    VALUE(CONSORT_NUMPY_ORDER, 3),
    VALUE(CONSORT_ENGINE_AUTO, 0),
    VALUE(CONSORT_ENGINE_CPU, 1),
    VALUE(CONSORT_ENGINE_CUDA, 2),
    VALUE(CONSORT_DEVICE_ALL, -2),
    VALUE(CONSORT_OPERATION_SORT, 1),
    VALUE(CONSORT_OPERATION_ARGSORT, 2),
    VALUE(CONSORT_OPERATION_MERGE, 3),
    VALUE(CONSORT_OPERATION_SEGMENTED_SORT, 4),
    VALUE(CONSORT_OPERATION_TOP_K, 5),
    VALUE(CONSORT_OPERATION_IS_SORTED, 6),
    VALUE(CONSORT_MEMORY_HOST, 0),
    VALUE(CONSORT_MEMORY_DEVICE, 1),
    VALUE(CONSORT_MEMORY_SPREAD, 2),
    VALUE(CONSORT_FORM_COPY, 0),
    VALUE(CONSORT_FORM_DOUBLE_BUFFER, 1),
};

static void test_pins(void **state)
{
    (void)state;
    int wrong = 0;
    for (size_t i = 0; i < sizeof pins / sizeof *pins; i++) {
        if (pins[i].actual == pins[i].pinned)
            continue;
        print_error("%s is %lld, pinned to %lld\n", pins[i].name, (long long)pins[i].actual,
                    (long long)pins[i].pinned);
        wrong++;
    }
    assert_int_equal(wrong, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_pins)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
