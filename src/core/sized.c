/* SPDX-License-Identifier: Apache-2.0 */
/* Reading and writing the caller's size-first structures. */
#include "core/sized.h"

#include <string.h>

#include "core/status.h"

enum {
    SIZED_LARGEST = 1 << 16 /* no structure of ours comes near: the size was never set */
};

static bool sized_is_sane(size_t size, const char *name)
{
    if (size >= sizeof(size_t) && size <= SIZED_LARGEST)
        return true;
    status_fail(CONSORT_ERROR_ARGUMENT, "%s.size is %zu; call %s_init first", name, size, name);
    return false;
}

bool sized_read(void *target, size_t target_bytes, const void *caller, const char *name)
{
    size_t size;
    memcpy(&size, caller, sizeof size);
    if (!sized_is_sane(size, name))
        return false;
    const unsigned char *bytes = caller;
    for (size_t i = target_bytes; i < size; i++) {
        if (bytes[i] != 0) {
            status_fail(CONSORT_ERROR_ARGUMENT,
                        "%s sets a member this library does not know; a newer consort is needed",
                        name);
            return false;
        }
    }
    memcpy(target, caller, size < target_bytes ? size : target_bytes);
    memcpy(target, &target_bytes, sizeof target_bytes);
    return true;
}

bool sized_write(void *caller, const void *source, size_t source_bytes, const char *name)
{
    size_t size;
    memcpy(&size, caller, sizeof size);
    if (!sized_is_sane(size, name))
        return false;
    memcpy(caller, source, size < source_bytes ? size : source_bytes);
    memcpy(caller, &size, sizeof size);
    return true;
}
