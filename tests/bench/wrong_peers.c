/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A plugin of peers that are wrong, each in a way of its own, beside one that is right: a benchmark
 * that takes their figures is worthless. Keys u32, alone or with values of 8 bytes.
 */
#include <stdlib.h>
#include <string.h>

#include "wrong_peers.h"

struct item {
    uint32_t key;
    uint64_t value;
    uint64_t place;
};

static int compare_up(const void *a, const void *b)
{
    const struct item *x = a;
    const struct item *y = b;
    if (x->key != y->key) {
        return x->key < y->key ? -1 : 1;
    }
    return (x->place > y->place) - (x->place < y->place);
}

/* Equal keys in reverse. */
static int compare_unstable(const void *a, const void *b)
{
    const struct item *x = a;
    const struct item *y = b;
    return x->key != y->key ? compare_up(a, b) : compare_up(b, a);
}

static void spoil(struct item *items, uint64_t count, enum fault fault)
{
    if (count < 2) {
        return;
    }
    struct item *last = &items[count - 1];
    if (fault == FAULT_LOST) {
        last[-1].key = last->key;
    } else if (fault == FAULT_CROSSED) {
        uint64_t value = items[0].value;
        items[0].value = last->value;
        last->value = value;
    }
}

int32_t wrong_peers_sort(uint32_t *keys, uint64_t *values, uint64_t count, enum fault fault)
{
    struct item *items = calloc(count + 1, sizeof *items);
    if (items == NULL) {
        return PEER_NO_MEMORY;
    }
    for (uint64_t i = 0; i < count; i++) {
        items[i] = (struct item){keys[i], values != NULL ? values[i] : 0, i};
    }
    qsort(items, count, sizeof *items, fault == FAULT_UNSTABLE ? compare_unstable : compare_up);
    spoil(items, count, fault);
    for (uint64_t i = 0; i < count; i++) {
        keys[i] = items[i].key;
        if (values != NULL) {
            values[i] = items[i].value;
        }
    }
    free(items);
    return PEER_OK;
}

static int32_t sort_with(struct peer_job *job, enum fault fault)
{
    return wrong_peers_sort(job->keys, job->operation == PEER_SORT_PAIRS ? job->values : NULL,
                            job->count, fault);
}

static int32_t run_right(struct peer_job *job)
{
    return sort_with(job, FAULT_NONE);
}

static int32_t run_unsorted(struct peer_job *job)
{
    (void)job;
    return PEER_OK;
}

static int32_t run_lost(struct peer_job *job)
{
    return sort_with(job, FAULT_LOST);
}

static int32_t run_crossed(struct peer_job *job)
{
    return sort_with(job, FAULT_CROSSED);
}

static int32_t run_unstable(struct peer_job *job)
{
    return sort_with(job, FAULT_UNSTABLE);
}

static int32_t run_reported(struct peer_job *job)
{
    (void)job;
    return PEER_FAILED;
}

static int32_t nothing(struct peer_job *job)
{
    (void)job;
    return PEER_OK;
}

static int32_t supports(int32_t operation, consort_type type, uint32_t value_bytes)
{
    return type == CONSORT_U32 &&
           (operation == PEER_SORT || (operation == PEER_SORT_PAIRS && value_bytes == 8));
}

static int32_t supports_pairs(int32_t operation, consort_type type, uint32_t value_bytes)
{
    return operation == PEER_SORT_PAIRS && supports(operation, type, value_bytes);
}

enum {
    HOST_PEERS = 9
};

/* All say that they are stable. */
static const struct peer host_peers[HOST_PEERS] = {
    {"right", "sorts", NULL, PEER_HOST, 1, 0, supports, NULL, nothing, run_right, nothing},
    {"unsorted", "does nothing", NULL, PEER_HOST, 1, 0, supports, NULL, nothing, run_unsorted,
     nothing},
    {"lost", "loses a key", NULL, PEER_HOST, 1, 0, supports, NULL, nothing, run_lost, nothing},
    {"crossed", "swaps two values", NULL, PEER_HOST, 1, 0, supports_pairs, NULL, nothing,
     run_crossed, nothing},
    {"unstable", "reverses equal keys", NULL, PEER_HOST, 1, 0, supports_pairs, NULL, nothing,
     run_unstable, nothing},
    {"reported", "says that it failed", NULL, PEER_HOST, 1, 0, supports, NULL, nothing,
     run_reported, nothing},
    {"versions@1", "sorts", NULL, PEER_HOST, 1, 0, supports, NULL, nothing, run_right, nothing},
    {"versions@2.0", "sorts", NULL, PEER_HOST, 1, 0, supports, NULL, nothing, run_right, nothing},
    {.name = "missing", .description = "is not there", .unavailable = "left out on purpose"},
};

const struct peer_table *consort_bench_peers(void)
{
    static struct peer peers[HOST_PEERS + WRONG_DEVICE_PEERS];
    static const struct peer_table table = {PEERS_ABI_VERSION, HOST_PEERS + WRONG_DEVICE_PEERS,
                                            peers};
    memcpy(peers, host_peers, sizeof host_peers);
    memcpy(peers + HOST_PEERS, wrong_device_peers, sizeof wrong_device_peers);
    return &table;
}
