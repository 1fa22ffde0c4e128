/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Peers whose arrays are in device memory, right and wrong: they take them to the host, sort there
 * and bring them back. Keys u32, alone or with values of 4 or 8 bytes.
 */
#include "wrong_peers.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

struct calls {
    int (*wait)(void *stream);
    int (*read)(void *to, unsigned long long from, size_t bytes);
    int (*write)(unsigned long long to, const void *from, size_t bytes);
};

static struct calls calls;

static void find(void *library, const char *name, void *function)
{
    void *symbol = dlsym(library, name);
    memcpy(function, &symbol, sizeof symbol);
}

static int32_t prepare(struct peer_job *job)
{
    (void)job;
    const char *name = getenv("CONSORT_CUDA_LIBRARY");
    void *library = name != NULL ? dlopen(name, RTLD_NOW) : NULL;
    if (library == NULL) {
        return PEER_NO_MEMORY;
    }
    find(library, "cuStreamSynchronize", &calls.wait);
    find(library, "cuMemcpyDtoH_v2", &calls.read);
    find(library, "cuMemcpyHtoD_v2", &calls.write);
    return PEER_OK;
}

struct lists {
    uint32_t *keys;
    uint64_t *values;
    uint32_t *offsets;
    uint64_t count;
};

static unsigned long long address(const void *memory)
{
    return (unsigned long long)(uintptr_t)memory;
}

static int read_lists(const struct peer_job *job, struct lists *lists)
{
    uint32_t bytes = job->value_bytes;
    unsigned char *values = (unsigned char *)lists->values;
    int bad = calls.wait(job->stream);
    bad |= calls.read(lists->keys, address(job->in), lists->count * sizeof *lists->keys);
    if (bytes > 0) {
        bad |= calls.read(values, address(job->values_in), lists->count * bytes);
    }
    for (uint64_t i = lists->count; bytes == 4 && i-- > 0;) {
        uint32_t narrow;
        memcpy(&narrow, values + 4 * i, sizeof narrow);
        lists->values[i] = narrow;
    }
    if (job->operation == PEER_SEGMENTED_SORT) {
        bad |= calls.read(lists->offsets, address(job->offsets),
                          (job->segments + 1) * sizeof *lists->offsets);
    }
    return bad;
}

static int write_lists(const struct peer_job *job, struct lists *lists, int to_input)
{
    uint32_t bytes = job->value_bytes;
    unsigned char *values = (unsigned char *)lists->values;
    uint64_t kept = job->operation == PEER_TOP_K ? job->k : lists->count;
    for (uint64_t i = 0; bytes == 4 && i < lists->count; i++) {
        uint32_t narrow = (uint32_t)lists->values[i];
        memcpy(values + 4 * i, &narrow, sizeof narrow);
    }
    int bad = calls.write(address(to_input ? job->in : job->keys), lists->keys,
                          kept * sizeof *lists->keys);
    if (bytes > 0) {
        bad |= calls.write(address(to_input ? job->values_in : job->values), lists->values,
                           lists->count * bytes);
    }
    return bad;
}

static void reverse(uint32_t *keys, uint64_t count)
{
    for (uint64_t i = 0; i < count / 2; i++) {
        uint32_t key = keys[i];
        keys[i] = keys[count - 1 - i];
        keys[count - 1 - i] = key;
    }
}

static int32_t sort_lists(const struct peer_job *job, struct lists *lists, enum fault fault)
{
    uint64_t *values = job->value_bytes > 0 ? lists->values : NULL;
    if (job->operation != PEER_SEGMENTED_SORT) {
        int32_t result = wrong_peers_sort(lists->keys, values, lists->count, fault);
        if (job->operation == PEER_TOP_K) {
            reverse(lists->keys, job->k); /* in no particular order */
        }
        return result;
    }
    for (uint64_t s = 0; s < job->segments; s++) {
        uint32_t first = lists->offsets[s];
        wrong_peers_sort(lists->keys + first, values != NULL ? values + first : NULL,
                         lists->offsets[s + 1] - first, fault);
    }
    return PEER_OK;
}

static int32_t run_with(struct peer_job *job, enum fault fault, int to_input)
{
    uint64_t count = job->count + job->count_b;
    struct lists lists = {calloc(count + 1, 4), calloc(count + 1, 8), calloc(job->segments + 1, 4),
                          count};
    int32_t result = PEER_NO_MEMORY;
    if (lists.keys != NULL && lists.values != NULL && lists.offsets != NULL) {
        result = read_lists(job, &lists) != 0 ? PEER_FAILED : sort_lists(job, &lists, fault);
        if (write_lists(job, &lists, to_input) != 0) {
            result = PEER_FAILED;
        }
    }
    job->buffer = !to_input;
    free(lists.keys);
    free(lists.values);
    free(lists.offsets);
    return result;
}

static int32_t run_right(struct peer_job *job)
{
    return run_with(job, FAULT_NONE, 0);
}

static int32_t run_double(struct peer_job *job)
{
    return run_with(job, FAULT_NONE, 1);
}

static int32_t run_lost(struct peer_job *job)
{
    return run_with(job, FAULT_LOST, 0);
}

static int32_t run_crossed(struct peer_job *job)
{
    return run_with(job, FAULT_CROSSED, 0);
}

static int32_t run_unstable(struct peer_job *job)
{
    return run_with(job, FAULT_UNSTABLE, 0);
}

/* What stands there is the result of the sorter before, unless somebody wiped it away. */
static int32_t run_stale(struct peer_job *job)
{
    (void)job;
    return PEER_OK;
}

static int32_t run_reported(struct peer_job *job)
{
    (void)job;
    return PEER_FAILED;
}

static int32_t finish(struct peer_job *job)
{
    (void)job;
    return PEER_OK;
}

static uint64_t workspace(const struct peer_job *job)
{
    return job->count;
}

static int32_t supports(int32_t operation, consort_type type, uint32_t value_bytes)
{
    return type == CONSORT_U32 && (operation != PEER_TOP_K || value_bytes == 0) &&
           (value_bytes == 0 || value_bytes == 4 || value_bytes == 8);
}

#define DEVICE_PEER(peer_name, place, claims_stable, run_function)                                 \
    {                                                                                              \
        .name = (peer_name), .description = "on a GPU", .memory = (place),                         \
        .stable = (claims_stable), .supports = supports, .workspace = workspace,                   \
        .prepare = prepare, .run = (run_function), .finish = finish                                \
    }

const struct peer wrong_device_peers[WRONG_DEVICE_PEERS] = {
    DEVICE_PEER("device_right", PEER_DEVICE_COPY, 1, run_right),
    DEVICE_PEER("device_place", PEER_DEVICE_IN_PLACE, 1, run_right),
    DEVICE_PEER("device_double", PEER_DEVICE_DOUBLE, 1, run_double),
    DEVICE_PEER("device_lost", PEER_DEVICE_COPY, 1, run_lost),
    DEVICE_PEER("device_crossed", PEER_DEVICE_COPY, 1, run_crossed),
    DEVICE_PEER("device_unstable", PEER_DEVICE_COPY, 1, run_unstable),
    DEVICE_PEER("device_honest", PEER_DEVICE_COPY, 0, run_unstable),
    DEVICE_PEER("device_stale", PEER_DEVICE_COPY, 1, run_stale),
    DEVICE_PEER("device_reported", PEER_DEVICE_COPY, 1, run_reported),
};
