/* SPDX-License-Identifier: Apache-2.0 */
/* The dump of a failed launch: which threads of the resident blocks wait, where, and for what. */
#include "emu_grid.h"

#include <cinttypes>
#include <cstdio>

namespace emu
{

static const char *state_text(lane_state state)
{
    switch (state) {
    case lane_state::spinning:
        return "polling";
    case lane_state::at_warp:
        return "waiting for their warp";
    case lane_state::at_block:
        return "waiting at __syncthreads";
    case lane_state::at_cluster:
        return "waiting for their cluster";
    case lane_state::finished:
        return "returned";
    default:
        return "running";
    }
}

static bool same_wait(const lane &a, const lane &b)
{
    bool polls = a.state == lane_state::spinning;
    return a.state == b.state && a.where.line == b.where.line && a.where.file == b.where.file &&
           (a.state != lane_state::at_warp || a.mask == b.mask) && (!polls || a.polled == b.polled);
}

static void describe(std::string *text, const warp &from, uint32_t lanes)
{
    const lane &one = from.lanes[__builtin_ctz(lanes)];
    char line[512];
    int used = std::snprintf(line, sizeof(line), "  block (%u,%u,%u) warp %u lanes 0x%08x %s",
                             one.block_index.x, one.block_index.y, one.block_index.z, from.index,
                             lanes, state_text(one.state));
    size_t at = static_cast<size_t>(used);
    if (one.where.file && one.state != lane_state::finished)
        at += std::snprintf(line + at, sizeof(line) - at, " at %s:%d", one.where.file,
                            one.where.line);
    if (one.state == lane_state::at_warp)
        at += std::snprintf(line + at, sizeof(line) - at, " (mask 0x%08x)", one.mask);
    if (one.state == lane_state::spinning && one.polled)
        std::snprintf(line + at, sizeof(line) - at, ", last polled %p: 0x%" PRIx64,
                      const_cast<const void *>(one.polled), one.polled_value);
    *text += line;
    *text += '\n';
}

static void dump_warp(std::string *text, const warp &from)
{
    for (uint32_t left = from.existing & ~from.finished; left;) {
        const lane &first = from.lanes[__builtin_ctz(left)];
        uint32_t alike = 0;
        for (uint32_t other = left; other; other &= other - 1)
            if (same_wait(first, from.lanes[__builtin_ctz(other)]))
                alike |= 1u << __builtin_ctz(other);
        describe(text, from, alike);
        left &= ~alike;
    }
}

std::string dump_residents()
{
    const size_t enough = 6000; /* characters: the first blocks tell the story */
    std::string text;
    for (const auto &each : active->resident)
        for (const warp &from : each->warps)
            if (text.size() < enough)
                dump_warp(&text, from);
    if (text.size() >= enough)
        text += "  ...\n";
    return text;
}

} // namespace emu
