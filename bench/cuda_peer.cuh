/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Makes a device peer of a family of calls that are generic in the types of key and value:
 *
 *     struct Calls {
 *         template <class K, class V> static cudaError_t call(void *temporary, size_t &bytes,
 *                                                             peer_job *job);
 *     };
 *
 * V is `none` for keys alone. As CUB has it, temporary == nullptr only asks for the bytes.
 */
#ifndef CONSORT_BENCH_CUDA_PEER_CUH
#define CONSORT_BENCH_CUDA_PEER_CUH

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime_api.h>

#include <cub/util_type.cuh>

#include "cuda_peer_list.hpp"

namespace peers
{

using none = cub::NullType;

__extension__ typedef __int128 int128;
__extension__ typedef unsigned __int128 uint128;

template <class K> K *keys_in(const peer_job *job)
{
    return static_cast<K *>(job->in);
}

template <class K> K *keys_out(const peer_job *job)
{
    return static_cast<K *>(job->keys);
}

template <class V> V *values_in(const peer_job *job)
{
    return static_cast<V *>(job->values_in);
}

template <class V> V *values_out(const peer_job *job)
{
    return static_cast<V *>(job->values);
}

inline cudaStream_t stream_of(const peer_job *job)
{
    return static_cast<cudaStream_t>(job->stream);
}

template <class V> constexpr bool has_values = !std::is_same<V, none>::value;

/* Any value of 4, 8 or 16 bytes. */
template <class Calls, class K> device_call find_values(std::uint32_t value_bytes)
{
    switch (value_bytes) {
    case 0:
        return Calls::template call<K, none>;
    case 4:
        return Calls::template call<K, std::uint32_t>;
    case 8:
        return Calls::template call<K, std::uint64_t>;
    case 16:
        return Calls::template call<K, uint4>;
    default:
        return nullptr;
    }
}

template <class Calls, class K> device_call find_alone(std::uint32_t value_bytes)
{
    return value_bytes == 0 ? Calls::template call<K, none> : nullptr;
}

/* What most programs sort. */
template <class Calls> device_call find_common(consort_type type, std::uint32_t value_bytes)
{
    switch (type) {
    case CONSORT_U32:
        return find_values<Calls, std::uint32_t>(value_bytes);
    case CONSORT_U64:
        return find_values<Calls, std::uint64_t>(value_bytes);
    case CONSORT_F32:
        return find_alone<Calls, float>(value_bytes);
    case CONSORT_F64:
        return find_alone<Calls, double>(value_bytes);
    default:
        return nullptr;
    }
}

template <class Calls> device_call find_narrow(consort_type type, std::uint32_t value_bytes)
{
    switch (type) {
    case CONSORT_U8:
        return find_values<Calls, std::uint8_t>(value_bytes);
    case CONSORT_U16:
        return find_values<Calls, std::uint16_t>(value_bytes);
    case CONSORT_I8:
        return find_alone<Calls, std::int8_t>(value_bytes);
    case CONSORT_I16:
        return find_alone<Calls, std::int16_t>(value_bytes);
    case CONSORT_F16:
        return find_alone<Calls, __half>(value_bytes);
    case CONSORT_BF16:
        return find_alone<Calls, __nv_bfloat16>(value_bytes);
    default:
        return nullptr;
    }
}

template <class Calls> device_call find_wide(consort_type type, std::uint32_t value_bytes)
{
    switch (type) {
    case CONSORT_U128:
        return find_values<Calls, uint128>(value_bytes);
    case CONSORT_I128:
        return find_alone<Calls, int128>(value_bytes);
    case CONSORT_I32:
        return find_alone<Calls, std::int32_t>(value_bytes);
    case CONSORT_I64:
        return find_alone<Calls, std::int64_t>(value_bytes);
    default:
        return nullptr;
    }
}

inline std::int32_t nothing_to_do(peer_job *)
{
    return PEER_OK;
}

inline std::int32_t result_of(cudaError_t error)
{
    switch (error) {
    case cudaSuccess:
        return PEER_OK;
    case cudaErrorMemoryAllocation:
        return PEER_NO_MEMORY;
    default:
        return PEER_FAILED;
    }
}

/* Find: the call for an operation and types, or nullptr. */
template <class Find> struct device_peer {
    static std::int32_t supports(std::int32_t operation, consort_type type,
                                 std::uint32_t value_bytes)
    {
        return Find::find(operation, type, value_bytes) != nullptr;
    }

    static std::uint64_t workspace(const peer_job *job)
    {
        device_call call = Find::find(job->operation, job->type, job->value_bytes);
        peer_job asked = *job;
        size_t bytes = 0;
        return call != nullptr && call(nullptr, bytes, &asked) == cudaSuccess ? bytes : 0;
    }

    static std::int32_t run(peer_job *job)
    {
        device_call call = Find::find(job->operation, job->type, job->value_bytes);
        size_t bytes = job->workspace_bytes;
        return call != nullptr ? result_of(call(job->workspace, bytes, job)) : PEER_UNSUPPORTED;
    }

    static peer entry(const char *name, const char *description, std::int32_t memory, bool stable)
    {
        return {name,     description, nullptr,       memory, stable,       false,
                supports, workspace,   nothing_to_do, run,    nothing_to_do};
    }
};

} // namespace peers

#endif
