/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Flag words: what one block publishes, other blocks see some turns later (never under schedule
 * `order`). A block sees its own flags at once, and its words become visible in the order it
 * published them, at the latest before what it adds with release, so the delay is one that real
 * hardware may show.
 */
#include "emu_grid.h"

#include <cstring>
#include <deque>
#include <unordered_map>

namespace emu
{

struct late_flag {
    volatile void *word;
    uint64_t value;
    size_t bytes;
    uint64_t due; /* turn in which it becomes visible */
};

struct publisher {
    std::deque<late_flag> waiting;
    std::unordered_map<const volatile void *, uint64_t> values; /* of the waiting words */
};

static std::unordered_map<uint64_t, publisher> publishers; /* by block number */
static uint64_t turn;

static void word_write(volatile void *word, uint64_t value, size_t bytes)
{
    std::memcpy(const_cast<void *>(word), &value, bytes);
}

static uint64_t word_read(const volatile void *word, size_t bytes)
{
    uint64_t value = 0;
    std::memcpy(&value, const_cast<const void *>(word), bytes);
    return value;
}

static void show_until(publisher *from, uint64_t when)
{
    while (!from->waiting.empty() && from->waiting.front().due <= when) {
        const late_flag &flag = from->waiting.front();
        word_write(flag.word, flag.value, flag.bytes);
        from->values.erase(flag.word);
        from->waiting.pop_front();
    }
}

void flag_store(volatile void *word, uint64_t value, size_t bytes)
{
    note_progress();
    race_edge_out(word);
    if (active->order->schedule == schedule::order || !fault_is_device_address(word))
        return word_write(word, value, bytes);
    word_write(word, word_read(word, bytes), bytes); /* a bad address faults here, in its kernel */
    publisher &mine = publishers[self()->block->number];
    if (mine.values.count(word))
        show_until(&mine, UINT64_MAX);
    uint64_t random = random_next(&active->random_state);
    uint64_t due = turn + (random & 1) * (random >> 1) % 16;
    if (!mine.waiting.empty() && due < mine.waiting.back().due)
        due = mine.waiting.back().due;
    mine.waiting.push_back({word, value, bytes, due});
    mine.values[word] = value;
    maybe_yield(8);
}

uint64_t flag_load(const volatile void *word, size_t bytes)
{
    lane *me = self();
    uint64_t value = word_read(word, bytes);
    auto mine = publishers.find(me->block->number);
    if (mine != publishers.end()) {
        auto waiting = mine->second.values.find(word);
        if (waiting != mine->second.values.end())
            value = waiting->second;
    }
    me->polled = word;
    me->polled_value = value;
    race_edge_in(word);
    return value;
}

/* What a block has published is seen before what it adds with release. */
void flags_release()
{
    auto mine = publishers.find(self()->block->number);
    if (mine != publishers.end())
        show_until(&mine->second, UINT64_MAX);
}

void flags_tick()
{
    turn++;
    for (auto each = publishers.begin(); each != publishers.end();) {
        show_until(&each->second, turn);
        each = each->second.waiting.empty() ? publishers.erase(each) : std::next(each);
    }
}

void flags_drop()
{
    for (auto &each : publishers)
        if (active->result == outcome::finished)
            show_until(&each.second, UINT64_MAX);
    publishers.clear();
}

} // namespace emu
