/* SPDX-License-Identifier: Apache-2.0 */
/* Streams run late, events and the legacy stream order them, captures become graphs. */
#include "emu_test.h"

#include <cstring>
#include <thread>

struct stream {
    CUstream handle;

    explicit stream(unsigned int flags = CU_STREAM_NON_BLOCKING)
    {
        CHECK_OK(cuStreamCreate(&handle, flags));
    }

    stream(const stream &) = delete;

    ~stream()
    {
        cuStreamDestroy_v2(handle);
    }
};

static uint32_t *pinned(size_t words)
{
    void *memory;
    CHECK_OK(cuMemHostAlloc(&memory, words * sizeof(uint32_t), 0));
    return static_cast<uint32_t *>(memory);
}

/* The pinned source is read when the copy runs, not when it is asked for. */
static void copies_are_late()
{
    device gpu;
    stream own;
    array<uint32_t> target(1, 0u);
    uint32_t *source = pinned(1);
    source[0] = 1;
    CHECK_OK(cuMemcpyHtoDAsync_v2(target.pointer, source, 4, own.handle));
    source[0] = 2;
    CHECK_OK(cuStreamSynchronize(own.handle));
    CHECK(target.read()[0] == 2);
    uint32_t pageable = 3;
    CHECK_OK(cuMemcpyHtoDAsync_v2(target.pointer, &pageable, 4, own.handle));
    pageable = 4;
    CHECK_OK(cuStreamSynchronize(own.handle));
    CHECK(target.read()[0] == 3);
    CHECK_OK(cuMemFreeHost(source));
}

/* One stream writes, the other reads: without an event between them the reader sees old data. */
static uint32_t across_streams(bool with_event)
{
    device gpu;
    stream producer, consumer;
    CUevent ready;
    array<uint32_t> data(1, 7u);
    uint32_t *seen = pinned(1);
    CHECK_OK(cuEventCreate(&ready, CU_EVENT_DISABLE_TIMING));
    CHECK_OK(cuMemsetD32Async(data.pointer, 42, 1, producer.handle));
    CHECK_OK(cuEventRecord(ready, producer.handle));
    if (with_event)
        CHECK_OK(cuStreamWaitEvent(consumer.handle, ready, 0));
    CHECK_OK(cuMemcpyDtoHAsync_v2(seen, data.pointer, 4, consumer.handle));
    CHECK_OK(cuStreamSynchronize(consumer.handle));
    uint32_t answer = seen[0];
    CHECK_OK(cuEventDestroy_v2(ready));
    CHECK_OK(cuMemFreeHost(seen));
    return answer;
}

static void events_order_streams()
{
    CHECK(across_streams(false) == 7);
    CHECK(across_streams(true) == 42);
}

static void legacy_stream_orders()
{
    device gpu;
    stream blocking(CU_STREAM_DEFAULT), free_running;
    array<uint32_t> data(2, 0u);
    CHECK_OK(cuMemsetD32Async(data.pointer, 5, 1, blocking.handle));
    CHECK_OK(cuMemsetD32Async(offset(data.pointer, 4), 6, 1, free_running.handle));
    std::vector<uint32_t> seen = data.read(); /* by the legacy stream */
    CHECK(seen[0] == 5 && seen[1] == 0);
    CHECK_OK(cuCtxSynchronize());
    CHECK(data.read()[1] == 6);
}

static void questions_make_progress()
{
    device gpu;
    stream own;
    CUevent start, end;
    CUresult status;
    float milliseconds;
    int asked = 0;
    array<uint32_t> data(1);
    CHECK_OK(cuEventCreate(&start, CU_EVENT_DEFAULT));
    CHECK_OK(cuEventCreate(&end, CU_EVENT_DEFAULT));
    CHECK_OK(cuEventRecord(start, own.handle));
    CHECK_OK(cuMemsetD32Async(data.pointer, 1, 1, own.handle));
    CHECK_OK(cuEventRecord(end, own.handle));
    CHECK_IS(cuEventElapsedTime(&milliseconds, start, end), CUDA_ERROR_NOT_READY);
    for (; (status = cuEventQuery(end)) == CUDA_ERROR_NOT_READY; asked++)
        CHECK(asked < 10);
    CHECK_OK(status);
    CHECK(asked > 0);
    CHECK_OK(cuStreamQuery(own.handle));
    CHECK_OK(cuEventElapsedTime(&milliseconds, start, end));
    CHECK_OK(cuEventSynchronize(start));
    CHECK_OK(cuEventDestroy_v2(start));
    CHECK_OK(cuEventDestroy_v2(end));
}

