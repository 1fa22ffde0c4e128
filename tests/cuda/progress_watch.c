/* SPDX-License-Identifier: Apache-2.0 */
/* A caller's progress function that checks what it is told and cancels where the test says so. */
#include "progress_watch.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static int32_t progress_watch_call(void *context, uint64_t done, uint64_t total)
{
    struct progress_watch *watch = context;
    assert_true(done >= watch->last && done <= total);
    watch->last = done;
    watch->total = total;
    return ++watch->calls == watch->stop_at;
}

void progress_watch_begin(struct progress_watch *watch, consort_arguments *arguments,
                          uint64_t stop_at)
{
    *watch = (struct progress_watch){.stop_at = stop_at};
    arguments->progress = progress_watch_call;
    arguments->progress_context = watch;
}
