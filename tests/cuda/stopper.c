/* SPDX-License-Identifier: Apache-2.0 */
/* Another thread that cancels a run some time after it began. */
#include "stopper.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <time.h>

#include <cmocka.h>

static void *stop_later(void *context)
{
    struct stopper *stopper = context;
    const struct timespec wait = {.tv_sec = stopper->microseconds / 1000000,
                                  .tv_nsec = stopper->microseconds % 1000000 * 1000};
    nanosleep(&wait, NULL);
    stopper->stop = 1;
    return NULL;
}

void stopper_start(struct stopper *stopper, long microseconds, consort_arguments *arguments)
{
    *stopper = (struct stopper){.stop = microseconds == 0, .microseconds = microseconds};
    arguments->cancel = &stopper->stop;
    assert_int_equal(pthread_create(&stopper->thread, NULL, stop_later, stopper), 0);
}

void stopper_end(struct stopper *stopper)
{
    assert_int_equal(pthread_join(stopper->thread, NULL), 0);
}
