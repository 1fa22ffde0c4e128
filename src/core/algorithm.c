/* SPDX-License-Identifier: Apache-2.0 */
/* The registry: the engines' tables one after the other, and what the public API tells of them. */
#include "core/algorithm.h"

#include "core/sized.h"
#include "core/status.h"
#include "cpu/cpu_algorithms.h"
#include "cuda/cuda_algorithms.h"
#include "multi/multi_algorithms.h"

uint32_t algorithm_count(void)
{
    return cpu_algorithm_count + cuda_algorithm_count + multi_algorithm_count;
}

const struct algorithm *algorithm_at(uint32_t index)
{
    if (index < cpu_algorithm_count)
        return cpu_algorithms[index];
    index -= cpu_algorithm_count;
    if (index < cuda_algorithm_count)
        return cuda_algorithms[index];
    index -= cuda_algorithm_count;
    return index < multi_algorithm_count ? multi_algorithms[index] : NULL;
}

const char *consort_operation_name(int32_t operation)
{
    switch (operation) {
    case CONSORT_OPERATION_SORT:
        return "sort";
    case CONSORT_OPERATION_ARGSORT:
        return "argsort";
    case CONSORT_OPERATION_MERGE:
        return "merge";
    case CONSORT_OPERATION_SEGMENTED_SORT:
        return "segmented-sort";
    case CONSORT_OPERATION_TOP_K:
        return "top-k";
    case CONSORT_OPERATION_IS_SORTED:
        return "is-sorted";
    default:
        return "?";
    }
}

const char *consort_engine_name(int32_t engine)
{
    switch (engine) {
    case CONSORT_ENGINE_AUTO:
        return "auto";
    case CONSORT_ENGINE_CPU:
        return "cpu";
    case CONSORT_ENGINE_CUDA:
        return "cuda";
    default:
        return "?";
    }
}

uint32_t consort_algorithm_count(void)
{
    return algorithm_count();
}

void consort_algorithm_info_init(consort_algorithm_info *info)
{
    if (info)
        *info = (consort_algorithm_info){.size = sizeof *info};
}

consort_status consort_algorithm_get_info(uint32_t index, consort_algorithm_info *info)
{
    const struct algorithm *algorithm = algorithm_at(index);
    if (!algorithm || !info)
        return status_fail(CONSORT_ERROR_ARGUMENT,
                           "consort_algorithm_get_info: index %u of %u, or info is NULL", index,
                           algorithm_count());
    consort_algorithm_info found = {.name = algorithm->name,
                                    .summary = algorithm->summary,
                                    .operation = algorithm->operation,
                                    .engine = algorithm->engine,
                                    .stable = algorithm->stable,
                                    .quadratic = algorithm->quadratic,
                                    .serial = algorithm->serial,
                                    .parameter_count = algorithm->parameter_count,
                                    .parameters = algorithm->parameters};
    return sized_write(info, &found, sizeof found, "consort_algorithm_info")
               ? CONSORT_OK
               : CONSORT_ERROR_ARGUMENT;
}
