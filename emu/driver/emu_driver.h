/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The fake driver's own view: settings, contexts, streams of work that runs late, device memory in
 * guarded ranges. One lock covers everything; kernels run on the host thread that waits for them.
 */
#ifndef CONSORT_EMU_DRIVER_H
#define CONSORT_EMU_DRIVER_H

#include "cuda_api.h"
#include "emu_grid.h"

#include <chrono>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace emu
{

/* ------ settings (emu_settings.cpp) ------ */

struct settings {
    int devices;
    size_t memory;
    uint64_t seed;
    emu::schedule schedule;
    std::vector<int> capabilities; /* of the first devices; the last is that of all others, too */
    int version;                   /* of the driver: 13000 is CUDA 13.0 */
    int peers;                     /* who reaches another's memory: 0 nobody, 1 all, 2 some */
    bool trace;                    /* every driver call to stderr */
    int seconds;                   /* of processor time that a launch may take; 0: any */
    int patience;                  /* per cent of the usual time until a launch counts as stuck */
    bool keys;                     /* device memory is locked by keys, not by protecting pages */
};

settings &configuration();
int capability_of(int device); /* 90 is sm_90 */
bool configure(const std::string &name, const std::string &value);
uint64_t *host_random(); /* the driver's own random numbers */

/* ------ calls (emu_call.cpp) ------ */

/* What CONSORT_EMU_FAIL can name. */
enum class kind {
    query,
    alloc,
    copy,
    launch,
    load,
    sync,
    other
};

/* Opens every driver call: takes the lock, counts, fails on demand. */
struct call {
    CUresult status;
    CUcontext context; /* current one, null only where `status` says so or nobody needs it */

    call(const char *name, emu::kind kind, bool needs_context = true);
    ~call();
    call(const call &) = delete;
};

CUresult execution_failure(); /* an injected failure of the kernel about to run */
void say(const std::string &text);
const std::string &last_report();
uint64_t calls_made();

/* ------ memory (emu_memory.cpp) ------ */

enum class memory_type {
    device,
    managed,
    pinned,
    registered
};

struct allocation {
    uintptr_t start;
    size_t bytes;
    memory_type type;
    int device;
    CUcontext context;
    CUmemoryPool pool;
    uintptr_t pages_start, pages_end;
};

CUresult memory_allocate(int device, size_t bytes, CUcontext context, CUmemoryPool pool,
                         CUdeviceptr *pointer);
CUresult memory_free(CUdeviceptr pointer);
CUresult host_allocate(size_t bytes, memory_type type, CUcontext context, void **pointer);
CUresult host_register(void *pointer, size_t bytes, CUcontext context);
CUresult host_free(void *pointer, memory_type type);
const allocation *memory_find(uintptr_t address);
void memory_free_context(CUcontext context);
size_t memory_used(int device);
size_t pool_used(CUmemoryPool pool);

/* Device memory is readable only while an operation of a device in `mask` runs. */
void memory_open(uint32_t mask);
void memory_close();
bool memory_check_margins(std::string *report);

/* ------ contexts, streams, graphs (emu_context.cpp, emu_stream.cpp, emu_capture.cpp) ------ */

struct mark { /* a point in a stream that an event names */
    CUstream stream;
    bool done;
    std::chrono::steady_clock::time_point when;
};

struct operation {
    uint64_t sequence;
    uint32_t devices; /* whose memory it may touch */
    std::function<CUresult()> run;
    std::shared_ptr<mark> reached; /* set when it has run */
    std::shared_ptr<mark> awaits;  /* what must be reached before */
};

struct capture {
    std::vector<operation> operations;
    std::map<CUstream, size_t> open; /* streams that take part, not yet joined back: operations
                                        there were after the last of their own */
    CUstream origin;
    CUstreamCaptureMode mode;
    unsigned long thread;
    bool invalid;
};

int device_count();
bool device_valid(CUdevice device);
uint32_t device_mask(CUcontext context);
bool context_reaches(CUcontext context, const allocation &memory); /* its kernels */
CUcontext current_context();
std::vector<CUcontext> live_contexts();

CUstream stream_resolve(CUcontext context, CUstream stream);
CUresult stream_push(CUstream stream, operation next);
CUresult stream_push(CUstream stream, uint32_t devices, std::function<CUresult()> run);
CUresult stream_drain(CUstream stream);
CUresult context_drain(CUcontext context);
void context_forget(CUcontext context); /* drops all queued work; waiters are let go */
void progress_at_random();

bool capture_forbids(kind of_call);
CUresult capture_push(CUstream stream, operation next);
void capture_break(const std::shared_ptr<capture> &broken);
void capture_leave(CUstream stream); /* it is being destroyed */
CUresult capture_wait(CUstream stream, CUevent event);

/* ------ kernels (emu_modules.cpp) ------ */

void kernel_launched(const kernel *which);
unsigned int shared_limit(int device); /* bytes a block may use */
unsigned int blocks_on_multiprocessor(CUfunction function, unsigned int threads, size_t dynamic);

} // namespace emu

#define EMU_ENTER(what)                                                                            \
    emu::call call(__func__, emu::kind::what);                                                     \
    if (call.status != CUDA_SUCCESS)                                                               \
    return call.status
#define EMU_ENTER_ANYWHERE(what)                                                                   \
    emu::call call(__func__, emu::kind::what, false);                                              \
    if (call.status != CUDA_SUCCESS)                                                               \
    return call.status
#define EMU_EXPORT extern "C" __attribute__((visibility("default"))) CUresult

/* Each call below must be defined with exactly the type the library calls it with. */
#define EMU_DECLARE(name, symbol, arguments) EMU_EXPORT symbol arguments;
CUDA_CALLS(EMU_DECLARE)
#undef EMU_DECLARE

struct CUstream_st {
    CUcontext context;
    bool blocking; /* waits for the legacy stream, and it for this one */
    std::deque<emu::operation> queue;
    std::shared_ptr<emu::capture> capturing;
};

struct CUctx_st {
    int device;
    int retained;
    CUresult error; /* sticky: every later call reports it */
    uint32_t peers; /* devices whose memory kernels may touch */
    CUstream_st legacy, per_thread;
    std::vector<std::unique_ptr<CUstream_st>> streams;
    std::vector<std::shared_ptr<CUmod_st>> modules;
};

struct CUevent_st {
    CUcontext context;
    bool timed;
    std::shared_ptr<emu::mark> recorded;
    std::shared_ptr<emu::capture> captured; /* recorded during this capture … */
    CUstream captured_stream;               /* … in this stream … */
    size_t captured_at;                     /* … after so many operations of the capture */
};

struct CUfunc_st {
    const emu::kernel *kernel;
    CUcontext context;
    unsigned int dynamic_limit = 48 * 1024; /* bytes of dynamic shared memory allowed */
    bool large_clusters = false;
};

struct CUmemPoolHandle_st {
    int device;
    uint64_t release_threshold;
    size_t high;
};

#endif
