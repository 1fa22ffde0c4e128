/* SPDX-License-Identifier: Apache-2.0 */
/* Threads by the number of items. */
#include "cpu/share.h"

#include "core/context.h"
#include "core/status.h"

uint32_t share_threads(const struct request *request, uint64_t count, enum share share)
{
    uint64_t threads = count / (uint64_t)share, most = request->threads;
    return (uint32_t)(threads < 1 ? 1 : threads < most ? threads : most);
}

struct team *share_team(const struct request *request, uint64_t count, enum share share)
{
    struct team *team = team_borrow(request->context->pool, share_threads(request, count, share));
    if (!team)
        status_fail(CONSORT_ERROR_MEMORY, "no memory for a team of threads");
    return team;
}
