/* SPDX-License-Identifier: Apache-2.0 */
/* The gate every driver call passes: one lock, sticky errors, failures on demand, a trace. */
#include "emu_call.h"
#include "emu_driver.h"

#include <cinttypes>
#include <cstdio>
#include <cstring>
#include <mutex>

namespace emu
{

struct failure {
    std::string what;
    int device; /* for "lost" */
    uint64_t at;
};

static std::mutex lock;
static std::vector<failure> failures;
static std::map<std::string, uint64_t> counters;
static std::set<int> lost_devices;
static std::string report;

static const char *const kind_names[] = {"query", "alloc", "copy", "launch",
                                         "load",  "sync",  "other"};

static bool parse_one(const std::string &text, failure *parsed)
{
    char what[16];
    int used = 0;
    if (std::sscanf(text.c_str(), "lost:%d:%" SCNu64 "%n", &parsed->device, &parsed->at, &used) ==
        2)
        parsed->what = "lost";
    else if (std::sscanf(text.c_str(), "%15[a-z]:%" SCNu64 "%n", what, &parsed->at, &used) == 2)
        parsed->what = what;
    else
        return false;
    bool known = parsed->what == "lost" || parsed->what == "any" || parsed->what == "kernel";
    for (const char *name : kind_names)
        known |= parsed->what == name;
    return known && static_cast<size_t>(used) == text.size();
}

bool failures_parse(const std::string &text)
{
    std::vector<failure> parsed;
    for (size_t start = 0; start < text.size();) {
        size_t end = std::min(text.find(',', start), text.size());
        parsed.emplace_back();
        if (!parse_one(text.substr(start, end - start), &parsed.back()))
            return false;
        start = end + 1;
    }
    failures = parsed;
    counters.clear();
    lost_devices.clear();
    return true;
}

static bool due(const std::string &what, uint64_t count)
{
    for (const failure &each : failures)
        if (each.what == what && each.at == count)
            return true;
    return false;
}

static bool device_lost(int device)
{
    uint64_t count = ++counters["device " + std::to_string(device)];
    for (const failure &each : failures)
        if (each.what == "lost" && each.device == device && count >= each.at)
            lost_devices.insert(device);
    return lost_devices.count(device) != 0;
}

/* What a driver says for the call it cannot do, by kind. */
static CUresult natural_error(kind of_call)
{
    switch (of_call) {
    case kind::alloc:
        return CUDA_ERROR_OUT_OF_MEMORY;
    case kind::load:
        return CUDA_ERROR_NO_BINARY_FOR_GPU;
    case kind::launch:
        return CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES;
    default:
        return CUDA_ERROR_UNKNOWN;
    }
}

static CUresult injected(kind of_call, CUcontext context)
{
    if (context && device_lost(context->device))
        return context->error = CUDA_ERROR_UNKNOWN;
    uint64_t any = ++counters["any"];
    const char *name = kind_names[static_cast<int>(of_call)];
    uint64_t same = ++counters[name];
    if (due("any", any) || due(name, same))
        return natural_error(of_call);
    return CUDA_SUCCESS;
}

CUresult execution_failure()
{
    return due("kernel", ++counters["kernel"]) ? CUDA_ERROR_LAUNCH_FAILED : CUDA_SUCCESS;
}

call::call(const char *name, emu::kind kind, bool needs_context) : status(CUDA_SUCCESS), context()
{
    lock.lock();
    const settings &chosen = configuration();
    progress_at_random();
    context = current_context();
    status = injected(kind, context);
    if (status == CUDA_SUCCESS && !device_count())
        status = CUDA_ERROR_NOT_INITIALIZED;
    else if (status == CUDA_SUCCESS && needs_context && !context)
        status = CUDA_ERROR_INVALID_CONTEXT;
    else if (status == CUDA_SUCCESS && needs_context && context->error != CUDA_SUCCESS)
        status = context->error;
    else if (status == CUDA_SUCCESS && capture_forbids(kind))
        status = CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
    if (chosen.trace)
        std::fprintf(stderr, "consort_emu: %" PRIu64 " %s%s\n", counters["any"], name,
                     status == CUDA_SUCCESS ? "" : " fails");
}

call::~call()
{
    memory_close();
    lock.unlock();
}

void say(const std::string &text)
{
    report = text;
    const settings &chosen = configuration();
    std::fprintf(stderr, "consort_emu: %s", text.c_str());
    if (chosen.schedule == schedule::random)
        std::fprintf(stderr, "  CONSORT_EMU_SCHEDULE=random CONSORT_EMU_SEED=%" PRIu64 "\n",
                     chosen.seed);
}

const std::string &last_report()
{
    return report;
}

uint64_t calls_made()
{
    return counters["any"];
}

} // namespace emu
