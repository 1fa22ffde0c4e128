/* SPDX-License-Identifier: Apache-2.0 */
/* What a context keeps on a GPU between runs on host arrays. */
#include "cuda/staging/staging_store.h"

#include <pthread.h>
#include <stdlib.h>

#include "core/log.h"
#include "core/status.h"

enum {
    STORE_MAXIMUM_SLOTS = 256 / 2, /* of 2 MiB: 256 MiB */
    STORE_MAXIMUM_IDLE = 8,
    STORE_KEPT_SHARE = 16 /* of the device's memory: one part in so many */
};

struct staging_store {
    struct staging_store *next; /* the context's other devices */
    const struct device *device;
    CUmemoryPool pool; /* NULL: this device has no pools */
    struct staging_lane *idle;
    uint32_t idle_count;
    uint32_t slots;  /* in all lanes, idle or not */
    uint64_t shared; /* a bit for each device that reaches the pool's memory */
    pthread_mutex_t turn;
};

/* Held only to change lists and counts, never across a driver call that may wait. */
static pthread_mutex_t store_lock = PTHREAD_MUTEX_INITIALIZER;

/* Without a pool of our own each run allocates and frees by itself. */
static CUmemoryPool store_pool(const struct device *device)
{
    const struct driver *driver = driver_get();
    CUmemPoolProps properties = {.allocType = CU_MEM_ALLOCATION_TYPE_PINNED,
                                 .location = {CU_MEM_LOCATION_TYPE_DEVICE, device->handle}};
    CUmemoryPool pool = NULL;
    uint64_t kept = device->memory / STORE_KEPT_SHARE;
    if (!device->memory_pools || driver->cuMemPoolCreate(&pool, &properties) != CUDA_SUCCESS)
        return NULL;
    driver->cuMemPoolSetAttribute(pool, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, &kept);
    return pool;
}

static struct staging_store *store_find(struct consort_context *context,
                                        const struct device *device)
{
    struct staging_store *store = context->stores;
    while (store && store->device != device)
        store = store->next;
    return store;
}

struct staging_store *staging_store_of(struct consort_context *context, const struct device *device)
{
    pthread_mutex_lock(&store_lock);
    struct staging_store *store = store_find(context, device);
    if (!store && (store = calloc(1, sizeof *store))) {
        pthread_mutex_init(&store->turn, NULL);
        store->device = device;
        store->pool = store_pool(device);
        store->next = context->stores;
        context->stores = store;
    }
    pthread_mutex_unlock(&store_lock);
    if (!store)
        status_fail(CONSORT_ERROR_MEMORY, "out of memory");
    return store;
}

/* How many slots a lane that has `present` may have; the difference counts as taken. */
static uint32_t store_grant(struct staging_store *store, uint32_t present, uint32_t wanted)
{
    pthread_mutex_lock(&store_lock);
    uint32_t left = STORE_MAXIMUM_SLOTS - store->slots;
    uint32_t more = wanted > present ? wanted - present : 0;
    more = more < left ? more : left;
    store->slots += more;
    pthread_mutex_unlock(&store_lock);
    return present + more;
}

static void store_ungrant(struct staging_store *store, uint32_t slots)
{
    pthread_mutex_lock(&store_lock);
    store->slots -= slots;
    pthread_mutex_unlock(&store_lock);
}

struct staging_lane *staging_store_borrow(struct staging_store *store, uint32_t slots)
{
    pthread_mutex_lock(&store_lock);
    struct staging_lane *lane = store->idle;
    if (lane) {
        store->idle = lane->next;
        store->idle_count--;
    }
    pthread_mutex_unlock(&store_lock);
    if (!lane && !(lane = staging_lane_create()))
        return NULL;
    uint32_t wanted = slots < STAGING_SLOTS ? slots : STAGING_SLOTS;
    uint32_t granted = store_grant(store, lane->slot_count, wanted);
    staging_lane_grow(lane, granted);
    if (granted > lane->slot_count)
        store_ungrant(store, granted - lane->slot_count);
    return lane;
}

void staging_store_return(struct staging_store *store, struct staging_lane *lane, bool sound)
{
    uint32_t slots = lane->slot_count;
    pthread_mutex_lock(&store_lock);
    bool keep = sound && store->idle_count < STORE_MAXIMUM_IDLE;
    if (keep) {
        lane->next = store->idle;
        store->idle = lane;
        store->idle_count++;
    }
    pthread_mutex_unlock(&store_lock);
    if (keep)
        return;
    staging_lane_destroy(lane);
    store_ungrant(store, slots);
}

