/* SPDX-License-Identifier: Apache-2.0 */
/* Filling arrays with named distributions and hostile patterns. */
#include "operations/datasets.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "distributions.h"
#include "operations/hostile.h"

uint32_t dataset_count(void)
{
    size_t named;
    distribution_list(&named);
    return (uint32_t)named + hostile_count;
}

const char *dataset_name(uint32_t index)
{
    size_t named;
    const struct distribution *list = distribution_list(&named);
    return index < named ? list[index].name : hostile_patterns[index - named].name;
}

static void dataset_fill_keys(uint32_t index, consort_type type, void *keys, uint64_t count,
                              uint64_t seed)
{
    size_t named;
    const struct distribution *list = distribution_list(&named);
    if (index >= named)
        hostile_fill(index - (uint32_t)named, type, keys, count, seed);
    else if (!distribution_fill(&list[index], type, keys, 0, count, count, seed))
        hostile_fill(0, type, keys, count, seed);
}

/* The first of several fields has few values, so that the later ones decide. */
static uint32_t dataset_of_field(uint32_t index, const struct key_order *order, uint32_t field)
{
    size_t named;
    const struct distribution *list = distribution_list(&named);
    const struct distribution *few = distribution_find("few-unique");
    bool leading = order->field_count > 1 && field + 1 < order->field_count;
    return leading && few ? (uint32_t)(few - list) : index;
}

void dataset_fill(uint32_t index, const struct key_order *order, void *items, uint64_t count,
                  uint64_t seed)
{
    if (order->type != CONSORT_RECORD && order->type != CONSORT_CALLBACK) {
        dataset_fill_keys(index, order->type, items, count, seed);
        return;
    }
    hostile_fill(0, 0, items, count * order->item_bytes, seed ^ 0x5eed);
    for (uint32_t f = 0; f < order->field_count; f++) {
        const consort_field *field = &order->fields[f];
        uint64_t bytes = (uint64_t)field->type & 0xff;
        char *keys = malloc(count * bytes + 1);
        if (!keys) {
            perror("datasets");
            exit(99);
        }
        dataset_fill_keys(dataset_of_field(index, order, f), field->type, keys, count, seed + f);
        for (uint64_t i = 0; i < count; i++)
            memcpy((char *)items + i * order->item_bytes + field->offset, keys + i * bytes, bytes);
        free(keys);
    }
}
