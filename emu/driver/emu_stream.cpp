/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Streams and events. Work is queued and runs late: when somebody waits for it, asks about it, or
 * at random. Streams that nothing orders run in whatever order that gives, so a missing dependency
 * shows. The legacy stream and blocking streams wait for each other by sequence number.
 */
#include "emu_driver.h"

using namespace emu;
using clock_type = std::chrono::steady_clock;

static uint64_t sequences;

static CUresult run_next(CUstream stream);

static std::vector<CUstream> streams_of(CUcontext context)
{
    std::vector<CUstream> all = {&context->legacy, &context->per_thread};
    for (auto &each : context->streams)
        all.push_back(each.get());
    return all;
}

static CUresult run_before(CUstream stream, uint64_t sequence)
{
    while (!stream->queue.empty() && stream->queue.front().sequence < sequence)
        if (CUresult status = run_next(stream))
            return status;
    return CUDA_SUCCESS;
}

static CUresult run_implied(CUstream stream, uint64_t sequence)
{
    CUcontext context = stream->context;
    if (!stream->blocking)
        return CUDA_SUCCESS;
    if (stream != &context->legacy)
        return run_before(&context->legacy, sequence);
    for (CUstream other : streams_of(context))
        if (other != stream && other->blocking)
            if (CUresult status = run_before(other, sequence))
                return status;
    return CUDA_SUCCESS;
}

static CUresult run_until(const std::shared_ptr<mark> &point)
{
    while (!point->done && !point->stream->queue.empty())
        if (CUresult status = run_next(point->stream))
            return status;
    return CUDA_SUCCESS;
}

static CUresult context_fail(CUcontext context, CUresult error)
{
    context->error = error;
    context_forget(context);
    return error;
}

static CUresult run_next(CUstream stream)
{
    operation next = std::move(stream->queue.front());
    stream->queue.pop_front();
    CUresult status = run_implied(stream, next.sequence);
    if (status == CUDA_SUCCESS && next.awaits)
        status = run_until(next.awaits);
    if (status == CUDA_SUCCESS && next.run) {
        memory_open(next.devices);
        status = next.run();
        std::string margins;
        if (status == CUDA_SUCCESS && !memory_check_margins(&margins)) {
            say(margins);
            status = CUDA_ERROR_ILLEGAL_ADDRESS;
        }
    }
    if (next.reached) {
        next.reached->done = true;
        next.reached->when = clock_type::now();
    }
    return status == CUDA_SUCCESS ? status : context_fail(stream->context, status);
}

namespace emu
{

CUstream stream_resolve(CUcontext context, CUstream stream)
{
    if (!stream || stream == CU_STREAM_LEGACY)
        return &context->legacy;
    return stream == CU_STREAM_PER_THREAD ? &context->per_thread : stream;
}

CUresult stream_push(CUstream stream, operation next)
{
    if (stream->capturing)
        return capture_push(stream, std::move(next));
    if (stream == &stream->context->legacy) {
        for (CUstream other : streams_of(stream->context)) {
            if (other->capturing && other->blocking) {
                capture_break(other->capturing);
                return CUDA_ERROR_STREAM_CAPTURE_IMPLICIT;
            }
        }
    }
    next.sequence = ++sequences;
    stream->queue.push_back(std::move(next));
    return CUDA_SUCCESS;
}

CUresult stream_push(CUstream stream, uint32_t devices, std::function<CUresult()> run)
{
    return stream_push(stream, operation{0, devices, std::move(run), nullptr, nullptr});
}

CUresult stream_drain(CUstream stream)
{
    if (CUresult status = run_implied(stream, sequences + 1))
        return status;
    return run_before(stream, sequences + 1);
}

CUresult context_drain(CUcontext context)
{
    for (CUstream stream : streams_of(context))
        if (CUresult status = stream_drain(stream))
            return status;
    return CUDA_SUCCESS;
}

void context_forget(CUcontext context)
{
    for (CUstream stream : streams_of(context)) {
        for (operation &lost : stream->queue)
            if (lost.reached)
                lost.reached->done = true;
        stream->queue.clear();
    }
}

/* Under schedule `random`, every fourth call some stream somewhere gets on by a step or two. */
void progress_at_random()
{
    uint64_t *random = host_random();
    if (configuration().schedule != schedule::random || random_next(random) % 4)
        return;
    for (CUcontext context : live_contexts()) {
        std::vector<CUstream> all = streams_of(context);
        CUstream lucky = all[random_next(random) % all.size()];
        for (uint64_t steps = 1 + random_next(random) % 2; steps && !context->error; steps--)
            if (!lucky->queue.empty())
                run_next(lucky);
    }
}

} // namespace emu

static bool stream_of(CUcontext context, CUstream stream)
{
    for (CUstream each : streams_of(context))
        if (each == stream)
            return true;
    return false;
}

/* A stream that may be used now, or null: one of another context is an error, as on the device. */
static CUstream stream_find(CUcontext context, CUstream stream)
{
    CUstream found = stream_resolve(context, stream);
    for (CUcontext each : live_contexts())
        if (stream_of(each, found))
            return found;
    return nullptr;
}