static CUresult store_allocate(const struct staging_store *store, const struct staging_lane *lane,
                               uint64_t bytes, CUdeviceptr *memory)
{
    const struct driver *driver = driver_get();
    return store->pool ? driver->cuMemAllocFromPoolAsync(memory, bytes, store->pool, lane->sort)
                       : driver->cuMemAlloc(memory, bytes);
}

consort_status staging_store_allocate(struct staging_store *store, const struct staging_lane *lane,
                                      uint64_t bytes, CUdeviceptr *memory)
{
    const struct driver *driver = driver_get();
    CUresult result = store_allocate(store, lane, bytes, memory);
    if (result == CUDA_ERROR_OUT_OF_MEMORY && store->pool) {
        driver->cuMemPoolTrimTo(store->pool, 0);
        result = store_allocate(store, lane, bytes, memory);
    }
    if (result == CUDA_SUCCESS)
        return CONSORT_OK;
    *memory = 0;
    return driver_fail(driver, result, "allocating device memory for the arrays and the workspace");
}

void staging_store_free(struct staging_store *store, const struct staging_lane *lane,
                        CUdeviceptr memory)
{
    const struct driver *driver = driver_get();
    if (!memory)
        return;
    CUresult result =
        store->pool ? driver->cuMemFreeAsync(memory, lane->sort) : driver->cuMemFree(memory);
    if (result != CUDA_SUCCESS)
        driver->cuMemFree(memory);
}

void staging_store_share(struct staging_store *store, const struct device *peer)
{
    const CUmemAccessDesc access = {{CU_MEM_LOCATION_TYPE_DEVICE, peer->handle},
                                    CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
    uint64_t bit = (uint64_t)1 << peer->ordinal;
    pthread_mutex_lock(&store_lock);
    bool known = !store->pool || (store->shared & bit);
    store->shared |= bit;
    pthread_mutex_unlock(&store_lock);
    if (!known && driver_get()->cuMemPoolSetAccess(store->pool, &access, 1) != CUDA_SUCCESS)
        log_write(LOG_WARN, "GPU %d does not reach pools of GPU %d", peer->ordinal,
                  store->device->ordinal);
}

uint64_t staging_store_available(struct consort_context *context, const struct device *device)
{
    const struct driver *driver = driver_get();
    size_t unused = 0, total = 0;
    if (driver->cuMemGetInfo(&unused, &total) != CUDA_SUCCESS)
        return 0;
    pthread_mutex_lock(&store_lock);
    struct staging_store *store = store_find(context, device);
    pthread_mutex_unlock(&store_lock);
    uint64_t reserved = 0, used = 0;
    if (store && store->pool &&
        driver->cuMemPoolGetAttribute(store->pool, CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT,
                                      &reserved) == CUDA_SUCCESS &&
        driver->cuMemPoolGetAttribute(store->pool, CU_MEMPOOL_ATTR_USED_MEM_CURRENT, &used) ==
            CUDA_SUCCESS &&
        reserved > used)
        unused += reserved - used;
    return unused;
}

void staging_store_begin_turn(struct staging_store *store)
{
    pthread_mutex_lock(&store->turn);
}

void staging_store_end_turn(struct staging_store *store)
{
    pthread_mutex_unlock(&store->turn);
}

static void store_destroy(struct staging_store *store)
{
    for (struct staging_lane *lane = store->idle; lane;) {
        struct staging_lane *next = lane->next;
        staging_lane_wait(lane);
        staging_lane_destroy(lane);
        lane = next;
    }
    const struct driver *driver = driver_get();
    if (store->pool && driver->cuMemPoolDestroy(store->pool) != CUDA_SUCCESS)
        driver->cuMemPoolDestroy(store->pool);
}

/* Nobody is told of a failure here: the last error stays what it was. */
void staging_store_release(struct consort_context *context)
{
    const struct driver *driver = driver_get();
    for (struct staging_store *store = context->stores; store;) {
        struct staging_store *next = store->next;
        CUcontext left;
        if (driver->cuCtxPushCurrent(store->device->context) == CUDA_SUCCESS ||
            driver->cuCtxPushCurrent(store->device->context) == CUDA_SUCCESS) {
            store_destroy(store);
            driver->cuCtxPopCurrent(&left);
        }
        pthread_mutex_destroy(&store->turn);
        free(store);
        store = next;
    }
    context->stores = NULL;
}
