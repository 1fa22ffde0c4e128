/* SPDX-License-Identifier: Apache-2.0 */
/* The kernels of `lsd`, one for each key width and value class; the host side is lsd.c. */
#include "cuda/device/early_launch.cuh"
#include "cuda/device/key_class.cuh"
#include "cuda/sorts/lsd/lsd_finish.cuh"
#include "cuda/sorts/lsd/lsd_histogram.cuh"
#include "cuda/sorts/lsd/lsd_pass.cuh"
#include "cuda/sorts/lsd/lsd_resident.cuh"
#include "cuda/sorts/lsd/lsd_tuning.h"

#define LSD_KERNEL(name, words, bits, value_bytes, threads, items, blocks)                         \
    using name##_tile = lsd_tile<key_class<bits>::type, value_bytes, threads, items>;              \
    static_assert(sizeof(name##_tile::storage) ==                                                  \
                      lsd_shared_bytes(bits / 8, value_bytes, threads, items),                     \
                  "the host asks for what the tile needs");                                        \
    KERNEL(name, threads, blocks)                                                                  \
    (const __grid_constant__ lsd_arguments arguments, uint32_t pass, uint32_t portion,             \
     uint32_t portions)                                                                            \
    {                                                                                              \
        SHARED_DYNAMIC(storage, name##_tile::storage);                                             \
        early_launch_wait();                                                                       \
        lsd_pass<key_class<bits>::type, value_bytes, threads, items, words>(                       \
            arguments, pass, portion, portions, *storage);                                         \
    }                                                                                              \
    KERNEL_EXPORT(name);

#define LSD_PASS(bits, value_bytes, ...)                                                           \
    LSD_KERNEL(lsd_pass_##bits##_##value_bytes, lsd_words<LSD_WINDOW>, bits, value_bytes,          \
               __VA_ARGS__)
LSD_SHAPES(LSD_PASS)

#define LSD_SHORT_PASS(bits, value_bytes, threads, items, blocks, tiles, most_bits)                \
    LSD_KERNEL(lsd_short_##bits##_##value_bytes, lsd_short_words<most_bits>, bits, value_bytes,    \
               threads, items, blocks)
LSD_SHORT_SHAPES(LSD_SHORT_PASS)

#define LSD_ROUND_PASS(bits, value_bytes, ...)                                                     \
    LSD_KERNEL(lsd_round_##bits##_##value_bytes, lsd_words<LSD_WINDOW>, bits, value_bytes,         \
               __VA_ARGS__)
LSD_ROUND_SHAPES(LSD_ROUND_PASS)

#define LSD_RESIDENT(bits, value_bytes, threads, items, blocks)                                    \
    using lsd_resident_list_##bits##_##value_bytes =                                               \
        lsd_resident<key_class<bits>::type, value_bytes, threads, items>;                          \
    static_assert(sizeof(lsd_resident_list_##bits##_##value_bytes::storage) ==                     \
                      lsd_shared_bytes(bits / 8, value_bytes, threads, items),                     \
                  "the host asks for what the tile needs");                                        \
    KERNEL(lsd_resident_##bits##_##value_bytes, threads, blocks)                                   \
    (const __grid_constant__ lsd_arguments arguments)                                              \
    {                                                                                              \
        SHARED_DYNAMIC(storage, lsd_resident_list_##bits##_##value_bytes::storage);                \
        lsd_control *control = arguments.control;                                                  \
        grid_clear(control, arguments.lookback);                                                   \
        const uint32_t cleared = grid_arrive();                                                    \
        lsd_resident_list_##bits##_##value_bytes(arguments, &control->arrivals, *storage)          \
            .sort([&] { grid_wait(cleared); });                                                    \
    }                                                                                              \
    KERNEL_EXPORT(lsd_resident_##bits##_##value_bytes);
LSD_RESIDENT_SHAPES(LSD_RESIDENT)

#define LSD_HISTOGRAM(bits, items)                                                                 \
    KERNEL(lsd_histogram_##bits, LSD_HISTOGRAM_THREADS, LSD_HISTOGRAM_BLOCKS)                      \
    (const __grid_constant__ lsd_arguments arguments)                                              \
    {                                                                                              \
        using key = key_class<bits>::type;                                                         \
        SHARED(storage, lsd_histogram_storage<key>);                                               \
        early_launch_wait();                                                                       \
        lsd_histogram<key, items>(arguments, storage);                                             \
    }                                                                                              \
    KERNEL_EXPORT(lsd_histogram_##bits);
LSD_HISTOGRAM(8, 8)
LSD_HISTOGRAM(16, 8)
LSD_HISTOGRAM(32, 8)
LSD_HISTOGRAM(64, 4)
LSD_HISTOGRAM(128, 2)

KERNEL(lsd_finish_all, LSD_FINISH_THREADS)
(const __grid_constant__ lsd_arguments arguments, uint32_t key_bytes, uint32_t value_bytes)
{
    early_launch_wait();
    lsd_finish(arguments, key_bytes, value_bytes);
}
KERNEL_EXPORT(lsd_finish_all);
