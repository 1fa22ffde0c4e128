/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Text: one number a line. The lines themselves stay in memory as they came and go out byte for
 * byte; what is sorted are (number, where its line begins).
 */
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "dataset.h"
#include "io_write.h"
#include "number_parse.h"
#include "parallel.h"

enum {
    FORMAT_TEXT_BLOCK = 4 << 20,
    /* Room behind the text for a newline that is missing at the end. */
    FORMAT_TEXT_PADDING = 2,
    /* Output offsets are known for every so many lines. */
    FORMAT_TEXT_GROUP = 1024,
    /* So many bytes of a bad line are shown. */
    FORMAT_TEXT_QUOTED = 40
};

/* One file being parsed: bytes [begin, end) of the text, a newline at the end. */
struct format_text_parse {
    struct dataset *dataset;
    const char *path;
    uint64_t begin;
    uint64_t end;
    uint64_t first_line;   /* index of the file's first line */
    uint64_t *block_lines; /* lines that begin before each block */
    pthread_mutex_t mutex; /* for the three below */
    uint64_t bad_line;     /* the first that is no number */
    uint64_t bad_column;
    enum number_result bad_result;
};

static const char *format_text_bytes(const struct dataset *dataset)
{
    return (const char *)dataset->text.bytes;
}

static uint64_t *format_text_starts(const struct dataset *dataset)
{
    return (uint64_t *)(void *)dataset->lines.bytes;
}

/* The first line start at or after `at`. */
static uint64_t format_text_line_start(const struct format_text_parse *parse, uint64_t at)
{
    const char *text = format_text_bytes(parse->dataset);
    if (at <= parse->begin || at >= parse->end)
        return at <= parse->begin ? parse->begin : parse->end;
    const char *newline = memchr(text + at - 1, '\n', parse->end - at + 1);
    return (uint64_t)(newline - text) + 1;
}

static bool format_text_count_block(void *context, uint64_t block, unsigned worker)
{
    struct format_text_parse *parse = context;
    const char *text = format_text_bytes(parse->dataset);
    uint64_t from = format_text_line_start(parse, parse->begin + block * FORMAT_TEXT_BLOCK);
    uint64_t end = format_text_line_start(parse, parse->begin + (block + 1) * FORMAT_TEXT_BLOCK);
    uint64_t count = 0;
    (void)worker;
    for (uint64_t i = from; i < end; i++)
        count += text[i] == '\n';
    parse->block_lines[block] = count;
    return true;
}

static void format_text_remember_bad(struct format_text_parse *parse, uint64_t line,
                                     uint64_t column, enum number_result result)
{
    pthread_mutex_lock(&parse->mutex);
    if (line < parse->bad_line) {
        parse->bad_line = line;
        parse->bad_column = column;
        parse->bad_result = result;
    }
    pthread_mutex_unlock(&parse->mutex);
}

static bool format_text_parse_block(void *context, uint64_t block, unsigned worker)
{
    struct format_text_parse *parse = context;
    struct dataset *dataset = parse->dataset;
    const char *text = format_text_bytes(dataset);
    uint64_t item = dataset->layout.item_bytes;
    uint64_t line = parse->first_line + parse->block_lines[block];
    uint64_t from = format_text_line_start(parse, parse->begin + block * FORMAT_TEXT_BLOCK);
    uint64_t end = format_text_line_start(parse, parse->begin + (block + 1) * FORMAT_TEXT_BLOCK);
    (void)worker;
    for (; from < end; line++) {
        size_t column;
        size_t length = (size_t)((const char *)memchr(text + from, '\n', end - from) - text - from);
        enum number_result result = number_parse(dataset->layout.type, text + from, length,
                                                 dataset->memory.bytes + line * item, &column);
        if (result != NUMBER_GOOD) {
            format_text_remember_bad(parse, line - parse->first_line, column, result);
            return false;
        }
        format_text_starts(dataset)[line] = from;
        from += length + 1;
    }
    return true;
}

/* Text of any kind for a message: what is no ASCII might not be seen there. */
static void format_text_quote(const char *text, size_t length, char *quoted, size_t size)
{
    size_t used = 0;
    for (size_t i = 0; i < length && i < FORMAT_TEXT_QUOTED; i++)
        used += (size_t)snprintf(quoted + used, size - used,
                                 text[i] < ' ' || text[i] > '~' ? "\\x%02x" : "%c",
                                 (unsigned char)text[i]);
    snprintf(quoted + used, size - used, "%s", length > FORMAT_TEXT_QUOTED ? "…" : "");
}

