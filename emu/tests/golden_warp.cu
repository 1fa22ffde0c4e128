/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Warp intrinsics with many operands, for the table golden_warp.txt that a real GPU wrote. Compiled
 * by nvcc this file is the program that records it:
 *   nvcc -std=c++17 -arch=sm_90 -cudart static -I../../src/cuda/device golden_warp.cu -o
 * golden_warp
 *   ./golden_warp > golden_warp.txt
 */
#include "golden_warp.h"
#include "ptx.cuh"

static constexpr uint32_t every_lane = 0xffffffffu;

struct golden_writer {
    uint64_t *table;
    uint32_t row;

    __device__ void put(uint64_t value)
    {
        table[row++ * golden_lanes + lane_id()] = value;
    }
};

static __device__ uint32_t scramble(uint32_t x)
{
    x = (x ^ x >> 15) * 0x2c1b3c6du;
    x = (x ^ x >> 12) * 0x297a2d39u;
    return x ^ x >> 15;
}

/* Operands differ by lane where CUDA allows it, and run out of the segment on both sides. */
static __device__ void golden_shuffles(golden_writer *out, uint32_t value)
{
    for (int width = 32; width >= 1; width /= 2) {
        for (int operand : {0, 1, 3, 8, 17, 31}) {
            int varied = (operand + static_cast<int>(lane_id()) * 5) % 32;
            out->put(__shfl_sync(every_lane, value, operand, width));
            out->put(__shfl_sync(every_lane, value, varied, width));
            out->put(__shfl_up_sync(every_lane, value, operand, width));
            out->put(__shfl_down_sync(every_lane, value, operand, width));
            out->put(__shfl_xor_sync(every_lane, value, operand, width));
        }
    }
    unsigned long long wide = static_cast<unsigned long long>(value) << 32 | ~value;
    out->put(__shfl_up_sync(every_lane, wide, 2));
    out->put(__shfl_xor_sync(every_lane, wide, 16));
    out->put(static_cast<uint64_t>(__shfl_down_sync(every_lane, static_cast<int>(value), 4)));
    out->put(__float_as_uint(__shfl_sync(every_lane, __uint_as_float(value & 0x3fffffffu), 7)));
}

static __device__ void golden_votes(golden_writer *out, uint32_t value)
{
    for (uint32_t modulus : {1u, 2u, 3u, 7u, 33u}) {
        uint32_t small = value % modulus;
        int equal = -1;
        out->put(__ballot_sync(every_lane, small == 0));
        out->put(__any_sync(every_lane, small == 5));
        out->put(__all_sync(every_lane, small < 2));
        out->put(__match_any_sync(every_lane, small));
        out->put(__match_any_sync(every_lane, static_cast<unsigned long long>(small) << 40));
        out->put(__match_all_sync(every_lane, small, &equal));
        out->put(static_cast<uint64_t>(equal));
        out->put(__reduce_add_sync(every_lane, value * small));
        out->put(__reduce_min_sync(every_lane, value ^ small));
        out->put(__reduce_max_sync(every_lane, value ^ small));
        out->put(static_cast<uint64_t>(__reduce_add_sync(every_lane, static_cast<int>(value))));
        out->put(
            static_cast<uint64_t>(__reduce_min_sync(every_lane, static_cast<int>(value + small))));
        out->put(
            static_cast<uint64_t>(__reduce_max_sync(every_lane, static_cast<int>(value + small))));
        out->put(__reduce_and_sync(every_lane, value | small));
        out->put(__reduce_or_sync(every_lane, value & (small << 9)));
        out->put(__reduce_xor_sync(every_lane, value + small));
    }
}

/* Two halves, and every third lane apart from the rest, each with masks of their own. */
static __device__ void golden_masks(golden_writer *out, uint32_t value)
{
    uint32_t half = lane_id() < 16 ? 0x0000ffffu : 0xffff0000u;
    out->put(__ballot_sync(half, value & 1));
    out->put(__shfl_up_sync(half, value, 3, 16));
    out->put(__match_any_sync(half, value & 3));
    out->put(__reduce_add_sync(half, value));
    uint32_t third = 0;
    for (uint32_t lane = 0; lane < 32; lane++)
        third |= (lane % 3 == 0 ? 1u : 0u) << lane;
    uint32_t mine = lane_id() % 3 == 0 ? third : ~third;
    out->put(__ballot_sync(mine, value & 2));
    out->put(__reduce_max_sync(mine, value));
    out->put(__any_sync(mine, lane_id() == 3));
    if (lane_id() % 3 == 0)
        value = __reduce_min_sync(third, value);
    __syncwarp();
    out->put(value);
}

