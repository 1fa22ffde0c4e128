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
    assert_true(watch->calls == 0 || total == watch->total);
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

struct progress_stops progress_watch_stops(progress_run *run, void *context, uint64_t most)
{
    struct progress_stops stops = {0};
    for (;;) {
        struct progress_watch watch;
        consort_arguments with;
        consort_arguments_init(&with);
        progress_watch_begin(&watch, &with, ++stops.runs);
        assert_true(stops.runs < most);
        consort_status status = run(context, &with);
        if (status == CONSORT_OK) {
            assert_int_equal(watch.last, watch.total);
            return stops;
        }
        assert_int_equal(status, CONSORT_ERROR_CANCELLED);
        if (consort_last_error()->input_whole)
            stops.whole = true;
        else
            stops.broken = true;
    }
}

void progress_watch_cancelled(progress_run *run, void *context)
{
    static const volatile int32_t cancel = 1;
    consort_arguments with;
    consort_arguments_init(&with);
    with.cancel = &cancel;
    assert_int_equal(run(context, &with), CONSORT_ERROR_CANCELLED);
    assert_int_equal(consort_last_error()->input_whole, 1);
}
