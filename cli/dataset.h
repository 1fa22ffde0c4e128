/* SPDX-License-Identifier: Apache-2.0 */
/* The input in memory, whatever its format: items, their layout, their shape. */
#ifndef CONSORT_CLI_DATASET_H
#define CONSORT_CLI_DATASET_H

#include "layout.h"
#include "npy_header.h"
#include "region.h"
#include "settings.h"
#include "source.h"
#include "target.h"

struct dataset {
    enum format_name format;
    const char *path; /* for messages: the first input, or the only one */
    struct layout layout;
    uint64_t memory_limit; /* bytes the inputs may take */
    struct region memory;
    unsigned char *items; /* in `memory`, aligned for the layout's type */
    uint64_t count;
    /* Items are outer × length × inner; each line of `length` is sorted by itself. */
    uint64_t outer;
    uint64_t length;
    uint64_t inner;
    /* Where the items of the result stand, if they are not moved: indices of so many bytes, or 0.
     */
    struct region order;
    uint32_t order_bytes;
    /* .npy: what stands before the items, and the shape. */
    struct npy_header *npy;
    struct region header;
    uint64_t header_bytes;
    bool fortran_order;
    uint32_t dimensions;
    uint64_t shape[64];
    /* text: the lines as they came; line i of the input begins at line_starts[i]. */
    struct region text;
    struct region lines;
    uint64_t text_bytes;
};

struct format_methods {
    const char *name;
    bool binary;
    /* What the first input is: layout, and where it says them count and shape. */
    bool (*open)(struct dataset *dataset, struct source_list *sources,
                 const struct settings *settings, struct problem *problem);
    /* Then all the items. */
    bool (*load)(struct dataset *dataset, struct source_list *sources,
                 const struct settings *settings, struct problem *problem);
    bool (*store)(struct dataset *dataset, struct target *target, unsigned threads,
                  struct problem *problem);
    /* Where item `index` stands, for people: "item 17 (byte 68)", "line 18". */
    void (*locate)(const struct dataset *dataset, uint64_t index, char *text, size_t size);
};

extern const struct format_methods format_raw;
extern const struct format_methods format_npy;
extern const struct format_methods format_text;

/* The format that a file's extension names; raw, if it names none. */
enum format_name dataset_format_of_path(const char *path);

/* The format that --format or the inputs' extensions name. */
bool dataset_choose_format(const struct settings *settings, const struct source_list *sources,
                           enum format_name *format, struct problem *problem);
const struct format_methods *dataset_methods(enum format_name format);

/* Options that the format has no use for are refused. */
bool dataset_check_settings(const struct settings *settings, enum format_name format,
                            struct problem *problem);

/* Finds out what the items are. */
bool dataset_open(struct dataset *dataset, struct source_list *sources,
                  const struct settings *settings, struct problem *problem);

/* After dataset_open: reads all inputs. */
bool dataset_load(struct dataset *dataset, struct source_list *sources,
                  const struct settings *settings, struct problem *problem);
void dataset_release(struct dataset *dataset);

/* What --memory or the machine leaves beside what the dataset holds. */
uint64_t dataset_memory_left(const struct dataset *dataset, const struct settings *settings);

/* Fails if `bytes` more, for `what`, do not fit what --memory or the machine leaves. */
bool dataset_check_memory(const struct dataset *dataset, const struct settings *settings,
                          uint64_t bytes, const char *what, struct problem *problem);

#endif
