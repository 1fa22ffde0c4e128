/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Does a result in device memory have the bytes of one that was checked before? Copying every
 * result of 2 GiB to the host would take a hundred times as long as making it.
 */
#include "cuda/device/device.cuh"

/* Both arrays are aligned to 16 bytes. Sets *differ if one byte does. */
KERNEL(bench_compare, 256)(const uint8_t *a, const uint8_t *b, uint64_t bytes, uint32_t *differ)
{
    const uint64_t words = bytes / sizeof(uint4);
    const uint64_t threads = (uint64_t)gridDim.x * blockDim.x;
    const uint64_t thread = (uint64_t)blockIdx.x * blockDim.x + threadIdx.x;
    bool same = true;
    for (uint64_t i = thread; i < words; i += threads) {
        const uint4 x = ((const uint4 *)a)[i];
        const uint4 y = ((const uint4 *)b)[i];
        same = same && x.x == y.x && x.y == y.y && x.z == y.z && x.w == y.w;
    }
    const uint64_t tail = words * sizeof(uint4) + thread;
    if (tail < bytes)
        same = same && a[tail] == b[tail];
    if (!same)
        *differ = 1;
}
KERNEL_EXPORT(bench_compare);
