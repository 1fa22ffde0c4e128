/* SPDX-License-Identifier: Apache-2.0 */
/* The reference's operations: one stable merge sort of positions. */
#include "reference/reference.h"

#include <stdlib.h>
#include <string.h>

bool reference_make(struct reference *reference, const struct reference_list *list)
{
    *reference = (struct reference){.list = *list};
    if (list->field_count == 0)
        return true;
    reference->values = malloc((list->count * list->field_count + 1) * sizeof *reference->values);
    if (!reference->values)
        return false;
    for (uint64_t i = 0; i < list->count; i++)
        for (uint32_t f = 0; f < list->field_count; f++)
            reference->values[i * list->field_count + f] = reference_decode(
                list->fields[f].type,
                (const char *)list->items + i * list->item_bytes + list->fields[f].offset);
    return true;
}

void reference_release(struct reference *reference)
{
    free(reference->values);
    reference->values = NULL;
}

int reference_order(const struct reference *reference, uint64_t i, uint64_t j)
{
    const struct reference_list *list = &reference->list;
    if (list->field_count == 0) {
        const char *items = list->items;
        int32_t result = list->compare(list->compare_context, items + i * list->item_bytes,
                                       items + j * list->item_bytes);
        return result < 0 ? -1 : result > 0;
    }
    for (uint32_t f = 0; f < list->field_count; f++) {
        int result =
            reference_compare(&list->fields[f], &reference->values[i * list->field_count + f],
                              &reference->values[j * list->field_count + f]);
        if (result != 0)
            return result;
    }
    return 0;
}

static void reference_merge_sort(const struct reference *reference, uint64_t *items, uint64_t count,
                                 uint64_t *spare)
{
    if (count < 2)
        return;
    uint64_t half = count / 2;
    reference_merge_sort(reference, items, half, spare);
    reference_merge_sort(reference, items + half, count - half, spare);
    memcpy(spare, items, half * sizeof *items);
    uint64_t left = 0, right = half;
    for (uint64_t next = 0; next < count; next++) {
        bool take_left = left < half && (right == count || reference_order(reference, spare[left],
                                                                           items[right]) <= 0);
        items[next] = take_left ? spare[left++] : items[right++];
    }
}

bool reference_sort(const struct reference *reference, uint64_t first, uint64_t last,
                    uint64_t *permutation)
{
    uint64_t *spare = malloc((last - first + 1) * sizeof *spare);
    if (!spare)
        return false;
    for (uint64_t i = first; i < last; i++)
        permutation[i] = i;
    reference_merge_sort(reference, permutation + first, last - first, spare);
    free(spare);
    return true;
}

uint64_t reference_first_disorder(const struct reference *reference)
{
    for (uint64_t i = 1; i < reference->list.count; i++)
        if (reference_order(reference, i, i - 1) < 0)
            return i;
    return reference->list.count;
}
