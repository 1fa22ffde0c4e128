/* SPDX-License-Identifier: Apache-2.0 */
#include "cuda/sorts/msd/msd_lists.h"

#include "cuda/sorts/lsd/lsd_request.h"
#include "cuda/sorts/msd/msd_kernels.h"
#include "cuda/sorts/msd/msd_layout.h"
#include "cuda/sorts/msd/msd_tuning.h"

bool msd_uses_both_buffers(const struct request *request)
{
    return request->form == CONSORT_FORM_DOUBLE_BUFFER && request->memory == CONSORT_MEMORY_DEVICE;
}

uint32_t msd_small_leaf(const int64_t *parameters)
{
    return (uint32_t)parameters[MSD_PARAMETER_LEAF];
}

uint32_t msd_cell_bits(uint64_t count, const int64_t *parameters)
{
    uint64_t wanted = (uint64_t)msd_small_leaf(parameters) * 16 / 17;
    uint32_t bits = MSD_DIGIT_BITS;
    while (bits < MSD_CELL_BITS && count >> bits > wanted)
        bits++;
    return bits;
}

bool msd_has_numbers(const struct request *request)
{
    return request->order.pieces[0].codec.magnitude != 0;
}

bool msd_is_short(uint64_t count, const int64_t *parameters)
{
    return count / msd_small_leaf(parameters) < MSD_WHOLE_LEAVES;
}

uint64_t msd_longest_short(const struct request *request, const int64_t *parameters)
{
    const uint64_t most = (uint64_t)msd_small_leaf(parameters) * MSD_WHOLE_LEAVES - 1;
    return request->maximum_count < most ? request->maximum_count : most;
}

bool msd_holds_short(const struct request *request, const int64_t *parameters)
{
    const uint64_t held = lsd_request_held_keys(request, MSD_WHOLE_THREADS * MSD_WHOLE_ITEMS,
                                                msd_whole_bytes((uint32_t)request->item_bytes));
    return request->item_bytes <= MSD_WHOLE_HELD_KEY_BYTES &&
           msd_longest_short(request, parameters) <= held;
}

bool msd_counts_in_words(const struct request *request, const int64_t *parameters)
{
    return request->item_bytes > MSD_WHOLE_HELD_KEY_BYTES &&
           request->maximum_count < 8 * (uint64_t)msd_small_leaf(parameters);
}

bool msd_is_held(const struct request *request, const int64_t *parameters)
{
    return msd_is_short(request->maximum_count, parameters) && msd_holds_short(request, parameters);
}

bool msd_may_be_middling(uint64_t count, const int64_t *parameters)
{
    return count <= (uint64_t)parameters[MSD_PARAMETER_MIDDLING] &&
           msd_cell_bits(count, parameters) <= MSD_MIDDLING_BITS;
}

bool msd_is_long(const struct request *request, uint64_t count, const int64_t *parameters)
{
    return request->item_bytes <= MSD_LONG_WIDE_KEY_BYTES &&
           count >= (uint64_t)parameters[MSD_PARAMETER_LONG];
}

bool msd_has_halves(const struct request *request, uint64_t count, const int64_t *parameters)
{
    return request->item_bytes == MSD_LONG_KEY_BYTES && msd_is_long(request, count, parameters);
}

uint32_t msd_pass_keys(const struct request *request, const int64_t *parameters)
{
    if (request->item_bytes == MSD_LONG_WIDE_KEY_BYTES &&
        msd_is_long(request, request->maximum_count, parameters))
        return MSD_LONG_PASS_THREADS * MSD_LONG_PASS_ITEMS;
    return MSD_PASS_THREADS * msd_shape_of(request->item_bytes)->pass_items;
}

uint32_t msd_counted_bits(uint64_t count)
{
    uint32_t bits = MSD_DIGIT_BITS;
    while (bits < MSD_CELL_BITS && count >> bits > 65)
        bits++;
    return bits;
}

/* Two or three more than the first takes, where a digit has as many, whose rooms are large then,
 * with less to spare; of 8-byte keys of many cells as many, or one more. (H200, µs, as many or one
 * more everywhere: u32 2^24 197, now 193, 3 * 2^22 164, 160, u64 2^21 66, 65; 2^24 words of
 * argsorts 291, else 297.) */
uint32_t msd_second_bits(const struct request *request, uint64_t count, const int64_t *parameters)
{
    const uint32_t bits = msd_cell_bits(count, parameters);
    const bool more = request->item_bytes <= MSD_LONG_KEY_BYTES || bits <= MSD_MIDDLING_BITS;
    const uint32_t second = (bits + (more ? 3 : 1)) / 2;
    if (bits <= MSD_DIGIT_BITS)
        return 0;
    return second < MSD_DIGIT_BITS ? second : MSD_DIGIT_BITS;
}

/* Of a bucket's number. */
static uint32_t msd_room_bits(const struct request *request, uint64_t count,
                              const int64_t *parameters)
{
    return msd_cell_bits(count, parameters) - msd_second_bits(request, count, parameters);
}

/* Of 16 rooms the square of 4.3 standard deviations, of 256 of 4.9: chance takes the upper end of
 * its distribution in one of so many rooms. */
uint32_t msd_room_keys(const struct request *request, uint64_t count, const int64_t *parameters)
{
    const uint32_t bits = msd_room_bits(request, count, parameters);
    const uint64_t mean = (count >> bits) + 1;
    uint64_t spare = 0;
    while (3 * spare * spare < (40 + 4 * bits) * mean)
        spare += 16;
    return (uint32_t)((mean + spare + mean / MSD_ROOM_SPARE + 31) / 32 * 32);
}

uint64_t msd_room_bytes(const struct request *request, uint64_t count, const int64_t *parameters)
{
    return ((uint64_t)msd_room_keys(request, count, parameters)
            << msd_room_bits(request, count, parameters)) *
           request->item_bytes;
}

bool msd_may_have_rooms(const struct request *request, uint64_t count, const int64_t *parameters)
{
    const uint32_t bits = msd_cell_bits(count, parameters);
    return request->item_bytes <= MSD_ROOMY_KEY_BYTES && !msd_uses_both_buffers(request) &&
           count <= (uint64_t)parameters[MSD_PARAMETER_ROOMS] && bits > MSD_DIGIT_BITS &&
           count >> bits <= msd_small_leaf(parameters) && !msd_is_short(count, parameters);
}
