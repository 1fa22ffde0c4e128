# SPDX-License-Identifier: Apache-2.0
"""The faults: (name, file, text that is there exactly once, what replaces it[, QUICK])."""

# Tried in every check, with the first two stages of tests; the others in check-all.
QUICK = "quick"

# What a mutant is tested with, stage by stage until something fails.
TESTS = [
    ["-R", "operations.product"],
    ["-R", "^api", "-E", "cancel"],
    ["-R", "operations.middle"],
    ["-R", "operations.pairwise"],
    ["-R", "^(api.cancel|unit)"],
]

ORDERS = [
    ("order-desc-ignored", "src/core/codec.c", "if (direction == CONSORT_DESCENDING)",
     "if (direction == CONSORT_DESCENDING && codec.stored == 1)"),
    ("codec-no-nan-bias", "src/core/codec.c", "        codec->bias = nans;",
     "        codec->bias = 0;", QUICK),
    ("codec-nan-first-off-by-one", "src/core/codec.c", "codec->bias = (0 - nans)",
     "codec->bias = (1 - nans)"),
    ("codec-bf16-mantissa", "src/core/codec.c", "return 7;", "return 10;"),
    ("codec-zeros-differ", "src/core/codec.c", "return size == 0 ? 0 : x;", "return x;"),
    ("codec-infinity-is-nan", "src/core/codec.c", "if (size > codec->infinity)",
     "if (size >= codec->infinity)"),
    ("codec-no-swap", "src/core/codec.c",
     "return codec->swap ? __builtin_bswap16((uint16_t)word) : word;", "return word;"),
    ("codec-encode-bias-sign", "src/core/codec_template.h", "^ c.flip) - c.bias);",
     "^ c.flip) + c.bias);"),
    ("codec-decode-without-magnitude", "src/core/codec_template.h",
     "    x = (CODEC_T)(x ^ (c.magnitude & CODEC_FN(_sign)(x)));\n", ""),
    ("order-last-field-ignored", "src/core/order.c",
     "for (uint32_t i = 0; i < order->piece_count; i++) {\n"
     "        const struct order_piece *piece = &order->pieces[i];\n        uint128 x",
     "for (uint32_t i = 0; i < (order->piece_count + 1) / 2; i++) {\n"
     "        const struct order_piece *piece = &order->pieces[i];\n        uint128 x", QUICK),
    ("order-prefix-shift", "src/core/order.c", "key >> (bits - taken)", "key"),
]

CHECKS = [
    ("overlap-touching-end", "src/core/arguments.c", "a->first + a->bytes <= b->first ||",
     "a->first + a->bytes <= b->first + 4 ||"),
    ("offsets-past-the-end", "src/core/arguments.c", "next > arguments->count)",
     "next > arguments->count + 1)"),
    ("workspace-one-short", "src/core/plan.c", "if (bytes < plan->workspace)",
     "if (bytes + 1 < plan->workspace)"),
    ("limit-ignored", "src/core/planner.c", "if (workspace > request->workspace_limit) {",
     "if (workspace > request->workspace_limit && request->workspace_limit == 0) {"),
    ("input-said-to-be-whole", "src/core/status.c", "status_last.input_whole = 0;",
     "status_last.input_whole = 1;"),
]