static void host_functions_wait_their_turn()
{
    device gpu;
    stream own;
    array<uint32_t> data(1);
    uint32_t *seen = pinned(2);
    seen[1] = 0;
    CHECK_OK(cuMemsetD32Async(data.pointer, 9, 1, own.handle));
    CHECK_OK(cuMemcpyDtoHAsync_v2(seen, data.pointer, 4, own.handle));
    CHECK_OK(cuLaunchHostFunc(
        own.handle,
        [](void *words) { static_cast<uint32_t *>(words)[1] = static_cast<uint32_t *>(words)[0]; },
        seen));
    CHECK(seen[1] == 0);
    CHECK_OK(cuStreamSynchronize(own.handle));
    CHECK(seen[1] == 9);
    CHECK_OK(cuMemFreeHost(seen));
}

/* A captured kernel keeps its arguments, runs only when launched, and sees changed data. */
static void graphs_replay()
{
    device gpu;
    stream own;
    CUgraph graph;
    CUgraphExec executable;
    CUstreamCaptureStatus capturing;
    size_t nodes = 0;
    array<float> a(100, 1.0f), b(100, 2.0f), sum(100, 0.0f);
    gpu.function("sample_vector_add");
    CHECK_OK(cuStreamBeginCapture_v2(own.handle, CU_STREAM_CAPTURE_MODE_GLOBAL));
    CHECK_OK(cuMemsetD32Async(sum.pointer, 0, 100, own.handle));
    CHECK_OK(gpu.start("sample_vector_add", 1, 128, 0, own.handle, a.pointer, b.pointer,
                       sum.pointer, uint64_t(100)));
    CHECK_OK(cuStreamIsCapturing(own.handle, &capturing));
    CHECK(capturing == CU_STREAM_CAPTURE_STATUS_ACTIVE);
    CHECK_OK(cuStreamEndCapture(own.handle, &graph));
    CHECK_OK(cuGraphGetNodes(graph, nullptr, &nodes));
    CHECK(nodes == 2);
    CHECK_OK(cuGraphInstantiateWithFlags(&executable, graph, 0));
    CHECK_OK(cuGraphDestroy(graph));
    CHECK(sum.read()[99] == 0.0f);
    CHECK_OK(cuGraphLaunch(executable, own.handle));
    CHECK_OK(cuStreamSynchronize(own.handle));
    CHECK(sum.read()[99] == 3.0f);
    std::vector<float> changed(100, 10.0f);
    CHECK_OK(cuMemcpyHtoD_v2(a.pointer, changed.data(), 400));
    CHECK_OK(cuGraphLaunch(executable, own.handle));
    CHECK_OK(cuStreamSynchronize(own.handle));
    CHECK(sum.read()[99] == 12.0f);
    CHECK_OK(cuGraphExecDestroy(executable));
}

