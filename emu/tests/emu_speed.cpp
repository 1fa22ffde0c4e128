/* SPDX-License-Identifier: Apache-2.0 */
/* How long one radix pass over 2²⁰ keys takes: the figure in emu/README.md. */
#include "emu_test.h"

#include <chrono>

int main()
{
    const size_t tile = 4096, count = 256 * tile;
    std::vector<uint32_t> keys = random_words(count), starts(256);
    for (uint32_t key : keys)
        for (uint32_t digit = (key & 255) + 1; digit < 256; digit++)
            starts[digit]++;
    for (const char *schedule : {"order", "adversarial", "random"}) {
        CHECK(consort_emu_set("SCHEDULE", schedule) == 0);
        device gpu;
        array<uint32_t> in(keys), out(count), first(starts), state(1 + count / tile * 256);
        auto start = std::chrono::steady_clock::now();
        CHECK_OK(gpu.run("sample_radix_pass", count / tile, 256, 0, in.pointer, out.pointer,
                         first.pointer, state.pointer, 0u));
        std::chrono::duration<double> passed = std::chrono::steady_clock::now() - start;
        std::printf("%-12s %.3f s\n", schedule, passed.count());
    }
    return 0;
}
