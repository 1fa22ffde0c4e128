/* SPDX-License-Identifier: Apache-2.0 */
/* The header of a .npy file: a small reader for the Python literals that numpy.save writes. */
#include "npy_header.h"

#include <stdio.h>
#include <string.h>

#include "npy_string.h"

enum {
    /* Structured dtypes inside structured dtypes. */
    NPY_MAXIMUM_DEPTH = 16
};

/* What is being read and where we stand. */
struct npy_reader {
    const char *text;
    size_t length;
    size_t at;
    bool latin; /* the text is Latin-1, as before version 3.0, not UTF-8 */
    struct npy_header *header;
    struct problem *problem;
};

static bool npy_bad(const struct npy_reader *reader, const char *expected)
{
    return problem_set(reader->problem,
                       "its .npy header is damaged: %s expected at byte %zu; write the file again "
                       "with numpy.save",
                       expected, reader->at);
}

static void npy_skip_blanks(struct npy_reader *reader)
{
    while (reader->at < reader->length && strchr(" \t\r\n", reader->text[reader->at]) &&
           reader->text[reader->at] != '\0')
        reader->at++;
}

/* Takes `c` if it is next. */
static bool npy_take(struct npy_reader *reader, char c)
{
    npy_skip_blanks(reader);
    if (reader->at >= reader->length || reader->text[reader->at] != c)
        return false;
    reader->at++;
    return true;
}

static bool npy_next_is(struct npy_reader *reader, char c)
{
    npy_skip_blanks(reader);
    return reader->at < reader->length && reader->text[reader->at] == c;
}

/* A string, which goes to the `size` bytes at `to`, or nowhere. */
static bool npy_read_string(struct npy_reader *reader, char *to, size_t size)
{
    if (!npy_next_is(reader, '"') && !npy_next_is(reader, '\''))
        return npy_bad(reader, "a string");
    switch (npy_string_read(reader->text, reader->length, &reader->at, reader->latin, to, size)) {
    case NPY_STRING_GOOD:
        return true;
    case NPY_STRING_OPEN:
        return npy_bad(reader, "the end of a string");
    case NPY_STRING_ESCAPE:
        return npy_bad(reader, "an escape that Python's repr() writes");
    case NPY_STRING_ZERO:
        return problem_set(reader->problem,
                           "a name in its .npy header has a character of value 0; give that field "
                           "another name (dtype.names)");
    case NPY_STRING_LONG:
        break;
    }
    return problem_set(
        reader->problem,
        "a field's name, with those of the fields around it, is longer than %d bytes; "
        "give that field another name (dtype.names)",
        NPY_MAXIMUM_NAME - 1);
}

/* Python 2 wrote 3L. */
static bool npy_read_number(struct npy_reader *reader, uint64_t *number)
{
    npy_skip_blanks(reader);
    size_t from = reader->at;
    *number = 0;
    while (reader->at < reader->length && reader->text[reader->at] >= '0' &&
           reader->text[reader->at] <= '9') {
        uint64_t digit = (uint64_t)(reader->text[reader->at] - '0');
        if (__builtin_mul_overflow(*number, 10, number) ||
            __builtin_add_overflow(*number, digit, number))
            return npy_bad(reader, "a smaller number");
        reader->at++;
    }
    if (reader->at == from)
        return npy_bad(reader, "a number");
    if (reader->at < reader->length && reader->text[reader->at] == 'L')
        reader->at++;
    return true;
}

/* "(3, 4)", "(3,)", "()": the numbers after the opening bracket, which has been taken. */
static bool npy_read_shape(struct npy_reader *reader, uint64_t *shape, uint32_t *dimensions)
{
    *dimensions = 0;
    while (!npy_take(reader, ')')) {
        if (*dimensions == NPY_MAXIMUM_DIMENSIONS)
            return npy_bad(reader, "at most 64 dimensions");
        if (!npy_read_number(reader, &shape[*dimensions]))
            return false;
        ++*dimensions;
        if (!npy_take(reader, ',') && !npy_next_is(reader, ')'))
            return npy_bad(reader, "',' or ')'");
    }
    return true;
}

/* A field's shape, (2, 3) or 2, as a number of elements. */
static bool npy_read_elements(struct npy_reader *reader, uint64_t *elements)
{
    uint64_t shape[NPY_MAXIMUM_DIMENSIONS];
    uint32_t dimensions;
    if (!npy_take(reader, '('))
        return npy_read_number(reader, elements);
    if (!npy_read_shape(reader, shape, &dimensions))
        return false;
    *elements = 1;
    for (uint32_t i = 0; i < dimensions; i++)
        if (__builtin_mul_overflow(*elements, shape[i], elements))
            return npy_bad(reader, "a smaller subarray");
    return true;
}

