/* SPDX-License-Identifier: Apache-2.0 */
/* The small languages of the command line: key specifications, sizes, counts, type names. */
#include "fuzz/fuzz_input.h"

#include "key_spec.h"
#include "size_parse.h"

static void check_key(const char *text, size_t size)
{
    struct problem problem = {{0}};
    struct key_spec key;
    if (!key_spec_parse(text, size, &key, &problem)) {
        FUZZ_DEMAND(problem.text[0] != '\0');
        return;
    }
    FUZZ_DEMAND(key.direction >= -1 && key.direction <= 1);
    FUZZ_DEMAND(key.kind != KEY_SPEC_BYTES || key.length > 0);
    FUZZ_DEMAND(key.kind != KEY_SPEC_TYPE || consort_type_size(key.type) > 0);
    FUZZ_DEMAND(key.kind != KEY_SPEC_FIELD ||
                (memchr(key.field, '\0', sizeof key.field) && key.field[0] != '\0'));
}

static void check_type(const char *text)
{
    consort_type type = 0, again = 0;
    char name[16];
    if (consort_type_parse(text, &type) != CONSORT_OK)
        return;
    FUZZ_DEMAND(consort_type_valid(type) == 1);
    FUZZ_DEMAND(consort_type_name(type, name, sizeof name) == CONSORT_OK);
    FUZZ_DEMAND(strcmp(name, text) == 0);
    FUZZ_DEMAND(consort_type_parse(name, &again) == CONSORT_OK && again == type);
}

static void check_sizes(const char *text, size_t size)
{
    struct problem problem = {{0}};
    uint64_t number, count = 0, bytes = 0;
    char shown[SIZE_TEXT];
    bool plain = size_parse_number(text, size, &number);
    bool counts = size_parse_count(text, &count, &problem);
    bool sizes = size_parse_bytes(text, &bytes, &problem);
    if (plain && counts && strlen(text) == size)
        FUZZ_DEMAND(number == count);
    if (sizes)
        FUZZ_DEMAND(strlen(size_format(bytes, shown)) < sizeof shown);
    if (counts && sizes)
        FUZZ_DEMAND(bytes >= count);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = fuzz_text(data, size), *exact = fuzz_copy(data, size);
    check_key(exact, size);
    check_type(text);
    check_sizes(text, size);
    free(exact);
    free(text);
    return 0;
}
