/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Runs that come again. Before the first launch of a stream an H200 waits 2.5 us longer than before
 * a graph's, and about 1 us longer between two: u32 of 2^24, seven launches, take 201 and 192 us
 * (docs/performance.md). A run is known by its arguments, its columns, its workspace and its
 * stream; the last few are remembered. What comes for the second time is recorded, so that runs
 * that never come again cost a look at what is remembered, and no graph.
 */
#include "cuda/replay.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "core/log.h"
#include "core/plan.h"
#include "core/status.h"
#include "cuda/array_check.h"
#include "cuda/driver/driver.h"

enum {
    REPLAY_RUNS = 8 /* two buffers in turns, each way, with an outcome or without */
};

/* All that launches depend on, but for the columns; without holes, so that memcmp compares it. */
struct replay_key {
    consort_arguments arguments; /* `values` is NULL: the columns stand beside it */
    const void *workspace;
    consort_stream stream;
};

struct replay_entry {
    struct replay_key key;
    consort_column *columns;
    CUgraphExec graph; /* NULL: not recorded */
    uint64_t used;     /* when, in runs of the plan; 0: never */
    bool again;        /* it has come before */
    bool refused;      /* it cannot be recorded */
    bool taken;        /* by the thread that queues it: nobody else's meanwhile */
};

struct replay {
    pthread_mutex_t lock;
    uint64_t runs;
    uint32_t columns;
    struct replay_entry entries[REPLAY_RUNS];
    consort_column values[]; /* `columns` of each entry */
};

struct replay *replay_create(uint32_t columns)
{
    struct replay *replay =
        calloc(1, sizeof *replay + (size_t)columns * REPLAY_RUNS * sizeof *replay->values);
    if (!replay || pthread_mutex_init(&replay->lock, NULL) != 0) {
        free(replay);
        status_fail(CONSORT_ERROR_MEMORY, "plan: no memory to remember runs in");
        return NULL;
    }
    replay->columns = columns;
    for (uint32_t i = 0; i < REPLAY_RUNS; i++)
        replay->entries[i].columns = replay->values + (size_t)i * columns;
    return replay;
}

/* What takes memory, or gives it back, would be refused to a thread that is not relaxed while
 * another captures in global mode, whose capture would be spoilt. Returns the mode before. */
static CUstreamCaptureMode replay_set_mode(const struct driver *driver, CUstreamCaptureMode mode)
{
    if (driver->cuThreadExchangeStreamCaptureMode(&mode) != CUDA_SUCCESS)
        driver->cuThreadExchangeStreamCaptureMode(&mode);
    return mode;
}

/* A graph that still runs is freed by the driver when it has. What fails to be given back is tried
 * once more, here and below. */
static void replay_forget(struct replay_entry *entry)
{
    if (!entry->graph)
        return;
    const struct driver *driver = driver_get();
    CUstreamCaptureMode mode = replay_set_mode(driver, CU_STREAM_CAPTURE_MODE_RELAXED);
    if (driver->cuGraphExecDestroy(entry->graph) != CUDA_SUCCESS)
        driver->cuGraphExecDestroy(entry->graph);
    replay_set_mode(driver, mode);
    entry->graph = NULL;
}

void replay_destroy(struct replay *replay)
{
    if (!replay)
        return;
    for (uint32_t i = 0; i < REPLAY_RUNS; i++)
        replay_forget(&replay->entries[i]);
    pthread_mutex_destroy(&replay->lock);
    free(replay);
}

static struct replay_key replay_key_of(const struct run *run)
{
    struct replay_key key;
    memset(&key, 0, sizeof key);
    memcpy(&key.arguments, run->arguments, sizeof key.arguments);
    key.arguments.values = NULL;
    key.workspace = run->workspace;
    key.stream = run->stream;
    return key;
}

/* The entry of such a run, or NULL. With the lock held. */
static struct replay_entry *replay_find(struct replay *replay, const struct replay_key *key,
                                        const consort_column *columns)
{
    const size_t bytes = replay->columns * sizeof *columns;
    for (uint32_t i = 0; i < REPLAY_RUNS; i++) {
        struct replay_entry *entry = &replay->entries[i];
        if (entry->used > 0 && memcmp(&entry->key, key, sizeof *key) == 0 &&
            (bytes == 0 || memcmp(entry->columns, columns, bytes) == 0))
            return entry;
    }
    return NULL;
}

/* The entry used longest ago, for such a run; NULL if all are taken. With the lock held. */
static struct replay_entry *replay_remember(struct replay *replay, const struct replay_key *key,
                                            const consort_column *columns)
{
    struct replay_entry *oldest = NULL;
    for (uint32_t i = 0; i < REPLAY_RUNS; i++) {
        struct replay_entry *entry = &replay->entries[i];
        if (!entry->taken && (!oldest || entry->used < oldest->used))
            oldest = entry;
    }
    if (!oldest)
        return NULL;
    oldest->key = *key;
    if (replay->columns > 0)
        memcpy(oldest->columns, columns, replay->columns * sizeof *columns);
    return oldest;
}

/* The run's entry, the caller's until it is given back: a launch may wait for room in its stream,
 * and must keep no run of another stream waiting. NULL: another thread has it, or there is none; to
 * `remember` the run one is made, unless all are taken. */
