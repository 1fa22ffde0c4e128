/* SPDX-License-Identifier: Apache-2.0 */
/* What `msd` takes, as measured. */
#include "cuda/sorts/msd/msd_cost.h"

/* H200, CUDA 13.0, 2026-11: 2^16 u32 20 µs, u64 22, u128 29; 2^20 u32 25 µs, u64 39, u128 79. Even
 * f32 2^13 to 2^16 24 µs, 2^20 35, f64 27, 48; but uneven ones 2^16 39, 2^20 60, f64 50, 126, so
 * that up to 2^15, where `merge` takes 20 to 34 whatever they are, it is worth the difference. */
static double msd_short_cost(const struct request *request, bool floats)
{
    double count = (double)request->maximum_count;
    if (floats)
        return request->item_bytes == 4 ? 31e3 + count / 160.0 : 36e3 + count / 100.0;
    if (request->item_bytes == 4)
        return 19.5e3 + count / 170.0;
    return request->item_bytes == 8 ? 21e3 + count / 60.0 : 26e3 + count / 20.0;
}

/* Keys of 4 bytes that leave for their leaves at once: u32 2^21 45 µs, 2^22 59; f32 59, 70, uneven
 * 82, 116, of which `lsd` takes as long. */
static double msd_middling_cost(const struct request *request, bool floats)
{
    return (floats ? 44e3 : 31e3) + (double)request->maximum_count / 150.0;
}

/* Even keys that have rooms; floats between 0 and 1. u32 2^23 132 µs, 2^24 205, 2^28 2250; f32 152,
 * 229, 2210; u64 2^22 97, 2^24 288, 2^28 4110; f64 136, 332, 4400. */
static double msd_roomy_cost(const struct request *request, bool floats)
{
    double count = (double)request->maximum_count;
    if (request->item_bytes == 4)
        return floats ? 90e3 + count / 126.0 : 66e3 + count / 121.0;
    return floats ? 71e3 + count / 62.0 : 33e3 + count / 65.8;
}

/* Keys a nanosecond on an H200, CUDA 13.0, 2026-11: 2^28 uniform keys of 4 and 8 bytes, 2^24 of 16;
 * floats between 0 and 1, of which more launches have something to do: f32 2^24 0.27 ms, 2^28 3.06;
 * f64 0.42 and 4.96. (Normal ones take 0.40 and 5.1 ms; f64 2^24 0.77.) Launches take 50 µs. A list
 * that is one leaf: 2^12 u32 9.2 µs, u64 11. */
double msd_nanoseconds(const struct request *request, bool alone, bool is_short, bool roomy)
{
    bool floats = request->order.pieces[0].codec.magnitude != 0;
    double even = request->item_bytes == 4 ? 89.7 : request->item_bytes == 8 ? 47.5 : 20.0;
    double uneven = request->item_bytes == 4 ? 90.2 : request->item_bytes == 8 ? 55.4 : 12.0;
    double launches = request->item_bytes == 16 ? 83e3 : 51e3;
    if (floats)
        launches = request->item_bytes == 4 ? 84e3 : 117e3;
    if (alone)
        return 8e3 + 0.4e3 * (double)request->item_bytes;
    if (is_short)
        return msd_short_cost(request, floats);
    const bool middling = request->item_bytes == 4 && request->maximum_count <= 1 << 22;
    if (middling)
        return msd_middling_cost(request, floats);
    if (roomy)
        return msd_roomy_cost(request, floats);
    return launches + (double)request->maximum_count / (floats ? uneven : even);
}
