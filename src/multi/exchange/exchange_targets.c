/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where the partition puts each class. Items between two splitters all go to one range, so that
 * their places there are known: a member's own are put there at once, and those of the first ranges
 * of the others, so that these need not wait for a copy. The rest is put in the order of the
 * ranges, to be copied while ranges are sorted; so is what equals a splitter, which ranges share.
 */
#include <limits.h>
#include <string.h>

#include "cuda/carried_values.h"
#include "cuda/driver/pointer.h"
#include "multi/exchange/exchange.h"

/* The class of a range that equals no splitter, and where it begins in the order of the ranges. */
struct targets_class {
    uint32_t number;
    struct exchange_stretch items;
};

/* What is sorted in place is still being read when others would write there. */
static bool targets_in_place(const struct exchange *x, const struct exchange_member *member)
{
    for (uint32_t c = 0; c < x->column_count; c++)
        if ((CUdeviceptr)(uintptr_t)member->columns[c].in == member->columns[c].arrive)
            return true;
    return false;
}

static bool targets_writable(const struct exchange *x, const struct exchange_member *member)
{
    for (uint32_t c = 0; c < x->column_count; c++)
        if (!pointer_is_writable(member->columns[c].arrive))
            return false;
    return true;
}

static bool targets_gatherable(const struct exchange *x, const struct exchange_member *member)
{
    for (uint32_t c = 0; c < x->column_count; c++)
        if (!pointer_is_writable(member->columns[c].send))
            return false;
    return true;
}

/* Columns that follow an index are all put in order together. */
consort_status exchange_find_reached(struct exchange *x, struct exchange_member *member, void *none)
{
    (void)none;
    member->reached = member->gathered = 0;
    for (uint32_t m = 0; m < x->member_count; m++) {
        const struct exchange_member *to = &x->members[m];
        if (x->sampled && targets_gatherable(x, to))
            member->gathered |= 1u << m;
        if (to->part->count > 0 && !carried_values_are_indices(&x->plan->request) &&
            !targets_in_place(x, to) && targets_writable(x, to))
            member->reached |= 1u << m;
    }
    return CONSORT_OK;
}

/* Ranks stand in the order of ranges; between the last one that is not behind the range's begin and
 * the next there is the range's class, unless both are the same item. */
static struct targets_class targets_find(const struct exchange *x, uint32_t number, uint32_t range)
{
    struct targets_class found = {.items.end = x->members[number].part->count};
    uint32_t j = 0;
    while (j < x->rank_count && x->ranks[j].range <= range)
        j++;
    if (j < x->rank_count)
        found.items.end = x->ranks[j].below[number];
    if (j > 0) {
        const struct exchange_rank *rank = &x->ranks[j - 1];
        found.number = 2 * rank->row + 2;
        found.items.begin = rank->below[number] + rank->equal[number];
    }
    if (found.items.begin > found.items.end)
        found.items.end = found.items.begin;
    return found;
}

static bool targets_stores(const struct exchange *x, const struct exchange_member *member,
                           uint32_t range)
{
    uint32_t to = range / x->ranges;
    if (!(member->reached >> to & 1))
        return false;
    return x->members[to].device == member->device ||
           (int64_t)(range % x->ranges) < x->plan->parameters[EXCHANGE_PARAMETER_STORED];
}

/* Every class in the order of the ranges: of every splitter the items before it, those that equal
 * it, the rest. */
static void targets_in_order(const struct exchange *x, const struct exchange_member *member,
                             struct exchange_targets *targets)
{
    uint32_t number = (uint32_t)(member - x->members);
    for (uint32_t j = 0; j < x->rank_count; j++) {
        const struct exchange_rank *rank = &x->ranks[j];
        targets->places[2 * rank->row + 1] = rank->below[number];
        targets->places[2 * rank->row + 2] = rank->below[number] + rank->equal[number];
    }
}

/* From an item in the order of the ranges to the same item in another member's output. */
static int64_t targets_distance(const struct exchange_column *from,
                                const struct exchange_column *to, uint64_t number, uint64_t place)
{
    return (int64_t)(to->arrive + place * to->bytes - (from->send + number * from->bytes));
}

/* Every range's items go to the room that they have. */
static void targets_in_rooms(struct exchange *x, const struct exchange_member *member,
                             struct exchange_targets *targets)
{
    targets->spare = member->spare;
    for (uint32_t range = 0; range < exchange_range_count(x); range++) {
        const struct exchange_member *to = &x->members[exchange_range_owner(x, range)];
        uint32_t class = x->classes[range];
        if (class == EXCHANGE_CLASSES)
            continue;
        targets->places[class] = member->pieces[range].begin;
        targets->ends[class] = member->room[range];
        for (uint32_t c = 0; c < x->column_count && exchange_gathers(x, range); c++)
            *(c > 0 ? &targets->values[class] : &targets->keys[class]) =
                (int64_t)(to->columns[c].send - member->columns[c].send);
    }
}

static void targets_where_they_belong(struct exchange *x, struct exchange_member *member,
                                      struct exchange_targets *targets)
{
    uint32_t number = (uint32_t)(member - x->members);
    targets_in_order(x, member, targets);
    for (uint32_t range = 0; range < x->member_count * x->ranges; range++) {
        const struct exchange_column *to = x->members[range / x->ranges].columns;
        struct targets_class class = targets_find(x, number, range);
        bool empty = class.items.begin == class.items.end ||
                     exchange_range_begin(x, range) == exchange_range_begin(x, range + 1);
        member->stored[range] = (struct exchange_stretch){0};
        if (empty || !targets_stores(x, member, range))
            continue;
        uint64_t place = exchange_range_begin(x, range) - x->members[range / x->ranges].first +
                         exchange_piece_offset(x, member, range);
        member->stored[range] = class.items;
        if (x->members[range / x->ranges].device != member->device)
            x->run->outcome->counters[EXCHANGE_COUNT_STORED] += class.items.end - class.items.begin;
        targets->keys[class.number] =
            targets_distance(&member->columns[0], &to[0], member->pieces[range].begin, place);
        if (x->column_count > 1)
            targets->values[class.number] =
                targets_distance(&member->columns[1], &to[1], member->pieces[range].begin, place);
    }
}

void exchange_aim(struct exchange *x, struct exchange_member *member,
                  struct exchange_targets *targets)
{
    if (x->sampled) {
        targets_in_rooms(x, member, targets);
        return;
    }
    memset(targets->ends, UCHAR_MAX, sizeof targets->ends);
    targets_where_they_belong(x, member, targets);
}