static struct replay_entry *replay_take(struct replay *replay, const struct run *run, bool remember)
{
    const struct replay_key key = replay_key_of(run);
    const consort_column *columns = run->arguments->values;
    pthread_mutex_lock(&replay->lock);
    struct replay_entry *entry = replay_find(replay, &key, columns);
    const bool again = entry != NULL;
    if (again && entry->taken)
        entry = NULL;
    else if (!again && remember)
        entry = replay_remember(replay, &key, columns);
    if (entry) {
        entry->taken = true;
        entry->used = ++replay->runs;
    }
    pthread_mutex_unlock(&replay->lock);
    if (entry && !again) {
        replay_forget(entry);
        entry->refused = false;
    }
    if (entry)
        entry->again = again;
    return entry;
}

static void replay_give_back(struct replay *replay, struct replay_entry *entry)
{
    if (!entry)
        return;
    pthread_mutex_lock(&replay->lock);
    entry->taken = false;
    pthread_mutex_unlock(&replay->lock);
}

/* The launches of a run, in a stream of our own: the caller's may be the default one, which cannot
 * be captured, or have work of another thread queued meanwhile. */
static CUresult replay_capture(const struct driver *driver, const struct consort_plan *plan,
                               const struct run *run, CUstream stream, CUgraph *graph)
{
    bool input_whole = true;
    struct run captured = *run;
    captured.stream = stream;
    captured.input_whole = &input_whole;
    struct status_kept before;
    CUresult result = driver->cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_RELAXED);
    if (result != CUDA_SUCCESS)
        return result;
    status_keep(&before);
    consort_status status = plan->algorithm->run(plan, &captured);
    result = driver->cuStreamEndCapture(stream, graph);
    if (status != CONSORT_OK) {
        status_restore(&before);
        return CUDA_ERROR_UNKNOWN;
    }
    return result;
}

/* A stream of a green context has fewer multiprocessors than what is captured in another stream
 * would take. (Priorities are those of the stream that a graph is launched into.) */
static CUresult replay_open(const struct driver *driver, CUstream like, CUstream *stream)
{
    CUcontext own = NULL, current = NULL;
    CUresult result = driver->cuStreamGetCtx(like, &own);
    if (result == CUDA_SUCCESS)
        result = driver->cuCtxGetCurrent(&current);
    if (result == CUDA_SUCCESS && own != current)
        result = CUDA_ERROR_INVALID_CONTEXT;
    return result == CUDA_SUCCESS ? driver->cuStreamCreate(stream, CU_STREAM_NON_BLOCKING) : result;
}

static CUresult replay_make_graph(const struct driver *driver, const struct consort_plan *plan,
                                  const struct run *run, CUgraphExec *made)
{
    CUstream stream = NULL;
    CUgraph graph = NULL;
    CUresult result = replay_open(driver, run->stream, &stream);
    if (result == CUDA_SUCCESS)
        result = replay_capture(driver, plan, run, stream, &graph);
    if (result == CUDA_SUCCESS)
        result = driver->cuGraphInstantiate(made, graph, 0);
    if (graph && driver->cuGraphDestroy(graph) != CUDA_SUCCESS)
        driver->cuGraphDestroy(graph);
    if (stream && driver->cuStreamDestroy(stream) != CUDA_SUCCESS)
        driver->cuStreamDestroy(stream);
    return result;
}

/* What has come before, unless it is recorded or cannot be. */
static void replay_record(struct replay_entry *entry, const struct consort_plan *plan,
                          const struct run *run)
{
    if (!entry || !entry->again || entry->graph || entry->refused)
        return;
    const struct driver *driver = driver_get();
    CUstreamCaptureMode mode = replay_set_mode(driver, CU_STREAM_CAPTURE_MODE_RELAXED);
    CUresult result = replay_make_graph(driver, plan, run, &entry->graph);
    replay_set_mode(driver, mode);
    entry->refused = result != CUDA_SUCCESS;
    if (entry->refused)
        log_write(LOG_INFO, "a run of %s cannot be recorded: error %d of the driver",
                  plan->algorithm->name, (int)result);
}

/* False: there is no graph, or none that the driver takes. */
static bool replay_launch(struct replay_entry *entry, consort_stream stream)
{
    if (!entry || !entry->graph)
        return false;
    if (driver_get()->cuGraphLaunch(entry->graph, stream) == CUDA_SUCCESS)
        return true;
    replay_forget(entry);
    entry->refused = true;
    return false;
}

/* A stream that is being captured, or that nobody can tell of, takes launches. */
static bool replay_may(const struct run *run)
{
    CUstreamCaptureStatus capture = CU_STREAM_CAPTURE_STATUS_NONE;
    return driver_get()->cuStreamIsCapturing(run->stream, &capture) == CUDA_SUCCESS &&
           capture == CU_STREAM_CAPTURE_STATUS_NONE;
}

/* What is refused for its arrays is not remembered, and makes nothing be forgotten. */
consort_status replay_run(struct replay *replay, const struct consort_plan *plan,
                          const struct device *device, const struct run *run)
{
    const bool may = replay_may(run);
    struct replay_entry *entry = may ? replay_take(replay, run, false) : NULL;
    consort_status status = CONSORT_OK;
    bool queued = replay_launch(entry, run->stream);
    if (!queued)
        status = array_check_device_run(run->arguments, replay->columns, run->workspace, device);
    if (!queued && status == CONSORT_OK) {
        if (may && !entry)
            entry = replay_take(replay, run, true);
        replay_record(entry, plan, run);
        if (!replay_launch(entry, run->stream))
            status = plan->algorithm->run(plan, run);
    }
    replay_give_back(replay, entry);
    return status;
}
