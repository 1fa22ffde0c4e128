/* SPDX-License-Identifier: Apache-2.0 */
/* What a run over GPUs tells of itself: counters for its outcome, and lines for the log. */
#ifndef CONSORT_MULTI_TELL_H
#define CONSORT_MULTI_TELL_H

#include "multi/multi_run.h"
#include "multi/multi_worker.h"

/* Does somebody ask how long everything takes? */
bool multi_tell_is_wanted(const struct run *run);

/* What has passed since the last lap goes to the counter of a phase. */
void multi_tell_lap(struct multi *multi, enum multi_counter phase);

/* At the end of a run that went well. */
void multi_tell(const struct multi *multi);

#endif