MERGES = [
    ("insertion-not-stable", "src/cpu/mergesort_template.h",
     "while (hole > to && MERGE_BEFORE(&constants, held, hole - bytes)) {",
     "while (hole > to && !MERGE_BEFORE(&constants, hole - bytes, held)) {", QUICK),
    ("merge-tie-takes-b", "src/cpu/mergesort_template.h",
     "uint64_t from_b = mergesort_mask(MERGE_BEFORE(&constants, b, a));",
     "uint64_t from_b = mergesort_mask(!MERGE_BEFORE(&constants, a, b));"),
    ("trace-tie-takes-b", "src/cpu/mergesort_template.h",
     "(b < b_end && MERGE_BEFORE(&constants, b, a))",
     "(b < b_end && !MERGE_BEFORE(&constants, a, b))"),
    ("merge-shortcut-equal", "src/cpu/mergesort_template.h",
     "if (MERGE_BEFORE(sort, b_end - bytes, a)) {",
     "if (!MERGE_BEFORE(sort, a, b_end - bytes)) {"),
    ("co-rank-tie", "src/cpu/mergesort_template.h",
     "if (MERGE_BEFORE(sort, b + (rank - middle - 1) * bytes, a + middle * bytes))",
     "if (!MERGE_BEFORE(sort, a + middle * bytes, b + (rank - middle - 1) * bytes))"),
    ("merge-level-drops-tail", "src/cpu/mergesort_template.h",
     "first < count; first += 2 * width", "first + width < count; first += 2 * width"),
    ("gather-drops-last", "src/cpu/gather.c", "for (uint64_t j = first; j < last; j++) {\n"
     "        if (last - j > GATHER_AHEAD)",
     "for (uint64_t j = first; j + (last > 4096) < last; j++) {\n"
     "        if (last - j > GATHER_AHEAD)"),
    ("merge-values-from-a", "src/cpu/merge_path.c", "memcpy(out, from_b[i] ? b : a, bytes);",
     "memcpy(out, a, bytes);"),
    ("merge-block-one-less", "src/cpu/merge_path.c", "b += count - taken;",
     "b += count - taken - (count == MERGE_PATH_BLOCK);"),
    ("reversed-equal-keys", "src/cpu/monotone.c",
     "return job->reversed ? sign < 0 : sign >= 0;",
     "return job->reversed ? sign <= 0 : sign >= 0;", QUICK),
    ("reverse-misses-middle", "src/cpu/monotone.c", "i < count / 2; i++)",
     "i + 1 < count / 2; i++)"),
    ("segments-first-only", "src/cpu/segments.c",
     "            first = last;\n        }\n        segments_report",
     "            first = last + (segment == 2);\n        }\n        segments_report"),
    ("heap-ties-by-position-lost", "src/cpu/top_k_heap.c",
     "return sign != 0 ? sign < 0 : i < j;", "return sign < 0;"),
    ("heap-child-off-by-one", "src/cpu/top_k_heap.c", "if (child + 1 < size &&",
     "if (child + 2 < size &&"),
    ("ties-first-run-lost", "src/cpu/ties.c", "while (end < count && codes[end] == codes[first])",
     "while (end < last && codes[end] == codes[first])"),
    ("symmerge-insertion-tie", "src/cpu/symmerge.c",
     "            if (symmerge_before(rows, i, middle))",
     "            if (!symmerge_before(rows, middle, i))"),
]

RADIX = [
    ("lsd-digit-shift", "src/cpu/radix_lsd.c", "varying >> (shift + bits) << (shift + bits)",
     "varying >> (shift + bits + 1) << (shift + bits + 1)", QUICK),
    ("lsd-first-digit-not-recounted", "src/cpu/radix_lsd.c",
     "digits.shift[0] != shift || digits.bits[0] != bits", "digits.shift[0] != shift"),
    ("histogram-drops-last", "src/cpu/radix_scatter_template.h",
     "            counts[(uint32_t)(code >> shift) & mask]++;",
     "            counts[(uint32_t)(code >> shift) & mask] += i + j != 4096;"),
    ("scatter-drain-one-less", "src/cpu/radix_scatter_template.h", "        if (from < end)\n",
     "        if (from + 1 < end)\n"),
    ("scatter-first-line-overwrites", "src/cpu/radix_scatter_template.h",
     "    if (line >= begin)\n", "    if (line + RADIX_LINE > begin)\n"),
    ("scatter-line-not-decoded", "src/cpu/radix_scatter_template.h",
     "        for (uint64_t j = 0; j < RADIX_LINE; j++)\n            from[j].key",
     "        for (uint64_t j = 1; j < RADIX_LINE; j++)\n            from[j].key"),
    ("msd-bucket-of-one-not-moved", "src/cpu/radix_msd.c",
     "if (top == 0 || last - first == 1)\n        state->kernels->settle(state, from, first, last);",
     "if (last - first == 1)\n        return;\n    if (top == 0)\n"
     "        state->kernels->settle(state, from, first, last);"),
    ("msd-sample-trusted", "src/cpu/radix_msd.c", "        if (seen <= top)\n            break;",
     "        if (seen <= top + 1)\n            break;"),
    ("inplace-wrong-bucket-end", "src/cpu/inplace.c", "ends[bucket] = first += count;",
     "ends[bucket] = (first += count) - (count > 300);"),
]

TEAMS = [
    ("share-drops-last", "src/cpu/team.h",
     "*last = high * grain < count ? high * grain : count;",
     "*last = (high * grain < count ? high * grain : count) - (size > 1 && member + 1 == size);"),
    ("barrier-lost", "src/cpu/team.c", "    team_wait(team, &team->phase, phase, true);\n", ""),
    ("run-does-not-wait", "src/cpu/team.c", "    team_wait(team, &team->pending, 0, false);\n", ""),
    ("scan-finds-any-disorder", "src/cpu/scan.c", "while (i < last && i < found && ",
     "while (i < last && i > found && "),
]

MUTANTS = ORDERS + CHECKS + MERGES + RADIX + TEAMS
