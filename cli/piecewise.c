/* SPDX-License-Identifier: Apache-2.0 */
/* Sorting a large file while it is read and written. */
#include "piecewise.h"

#include <string.h>

#include "interrupt.h"
#include "job.h"
#include "parallel.h"
#include "progress.h"

enum {
    /* Smaller files are read and sorted whole: that is as fast, and takes less memory. */
    PIECEWISE_FROM = 64 << 20,
    /* Threads beyond the processors: those that wait for the disk need none. */
    PIECEWISE_WAITING = 2,
    /* What the library brings and takes at once. */
    PIECEWISE_PIECE = 8 << 20,
    PIECEWISE_BUFFER = PIECEWISE_PIECE + IO_PIECES_PAGE
};

static bool piecewise_plan(struct piecewise *piecewise, const struct settings *settings,
                           uint64_t buffers)
{
    consort_descriptor descriptor;
    uint64_t left = dataset_memory_left(piecewise->dataset, settings);
    piecewise->options.workspace_limit = left > buffers ? left - buffers : 0;
    consort_descriptor_init(&descriptor);
    descriptor.operation = CONSORT_OPERATION_SORT;
    descriptor.maximum_count = piecewise->count;
    descriptor.form = CONSORT_FORM_PIECES;
    layout_describe(&piecewise->dataset->layout, &descriptor, &piecewise->options);
    return consort_plan_create(&descriptor, &piecewise->plan) == CONSORT_OK;
}

/* Items that do not lie in their file as in memory, modulo a page, go through a buffer. */
static bool piecewise_needs_buffers(const struct piecewise *piecewise)
{
    return piecewise->items_from % IO_PIECES_PAGE != 0 ||
           piecewise->dataset->header_bytes % IO_PIECES_PAGE != 0;
}

static bool piecewise_prepare(struct piecewise *piecewise, const struct settings *settings)
{
    struct problem unasked;
    struct settings more = *settings;
    if (more.threads == 0)
        more.threads = parallel_processors() + PIECEWISE_WAITING;
    uint64_t buffers =
        piecewise_needs_buffers(piecewise) ? (uint64_t)more.threads * PIECEWISE_BUFFER : 0;
    return job_is_for_cpu(piecewise->dataset, settings, piecewise->count) &&
           settings_make_options(&more, &piecewise->options, &unasked) &&
           piecewise_plan(piecewise, settings, buffers) &&
           region_allocate(&piecewise->workspace, consort_plan_workspace(piecewise->plan),
                           "the sort", &unasked) &&
           region_allocate(&piecewise->buffers, buffers, "the buffers", &unasked);
}

bool piecewise_begin(struct piecewise *piecewise, const struct dataset *dataset,
                     const struct source_list *sources, struct target *target,
                     const struct settings *settings, struct problem *problem)
{
    const struct source *source = &sources->sources[0];
    uint64_t item = dataset->layout.item_bytes;
    *piecewise = (struct piecewise){.dataset = dataset, .problem = problem};
    if (sources->count != 1 || !source->sized || source->left < PIECEWISE_FROM ||
        !target->seekable || dataset->format == FORMAT_TEXT || item == 0 ||
        source->left % item != 0)
        return false;
    piecewise->count = source->left / item;
    piecewise->items_from = source->position;
    /* The array of a .npy file: whole, and of one dimension. */
    if (dataset->npy && (dataset->count != piecewise->count || dataset->length != piecewise->count))
        return false;
    io_pieces_begin(&piecewise->output, target, problem);
    io_reader_open(&piecewise->reader, source->descriptor, source->path);
    if (piecewise_prepare(piecewise, settings))
        return true;
    piecewise_end(piecewise);
    return false;
}

void piecewise_end(struct piecewise *piecewise)
{
    io_reader_close(&piecewise->reader);
    io_pieces_release(&piecewise->output);
    region_release(&piecewise->workspace);
    region_release(&piecewise->buffers);
    consort_plan_destroy(piecewise->plan);
    consort_context_destroy(piecewise->options.context);
}

/* Part of a piece: it fits a worker's buffer. */
static uint64_t piecewise_part(uint64_t bytes)
{
    return bytes < PIECEWISE_PIECE ? bytes : PIECEWISE_PIECE;
}

/* Where `offset` of a file may lie in the worker's buffer; `items` itself if it lies so already. */
static unsigned char *piecewise_place(const struct piecewise *piecewise, const void *items,
                                      uint64_t offset, uint32_t worker)
{
    if ((uintptr_t)items % IO_PIECES_PAGE == offset % IO_PIECES_PAGE)
        return (unsigned char *)items;
    return piecewise->buffers.bytes + (uint64_t)worker * PIECEWISE_BUFFER + offset % IO_PIECES_PAGE;
}

static int32_t piecewise_outcome(struct piecewise *piecewise, bool good)
{
    if (!good)
        atomic_store(&piecewise->failed, true);
    return good ? 0 : 1;
}

static int32_t piecewise_read(void *context, uint64_t first, uint64_t count, void *items,
                              uint32_t worker)
{
    struct piecewise *piecewise = context;
    uint64_t item = piecewise->dataset->layout.item_bytes;
    uint64_t offset = piecewise->items_from + first * item;
    bool good = true;
    for (uint64_t done = 0, bytes; good && done < count * item; done += bytes) {
        unsigned char *to = (unsigned char *)items + done;
        unsigned char *place = piecewise_place(piecewise, to, offset + done, worker);
        bytes = piecewise_part(count * item - done);
        good = io_reader_read(&piecewise->reader, offset + done, place, bytes, piecewise->problem);
        if (good && place != to)
            memcpy(to, place, bytes);
    }
    return piecewise_outcome(piecewise, good);
}

static int32_t piecewise_write(void *context, uint64_t first, uint64_t count, const void *items,
                               uint32_t worker)
{
    struct piecewise *piecewise = context;
    uint64_t item = piecewise->dataset->layout.item_bytes;
    uint64_t offset = piecewise->dataset->header_bytes + first * item;
    bool good = true;
    for (uint64_t done = 0, bytes; good && done < count * item; done += bytes) {
        const unsigned char *from = (const unsigned char *)items + done;
        unsigned char *place = piecewise_place(piecewise, from, offset + done, worker);
        bytes = piecewise_part(count * item - done);
        if (place != from)
            memcpy(place, from, bytes);
        good = io_pieces_write(&piecewise->output, offset + done, place, bytes);
    }
    return piecewise_outcome(piecewise, good);
}

bool piecewise_sort(struct piecewise *piecewise)
{
    const struct dataset *dataset = piecewise->dataset;
    consort_arguments arguments;
    consort_arguments_init(&arguments);
    arguments.count = piecewise->count;
    arguments.read = piecewise_read;
    arguments.write = piecewise_write;
    arguments.pieces_context = piecewise;
    arguments.progress = progress_of_sort;
    arguments.cancel = interrupt_flag();
    progress_begin("sorting", 0, false);
    bool good = consort_plan_run(piecewise->plan, &arguments, piecewise->workspace.bytes,
                                 piecewise->workspace.size, NULL) == CONSORT_OK;
    if (!good && !atomic_load(&piecewise->failed))
        problem_library(piecewise->problem);
    good = good &&
           io_pieces_write(&piecewise->output, 0, dataset->header.bytes, dataset->header_bytes) &&
           io_pieces_finish(&piecewise->output,
                            dataset->header_bytes + piecewise->count * dataset->layout.item_bytes);
    progress_end();
    return good;
}
