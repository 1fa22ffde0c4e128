/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Stream capture and graphs. A capture keeps its operations in the order they were issued, which
 * respects every dependency between its streams; a graph replays them in that order. What must not
 * happen during a capture fails and spoils it, as the driver does.
 */
#include "emu_driver.h"

#include <algorithm>
#include <unistd.h>

using namespace emu;

struct CUgraph_st {
    std::vector<operation> operations;
};

struct CUgraphExec_st {
    std::vector<operation> operations;
};

static std::vector<std::shared_ptr<capture>> captures;
static thread_local CUstreamCaptureMode own_mode = CU_STREAM_CAPTURE_MODE_GLOBAL;

static unsigned long this_thread()
{
    return static_cast<unsigned long>(gettid());
}

namespace emu
{

void capture_break(const std::shared_ptr<capture> &broken)
{
    broken->invalid = true;
}

/* Allocation, loading and waiting are refused: in global mode to everybody, in thread-local mode to
 * the thread that began the capture; not to a thread that has made itself a relaxed one. */
bool capture_forbids(kind of_call)
{
    bool refused = false;
    if (of_call != kind::alloc && of_call != kind::load && of_call != kind::sync)
        return false;
    if (own_mode == CU_STREAM_CAPTURE_MODE_RELAXED)
        return false;
    for (const auto &each : captures) {
        if (each->mode == CU_STREAM_CAPTURE_MODE_GLOBAL ||
            (each->mode == CU_STREAM_CAPTURE_MODE_THREAD_LOCAL && each->thread == this_thread())) {
            capture_break(each);
            refused = true;
        }
    }
    return refused;
}

CUresult capture_push(CUstream stream, operation next)
{
    capture &into = *stream->capturing;
    if (into.invalid)
        return CUDA_ERROR_STREAM_CAPTURE_INVALIDATED;
    into.operations.push_back(std::move(next));
    into.open[stream] = into.operations.size();
    return CUDA_SUCCESS;
}

void capture_leave(CUstream stream)
{
    if (!stream->capturing)
        return;
    capture_break(stream->capturing);
    stream->capturing->open.erase(stream);
    if (stream->capturing->origin == stream)
        captures.erase(std::find(captures.begin(), captures.end(), stream->capturing));
}

/* Waiting for a captured event makes the waiting stream part of the capture, or joins the other. */
CUresult capture_wait(CUstream stream, CUevent event)
{
    if (!event->captured) {
        capture_break(stream->capturing);
        return CUDA_ERROR_STREAM_CAPTURE_ISOLATION;
    }
    if (stream->capturing && stream->capturing != event->captured) {
        capture_break(stream->capturing);
        capture_break(event->captured);
        return CUDA_ERROR_STREAM_CAPTURE_MERGE;
    }
    if (stream->context->legacy.capturing == event->captured || stream == &stream->context->legacy)
        return CUDA_ERROR_STREAM_CAPTURE_IMPLICIT;
    capture &into = *event->captured;
    stream->capturing = event->captured;
    into.open[stream] = into.operations.size();
    auto other = into.open.find(event->captured_stream);
    if (other != into.open.end() && other->first != stream && other->second <= event->captured_at)
        into.open.erase(other);
    return CUDA_SUCCESS;
}

} // namespace emu

EMU_EXPORT cuStreamBeginCapture_v2(CUstream stream, CUstreamCaptureMode mode)
{
    EMU_ENTER(other);
    CUstream found = stream_resolve(call.context, stream);
    if (found == &call.context->legacy)
        return CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
    if (found->capturing)
        return CUDA_ERROR_ILLEGAL_STATE;
    found->capturing =
        std::make_shared<capture>(capture{{}, {}, found, mode, this_thread(), false});
    captures.push_back(found->capturing);
    return CUDA_SUCCESS;
}

EMU_EXPORT cuThreadExchangeStreamCaptureMode(CUstreamCaptureMode *mode)
{
    EMU_ENTER_ANYWHERE(other);
    std::swap(*mode, own_mode);
    return CUDA_SUCCESS;
}