/* 'name' or ('title', 'name'); joined to the names of the fields around it. */
static bool npy_read_name(struct npy_reader *reader, const char *outer, char *name)
{
    bool titled = npy_take(reader, '(');
    if (titled && (!npy_read_string(reader, NULL, 0) || !npy_take(reader, ',')))
        return npy_bad(reader, "('title', 'name')");
    int used = snprintf(name, NPY_MAXIMUM_NAME, "%s%s", outer, outer[0] ? "." : "");
    if (used >= NPY_MAXIMUM_NAME)
        return npy_bad(reader, "a shorter name");
    if (!npy_read_string(reader, name + used, NPY_MAXIMUM_NAME - (size_t)used))
        return false;
    /* Padding has no name. */
    if (name[used] == '\0')
        name[0] = '\0';
    return !titled || npy_take(reader, ')') || npy_bad(reader, "('title', 'name')");
}

static bool npy_read_dtype(struct npy_reader *reader, struct npy_dtype *dtype)
{
    char text[NPY_MAXIMUM_NAME];
    if (!npy_read_string(reader, text, sizeof text))
        return false;
    if (npy_dtype_parse(text, strlen(text), dtype))
        return true;
    return problem_set(reader->problem,
                       "its dtype \"%.40s\" is unknown; convert it with astype first", text);
}

static bool npy_add_field(struct npy_reader *reader, const struct npy_field *field)
{
    struct npy_header *header = reader->header;
    if (field->name[0] == '\0')
        return true;
    if (header->field_count == NPY_MAXIMUM_FIELDS)
        return problem_set(reader->problem, "its dtype has more than %d fields",
                           NPY_MAXIMUM_FIELDS);
    for (uint32_t i = 0; i < header->field_count; i++)
        if (strcmp(header->fields[i].name, field->name) == 0)
            return problem_set(reader->problem,
                               "two of its fields are named \"%s\" (those of nested dtypes as "
                               "outer.inner); give one another name (dtype.names)",
                               field->name);
    header->fields[header->field_count++] = *field;
    return true;
}

static bool npy_read_fields(struct npy_reader *reader, const char *outer, uint64_t offset,
                            int depth, uint64_t *bytes);

/* What stands after a field's name: its dtype or list of fields, and perhaps its shape. */
static bool npy_read_field_dtype(struct npy_reader *reader, struct npy_field *field, int depth,
                                 uint64_t *bytes)
{
    uint32_t first = reader->header->field_count;
    bool nested = npy_take(reader, '[');
    field->elements = 1;
    if (nested ? !npy_read_fields(reader, field->name, field->offset, depth + 1, bytes)
               : !npy_read_dtype(reader, &field->dtype))
        return false;
    if (!nested)
        *bytes = field->dtype.bytes;
    if (npy_take(reader, ',') && !npy_next_is(reader, ')') &&
        !npy_read_elements(reader, &field->elements))
        return false;
    if (__builtin_mul_overflow(*bytes, field->elements, bytes))
        return npy_bad(reader, "a smaller field");
    if (!nested)
        return npy_add_field(reader, field);
    for (uint32_t i = first; i < reader->header->field_count; i++) {
        uint64_t *elements = &reader->header->fields[i].elements;
        if (__builtin_mul_overflow(*elements, field->elements, elements))
            return npy_bad(reader, "a smaller subarray");
    }
    return true;
}

/* The fields of a structured dtype; its opening '[' has been taken. */
static bool npy_read_fields(struct npy_reader *reader, const char *outer, uint64_t offset,
                            int depth, uint64_t *bytes)
{
    *bytes = 0;
    if (depth > NPY_MAXIMUM_DEPTH)
        return npy_bad(reader, "less nesting");
    while (!npy_take(reader, ']')) {
        struct npy_field field = {.elements = 1};
        uint64_t field_bytes;
        if (__builtin_add_overflow(offset, *bytes, &field.offset))
            return npy_bad(reader, "a smaller item");
        if (!npy_take(reader, '('))
            return npy_bad(reader, "a field, ('name', 'dtype')");
        if (!npy_read_name(reader, outer, field.name))
            return false;
        if (!npy_take(reader, ','))
            return npy_bad(reader, "','");
        if (!npy_read_field_dtype(reader, &field, depth, &field_bytes))
            return false;
        if (!npy_take(reader, ')'))
            return npy_bad(reader, "')'");
        if (__builtin_add_overflow(*bytes, field_bytes, bytes))
            return npy_bad(reader, "a smaller item");
        if (!npy_take(reader, ',') && !npy_next_is(reader, ']'))
            return npy_bad(reader, "',' or ']'");
    }
    return true;
}

static bool npy_read_descr(struct npy_reader *reader)
{
    struct npy_header *header = reader->header;
    header->structured = npy_take(reader, '[');
    if (header->structured)
        return npy_read_fields(reader, "", 0, 0, &header->item_bytes);
    if (!npy_read_dtype(reader, &header->dtype))
        return false;
    header->item_bytes = header->dtype.bytes;
    return true;
}

