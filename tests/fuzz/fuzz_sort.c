/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Every operation on the fuzzer's own items, against the reference: the first bytes choose key,
 * order, algorithm, places and so on; the rest are the items.
 */
#include "fuzz/fuzz_input.h"

#include "operations/attempt.h"

enum {
    MOST_BYTES = 4096
};

static uint32_t take_level(struct fuzz_input *input, enum factor factor)
{
    return (uint32_t)fuzz_take(input, factor == FACTOR_KEY ? 2 : 1) % factor_levels(factor);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static bool ready;
    if (!ready)
        factors_select(0);
    ready = true;
    struct fuzz_input input = {data, size};
    struct test_case test = {.seed = fuzz_take(&input, 2)};
    for (enum factor f = 0; f < FACTOR_COUNT; f++)
        test.level[f] = take_level(&input, f);
    factors_normalise(&test);
    test.bytes = input.next;
    test.byte_count = input.left < MOST_BYTES ? input.left : MOST_BYTES;
    struct attempt_report report;
    if (attempt(&test, NULL, &report) == ATTEMPT_FAILED) {
        char text[400];
        factors_describe(&test, text, sizeof text);
        fprintf(stderr, "%s\n%s\n", report.text, text);
        abort();
    }
    return 0;
}