EMU_EXPORT cuStreamIsCapturing(CUstream stream, CUstreamCaptureStatus *status)
{
    EMU_ENTER(query);
    CUstream found = stream_resolve(call.context, stream);
    *status = !found->capturing           ? CU_STREAM_CAPTURE_STATUS_NONE
              : found->capturing->invalid ? CU_STREAM_CAPTURE_STATUS_INVALIDATED
                                          : CU_STREAM_CAPTURE_STATUS_ACTIVE;
    return CUDA_SUCCESS;
}

static std::vector<CUstream> participants(const std::shared_ptr<capture> &of)
{
    std::vector<CUstream> found;
    for (CUcontext context : live_contexts()) {
        if (context->per_thread.capturing == of)
            found.push_back(&context->per_thread);
        for (const auto &each : context->streams)
            if (each->capturing == of)
                found.push_back(each.get());
    }
    return found;
}

static bool all_joined(const capture &ended)
{
    return ended.open.empty() || (ended.open.size() == 1 && ended.open.count(ended.origin));
}

EMU_EXPORT cuStreamEndCapture(CUstream stream, CUgraph *graph)
{
    EMU_ENTER(other);
    CUstream found = stream_resolve(call.context, stream);
    std::shared_ptr<capture> ended = found->capturing;
    *graph = nullptr;
    if (!ended)
        return CUDA_ERROR_ILLEGAL_STATE;
    if (ended->origin != found)
        return CUDA_ERROR_STREAM_CAPTURE_UNMATCHED;
    if (ended->mode != CU_STREAM_CAPTURE_MODE_RELAXED && ended->thread != this_thread())
        return CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD;
    for (CUstream each : participants(ended))
        each->capturing = nullptr;
    captures.erase(std::find(captures.begin(), captures.end(), ended));
    if (ended->invalid)
        return CUDA_ERROR_STREAM_CAPTURE_INVALIDATED;
    if (!all_joined(*ended))
        return CUDA_ERROR_STREAM_CAPTURE_UNJOINED;
    *graph = new CUgraph_st{ended->operations};
    return CUDA_SUCCESS;
}

EMU_EXPORT cuGraphGetNodes(CUgraph graph, CUgraphNode *nodes, size_t *count)
{
    EMU_ENTER_ANYWHERE(query);
    if (!graph || (nodes && *count < graph->operations.size()))
        return CUDA_ERROR_INVALID_VALUE;
    for (size_t i = 0; nodes && i < graph->operations.size(); i++)
        nodes[i] = reinterpret_cast<CUgraphNode>(&graph->operations[i]);
    *count = graph->operations.size();
    return CUDA_SUCCESS;
}

EMU_EXPORT cuGraphInstantiateWithFlags(CUgraphExec *executable, CUgraph graph, unsigned long long)
{
    EMU_ENTER(alloc);
    if (!graph)
        return CUDA_ERROR_INVALID_VALUE;
    *executable = new CUgraphExec_st{graph->operations};
    return CUDA_SUCCESS;
}

EMU_EXPORT cuGraphLaunch(CUgraphExec executable, CUstream stream)
{
    EMU_ENTER(launch);
    if (!executable)
        return CUDA_ERROR_INVALID_VALUE;
    CUstream found = stream_resolve(call.context, stream);
    for (const operation &each : executable->operations)
        if (CUresult status = stream_push(found, each))
            return status;
    return CUDA_SUCCESS;
}

EMU_EXPORT cuGraphDestroy(CUgraph graph)
{
    EMU_ENTER_ANYWHERE(other);
    delete graph;
    return CUDA_SUCCESS;
}

EMU_EXPORT cuGraphExecDestroy(CUgraphExec executable)
{
    EMU_ENTER_ANYWHERE(other);
    delete executable;
    return CUDA_SUCCESS;
}
