/* SPDX-License-Identifier: Apache-2.0 */
/* A whole order in device memory: a launch carries a window's pieces there. */
#include "cuda/sorts/normalised/normalised_order.h"

#include "cuda/sorts/normalised/normalised_windows.h"

uint64_t normalised_order_bytes(const struct order *order)
{
    return order->piece_count * sizeof(struct normalised_piece);
}

consort_status normalised_order_prepare(struct launch *put, const struct device *device)
{
    *put = (struct launch){kernels_find(device, "normalised", "normalised_put_pieces", 0),
                           NORMALISED_THREADS, 0};
    return put->function ? CONSORT_OK : consort_last_error()->status;
}

consort_status normalised_order_put(const struct launch *put, const struct order *order,
                                    void *memory, consort_stream stream)
{
    consort_status status = CONSORT_OK;
    for (uint32_t i = 0; i < order->piece_count && status == CONSORT_OK;
         i += NORMALISED_WINDOW_PIECES) {
        struct normalised_window window = normalised_windows_pieces(order, i);
        struct normalised_piece *to = (struct normalised_piece *)memory + i;
        void *parameters[] = {&window, &to};
        status = launch_kernel(put, 1, stream, parameters);
    }
    return status;
}

struct normalised_order normalised_order_at(const struct order *order, const void *memory)
{
    return (struct normalised_order){.pieces = memory, .piece_count = order->piece_count};
}
