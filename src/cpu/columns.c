/* SPDX-License-Identifier: Apache-2.0 */
/* What a sort moves: column 0 is the items, the rest are the values; and moving all of it. */
#include "cpu/columns.h"

#include "cpu/arena.h"
#include "cpu/gather.h"
#include "cpu/monotone.h"

uint64_t columns_buffer_bytes(const struct request *request)
{
    if (request->form == CONSORT_FORM_DOUBLE_BUFFER)
        return 0;
    uint64_t most = request->item_bytes;
    for (uint32_t i = 0; i < request->value_count; i++)
        if (request->value_bytes[i] > most)
            most = request->value_bytes[i];
    return arena_bytes(request->maximum_count, most);
}

bool columns_in_place(const struct request *request, const consort_arguments *arguments)
{
    for (uint32_t i = 0; i < columns_count(request); i++) {
        struct column column = columns_at(request, arguments, i);
        if (column.in == column.out)
            return true;
    }
    return false;
}

static void columns_begin_writing(const struct consort_plan *plan, const struct run *run)
{
    if (columns_in_place(&plan->request, run->arguments))
        *run->input_whole = false;
}

void columns_gather(const struct consort_plan *plan, const struct run *run, struct team *team,
                    const void *indices, uint32_t index_bytes, void *buffer)
{
    columns_begin_writing(plan, run);
    for (uint32_t i = 0; i < columns_count(&plan->request); i++) {
        struct column column = columns_at(&plan->request, run->arguments, i);
        gather_column(team, column.in, column.out, buffer, indices, index_bytes,
                      run->arguments->count, column.bytes);
    }
}

void columns_reverse(const struct consort_plan *plan, const struct run *run)
{
    columns_begin_writing(plan, run);
    for (uint32_t i = 0; i < columns_count(&plan->request); i++) {
        struct column column = columns_at(&plan->request, run->arguments, i);
        monotone_reverse(column.in, column.out, run->arguments->count, column.bytes);
    }
}

void columns_copy(const struct consort_plan *plan, const struct run *run, struct team *team)
{
    for (uint32_t i = 0; i < columns_count(&plan->request); i++) {
        struct column column = columns_at(&plan->request, run->arguments, i);
        gather_copy(team, column.in, column.out, run->arguments->count * column.bytes);
    }
}

bool columns_finish_monotone(const struct consort_plan *plan, const struct run *run,
                             struct team *team)
{
    const struct request *request = &plan->request;
    bool reversed = false;
    if (run->arguments->count > 1) {
        enum monotone found =
            monotone_of(team, &request->order, run->arguments->in, run->arguments->count);
        if (found == MONOTONE_NEITHER)
            return false;
        reversed = found == MONOTONE_REVERSED;
    }
    if (reversed)
        columns_reverse(plan, run);
    else if (request->form == CONSORT_FORM_DOUBLE_BUFFER)
        run->outcome->buffer = 0;
    else if (run->arguments->count > 0)
        columns_copy(plan, run, team);
    return true;
}
