/* SPDX-License-Identifier: Apache-2.0 */
/* Failures on demand: the parser that the settings and the counters that the calls share. */
#ifndef CONSORT_EMU_CALL_H
#define CONSORT_EMU_CALL_H

#include <string>

namespace emu
{

/* "alloc:3,lost:1:4": see emu/README.md. Replaces earlier failures and restarts the counters. */
bool failures_parse(const std::string &text);

} // namespace emu

#endif
