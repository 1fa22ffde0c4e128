/* SPDX-License-Identifier: Apache-2.0 */
/* Items that are gathered in their order when they are written. */
#include "ordered.h"

#include <string.h>

enum {
    /* The library moves shorter keys themselves. */
    ORDERED_LONGEST_KEY = 16,
    /* Items that are asked for ahead of the one that is copied. */
    ORDERED_AHEAD = 16,
    ORDERED_LINE = 64
};

bool ordered_suits(const struct dataset *dataset, const struct settings *settings)
{
    const struct layout *layout = &dataset->layout;
    return !settings->algorithm && settings->parameter_count == 0 && dataset->count > 1 &&
           (layout->type == CONSORT_RECORD || layout->item_bytes > ORDERED_LONGEST_KEY);
}

bool ordered_begin(struct dataset *dataset, struct problem *problem)
{
    uint32_t bytes = dataset->count <= UINT32_MAX ? sizeof(uint32_t) : sizeof(uint64_t);
    if (!region_allocate(&dataset->order, dataset->count * bytes, "the order", problem))
        return false;
    dataset->order_bytes = bytes;
    return true;
}

static const unsigned char *ordered_item(const struct dataset *dataset, uint64_t place)
{
    const void *order = dataset->order.bytes;
    uint64_t index = dataset->order_bytes == sizeof(uint32_t) ? ((const uint32_t *)order)[place]
                                                              : ((const uint64_t *)order)[place];
    return dataset->items + index * dataset->layout.item_bytes;
}

static void ordered_ask(const struct dataset *dataset, uint64_t place)
{
    if (place >= dataset->count)
        return;
    const unsigned char *item = ordered_item(dataset, place);
    for (uint64_t at = 0; at < dataset->layout.item_bytes && at < 4 * ORDERED_LINE;
         at += ORDERED_LINE)
        __builtin_prefetch(item + at);
}

const void *ordered_part(const struct dataset *dataset, uint64_t offset, uint64_t length,
                         void *buffer)
{
    unsigned char *to = buffer;
    uint64_t item = dataset->layout.item_bytes;
    if (dataset->order_bytes == 0)
        return dataset->items + offset;
    uint64_t skip = offset % item;
    for (uint64_t place = offset / item; length > 0; place++, skip = 0) {
        uint64_t bytes = item - skip < length ? item - skip : length;
        ordered_ask(dataset, place + ORDERED_AHEAD);
        memcpy(to, ordered_item(dataset, place) + skip, bytes);
        to += bytes;
        length -= bytes;
    }
    return buffer;
}
