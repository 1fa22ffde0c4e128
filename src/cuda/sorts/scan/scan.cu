/* SPDX-License-Identifier: Apache-2.0 */
/* The kernels of the GPU's `scan`, one for each key width and one for every other order; the host
 * side is cuda_scan.c. */
#include "cuda/sorts/scan/scan_disorder.cuh"
#include "cuda/sorts/scan/scan_items.cuh"

#define SCAN_KERNEL(bits, key)                                                                     \
    KERNEL(scan_##bits, SCAN_THREADS)(const __grid_constant__ scan_arguments arguments)            \
    {                                                                                              \
        SHARED(last, uint32_t);                                                                    \
        scan_kernel<key>(arguments, &last);                                                        \
    }                                                                                              \
    KERNEL_EXPORT(scan_##bits);
SCAN_KERNEL(8, uint8_t)
SCAN_KERNEL(16, uint16_t)
SCAN_KERNEL(32, uint32_t)
SCAN_KERNEL(64, uint64_t)
SCAN_KERNEL(128, uint128)

KERNEL(scan_all_orders, SCAN_THREADS)(const __grid_constant__ scan_items_arguments arguments)
{
    SHARED(last, uint32_t);
    scan_items(arguments, &last);
}
KERNEL_EXPORT(scan_all_orders);
