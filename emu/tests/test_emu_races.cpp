/* SPDX-License-Identifier: Apache-2.0 */
/* The tracing build reports seeded races and stays silent about correct kernels (test_emu_kernels
 * runs with it as well). */
#include "emu_test.h"

static void race_in(const char *kernel, unsigned int threads)
{
    device gpu;
    array<uint32_t> out(64);
    CHECK_IS(gpu.run(kernel, 1, threads, 0, out.pointer), CUDA_ERROR_LAUNCH_FAILED);
    CHECK(report_says("race in shared memory") && report_says(kernel));
}

int main()
{
    under_every_schedule([] {
        race_in("bug_missing_barrier", 64);
        race_in("bug_missing_syncwarp", 32);
        race_in("bug_reuse_without_barrier", 64);
        race_in("bug_not_atomic", 64);
    });
    return 0;
}
