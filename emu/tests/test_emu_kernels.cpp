/* SPDX-License-Identifier: Apache-2.0 */
/* Correct kernels give correct results, whatever the schedule. */
#include "emu_test.h"

#include <algorithm>
#include <cstring>

static void vector_add()
{
    device gpu;
    for (size_t count : {1, 31, 32, 33, 255, 256, 257, 10000}) {
        std::vector<float> a(count), b(count);
        for (size_t i = 0; i < count; i++) {
            a[i] = static_cast<float>(i);
            b[i] = static_cast<float>(count);
        }
        array<float> in_a(a), in_b(b), out(count);
        CHECK_OK(gpu.run("sample_vector_add", static_cast<unsigned>((count + 255) / 256), 256, 0,
                         in_a.pointer, in_b.pointer, out.pointer, static_cast<uint64_t>(count)));
        std::vector<float> sum = out.read();
        for (size_t i = 0; i < count; i++)
            CHECK(sum[i] == static_cast<float>(i + count));
    }
}

static void block_scan()
{
    device gpu;
    for (unsigned threads : {32u, 64u, 256u, 1024u}) {
        std::vector<uint32_t> values = random_words(threads * 3, 1000);
        array<uint32_t> in(values), out(values.size());
        CHECK_OK(gpu.run("sample_block_scan", 3, threads, 0, in.pointer, out.pointer));
        std::vector<uint32_t> scanned = out.read();
        uint32_t sum = 0;
        for (size_t i = 0; i < values.size(); i++) {
            sum = i % threads ? sum + values[i] : values[i];
            CHECK(scanned[i] == sum);
        }
    }
}

static void prefix_sum()
{
    device gpu;
    for (size_t count : {1, 255, 256, 257, 512, 10007}) {
        std::vector<uint32_t> values = random_words(count, 1000000);
        unsigned tiles = static_cast<unsigned>((count + 255) / 256);
        array<uint32_t> in(values);
        array<uint64_t> out(count), state(tiles + 1);
        CHECK_OK(gpu.run("sample_prefix_sum", tiles, 256, 0, in.pointer, out.pointer,
                         static_cast<uint64_t>(count), state.pointer));
        std::vector<uint64_t> scanned = out.read();
        uint64_t sum = 0;
        for (size_t i = 0; i < count; i++)
            CHECK(scanned[i] == (sum += values[i]));
    }
}

static void histogram()
{
    device gpu;
    std::vector<uint8_t> bytes(20000);
    std::vector<unsigned long long> expected(256);
    for (size_t i = 0; i < bytes.size(); i++)
        expected[bytes[i] = static_cast<uint8_t>(mix(i) % 100)]++;
    array<uint8_t> in(bytes);
    array<unsigned long long> bins(256);
    CHECK_OK(gpu.run("sample_histogram", 7, 128, 256 * 4, in.pointer,
                     static_cast<uint64_t>(bytes.size()), bins.pointer));
    CHECK(bins.read() == expected);
}

static void grid_rounds()
{
    device gpu;
    int occupancy;
    CUfunction kernel = gpu.function("sample_grid_rounds");
    CHECK_OK(cuOccupancyMaxActiveBlocksPerMultiprocessor(&occupancy, kernel, 64, 0));
    CHECK(occupancy == 32);
    for (unsigned blocks : {1u, 2u, 7u, 16u}) {
        uint32_t rounds = 5;
        std::vector<uint32_t> expected = random_words(blocks);
        array<uint32_t> values(expected), barrier(1);
        for (uint32_t round = 0; round < rounds; round++) {
            std::vector<uint32_t> before = expected;
            for (unsigned i = 0; i < blocks; i++)
                expected[i] += before[(i + 1) % blocks];
        }
        void *arguments[] = {&values.pointer, &barrier.pointer, &rounds};
        CHECK_OK(cuLaunchCooperativeKernel(kernel, blocks, 1, 1, 64, 1, 1, 0, nullptr, arguments));
        CHECK_OK(cuCtxSynchronize());
        CHECK(values.read() == expected);
    }
    array<uint32_t> values(129), barrier(1);
    uint32_t rounds = 1;
    void *arguments[] = {&values.pointer, &barrier.pointer, &rounds};
    CHECK_IS(cuLaunchCooperativeKernel(kernel, 129, 1, 1, 64, 1, 1, 0, nullptr, arguments),
             CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE);
}

