/* SPDX-License-Identifier: Apache-2.0 */
/* AddressSanitizer's interface where it is in use, nothing otherwise. */
#ifndef CONSORT_EMU_SANITIZER_H
#define CONSORT_EMU_SANITIZER_H

#if defined(__SANITIZE_ADDRESS__)
#define EMU_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define EMU_ASAN 1
#endif
#endif

#ifdef EMU_ASAN
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#define EMU_ASAN_START_SWITCH(frames, bottom, bytes)                                               \
    __sanitizer_start_switch_fiber(frames, bottom, bytes)
#define EMU_ASAN_FINISH_SWITCH(frames, bottom, bytes)                                              \
    __sanitizer_finish_switch_fiber(frames, bottom, bytes)
#else
#define EMU_ASAN 0
#define ASAN_POISON_MEMORY_REGION(address, bytes)                                                  \
    (static_cast<void>(address), static_cast<void>(bytes))
#define ASAN_UNPOISON_MEMORY_REGION(address, bytes)                                                \
    (static_cast<void>(address), static_cast<void>(bytes))
#define EMU_ASAN_START_SWITCH(frames, bottom, bytes)  static_cast<void>(0)
#define EMU_ASAN_FINISH_SWITCH(frames, bottom, bytes) static_cast<void>(0)
#endif

#endif
