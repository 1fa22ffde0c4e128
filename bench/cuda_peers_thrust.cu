/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Thrust. It takes its memory itself: here from a pocket that keeps what it once got, as a program
 * with a memory pool has it, so that no cudaMalloc is measured. thrust::sort of numbers is CUB's
 * radix sort, and is stable; stable_sort is the same call. By any other comparison it merges.
 */
#include <vector>

#include <thrust/execution_policy.h>
#include <thrust/merge.h>
#include <thrust/sort.h>

#include "cuda_peer.cuh"

namespace
{

using namespace peers;

/* Blocks given back are handed out again to whoever asks for as many bytes. */
struct pocket {
    typedef char value_type;

    struct block {
        char *memory;
        std::size_t bytes;
        bool taken;
    };
    std::vector<block> blocks;
    std::uint64_t total = 0;

    char *allocate(std::ptrdiff_t wanted)
    {
        const auto bytes = static_cast<std::size_t>(wanted);
        for (block &each : blocks) {
            if (!each.taken && each.bytes == bytes) {
                each.taken = true;
                return each.memory;
            }
        }
        char *memory = nullptr;
        if (cudaMalloc(reinterpret_cast<void **>(&memory), bytes) != cudaSuccess) {
            throw std::bad_alloc();
        }
        blocks.push_back({memory, bytes, true});
        total += bytes;
        return memory;
    }

    void deallocate(char *memory, std::size_t)
    {
        for (block &each : blocks) {
            each.taken = each.taken && each.memory != memory;
        }
    }

    ~pocket()
    {
        for (block &each : blocks) {
            cudaFree(each.memory);
        }
    }
};

struct thrust_sort {
    template <class K, class V> static cudaError_t call(void *, size_t &, peer_job *job)
    {
        auto &own = *static_cast<pocket *>(job->state);
        auto policy = thrust::cuda::par_nosync(own).on(stream_of(job));
        K *keys = keys_out<K>(job);
        if constexpr (has_values<V>) {
            thrust::stable_sort_by_key(policy, keys, keys + job->count, values_out<V>(job));
        } else {
            thrust::stable_sort(policy, keys, keys + job->count);
        }
        return cudaGetLastError();
    }

    static device_call find(std::int32_t operation, consort_type type, std::uint32_t value_bytes)
    {
        bool sorts = operation == PEER_SORT || operation == PEER_SORT_PAIRS;
        return sorts ? find_common<thrust_sort>(type, value_bytes) : nullptr;
    }
};

struct less {
    template <class K> __device__ bool operator()(const K &a, const K &b) const
    {
        return a < b;
    }
};

/* What thrust::sort does with a comparison that it does not know: its merge sort. */
struct thrust_merge_sort {
    template <class K, class V> static cudaError_t call(void *, size_t &, peer_job *job)
    {
        auto &own = *static_cast<pocket *>(job->state);
        K *keys = keys_out<K>(job);
        thrust::stable_sort(thrust::cuda::par_nosync(own).on(stream_of(job)), keys,
                            keys + job->count, less{});
        return cudaGetLastError();
    }

    /* The keys that papers compare. */
    static device_call find(std::int32_t operation, consort_type type, std::uint32_t value_bytes)
    {
        bool sorts = operation == PEER_SORT && type == CONSORT_U32 && value_bytes == 0;
        return sorts ? call<std::uint32_t, none> : nullptr;
    }
};

struct thrust_merge {
    template <class K, class V> static cudaError_t call(void *, size_t &, peer_job *job)
    {
        auto &own = *static_cast<pocket *>(job->state);
        auto policy = thrust::cuda::par_nosync(own).on(stream_of(job));
        const K *first = keys_in<K>(job);
        const K *second = first + job->count;
        if constexpr (has_values<V>) {
            const V *values = values_in<V>(job);
            thrust::merge_by_key(policy, first, second, second, second + job->count_b, values,
                                 values + job->count, keys_out<K>(job), values_out<V>(job));
        } else {
            thrust::merge(policy, first, second, second, second + job->count_b, keys_out<K>(job));
        }
        return cudaGetLastError();
    }

    static device_call find(std::int32_t operation, consort_type type, std::uint32_t value_bytes)
    {
        return operation == PEER_MERGE ? find_common<thrust_merge>(type, value_bytes) : nullptr;
    }
};

std::int32_t prepare(peer_job *job)
{
    job->state = new (std::nothrow) pocket;
    return job->state != nullptr ? PEER_OK : PEER_NO_MEMORY;
}

std::int32_t finish(peer_job *job)
{
    delete static_cast<pocket *>(job->state);
    job->state = nullptr;
    return PEER_OK;
}

/* Thrust throws where CUB returns. */
template <class Find> std::int32_t run(peer_job *job)
{
    try {
        std::int32_t result = device_peer<Find>::run(job);
        job->own_bytes = static_cast<pocket *>(job->state)->total;
        return result;
    } catch (const std::bad_alloc &) {
        return PEER_NO_MEMORY;
    } catch (...) {
        return PEER_FAILED;
    }
}

template <class Find> peer entry(const char *name, const char *description, std::int32_t memory)
{
    return {name,    description, nullptr,   memory, true, false, device_peer<Find>::supports,
            nullptr, prepare,     run<Find>, finish};
}

} // namespace

void peers::add_thrust(list &peers)
{
    peers.push_back(entry<thrust_sort>(
        named("thrust_sort"), described("Thrust", "stable_sort, _by_key"), PEER_DEVICE_IN_PLACE));
    peers.push_back(entry<thrust_merge_sort>(named("thrust_merge_sort"),
                                             described("Thrust", "stable_sort by a comparison"),
                                             PEER_DEVICE_IN_PLACE));
    peers.push_back(entry<thrust_merge>(named("thrust_merge"),
                                        described("Thrust", "merge, _by_key"), PEER_DEVICE_COPY));
}
