/* SPDX-License-Identifier: Apache-2.0 */
/* --key as people write it. */
#include "key_spec.h"

#include <string.h>

#include "size_parse.h"

static bool key_spec_ends_with(const char *text, size_t length, const char *end)
{
    size_t bytes = strlen(end);
    return length >= bytes && memcmp(text + length - bytes, end, bytes) == 0;
}

/* Takes ":desc" or ":asc" off the end. */
static size_t key_spec_take_direction(const char *text, size_t length, struct key_spec *key)
{
    key->direction = -1;
    if (key_spec_ends_with(text, length, ":desc")) {
        key->direction = CONSORT_DESCENDING;
        return length - 5;
    }
    if (key_spec_ends_with(text, length, ":asc")) {
        key->direction = CONSORT_ASCENDING;
        return length - 4;
    }
    return length;
}

static bool key_spec_parse_field(const char *name, size_t length, struct key_spec *key,
                                 struct problem *problem)
{
    if (length == 0 || length >= KEY_SPEC_NAME || memchr(name, '\0', length))
        return problem_set(problem, "a field's name must have 1 to %d characters",
                           KEY_SPEC_NAME - 1);
    key->kind = KEY_SPEC_FIELD;
    memcpy(key->field, name, length);
    key->field[length] = '\0';
    return true;
}

static bool key_spec_parse_type(const char *text, size_t length, struct key_spec *key,
                                struct problem *problem)
{
    char name[32];
    if (length >= sizeof name || memchr(text, '\0', length))
        return problem_set(problem, "\"%.*s…\" is no type", (int)sizeof name, text);
    memcpy(name, text, length);
    name[length] = '\0';
    key->kind = KEY_SPEC_TYPE;
    if (consort_type_parse(name, &key->type) != CONSORT_OK)
        return problem_library(problem);
    key->length = consort_type_size(key->type);
    return true;
}

bool key_spec_parse(const char *text, size_t length, struct key_spec *key, struct problem *problem)
{
    *key = (struct key_spec){.kind = KEY_SPEC_BYTES};
    length = key_spec_take_direction(text, length, key);
    if (length >= 5 && memcmp(text, "name=", 5) == 0)
        return key_spec_parse_field(text + 5, length - 5, key, problem);
    if (length == 0 || text[0] < '0' || text[0] > '9')
        return key_spec_parse_field(text, length, key, problem);
    const char *colon = memchr(text, ':', length);
    if (!colon)
        return problem_set(problem,
                           "\"%.*s\" has no ':'; write OFFSET:LENGTH or OFFSET:TYPE, or name=FIELD "
                           "for a field whose name starts with a digit",
                           (int)(length < 60 ? length : 60), text);
    size_t digits = (size_t)(colon - text);
    size_t rest = length - digits - 1;
    if (!size_parse_number(text, digits, &key->offset))
        return problem_set(problem, "\"%.*s\" is no offset in bytes",
                           (int)(digits < 60 ? digits : 60), text);
    if (rest > 0 && colon[1] >= '0' && colon[1] <= '9') {
        if (!size_parse_number(colon + 1, rest, &key->length) || key->length == 0)
            return problem_set(
                problem,
                "\"%.*s\" is no length in bytes from 1 up; nothing but :asc or :desc "
                "may stand behind one",
                (int)(rest < 60 ? rest : 60), colon + 1);
        return true;
    }
    return key_spec_parse_type(colon + 1, rest, key, problem);
}
