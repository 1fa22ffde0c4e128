/* SPDX-License-Identifier: Apache-2.0 */
/* Merge sort's kernels for plain codes: keys stay as they are and are encoded when compared. */
#ifndef CONSORT_CPU_MERGESORT_CODES_H
#define CONSORT_CPU_MERGESORT_CODES_H

static inline bool mergesort_before_u8(const struct mergesort *sort, const char *x, const char *y)
{
    struct codec_u8 codec = codec_u8_of(&sort->codec);
    uint8_t a, b;
    memcpy(&a, x, sizeof a);
    memcpy(&b, y, sizeof b);
    return codec_u8_encode(codec, a) < codec_u8_encode(codec, b);
}

#define MERGE_KIND        u8
#define MERGE_BYTES(sort) 1
#define MERGE_BEFORE      mergesort_before_u8
#define MERGE_RUN         MERGESORT_CODE_RUN
#include "cpu/mergesort_template.h"

static inline bool mergesort_before_u16(const struct mergesort *sort, const char *x, const char *y)
{
    struct codec_u16 codec = codec_u16_of(&sort->codec);
    uint16_t a, b;
    memcpy(&a, x, sizeof a);
    memcpy(&b, y, sizeof b);
    return codec_u16_encode(codec, a) < codec_u16_encode(codec, b);
}

#define MERGE_KIND        u16
#define MERGE_BYTES(sort) 2
#define MERGE_BEFORE      mergesort_before_u16
#define MERGE_RUN         MERGESORT_CODE_RUN
#include "cpu/mergesort_template.h"

static inline bool mergesort_before_u32(const struct mergesort *sort, const char *x, const char *y)
{
    struct codec_u32 codec = codec_u32_of(&sort->codec);
    uint32_t a, b;
    memcpy(&a, x, sizeof a);
    memcpy(&b, y, sizeof b);
    return codec_u32_encode(codec, a) < codec_u32_encode(codec, b);
}

#define MERGE_KIND        u32
#define MERGE_BYTES(sort) 4
#define MERGE_BEFORE      mergesort_before_u32
#define MERGE_RUN         MERGESORT_CODE_RUN
#include "cpu/mergesort_template.h"

static inline bool mergesort_before_u64(const struct mergesort *sort, const char *x, const char *y)
{
    struct codec_u64 codec = codec_u64_of(&sort->codec);
    uint64_t a, b;
    memcpy(&a, x, sizeof a);
    memcpy(&b, y, sizeof b);
    return codec_u64_encode(codec, a) < codec_u64_encode(codec, b);
}

#define MERGE_KIND        u64
#define MERGE_BYTES(sort) 8
#define MERGE_BEFORE      mergesort_before_u64
#define MERGE_RUN         MERGESORT_CODE_RUN
#include "cpu/mergesort_template.h"

static inline bool mergesort_before_u128(const struct mergesort *sort, const char *x, const char *y)
{
    struct codec_u128 codec = codec_u128_of(&sort->codec);
    uint128 a, b;
    memcpy(&a, x, sizeof a);
    memcpy(&b, y, sizeof b);
    return codec_u128_encode(codec, a) < codec_u128_encode(codec, b);
}

#define MERGE_KIND        u128
#define MERGE_BYTES(sort) 16
#define MERGE_BEFORE      mergesort_before_u128
#define MERGE_RUN         MERGESORT_CODE_RUN
#include "cpu/mergesort_template.h"

#endif
