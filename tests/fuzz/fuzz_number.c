/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers in text: byte 0 chooses the type. What is read, written and read again is the same. */
#include "fuzz/fuzz_input.h"

#include "item_text.h"
#include "number_parse.h"

static const consort_type types[] = {
    CONSORT_U8,  CONSORT_U16, CONSORT_U32,  CONSORT_U64, CONSORT_U128, CONSORT_I8,  CONSORT_I16,
    CONSORT_I32, CONSORT_I64, CONSORT_I128, CONSORT_F16, CONSORT_BF16, CONSORT_F32, CONSORT_F64};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0)
        return 0;
    consort_type type = types[data[0] % (sizeof types / sizeof *types)];
    uint32_t bytes = consort_type_size(type);
    char *text = fuzz_copy(data + 1, size - 1);
    unsigned char item[16], again[16];
    memset(item, 0xa5, sizeof item);
    size_t column = SIZE_MAX;
    enum number_result result = number_parse(type, text, size - 1, item, &column);
    if (result == NUMBER_GOOD) {
        char written[ITEM_TEXT_NUMBER];
        size_t length = item_text_number(type, item, written);
        FUZZ_DEMAND(length > 0 && length < sizeof written);
        FUZZ_DEMAND(number_parse(type, written, length, again, &column) == NUMBER_GOOD);
        FUZZ_DEMAND(memcmp(item, again, bytes) == 0);
    } else if (result == NUMBER_INVALID || result == NUMBER_OUT_OF_RANGE) {
        FUZZ_DEMAND(column <= size);
    }
    for (size_t i = bytes; i < sizeof item; i++)
        FUZZ_DEMAND(item[i] == 0xa5);
    free(text);
    return 0;
}
