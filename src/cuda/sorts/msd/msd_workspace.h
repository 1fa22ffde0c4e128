/* SPDX-License-Identifier: Apache-2.0 */
/* Where everything lies in `msd`'s workspace. */
#ifndef CONSORT_MSD_WORKSPACE_H
#define CONSORT_MSD_WORKSPACE_H

#include <stdbool.h>
#include <stdint.h>

#include "core/request.h"
#include "cuda/sorts/msd/msd_layout.h"
#include "cuda/sorts/msd/msd_lists.h"

/* Where everything lies in the workspace, counted in bytes from its start. */
struct msd_workspace {
    uint64_t passes, cells, singles, tallies, cleared, bounds, leaves, queue, counters, extremes,
        lookback, rooms, keys, total;
    uint32_t queue_capacity, batch;
};

/* Nothing for lists that are one leaf, which one block sorts in shared memory. `passes`: keys that
 * crowd may take them, for which memory for look-back words is there, but for short lists if blocks
 * hold these, or be counted one by one. */
struct msd_workspace msd_lay_out(const struct request *request, const int64_t *parameters,
                                 bool passes, bool holds_short);

/* The same of a list that blocks hold: neither another array nor what levels need; a row of counts
 * for each tile takes the place of look-back words. */
struct msd_workspace msd_lay_out_held(const struct request *request, uint64_t count,
                                      const int64_t *parameters);

/* Of so many keys in a workspace laid out so: tables, and what follows from the number of keys. The
 * salt is an odd number that whoever makes keys cannot know. */
struct msd_arguments msd_arguments_within(const struct request *request,
                                          const struct msd_workspace *w, void *workspace,
                                          uint64_t count, const int64_t *parameters);

/* Where the plan's workspace has memory for them, too, as it may be for more keys, and the tiles of
 * a bucket are no more than the blocks of the second partition that live. Tiles are known. */
void msd_give_rooms(struct msd_arguments *a, const struct request *request,
                    const struct msd_workspace *w, void *workspace, const int64_t *parameters,
                    uint32_t blocks);

#endif
