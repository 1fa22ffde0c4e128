/* SPDX-License-Identifier: Apache-2.0 */
/* Settings from the environment, or from a test while the program runs (emu_control.h). */
#include "emu_call.h"
#include "emu_control.h"
#include "emu_driver.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>

namespace emu
{

static bool parse_number(const std::string &text, uint64_t *number)
{
    char *end = nullptr;
    errno = 0;
    *number = std::strtoull(text.c_str(), &end, 0);
    if (errno || end == text.c_str())
        return false;
    const std::string suffix = end;
    if (suffix == "K" || suffix == "M" || suffix == "G")
        *number <<= suffix == "K" ? 10 : suffix == "M" ? 20 : 30;
    return suffix.empty() || suffix == "K" || suffix == "M" || suffix == "G";
}

/* Numbers with commas between. */
static bool parse_numbers(const std::string &text, std::vector<int> *numbers)
{
    std::vector<int> found;
    for (size_t at = 0; at <= text.size();) {
        const size_t end = std::min(text.find(',', at), text.size());
        uint64_t number = 0;
        if (!parse_number(text.substr(at, end - at), &number))
            return false;
        found.push_back(static_cast<int>(number));
        at = end + 1;
    }
    *numbers = found;
    return true;
}

static bool parse_schedule(const std::string &text, schedule *chosen)
{
    if (text == "order")
        *chosen = schedule::order;
    else if (text == "random")
        *chosen = schedule::random;
    else if (text == "adversarial")
        *chosen = schedule::adversarial;
    else
        return false;
    return true;
}

static bool apply(settings *target, const std::string &name, const std::string &value)
{
    uint64_t number = 0;
    if (name == "SCHEDULE")
        return parse_schedule(value, &target->schedule);
    if (name == "FAIL")
        return failures_parse(value);
    if (name == "CAPABILITY")
        return parse_numbers(value, &target->capabilities);
    if (!parse_number(value, &number))
        return false;
    if (name == "DEVICES")
        target->devices = static_cast<int>(number < 16 ? number : 16);
    else if (name == "MEMORY")
        target->memory = number;
    else if (name == "SEED")
        target->seed = *host_random() = number;
    else if (name == "VERSION")
        target->version = static_cast<int>(number);
    else if (name == "PEERS" && number <= 2)
        target->peers = static_cast<int>(number);
    else if (name == "TRACE")
        target->trace = number != 0;
    else if (name == "SECONDS")
        target->seconds = static_cast<int>(number);
    else if (name == "PATIENCE" && number >= 1 && number <= 1000)
        target->patience = static_cast<int>(number);
    else if (name == "KEYS")
        target->keys = number != 0;
    else
        return false;
    return true;
}

static settings from_environment()
{
    settings read = {1, size_t(1) << 30, 1, schedule::order, {90}, 13000, 1, false, 0, 100, true};
    for (const char *name : {"DEVICES", "MEMORY", "SEED", "SCHEDULE", "CAPABILITY", "VERSION",
                             "PEERS", "TRACE", "SECONDS", "PATIENCE", "KEYS", "FAIL"}) {
        const char *value = std::getenv((std::string("CONSORT_EMU_") + name).c_str());
        if (value && *value && !apply(&read, name, value)) {
            std::fprintf(stderr, "consort_emu: cannot understand CONSORT_EMU_%s=%s\n", name, value);
            std::abort();
        }
    }
    return read;
}

settings &configuration()
{
    static settings chosen = from_environment();
    return chosen;
}

int capability_of(int device)
{
    const std::vector<int> &all = configuration().capabilities;
    return all[std::min(static_cast<size_t>(device), all.size() - 1)];
}

bool configure(const std::string &name, const std::string &value)
{
    return apply(&configuration(), name, value);
}

uint64_t *host_random()
{
    static uint64_t state = 1;
    return &state;
}

} // namespace emu

int consort_emu_set(const char *name, const char *value)
{
    return emu::configure(name, value) ? 0 : -1;
}

const char *consort_emu_report()
{
    return emu::last_report().c_str();
}

uint64_t consort_emu_calls()
{
    return emu::calls_made();
}
