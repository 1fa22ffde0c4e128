/* SPDX-License-Identifier: Apache-2.0 */
/* Every seeded bug is reported, the launch fails with an error, and the next test can go on. */
#include "emu_sanitizer.h"
#include "emu_test.h"

#include <csignal>
#include <cstring>
#include <sys/wait.h>
#include <unistd.h>

static const bool sanitized = EMU_ASAN;

struct bug {
    const char *kernel;
    unsigned int threads;
    const char *words; /* that the report must contain */
};

static const bug divergence[] = {
    {"bug_barrier_in_branch", 64, "different barriers"},
    {"bug_exit_before_barrier", 64, "returned"},
    {"bug_exit_before_ballot", 32, "lanes"},
    {"bug_divergent_shuffle", 32, "different call sites"},
    {"bug_not_in_own_mask", 32, "not in its own mask"},
    {"bug_shuffle_from_absent_lane", 32, "not in mask"},
    {"bug_deadlock", 32, "waiting at __syncthreads"},
};

static void divergence_is_reported()
{
    for (const bug &each : divergence) {
        device gpu;
        array<uint32_t> out(64);
        CHECK_IS(gpu.run(each.kernel, 1, each.threads, 0, out.pointer), CUDA_ERROR_LAUNCH_FAILED);
        CHECK(report_says(each.words) && report_says(each.kernel));
        CHECK_IS(cuCtxSynchronize(), CUDA_ERROR_LAUNCH_FAILED); /* errors stick */
    }
}

/* Without tracing, a missing barrier shows as poison or stale data under some schedule. */
static void missing_barrier_reads_poison()
{
    int wrong = 0;
    for (const char *schedule : {"order", "adversarial"}) {
        CHECK(consort_emu_set("SCHEDULE", schedule) == 0);
        device gpu;
        array<uint32_t> out(64);
        if (gpu.run("bug_missing_barrier", 1, 64, 0, out.pointer) != CUDA_SUCCESS)
            continue; /* the tracing build says so itself */
        for (uint32_t value : out.read())
            wrong += value == 0xa5a5a5a5u;
    }
    CHECK(wrong > 0 || report_says("race"));
    CHECK(consort_emu_set("SCHEDULE", "order") == 0);
}

/* AddressSanitizer ends the process where the plain build fails the launch. */
template <typename Test> static void in_child(Test test)
{
    std::fflush(nullptr);
    pid_t child = fork();
    CHECK(child >= 0);
    if (child == 0) {
        test();
        _exit(0);
    }
    int status = 0;
    CHECK(waitpid(child, &status, 0) == child);
    CHECK((WIFEXITED(status) && WEXITSTATUS(status) == 0) || sanitized);
    CHECK(!sanitized || !WIFEXITED(status) || WEXITSTATUS(status) != 0);
}

static void out_of_bounds()
{
    /* the first byte behind, a byte in the guard page, a wild one */
    for (uint64_t index : {uint64_t(1000), uint64_t(1000 + 70000), uint64_t(1) << 45}) {
        in_child([index] {
            device gpu;
            array<uint8_t> out(1000);
            CHECK_IS(gpu.run("bug_global_write_behind", 1, 32, 0, out.pointer, index),
                     CUDA_ERROR_ILLEGAL_ADDRESS);
            if (sanitized)
                _exit(2); /* a fault that AddressSanitizer left to us is a catch as well */
        });
    }
    in_child([] {
        device gpu;
        array<uint32_t> out(32);
        CHECK_IS(gpu.run("bug_shared_write_behind", 1, 32, 64, out.pointer, 16u),
                 CUDA_ERROR_ILLEGAL_ADDRESS);
        if (sanitized)
            _exit(2);
    });
    in_child([] {
        device gpu;
        array<uint32_t> out(32);
        CHECK_IS(gpu.run("bug_deep_stack", 1, 32, 0, out.pointer), CUDA_ERROR_ILLEGAL_ADDRESS);
        CHECK(report_says("stack"));
        if (sanitized)
            _exit(2);
    });
}

static void faults_are_not_for_the_program()
{
    in_child([] {
        device gpu;
        array<uint8_t> out(1000);
        struct sigaction own = {}, found = {};
        own.sa_handler = [](int) { _exit(3); };
        CHECK(sigaction(SIGSEGV, &own, nullptr) == 0);
        CHECK_IS(gpu.run("bug_global_write_behind", 1, 32, 0, out.pointer, uint64_t(1) << 45),
                 CUDA_ERROR_ILLEGAL_ADDRESS);
        CHECK(sigaction(SIGSEGV, nullptr, &found) == 0 && found.sa_handler == own.sa_handler);
        if (sanitized)
            _exit(2);
    });
}

static void use_after_free()
{
    device gpu;
    CUdeviceptr pointer;
    CHECK_OK(cuMemAlloc_v2(&pointer, 1000));
    CHECK_OK(cuMemFree_v2(pointer));
    CHECK_IS(gpu.run("bug_global_write_behind", 1, 32, 0, pointer, uint64_t(0)),
             CUDA_ERROR_ILLEGAL_ADDRESS);
    CHECK(report_says("not allocated"));
}

