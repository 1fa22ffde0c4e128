/* SPDX-License-Identifier: Apache-2.0 */
/* Stores that go past the caches: for large outputs that nobody reads soon. */
#ifndef CONSORT_CPU_STREAM_H
#define CONSORT_CPU_STREAM_H

#include <stdint.h>
#include <string.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

/* 64 bytes; both places aligned to that. */
static inline void stream_line(void *to, const void *from)
{
#ifdef __SSE2__
    for (uint32_t j = 0; j < 4; j++)
        _mm_stream_si128((__m128i *)to + j, _mm_load_si128((const __m128i *)from + j));
#else
    memcpy(to, from, 64);
#endif
}

/* After the last of them, before another thread may read. */
static inline void stream_fence(void)
{
#ifdef __SSE2__
    _mm_sfence();
#endif
}

#endif
