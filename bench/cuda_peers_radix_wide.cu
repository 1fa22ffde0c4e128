/* SPDX-License-Identifier: Apache-2.0 */
/*
 * CUB's radix sort for the wide types of key.
 */
#include "cuda_peer_radix.cuh"

peers::device_call peers::radix_wide(consort_type type, std::uint32_t value_bytes, bool two_buffers)
{
    return two_buffers ? find_wide<radix_double>(type, value_bytes)
                       : find_wide<radix_copy>(type, value_bytes);
}