/* A second stream joins the capture through events; forgotten, the capture fails. */
static void captures_fork(bool join)
{
    device gpu;
    stream own, side;
    CUevent forked, joined;
    CUgraph graph;
    array<uint32_t> data(2, 0u);
    CHECK_OK(cuEventCreate(&forked, CU_EVENT_DISABLE_TIMING));
    CHECK_OK(cuEventCreate(&joined, CU_EVENT_DISABLE_TIMING));
    CHECK_OK(cuStreamBeginCapture_v2(own.handle, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL));
    CHECK_OK(cuMemsetD32Async(data.pointer, 1, 2, own.handle));
    CHECK_OK(cuEventRecord(forked, own.handle));
    CHECK_OK(cuStreamWaitEvent(side.handle, forked, 0));
    CHECK_OK(cuMemsetD32Async(data.pointer, 2, 1, side.handle));
    CHECK_OK(cuEventRecord(joined, side.handle));
    CHECK_IS(cuEventQuery(joined), CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED);
    CHECK_IS(cuStreamEndCapture(own.handle, &graph), CUDA_ERROR_STREAM_CAPTURE_INVALIDATED);
    CHECK_OK(cuStreamBeginCapture_v2(own.handle, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL));
    CHECK_OK(cuEventRecord(forked, own.handle));
    CHECK_OK(cuStreamWaitEvent(side.handle, forked, 0));
    CHECK_OK(cuMemsetD32Async(data.pointer, 2, 1, side.handle));
    CHECK_OK(cuEventRecord(joined, side.handle));
    if (join)
        CHECK_OK(cuStreamWaitEvent(own.handle, joined, 0));
    CHECK_IS(cuStreamEndCapture(own.handle, &graph),
             join ? CUDA_SUCCESS : CUDA_ERROR_STREAM_CAPTURE_UNJOINED);
    CHECK_OK(cuGraphDestroy(graph));
    CHECK_OK(cuEventDestroy_v2(forked));
    CHECK_OK(cuEventDestroy_v2(joined));
}

/* What a capture refuses spoils it. */
template <typename Forbidden> static void capture_refuses(CUresult expected, Forbidden forbidden)
{
    device gpu;
    stream own;
    CUgraph graph;
    array<uint32_t> data(1);
    CHECK_OK(cuStreamBeginCapture_v2(own.handle, CU_STREAM_CAPTURE_MODE_GLOBAL));
    CHECK_IS(forbidden(own.handle, data.pointer), expected);
    CHECK_IS(cuStreamEndCapture(own.handle, &graph), CUDA_ERROR_STREAM_CAPTURE_INVALIDATED);
    CHECK_OK(cuCtxSynchronize());
}

static void captures_refuse()
{
    CUresult unsupported = CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
    capture_refuses(unsupported, [](CUstream, CUdeviceptr) {
        CUdeviceptr pointer;
        return cuMemAlloc_v2(&pointer, 4);
    });
    capture_refuses(unsupported,
                    [](CUstream own, CUdeviceptr) { return cuStreamSynchronize(own); });
    capture_refuses(unsupported, [](CUstream, CUdeviceptr) { return cuCtxSynchronize(); });
    capture_refuses(unsupported, [](CUstream own, CUdeviceptr pointer) {
        uint32_t pageable = 0;
        return cuMemcpyHtoDAsync_v2(pointer, &pageable, 4, own);
    });
}

/* Ten threads with a stream each share a context, as plans of one program do. */
static void many_threads()
{
    device gpu;
    std::vector<std::thread> threads;
    std::vector<int> good(10);
    CUfunction kernel = gpu.function("sample_block_scan");
    for (size_t number = 0; number < good.size(); number++) {
        threads.emplace_back([&gpu, &good, kernel, number] {
            CHECK_OK(cuCtxPushCurrent_v2(gpu.context));
            for (int round = 0; round < 5; round++) {
                stream own;
                array<uint32_t> values(std::vector<uint32_t>(256, 1)), scanned(256);
                void *arguments[] = {&values.pointer, &scanned.pointer};
                CHECK_OK(
                    cuLaunchKernel(kernel, 1, 1, 1, 256, 1, 1, 0, own.handle, arguments, nullptr));
                CHECK_OK(cuStreamSynchronize(own.handle));
                good[number] += scanned.read()[255] == 256;
            }
            CHECK_OK(cuCtxPopCurrent_v2(nullptr));
        });
    }
    for (std::thread &thread : threads)
        thread.join();
    for (int count : good)
        CHECK(count == 5);
}

int main()
{
    copies_are_late();
    events_order_streams();
    under_every_schedule([] { CHECK(across_streams(true) == 42); });
    legacy_stream_orders();
    questions_make_progress();
    host_functions_wait_their_turn();
    under_every_schedule(graphs_replay);
    captures_fork(true);
    captures_fork(false);
    captures_refuse();
    under_every_schedule(many_threads);
    return 0;
}
