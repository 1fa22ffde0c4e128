/* SPDX-License-Identifier: Apache-2.0 */
/* What `msd` takes, as measured. */
#include "cuda/sorts/msd/msd_cost.h"

/* H200, CUDA 13.0, 2026-11: 2^16 u32 26 µs, u64 30; 2^20 u32 33 µs, u64 46, u128 110 (before
 * highest digits were counted with the reading); f32, which crowd, 2^16 36 µs, 2^20 84. */
static double msd_short_cost(const struct request *request, bool floats)
{
    double count = (double)request->maximum_count;
    if (request->item_bytes == 4)
        return floats ? 33e3 + count / 20.5 : 25.3e3 + count / 135.0;
    if (floats)
        return 60e3 + count / 25.0;
    return request->item_bytes == 8 ? 29.1e3 + count / 63.0 : 46e3 + count / 25.0;
}

/* Keys a nanosecond on an H200, CUDA 13.0, 2026-11: 2^28 uniform keys of 4 and 8 bytes, 2^24 of 16;
 * floats between 0 and 1, of which more launches have something to do: f32 2^24 0.27 ms, 2^28 3.06;
 * f64 0.42 and 4.96. (Normal ones take 0.40 and 5.1 ms; f64 2^24 0.77.) Launches take 50 µs. A list
 * that is one leaf: 2^12 u32 9.2 µs, u64 11. */
double msd_nanoseconds(const struct request *request, bool alone, bool is_short)
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
    return launches + (double)request->maximum_count / (floats ? uneven : even);
}
