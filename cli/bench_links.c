/* SPDX-License-Identifier: Apache-2.0 */
/* Pieces of the arrays, dealt to the GPUs in turns, on a stream for each direction. */
#include "bench_links.h"

#include "bench_clock.h"

enum {
    MOST_GPUS = 16,
    PIECE = 32 << 20,
    ROUNDS = 3 /* the first warms up; the faster of the others counts */
};

struct link {
    int32_t device; /* the driver's handle */
    void *context;
    void *streams[2]; /* up, down */
    uint64_t memories[2];
};

struct bus {
    const struct bench_driver *driver;
    struct link links[MOST_GPUS];
    uint32_t count;
    const unsigned char *from;
    unsigned char *to;
    uint64_t bytes;
    struct problem *problem;
};

#define GOOD(call) bench_driver_good(bus->driver, bus->driver->call, #call, bus->problem)

static bool open_link(struct bus *bus, int32_t ordinal)
{
    struct link *link = &bus->links[bus->count];
    if (!GOOD(device_get(&link->device, ordinal)) ||
        !GOOD(context_retain(&link->context, link->device))) {
        return false;
    }
    bus->count++;
    if (!GOOD(context_set(link->context))) {
        return false;
    }
    for (int way = 0; way < 2; way++) {
        if (!GOOD(stream_create(&link->streams[way], 1)) ||
            !GOOD(memory_allocate(&link->memories[way], PIECE))) {
            return false;
        }
    }
    return true;
}

static void close_link(struct bus *bus, struct link *link)
{
    const struct bench_driver *driver = bus->driver;
    (void)driver->context_set(link->context);
    for (int way = 0; way < 2; way++) {
        if (link->memories[way] != 0) {
            (void)driver->memory_free(link->memories[way]);
        }
        if (link->streams[way] != NULL) {
            (void)driver->stream_destroy(link->streams[way]);
        }
    }
    (void)driver->context_release(link->device);
}

static bool copy_piece(struct bus *bus, uint64_t at, bool up, bool down)
{
    struct link *link = &bus->links[at / PIECE % bus->count];
    uint64_t left = bus->bytes - at;
    size_t bytes = (size_t)(left < PIECE ? left : PIECE);
    if (!GOOD(context_set(link->context))) {
        return false;
    }
    return (!up || GOOD(copy_up(link->memories[0], bus->from + at, bytes, link->streams[0]))) &&
           (!down || GOOD(copy_down(bus->to + at, link->memories[1], bytes, link->streams[1])));
}

static bool copy_all(struct bus *bus, bool up, bool down, double *seconds)
{
    double began = bench_clock_seconds();
    for (uint64_t at = 0; at < bus->bytes; at += PIECE) {
        if (!copy_piece(bus, at, up, down)) {
            return false;
        }
    }
    for (uint32_t i = 0; i < bus->count; i++) {
        struct link *link = &bus->links[i];
        if (!GOOD(context_set(link->context)) || !GOOD(stream_wait(link->streams[0])) ||
            !GOOD(stream_wait(link->streams[1]))) {
            return false;
        }
    }
    *seconds = bench_clock_seconds() - began;
    return true;
}

static bool time_copies(struct bus *bus, bool up, bool down, double *best)
{
    *best = 0;
    for (int round = 0; round < ROUNDS; round++) {
        double seconds;
        if (!copy_all(bus, up, down, &seconds)) {
            return false;
        }
        if (round == 1 || (round > 1 && seconds < *best)) {
            *best = seconds;
        }
    }
    return true;
}

bool bench_links_measure(struct bench_links *measured, const struct bench_gpu *gpu, bool every_gpu,
                         const void *from, void *to, uint64_t bytes, struct problem *problem)
{
    struct bus bus = {
        .driver = gpu->driver, .from = from, .to = to, .bytes = bytes, .problem = problem};
    int32_t first = every_gpu ? 0 : gpu->ordinal;
    int32_t end = every_gpu ? gpu->present : first + 1;
    bool good = true;
    for (int32_t i = first; i < end && bus.count < MOST_GPUS && good; i++) {
        good = open_link(&bus, i);
    }
    *measured = (struct bench_links){0};
    good = good && time_copies(&bus, true, false, &measured->up) &&
           time_copies(&bus, false, true, &measured->down) &&
           time_copies(&bus, true, true, &measured->both);
    measured->gpus = good ? bus.count : 0;
    for (uint32_t i = 0; i < bus.count; i++) {
        close_link(&bus, &bus.links[i]);
    }
    (void)gpu->driver->context_set(gpu->context);
    return good;
}
