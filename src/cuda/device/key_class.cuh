/* SPDX-License-Identifier: Apache-2.0 */
/* The unsigned integer of so many bits, for kernels stamped by width. */
#ifndef CONSORT_CUDA_KEY_CLASS_CUH
#define CONSORT_CUDA_KEY_CLASS_CUH

#include "cuda/device/device.cuh"

template <unsigned Bits> struct key_class;
template <> struct key_class<8> {
    using type = uint8_t;
};
template <> struct key_class<16> {
    using type = uint16_t;
};
template <> struct key_class<32> {
    using type = uint32_t;
};
template <> struct key_class<64> {
    using type = uint64_t;
};
template <> struct key_class<128> {
    using type = uint128;
};

#endif