static void cluster_shift()
{
    device gpu;
    std::vector<uint32_t> values = random_words(8 * 32);
    array<uint32_t> in(values), out(values.size());
    CUlaunchAttribute cluster = {};
    cluster.id = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION;
    cluster.value.clusterDim.x = 4;
    cluster.value.clusterDim.y = cluster.value.clusterDim.z = 1;
    CUlaunchConfig config = {8, 1, 1, 32, 1, 1, 0, nullptr, &cluster, 1};
    void *arguments[] = {&in.pointer, &out.pointer};
    CHECK_OK(cuLaunchKernelEx(&config, gpu.function("sample_cluster_shift"), arguments, nullptr));
    std::vector<uint32_t> shifted = out.read();
    for (size_t i = 0; i < values.size(); i++) {
        size_t block = i / 32, from = block / 4 * 4 + (block + 3) % 4;
        CHECK(shifted[i] == values[from * 32 + i % 32]);
    }
    config.gridDimX = 6;
    CHECK_IS(cuLaunchKernelEx(&config, gpu.function("sample_cluster_shift"), arguments, nullptr),
             CUDA_ERROR_INVALID_VALUE);
}

static void warp_chain()
{
    device gpu;
    array<uint32_t> out(1024);
    CHECK_OK(gpu.run("sample_warp_chain", 1, 1024, 0, out.pointer));
    std::vector<uint32_t> sums = out.read();
    for (uint32_t i = 0; i < 1024; i++)
        CHECK(sums[i] == (i / 32) * (i / 32 + 1) / 2);
}

static void bulk_copies()
{
    device gpu;
    std::vector<uint32_t> values = random_words(5 * 256), expected = values;
    for (size_t start = 0; start < values.size(); start += 128)
        std::reverse(expected.begin() + static_cast<ptrdiff_t>(start),
                     expected.begin() + static_cast<ptrdiff_t>(start + 128));
    array<uint32_t> in(values), out(values.size());
    CHECK_OK(gpu.run("sample_bulk_reverse", 5, 128, 0, in.pointer, out.pointer));
    CHECK(out.read() == expected);
}

static void arguments()
{
    device gpu;
    struct {
        CUdeviceptr out;
        uint8_t factor;
        uint64_t offset;
    } by_value;
    array<uint16_t> out(2 * 3 * 4 * 5 * 3 * 2 + 1);
    by_value = {out.pointer, 3, 1};
    uint8_t a = 7;
    uint16_t b = 1000;
    __extension__ unsigned __int128 wide = static_cast<unsigned __int128>(5) << 100;
    void *pointers[] = {&a, &by_value, &b, &wide};
    CHECK_OK(cuLaunchKernel(gpu.function("sample_arguments"), 2, 3, 4, 5, 3, 2, 0, nullptr,
                            pointers, nullptr));
    std::vector<uint16_t> values = out.read();
    for (size_t i = 0; i + 1 < values.size(); i++)
        CHECK(values[i + 1] == static_cast<uint16_t>(7 + 3 * i + 1000 + 5));
}

static void radix_pass()
{
    device gpu;
    const size_t tile = 4096, count = 12 * tile;
    std::vector<uint32_t> keys = random_words(count), starts(256), expected = keys;
    for (uint32_t key : keys)
        for (uint32_t digit = (key >> 8 & 255) + 1; digit < 256; digit++)
            starts[digit]++;
    std::stable_sort(expected.begin(), expected.end(),
                     [](uint32_t a, uint32_t b) { return (a >> 8 & 255) < (b >> 8 & 255); });
    array<uint32_t> in(keys), out(count), first(starts), state(1 + count / tile * 256);
    CHECK_OK(gpu.run("sample_radix_pass", count / tile, 256, 0, in.pointer, out.pointer,
                     first.pointer, state.pointer, 8u));
    CHECK(out.read() == expected);
}

int main()
{
    under_every_schedule(vector_add);
    under_every_schedule(block_scan);
    under_every_schedule(prefix_sum);
    under_every_schedule(histogram);
    under_every_schedule(grid_rounds);
    under_every_schedule(cluster_shift);
    under_every_schedule(warp_chain);
    under_every_schedule(bulk_copies);
    under_every_schedule(arguments);
    under_every_schedule(radix_pass);
    return 0;
}
