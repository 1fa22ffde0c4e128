/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a test may ask of libconsort_emu.so beyond the driver API (through dlsym, or by linking).
 */
#ifndef CONSORT_EMU_CONTROL_H
#define CONSORT_EMU_CONTROL_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Sets what CONSORT_EMU_<name> sets, from now on: "SCHEDULE", "SEED", "FAIL" (which also restarts
 * its counters), "TRACE". DEVICES, MEMORY and CAPABILITY must precede cuInit. 0, or -1 if not
 * understood. */
__attribute__((visibility("default"))) int consort_emu_set(const char *name, const char *value);

/* The last failure's report: what happened, and who waited for what. */
__attribute__((visibility("default"))) const char *consort_emu_report(void);

/* Driver calls since the start or the last "FAIL" set: the range of N for "any:N". */
__attribute__((visibility("default"))) uint64_t consort_emu_calls(void);

/* The name of a kernel, index = 0, 1, … until NULL; how often it was looked up, and launched, in
 * this process. */
__attribute__((visibility("default"))) const char *
consort_emu_kernel(uint64_t index, uint64_t *lookups, uint64_t *launches);

#ifdef __cplusplus
}
#endif

#endif