static __device__ void golden_bits(golden_writer *out, uint32_t value)
{
    uint32_t other = scramble(value);
    unsigned long long wide = static_cast<unsigned long long>(value) << 32 | other;
    uint32_t few = value >> (lane_id());
    out->put(static_cast<uint64_t>(__popc(value)));
    out->put(static_cast<uint64_t>(__popcll(wide)));
    out->put(static_cast<uint64_t>(__clz(static_cast<int>(few))));
    out->put(static_cast<uint64_t>(__clz(0)));
    out->put(static_cast<uint64_t>(__clzll(static_cast<long long>(wide >> (2 * lane_id())))));
    out->put(static_cast<uint64_t>(__ffs(static_cast<int>(value << lane_id()))));
    out->put(static_cast<uint64_t>(__ffs(0)));
    out->put(static_cast<uint64_t>(__ffsll(static_cast<long long>(wide << (2 * lane_id())))));
    out->put(__brev(value));
    out->put(__brevll(wide));
    for (uint32_t selector : {0x0123u, 0x3210u, 0x7654u, 0x6420u, 0xba98u, 0xfedcu, 0x89abu})
        out->put(__byte_perm(value, other, selector));
    out->put(__byte_perm(value, other, other));
    for (uint32_t shift : {0u, 1u, 31u, 32u, 45u}) {
        out->put(__funnelshift_l(value, other, shift + lane_id()));
        out->put(__funnelshift_r(value, other, shift + lane_id()));
    }
    out->put(__umulhi(value, other));
    out->put(__umul64hi(wide, wide ^ 0x123456789abcdefull));
    out->put(lanemask_eq());
    out->put(lanemask_lt());
    out->put(lanemask_le());
    out->put(lanemask_gt());
    out->put(lanemask_ge());
    out->put(min(value, other));
    out->put(static_cast<uint64_t>(max(static_cast<int>(value), static_cast<int>(other))));
}

static __device__ void golden_atomics(golden_writer *out, uint32_t value)
{
    SHARED(words, uint32_t[32]);
    uint32_t *word = &words[lane_id()];
    *word = value % 10;
    uint32_t operand = lane_id() % 12;
    out->put(atomicAdd(word, operand));
    out->put(atomicSub(word, operand / 2));
    out->put(atomicMin(word, 7u));
    out->put(atomicMax(word, operand));
    out->put(atomicInc(word, operand));
    out->put(atomicInc(word, operand));
    out->put(atomicDec(word, operand));
    out->put(atomicDec(word, operand));
    out->put(atomicAnd(word, 0xeu));
    out->put(atomicOr(word, operand << 8));
    out->put(atomicXor(word, 0xffu));
    out->put(atomicCAS(word, 0xffu, 3u));
    out->put(atomicExch(word, 99u));
    out->put(*word);
    out->put(static_cast<uint64_t>(__syncthreads_count(static_cast<int>(value & 1))));
    out->put(static_cast<uint64_t>(__syncthreads_and(static_cast<int>(value | 1))));
    out->put(static_cast<uint64_t>(__syncthreads_or(static_cast<int>(value & 4)) != 0));
}

KERNEL(golden_warp, 32)(uint64_t *table, uint32_t *rows)
{
    golden_writer out = {table, 0};
    uint32_t value = scramble(lane_id() + 1);
    golden_shuffles(&out, value);
    golden_votes(&out, value);
    golden_masks(&out, value);
    golden_bits(&out, value);
    golden_atomics(&out, value);
    *rows = out.row;
}
KERNEL_EXPORT(golden_warp);

#ifdef __CUDACC__
int main()
{
    static uint64_t table[golden_rows * golden_lanes];
    uint64_t *device_table;
    uint32_t *device_rows, rows;
    if (cudaMalloc(&device_table, sizeof(table)) || cudaMalloc(&device_rows, sizeof(rows)))
        return 2;
    golden_warp<<<1, 32>>>(device_table, device_rows);
    if (cudaMemcpy(table, device_table, sizeof(table), cudaMemcpyDeviceToHost) ||
        cudaMemcpy(&rows, device_rows, sizeof(rows), cudaMemcpyDeviceToHost))
        return 2;
    golden_print(table, rows, stdout);
    return 0;
}
#endif
