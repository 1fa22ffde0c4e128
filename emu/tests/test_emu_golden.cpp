/* SPDX-License-Identifier: Apache-2.0 */
/* The emulator's warp intrinsics against golden_warp.txt, recorded on a GPU. Run with an argument,
 * prints the emulator's own table instead. */
#include "emu_test.h"
#include "golden_warp.h"

static uint32_t compare(const std::vector<uint64_t> &table, uint32_t rows, std::FILE *golden)
{
    uint32_t wrong = 0;
    for (uint32_t i = 0; i < rows * golden_lanes; i++) {
        unsigned long long recorded;
        CHECK(std::fscanf(golden, "%llx", &recorded) == 1);
        if (recorded == table[i])
            continue;
        std::fprintf(stderr, "row %u lane %u: %llx on the GPU, %llx here\n", i / golden_lanes,
                     i % golden_lanes, recorded, static_cast<unsigned long long>(table[i]));
        wrong++;
    }
    unsigned long long more;
    CHECK(std::fscanf(golden, "%llx", &more) != 1);
    return wrong;
}

int main(int count, char **)
{
    device gpu;
    array<uint64_t> table(golden_rows * golden_lanes);
    array<uint32_t> rows(1);
    CHECK_OK(gpu.run("golden_warp", 1, 32, 0, table.pointer, rows.pointer));
    uint32_t used = rows.read()[0];
    CHECK(used <= golden_rows);
    if (count > 1) {
        golden_print(table.read().data(), used, stdout);
        return 0;
    }
    std::FILE *golden = std::fopen("golden_warp.txt", "r");
    if (!golden)
        return 77; /* not recorded yet: skipped */
    uint32_t wrong = compare(table.read(), used, golden);
    std::fclose(golden);
    return wrong != 0;
}
