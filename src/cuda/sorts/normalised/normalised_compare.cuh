/* SPDX-License-Identifier: Apache-2.0 */
/* Comparing two items by a whole order: order_compare() of core/order.c, on the device. */
#ifndef CONSORT_NORMALISED_COMPARE_CUH
#define CONSORT_NORMALISED_COMPARE_CUH

#include "cuda/sorts/normalised/normalised_window.cuh"

/* An array of items and where in it loads may go. */
struct normalised_array {
    byte_range range;
    uint64_t item_bytes;

    __device__ __forceinline__ explicit normalised_array(const normalised_items &a)
        : range(normalised_range(a)), item_bytes(a.item_bytes)
    {
    }

    __device__ __forceinline__ const unsigned char *at(uint64_t i) const
    {
        return range.begin + i * item_bytes;
    }
};

/* True if item i of `x` comes before item j of `y`. */
static __device__ __forceinline__ bool normalised_before(const normalised_order &order,
                                                         const normalised_array &x, uint64_t i,
                                                         const normalised_array &y, uint64_t j)
{
    const unsigned char *a = x.at(i), *b = y.at(j);
    for (uint32_t p = 0; p < order.piece_count; p++) {
        const uint128 of_a = normalised_code(order.pieces[p], a, x.range);
        const uint128 of_b = normalised_code(order.pieces[p], b, y.range);
        if (of_a != of_b)
            return of_a < of_b;
    }
    return false;
}

#endif
