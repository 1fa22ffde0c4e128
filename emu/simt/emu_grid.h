/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One launch as the emulator runs it: a grid of blocks, of which several are resident, each with
 * warps of up to 32 lanes, each lane a fiber. Everything here belongs to the host thread that
 * holds the driver's lock.
 */
#ifndef CONSORT_EMU_GRID_H
#define CONSORT_EMU_GRID_H

#include "emu_fiber.h"
#include "emu_runtime.h"
#include <memory>
#include <string>
#include <vector>

namespace emu
{

enum class schedule {
    order,
    random,
    adversarial
};

struct launch {
    const emu::kernel *kernel;
    void *const *arguments;
    dim3 grid, block;
    unsigned int cluster_count; /* blocks a cluster, 1 without clusters */
    unsigned int dynamic_shared;
    unsigned int resident_limit;
    bool together; /* cooperative: every block lives at the same time */
    emu::schedule schedule;
    uint64_t seed;
    int seconds;  /* of processor time that it may take; 0: any */
    int patience; /* per cent of the usual time until it counts as stuck, a second included */
};

enum class outcome {
    finished,
    failed,
    illegal_address
};

/* Runs a launch to its end. On failure `report` says what happened and who waited for what. */
outcome grid_run(const launch &order, std::string *report);

/* ------ inside the emulator ------ */

struct block;
struct warp;

enum class lane_state : uint8_t {
    running,
    spinning,
    at_warp,
    at_block,
    at_cluster,
    finished
};

struct lane : thread_view {
    emu::fiber fiber;
    emu::block *block;
    emu::warp *warp;
    site where;    /* where it waits or spins */
    uint32_t mask; /* of the warp operation it waits in */
    lane_state state;
    const volatile void *polled; /* the flag word it last read, and what it saw */
    uint64_t polled_value;
};

struct meeting {
    uint32_t mask, arrived, ones; /* `ones`: arrived lanes whose value is 1 */
    warp_op op;
    site where;
    uint64_t values[32];
    uint32_t operands[32];
    uint32_t width;
};

struct warp {
    lane *lanes;
    unsigned int index;
    uint32_t existing, ready, spinning, finished;
    unsigned int ahead;   /* schedule `random`: the lane to run after the next one */
    uint64_t results[32]; /* of the operation each lane met in last */
    unsigned int meeting_count;
    std::vector<meeting> meetings; /* the first meeting_count are open */
};

struct block_barrier {
    unsigned int arrived;
    barrier_op op;
    site where;
    int count;
    int result;
};

struct cluster {
    unsigned int waiting = 0, members = 0;
    std::vector<block *> blocks;
};

struct shared_memory; /* emu_shared.cpp */
struct race_shadow;   /* emu_race.cpp */
struct bulk_state;    /* emu_bulk.cpp */

struct block {
    uint64_t number; /* in launch order; uint3 index is in every lane */
    unsigned int thread_count, finished;
    std::vector<lane> lanes;
    std::vector<warp> warps;
    block_barrier barrier;
    std::shared_ptr<emu::cluster> cluster;
    unsigned int cluster_rank;
    shared_memory *shared;
    race_shadow *race;
    std::shared_ptr<bulk_state> bulk; /* null in blocks that make no bulk copies */
    bool parked;                      /* had its turn in this round */
};

/* State of the launch in progress. */
struct run {
    const launch *order;
    std::string *report;
    outcome result;
    fiber host;
    std::vector<std::unique_ptr<block>> resident;
    uint64_t block_count, started, finished;
    std::vector<uint64_t> start_order; /* empty: ascending */
    uint64_t spins_since_progress;
    uint64_t budget; /* lanes still to be run in this turn */
    uint64_t random_state;
    uint64_t random_bits; /* left of the last draw for lanes, five each */
    uint64_t switches;    /* lanes resumed so far */
    int seconds;          /* of processor time so far */
    uint32_t arrivals;    /* for the barrier that the driver keeps for cooperative launches */
};

extern run *active;

static inline lane *self()
{
    return static_cast<lane *>(current);
}

uint64_t random_next(uint64_t *state);
bool random_chance(unsigned int one_in);

/* Ends the launch with a dump of every waiting lane; does not return to the caller. */
[[noreturn]] void launch_fail(outcome result, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Back to the scheduler until something makes this lane ready again. */
void lane_wait(lane_state state, site where);
void lane_finish(lane *finished);
void maybe_yield(unsigned int one_in); /* under schedule `random` */
void meetings_check_exit(lane *leaving);
void note_progress();

std::string dump_residents();

/* shared memory: one arena a resident block, poisoned at its start */
shared_memory *shared_open(const launch &order);
void shared_close(shared_memory *arena);
void shared_launch_begin();
void *shared_translate(const shared_memory *from, const shared_memory *to, void *address);
bool shared_offset(const shared_memory *arena, const volatile void *address, size_t *offset);
bool shared_guard_holds(const shared_memory *arena, const void *address);

/* bulk copies: a thread may not leave stores behind that nobody waited for */
void bulk_check_exit(const lane *leaving);

/* flags published but not yet visible */
void flags_tick();
void flags_drop();

/* races: empty functions unless the kernels were built with tracing */
void race_open(block *owner);
void race_close(block *owner);
void race_warp_sync(warp *meeting_warp, uint32_t mask);
void race_block_sync(block *owner);
void race_atomic(const volatile void *address, size_t bytes);
void race_edge_out(const volatile void *word);
void race_edge_in(const volatile void *word);

/* faults inside kernels become errors of the launch */
void fault_install();
void fault_catch_begin();
void fault_catch_end();
bool fault_is_device_address(const volatile void *address); /* defined by the driver half */

} // namespace emu

#endif
