/* SPDX-License-Identifier: Apache-2.0 */
/* Windows on normalised keys: from an order to what kernels take. */
#include "cuda/sorts/normalised/normalised_windows.h"

#include "cuda/codec_constants.h"

static struct normalised_piece normalised_windows_piece(const struct order_piece *piece)
{
    const struct codec *codec = &piece->codec;
    struct normalised_piece p = {.offset = piece->offset,
                                 .stored = codec->stored,
                                 .reversed = codec->stored == codec->width && !codec->swap,
                                 .equal_floats = codec->equal_floats};
    codec_constants_copy(p.magnitude, codec->magnitude);
    codec_constants_copy(p.flip, codec->flip);
    codec_constants_copy(p.bias, codec->bias);
    codec_constants_copy(p.infinity, codec->infinity);
    return p;
}

struct normalised_window normalised_windows_of(const struct order *order, uint64_t first,
                                               uint32_t bytes)
{
    struct normalised_window window = {.bytes = bytes};
    uint64_t end = first + bytes, begins = 0;
    for (uint32_t i = 0; i < order->piece_count && begins < end; i++) {
        uint64_t ends = begins + order->pieces[i].codec.stored;
        if (ends > first) {
            struct normalised_piece *piece = &window.pieces[window.piece_count++];
            *piece = normalised_windows_piece(&order->pieces[i]);
            piece->shift = 8 * (int32_t)((int64_t)end - (int64_t)ends);
        }
        begins = ends;
    }
    return window;
}

struct normalised_window normalised_windows_pieces(const struct order *order, uint32_t first)
{
    struct normalised_window window = {0};
    for (uint32_t i = first; i < order->piece_count; i++) {
        if (window.piece_count == NORMALISED_WINDOW_PIECES)
            break;
        window.pieces[window.piece_count++] = normalised_windows_piece(&order->pieces[i]);
    }
    return window;
}