EMU_EXPORT cuStreamCreateWithPriority(CUstream *stream, unsigned int flags, int)
{
    EMU_ENTER(other);
    if (flags > CU_STREAM_NON_BLOCKING)
        return CUDA_ERROR_INVALID_VALUE;
    auto made = std::make_unique<CUstream_st>();
    made->context = call.context;
    made->blocking = flags == CU_STREAM_DEFAULT;
    *stream = made.get();
    call.context->streams.push_back(std::move(made));
    return CUDA_SUCCESS;
}

EMU_EXPORT cuStreamCreate(CUstream *stream, unsigned int flags)
{
    return cuStreamCreateWithPriority(stream, flags, 0);
}

EMU_EXPORT cuStreamDestroy_v2(CUstream stream)
{
    EMU_ENTER_ANYWHERE(other);
    for (CUcontext context : live_contexts()) {
        for (auto each = context->streams.begin(); each != context->streams.end(); ++each) {
            if (each->get() != stream)
                continue;
            capture_leave(stream);
            if (context->error == CUDA_SUCCESS)
                stream_drain(stream);
            context->streams.erase(each);
            return CUDA_SUCCESS;
        }
    }
    return CUDA_ERROR_INVALID_HANDLE;
}

EMU_EXPORT cuStreamGetCtx(CUstream stream, CUcontext *context)
{
    EMU_ENTER(query);
    CUstream found = stream_find(call.context, stream);
    if (!found)
        return CUDA_ERROR_INVALID_HANDLE;
    *context = found->context;
    return CUDA_SUCCESS;
}

EMU_EXPORT cuStreamSynchronize(CUstream stream)
{
    EMU_ENTER(sync);
    CUstream found = stream_find(call.context, stream);
    return found ? stream_drain(found) : CUDA_ERROR_INVALID_HANDLE;
}

/* Each question lets one operation run: a loop of questions ends. */
EMU_EXPORT cuStreamQuery(CUstream stream)
{
    EMU_ENTER(sync);
    CUstream found = stream_find(call.context, stream);
    if (!found)
        return CUDA_ERROR_INVALID_HANDLE;
    if (found->queue.empty())
        return CUDA_SUCCESS;
    CUresult status = run_next(found);
    return status == CUDA_SUCCESS ? CUDA_ERROR_NOT_READY : status;
}

EMU_EXPORT cuEventCreate(CUevent *event, unsigned int flags)
{
    EMU_ENTER(other);
    *event = new CUevent_st{
        call.context, !(flags & CU_EVENT_DISABLE_TIMING), nullptr, nullptr, nullptr, 0};
    return CUDA_SUCCESS;
}

EMU_EXPORT cuEventDestroy_v2(CUevent event)
{
    EMU_ENTER_ANYWHERE(other);
    delete event;
    return CUDA_SUCCESS;
}

EMU_EXPORT cuEventRecord(CUevent event, CUstream stream)
{
    EMU_ENTER(other);
    CUstream found = stream_find(call.context, stream);
    if (!event || !found || event->context != found->context)
        return CUDA_ERROR_INVALID_HANDLE;
    if (found->capturing) {
        event->captured = found->capturing;
        event->captured_stream = found;
        event->captured_at = found->capturing->operations.size();
        return CUDA_SUCCESS;
    }
    event->captured = nullptr;
    event->recorded = std::make_shared<mark>(mark{found, false, {}});
    return stream_push(found, operation{0, 0, nullptr, event->recorded, nullptr});
}

EMU_EXPORT cuStreamWaitEvent(CUstream stream, CUevent event, unsigned int)
{
    EMU_ENTER(other);
    CUstream found = stream_find(call.context, stream);
    if (!event || !found)
        return CUDA_ERROR_INVALID_HANDLE;
    if (event->captured || found->capturing)
        return capture_wait(found, event);
    if (!event->recorded)
        return CUDA_SUCCESS;
    return stream_push(found, operation{0, 0, nullptr, nullptr, event->recorded});
}

EMU_EXPORT cuEventSynchronize(CUevent event)
{
    EMU_ENTER(sync);
    if (!event)
        return CUDA_ERROR_INVALID_HANDLE;
    if (event->captured)
        return CUDA_ERROR_CAPTURED_EVENT;
    return event->recorded ? run_until(event->recorded) : CUDA_SUCCESS;
}

EMU_EXPORT cuEventQuery(CUevent event)
{
    EMU_ENTER(sync);
    if (!event)
        return CUDA_ERROR_INVALID_HANDLE;
    if (event->captured)
        return CUDA_ERROR_CAPTURED_EVENT;
    if (!event->recorded || event->recorded->done)
        return CUDA_SUCCESS;
    CUresult status = run_next(event->recorded->stream);
    return status == CUDA_SUCCESS ? CUDA_ERROR_NOT_READY : status;
}

EMU_EXPORT cuEventElapsedTime(float *milliseconds, CUevent start, CUevent end)
{
    EMU_ENTER(query);
    if (!start || !end || !start->recorded || !end->recorded || !start->timed || !end->timed)
        return CUDA_ERROR_INVALID_HANDLE;
    if (!start->recorded->done || !end->recorded->done)
        return CUDA_ERROR_NOT_READY;
    std::chrono::duration<float, std::milli> passed = end->recorded->when - start->recorded->when;
    *milliseconds = passed.count();
    return CUDA_SUCCESS;
}
