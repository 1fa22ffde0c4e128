/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What compiled kernels ask of the emulator: who am I, meet my warp, meet my block, shared memory,
 * flags. Kernels never include this; they include src/cuda/device/device.cuh, which does.
 */
#ifndef CONSORT_EMU_RUNTIME_H
#define CONSORT_EMU_RUNTIME_H

#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

struct uint3 {
    unsigned int x, y, z;
};

struct dim3 {
    unsigned int x = 1, y = 1, z = 1;
};

/* Call sites are source lines, not return addresses: optimisers duplicate call instructions. */
#define EMU_SITE const char *emu_file = __builtin_FILE(), int emu_line = __builtin_LINE()
#define EMU_HERE                                                                                   \
    emu::site                                                                                      \
    {                                                                                              \
        emu_file, emu_line                                                                         \
    }

namespace emu
{

struct site {
    const char *file;
    int line;
};

struct thread_view {
    uint3 thread_index, block_index;
    dim3 block_size, grid_size;
    unsigned int number; /* in its warp */
    unsigned int cluster_rank, cluster_count;
};

extern thread_view *current;

enum class warp_op {
    sync,
    ballot,
    any,
    all,
    shuffle,
    shuffle_up,
    shuffle_down,
    shuffle_xor,
    match_any,
    match_all,
    reduce_add,
    reduce_min,
    reduce_max,
    reduce_min_signed,
    reduce_max_signed,
    reduce_and,
    reduce_or,
    reduce_xor
};

enum class barrier_op {
    sync,
    count,
    all,
    any
};

/* `operand` is the source lane, delta or lane mask of a shuffle; `width` its segment width. */
uint64_t warp_meet(warp_op op, uint32_t mask, uint64_t value, uint32_t operand, uint32_t width,
                   site where);
int block_meet(barrier_op op, int predicate, site where);
void cluster_meet(site where);
void *cluster_map(void *shared, unsigned int rank);
void spin(unsigned int nanoseconds, site where);
uint64_t nanoseconds();
uint32_t *launch_arrivals(); /* zero when a cooperative launch begins; others have none */

/* Called before every atomic: a point where other blocks may run, and an ordered access. */
void atomic_point(const volatile void *address, size_t bytes);
void fence_point();

/* Flags become visible late, on purpose, to every block but the publisher's. */
void flag_store(volatile void *word, uint64_t value, size_t bytes);
uint64_t flag_load(const volatile void *word, size_t bytes);
void flags_release();

void *shared_static(const void *tag, size_t bytes, size_t alignment);
void *shared_dynamic();

/* Bulk copies happen when somebody waits for them, never earlier. */
void bulk_barrier_init(void *barrier, uint32_t arrivals);
void bulk_barrier_arrive(void *barrier, uint32_t bytes);
bool bulk_barrier_done(void *barrier, uint32_t parity);
void bulk_load(void *shared, const void *global, uint32_t bytes, void *barrier);
void bulk_store(void *global, const void *shared, uint32_t bytes);
void bulk_store_commit();
void bulk_store_wait(size_t left);

template <typename T, typename Tag> T &shared_variable(Tag)
{
    static const char tag = 0;
    return *static_cast<T *>(shared_static(&tag, sizeof(T), alignof(T)));
}

/* Kernels register themselves by name; launches unpack arguments by the kernel's own type. */
struct parameter {
    size_t bytes, alignment;
    bool pointer;
};

struct kernel {
    const char *name;
    unsigned int max_threads;
    void (*invoke)(void *const *arguments);
    const parameter *parameters;
    size_t parameter_count;
    const kernel *next;
};

void kernel_register(kernel *entry);

template <auto Function> struct kernel_adapter;

template <typename... Arguments, void (*Function)(Arguments...)> struct kernel_adapter<Function> {
    static constexpr std::array<parameter, sizeof...(Arguments)> parameters = {
        parameter{sizeof(Arguments), alignof(Arguments), std::is_pointer<Arguments>::value}...};

    template <size_t... Index>
    static void call([[maybe_unused]] void *const *arguments, std::index_sequence<Index...>)
    {
        Function(*static_cast<std::remove_cv_t<Arguments> *>(arguments[Index])...);
    }

    static void invoke(void *const *arguments)
    {
        call(arguments, std::index_sequence_for<Arguments...>());
    }
};

template <auto Function> struct kernel_registration {
    using adapter = kernel_adapter<Function>;
    kernel entry;

    kernel_registration(const char *name, unsigned int max_threads)
        : entry{name,
                max_threads,
                adapter::invoke,
                adapter::parameters.data(),
                adapter::parameters.size(),
                nullptr}
    {
        kernel_register(&entry);
    }
};

constexpr unsigned int first(unsigned int threads, unsigned int = 0)
{
    return threads;
}

} // namespace emu

#endif