/* Other programs begin text with a byte order mark, which is no part of a number. */
static const char *format_text_mark(const char *text, uint64_t length)
{
    if (length >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0)
        return "begins with a UTF-8 byte order mark (bytes ef bb bf), which is no part of a "
               "number; "
               "take it off: tail -c +4";
    if (length >= 2 && (memcmp(text, "\xff\xfe", 2) == 0 || memcmp(text, "\xfe\xff", 2) == 0))
        return "is UTF-16, as its byte order mark says; convert it: iconv -f UTF-16 -t UTF-8";
    return NULL;
}

static bool format_text_complain(const struct format_text_parse *parse, struct problem *problem)
{
    static const char *const what[] = {[NUMBER_EMPTY] = "the line is empty, a number is needed",
                                       [NUMBER_INVALID] = "is no number of type",
                                       [NUMBER_OUT_OF_RANGE] = "is out of the range of type",
                                       [NUMBER_NO_MEMORY] =
                                           "out of memory for a very long number of type"};
    char type[16];
    char quoted[4 * FORMAT_TEXT_QUOTED + 8];
    const struct dataset *dataset = parse->dataset;
    uint64_t from = parse->begin;
    const char *text = format_text_bytes(dataset);
    const char *mark = format_text_mark(text + from, parse->end - from);
    if (mark)
        return problem_set(problem, "%.300s: %s", parse->path, mark);
    for (uint64_t i = 0; i < parse->bad_line; i++)
        from = (uint64_t)((const char *)memchr(text + from, '\n', parse->end - from) - text) + 1;
    size_t length = (size_t)((const char *)rawmemchr(text + from, '\n') - text - from);
    length -= length > 0 && text[from + length - 1] == '\r';
    format_text_quote(text + from, length, quoted, sizeof quoted);
    unsigned long long line = parse->bad_line + 1;
    if (parse->bad_result == NUMBER_EMPTY)
        return problem_set(problem, "%.300s: line %llu: %s", parse->path, line, what[NUMBER_EMPTY]);
    consort_type_name(dataset->layout.type, type, sizeof type);
    return problem_set(problem, "%.300s: line %llu, column %llu: \"%s\" %s %s", parse->path, line,
                       (unsigned long long)parse->bad_column + 1, quoted, what[parse->bad_result],
                       type);
}

/* Supplies a missing last newline, in the style of the file's first one. */
static void format_text_finish_line(struct dataset *dataset, uint64_t begin, uint64_t *end)
{
    char *text = (char *)dataset->text.bytes;
    const char *first = memchr(text + begin, '\n', *end - begin);
    if (text[*end - 1] == '\n')
        return;
    if (first && first > text + begin && first[-1] == '\r' && text[*end - 1] != '\r')
        text[(*end)++] = '\r';
    text[(*end)++] = '\n';
}

static uint64_t format_text_sum_blocks(uint64_t *block_lines, uint64_t blocks)
{
    uint64_t sum = 0;
    for (uint64_t i = 0; i < blocks; i++) {
        uint64_t lines = block_lines[i];
        block_lines[i] = sum;
        sum += lines;
    }
    return sum;
}

static bool format_text_parse_file(struct dataset *dataset, const char *path, uint64_t begin,
                                   uint64_t end, const struct settings *settings,
                                   struct problem *problem)
{
    unsigned threads = settings_threads(settings);
    struct region counts;
    struct format_text_parse parse = {.dataset = dataset,
                                      .path = path,
                                      .begin = begin,
                                      .end = end,
                                      .first_line = dataset->count,
                                      .mutex = PTHREAD_MUTEX_INITIALIZER,
                                      .bad_line = UINT64_MAX};
    uint64_t blocks = (end - begin + FORMAT_TEXT_BLOCK - 1) / FORMAT_TEXT_BLOCK;
    if (!region_allocate(&counts, blocks * sizeof(uint64_t), "line counts", problem))
        return false;
    parse.block_lines = (uint64_t *)(void *)counts.bytes;
    parallel_run(blocks, threads, format_text_count_block, &parse);
    dataset->count += format_text_sum_blocks(parse.block_lines, blocks);
    uint64_t line_bytes = dataset->layout.item_bytes + sizeof(uint64_t);
    bool good =
        dataset_check_memory(dataset, settings, (dataset->count - parse.first_line) * line_bytes,
                             "the numbers and where their lines begin", problem) &&
        region_resize(&dataset->memory, dataset->count * dataset->layout.item_bytes, "the numbers",
                      problem) &&
        region_resize(&dataset->lines, dataset->count * sizeof(uint64_t), "where the lines begin",
                      problem);
    if (good && !parallel_run(blocks, threads, format_text_parse_block, &parse))
        good = format_text_complain(&parse, problem);
    region_release(&counts);
    return good;
}

