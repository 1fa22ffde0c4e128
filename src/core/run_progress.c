/* SPDX-License-Identifier: Apache-2.0 */
/* Progress of a run, as its caller sees it. */
#include "core/run_progress.h"

#include <stddef.h>

#include "core/codec.h"

static int32_t run_progress_report(void *context, uint64_t done, uint64_t total)
{
    struct run_progress *progress = context;
    if (progress->total == 0)
        progress->total = total;
    uint64_t left = progress->total - progress->begun;
    if (total > 0)
        done = (uint64_t)((uint128)left * done / total);
    uint64_t told = progress->begun + done;
    if (told > progress->done)
        progress->done = told;
    return progress->report(progress->context, progress->done, progress->total);
}

static void run_progress_begin_again(void *context)
{
    struct run_progress *progress = context;
    progress->begun = progress->done;
}

struct checkpoint run_progress_checkpoint(struct run_progress *progress,
                                          const volatile int32_t *cancel)
{
    bool asked = progress->report != NULL;
    return (struct checkpoint){.progress = asked ? run_progress_report : NULL,
                               .begin_again = asked ? run_progress_begin_again : NULL,
                               .context = progress,
                               .cancel = cancel};
}
