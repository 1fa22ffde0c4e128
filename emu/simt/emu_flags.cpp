/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Flag words: what one block publishes, other blocks see some turns later (never under schedule
 * `order`). A block sees its own flags at once, and words become visible in the order they were
 * published, so the delay is one that real hardware may show.
 */
#include "emu_grid.h"

#include <cstring>
#include <deque>

namespace emu
{

struct late_flag {
    volatile void *word;
    uint64_t value;
    size_t bytes;
    const block *publisher;
    unsigned int turns; /* left until it is visible, counted from the flag before it */
};

static std::deque<late_flag> late;

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

void flag_store(volatile void *word, uint64_t value, size_t bytes)
{
    note_progress();
    race_edge_out(word);
    if (active->order->schedule == schedule::order || !fault_is_device_address(word))
        return word_write(word, value, bytes);
    word_write(word, word_read(word, bytes), bytes); /* a bad address faults here, in its kernel */
    unsigned int turns = random_next(&active->random_state) % 4;
    late.push_back({word, value, bytes, self()->block, turns});
}

uint64_t flag_load(const volatile void *word, size_t bytes)
{
    lane *me = self();
    uint64_t value = word_read(word, bytes);
    for (const late_flag &flag : late)
        if (flag.word == word && flag.publisher == me->block)
            value = flag.value;
    me->polled = word;
    me->polled_value = value;
    race_edge_in(word);
    return value;
}

void flags_tick()
{
    if (!late.empty() && late.front().turns)
        late.front().turns--;
    while (!late.empty() && !late.front().turns) {
        word_write(late.front().word, late.front().value, late.front().bytes);
        late.pop_front();
    }
}

void flags_drop()
{
    for (const late_flag &flag : late)
        if (active->result == outcome::finished)
            word_write(flag.word, flag.value, flag.bytes);
    late.clear();
}

} // namespace emu