static void host_pointer_to_kernel()
{
    device gpu;
    static uint32_t host[64];
    uint32_t *pointer = host;
    CHECK_IS(gpu.run("bug_missing_syncwarp", 1, 32, 0, pointer), CUDA_ERROR_ILLEGAL_ADDRESS);
    CHECK(report_says("host memory"));
}

/* Host code that touches device memory dies, both before and after a kernel ran. */
static void host_dereference()
{
    pid_t child = fork();
    CHECK(child >= 0);
    if (child == 0) {
        device gpu;
        array<uint32_t> out(64);
        out.read();
        *reinterpret_cast<volatile uint32_t *>(out.pointer) = 1;
        _exit(0);
    }
    int status = 0;
    CHECK(waitpid(child, &status, 0) == child);
    CHECK(!WIFEXITED(status) || WEXITSTATUS(status) != 0);
}

static void hanging()
{
    device gpu;
    array<uint32_t> flag(1);
    CHECK_IS(gpu.run("bug_waits_for_nobody", 2, 32, 0, flag.pointer), CUDA_ERROR_LAUNCH_FAILED);
    CHECK(report_says("hang") && report_says("polling") && report_says("last polled"));
}

static void never_ending()
{
    CHECK(consort_emu_set("SECONDS", "1") == 0);
    device gpu;
    array<uint32_t> flag(1);
    CHECK_IS(gpu.run("bug_never_ends", 2, 32, 0, flag.pointer), CUDA_ERROR_LAUNCH_FAILED);
    CHECK(report_says("CONSORT_EMU_SECONDS"));
    CHECK(consort_emu_set("SECONDS", "0") == 0);
}

static void polling_without_pause()
{
    device gpu;
    array<uint32_t> flag(1);
    CHECK_IS(gpu.run("bug_polls_without_pause", 1, 32, 0, flag.pointer), CUDA_ERROR_LAUNCH_FAILED);
    CHECK(report_says("spin_pause"));
}

static void bulk_copies()
{
    {
        device gpu;
        array<uint32_t> in(32, 1u), out(32);
        CHECK_OK(gpu.run("bug_bulk_load_not_awaited", 1, 32, 0, in.pointer, out.pointer));
        CHECK(out.read()[31] == 0xa5a5a5a5u);
    }
    {
        device gpu;
        array<uint32_t> out(32);
        CHECK_IS(gpu.run("bug_bulk_store_left_behind", 1, 32, 0, out.pointer),
                 CUDA_ERROR_LAUNCH_FAILED);
        CHECK(report_says("bulk stores"));
    }
    {
        device gpu;
        array<uint32_t> in(32);
        CHECK_IS(gpu.run("bug_bulk_wrong_size", 1, 32, 0, in.pointer), CUDA_ERROR_LAUNCH_FAILED);
        CHECK(report_says("hang"));
    }
}

static void block_index_order()
{
    CHECK(consort_emu_set("SCHEDULE", "order") == 0);
    {
        device gpu;
        array<uint32_t> flags(200);
        CHECK_OK(gpu.run("bug_tile_from_block_index", 200, 32, 0, flags.pointer));
    }
    CHECK(consort_emu_set("SCHEDULE", "adversarial") == 0);
    {
        device gpu;
        array<uint32_t> flags(200);
        CHECK_IS(gpu.run("bug_tile_from_block_index", 200, 32, 0, flags.pointer),
                 CUDA_ERROR_LAUNCH_FAILED);
        CHECK(report_says("hang"));
    }
    CHECK(consort_emu_set("SCHEDULE", "order") == 0);
}

static void published_too_early()
{
    int wrong = 0;
    CHECK(consort_emu_set("SCHEDULE", "random") == 0);
    for (int seed = 1; seed <= 200; seed++) {
        CHECK(consort_emu_set("SEED", std::to_string(seed).c_str()) == 0);
        device gpu;
        array<uint32_t> flag(1), data(1), ticket(1), out(1);
        CHECK_OK(gpu.run("bug_publish_too_early", 2, 32, 0, flag.pointer, data.pointer,
                         ticket.pointer, out.pointer));
        wrong += out.read()[0] != 42;
    }
    CHECK(wrong > 0);
    CHECK(consort_emu_set("SCHEDULE", "order") == 0);
}

/* What is stuck is stuck in a twentieth of the usual time, too. */
int main()
{
    CHECK(consort_emu_set("PATIENCE", "5") == 0);
    divergence_is_reported();
    missing_barrier_reads_poison();
    out_of_bounds();
    faults_are_not_for_the_program();
    if (!sanitized)
        use_after_free();
    host_pointer_to_kernel();
    host_dereference();
    hanging();
    never_ending();
    polling_without_pause();
    bulk_copies();
    block_index_order();
    published_too_early();
    return 0;
}