static bool npy_read_boolean(struct npy_reader *reader, bool *value)
{
    npy_skip_blanks(reader);
    size_t left = reader->length - reader->at;
    *value = left >= 4 && memcmp(reader->text + reader->at, "True", 4) == 0;
    if (!*value && (left < 5 || memcmp(reader->text + reader->at, "False", 5) != 0))
        return npy_bad(reader, "True or False");
    reader->at += *value ? 4 : 5;
    return true;
}

static bool npy_read_shape_entry(struct npy_reader *reader)
{
    struct npy_header *header = reader->header;
    npy_skip_blanks(reader);
    header->shape_from = reader->at;
    if (!npy_take(reader, '('))
        return npy_bad(reader, "'('");
    if (!npy_read_shape(reader, header->shape, &header->dimensions))
        return false;
    header->shape_end = reader->at;
    header->count = 1;
    for (uint32_t i = 0; i < header->dimensions; i++)
        if (__builtin_mul_overflow(header->count, header->shape[i], &header->count))
            return problem_set(reader->problem, "its shape is larger than any memory");
    return true;
}

/* One "key: value" of the dictionary; `seen` has a bit for each of the three. */
static bool npy_read_entry(struct npy_reader *reader, unsigned *seen)
{
    static const char *const keys[] = {"descr", "fortran_order", "shape"};
    char key[NPY_MAXIMUM_NAME];
    unsigned index = 0;
    if (!npy_read_string(reader, key, sizeof key))
        return false;
    while (index < 3 && strcmp(keys[index], key) != 0)
        index++;
    if (index == 3 || (*seen & 1u << index))
        return npy_bad(reader, "descr, fortran_order and shape, each once,");
    *seen |= 1u << index;
    if (!npy_take(reader, ':'))
        return npy_bad(reader, "':'");
    if (index == 0)
        return npy_read_descr(reader);
    return index == 1 ? npy_read_boolean(reader, &reader->header->fortran_order)
                      : npy_read_shape_entry(reader);
}

bool npy_header_measure(const unsigned char *bytes, size_t length, uint64_t *header_bytes,
                        struct problem *problem)
{
    if (length < NPY_PREFIX || memcmp(bytes, "\x93NUMPY", NPY_MAGIC) != 0)
        return problem_set(problem, "is no .npy file: it does not begin with \\x93NUMPY");
    if (bytes[6] < 1 || bytes[6] > 3 || bytes[7] != 0)
        return problem_set(problem, "is a .npy file of version %u.%u; 1.0, 2.0 and 3.0 are known",
                           bytes[6], bytes[7]);
    uint64_t text = (uint64_t)bytes[8] | (uint64_t)bytes[9] << 8;
    if (bytes[6] > 1)
        text |= (uint64_t)bytes[10] << 16 | (uint64_t)bytes[11] << 24;
    *header_bytes = text + (bytes[6] > 1 ? 12 : 10);
    if (*header_bytes < NPY_PREFIX || *header_bytes > NPY_MAXIMUM_HEADER)
        return problem_set(problem,
                           "its .npy header says it is %llu bytes long; 12 to %d are "
                           "believed",
                           (unsigned long long)*header_bytes, NPY_MAXIMUM_HEADER);
    return true;
}

bool npy_header_parse(const unsigned char *bytes, size_t length, struct npy_header *header,
                      struct problem *problem)
{
    struct npy_reader reader = {(const char *)bytes, length, 0, false, header, problem};
    unsigned seen = 0;
    uint64_t data_bytes;
    header->field_count = 0;
    if (!npy_header_measure(bytes, length, &header->header_bytes, problem))
        return false;
    if (header->header_bytes > length)
        return problem_set(
            problem, "is truncated: its .npy header of %llu bytes ends at byte %zu; copy it again",
            (unsigned long long)header->header_bytes, length);
    reader.length = header->header_bytes;
    reader.latin = bytes[6] < 3;
    reader.at = bytes[6] > 1 ? 12 : 10;
    if (memchr(bytes + reader.at, '\0', reader.length - reader.at))
        return problem_set(problem,
                           "its .npy header is damaged: it has a byte of value 0; write the "
                           "file again with numpy.save");
    if (!npy_take(&reader, '{'))
        return npy_bad(&reader, "'{'");
    while (!npy_take(&reader, '}')) {
        if (!npy_read_entry(&reader, &seen))
            return false;
        if (!npy_take(&reader, ',') && !npy_next_is(&reader, '}'))
            return npy_bad(&reader, "',' or '}'");
    }
    if (seen != 7)
        return npy_bad(&reader, "descr, fortran_order and shape");
    npy_skip_blanks(&reader);
    if (reader.at != reader.length)
        return npy_bad(&reader, "the end");
    if (__builtin_mul_overflow(header->count, header->item_bytes, &data_bytes))
        return problem_set(problem, "its shape is larger than any memory");
    return true;
}