static bool format_text_open(struct dataset *dataset, struct source_list *sources,
                             const struct settings *settings, struct problem *problem)
{
    (void)sources;
    if ((settings->type >> 8 & 0xff) == CONSORT_KIND_BYTES)
        return problem_set(problem, "--type: text holds numbers, not byte strings");
    layout_set_type(&dataset->layout, settings->type & 0xffff, settings->descending,
                    settings->float_order);
    dataset->outer = dataset->inner = 1;
    return true;
}

static bool format_text_load(struct dataset *dataset, struct source_list *sources,
                             const struct settings *settings, struct problem *problem)
{
    unsigned threads = settings_threads(settings);
    for (uint32_t i = 0; i < sources->count; i++) {
        uint64_t begin = dataset->text_bytes;
        uint64_t end = begin;
        if (!source_read_rest(&sources->sources[i], &dataset->text, &end, dataset->memory_limit,
                              threads, problem))
            return false;
        if (end == begin)
            continue;
        if (!region_resize(&dataset->text, end + FORMAT_TEXT_PADDING, "the text", problem))
            return false;
        format_text_finish_line(dataset, begin, &end);
        dataset->text_bytes = end;
        if (!format_text_parse_file(dataset, sources->sources[i].path, begin, end, settings,
                                    problem))
            return false;
    }
    dataset->items = dataset->memory.bytes;
    dataset->length = dataset->count;
    return true;
}

/* The output in groups of lines: where each begins. */
struct format_text_output {
    const struct dataset *dataset;
    uint64_t *group_offsets; /* one more than there are groups */
    uint64_t groups;
};

static uint64_t format_text_line_length(const struct dataset *dataset, uint64_t line)
{
    const char *start = format_text_bytes(dataset) + format_text_starts(dataset)[line];
    return (uint64_t)((const char *)rawmemchr(start, '\n') - start) + 1;
}

static bool format_text_measure_group(void *context, uint64_t group, unsigned worker)
{
    struct format_text_output *output = context;
    uint64_t end = (group + 1) * FORMAT_TEXT_GROUP;
    uint64_t bytes = 0;
    (void)worker;
    end = end < output->dataset->count ? end : output->dataset->count;
    for (uint64_t i = group * FORMAT_TEXT_GROUP; i < end; i++)
        bytes += format_text_line_length(output->dataset, i);
    output->group_offsets[group] = bytes;
    return true;
}

/* The last group that begins at or before `offset`. */
static uint64_t format_text_group_at(const struct format_text_output *output, uint64_t offset)
{
    uint64_t low = 0;
    uint64_t high = output->groups;
    while (high - low > 1) {
        uint64_t middle = low + (high - low) / 2;
        if (output->group_offsets[middle] <= offset)
            low = middle;
        else
            high = middle;
    }
    return low;
}

static const void *format_text_part(void *context, uint64_t offset, uint64_t length, void *buffer)
{
    const struct format_text_output *output = context;
    const struct dataset *dataset = output->dataset;
    uint64_t group = format_text_group_at(output, offset);
    uint64_t line = group * FORMAT_TEXT_GROUP;
    uint64_t skip = offset - output->group_offsets[group];
    for (uint64_t done = 0; done < length; line++) {
        const char *start = format_text_bytes(dataset) + format_text_starts(dataset)[line];
        uint64_t bytes = format_text_line_length(dataset, line);
        if (skip >= bytes) {
            skip -= bytes;
            continue;
        }
        bytes -= skip;
        bytes = bytes < length - done ? bytes : length - done;
        memcpy((char *)buffer + done, start + skip, bytes);
        done += bytes;
        skip = 0;
    }
    return buffer;
}

static bool format_text_store(struct dataset *dataset, struct target *target, unsigned threads,
                              struct problem *problem)
{
    struct region offsets;
    uint64_t groups = (dataset->count + FORMAT_TEXT_GROUP - 1) / FORMAT_TEXT_GROUP;
    if (!region_allocate(&offsets, (groups + 1) * sizeof(uint64_t), "line offsets", problem))
        return false;
    struct format_text_output output = {dataset, (uint64_t *)(void *)offsets.bytes, groups};
    parallel_run(groups, threads, format_text_measure_group, &output);
    format_text_sum_blocks(output.group_offsets, groups);
    bool good =
        io_write_parts(target, format_text_part, &output, dataset->text_bytes, threads, problem);
    region_release(&offsets);
    return good;
}

static void format_text_locate(const struct dataset *dataset, uint64_t index, char *text,
                               size_t size)
{
    (void)dataset;
    snprintf(text, size, "line %llu", (unsigned long long)index + 1);
}

const struct format_methods format_text = {
    "text", false, format_text_open, format_text_load, format_text_store, format_text_locate};
