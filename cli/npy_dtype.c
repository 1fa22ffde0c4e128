/* SPDX-License-Identifier: Apache-2.0 */
/* NumPy's dtype strings: "<f4", "|S10", ">M8[ns]". */
#include <string.h>

#include "npy_header.h"
#include "size_parse.h"

/* What a letter means: the kind it maps to, or why it cannot be ordered here. */
struct npy_letter {
    char letter;
    int32_t kind;
    uint64_t least; /* bytes an element may have */
    uint64_t most;
    const char *refusal;
};

static const struct npy_letter npy_letters[] = {
    {'b', CONSORT_KIND_UNSIGNED, 1, 1, NULL},
    {'u', CONSORT_KIND_UNSIGNED, 1, 8, NULL},
    {'i', CONSORT_KIND_SIGNED, 1, 8, NULL},
    {'f', CONSORT_KIND_FLOAT, 2, 8, NULL},
    {'S', CONSORT_KIND_BYTES, 0, INT32_MAX, NULL},
    {'a', CONSORT_KIND_BYTES, 0, INT32_MAX, NULL},
    {'c', 0, 8, 32, "complex numbers have no order here"},
    {'m', 0, 8, 8, "NumPy orders NaT last, which is not supported; store it as int64"},
    {'M', 0, 8, 8, "NumPy orders NaT last, which is not supported; store it as int64"},
    {'U', 0, 0, INT32_MAX, "Unicode strings are not supported; encode them to bytes, dtype S"},
    {'V', 0, 0, INT32_MAX, "raw void data has no order"},
    {'O', 0, 0, INT32_MAX, "Python objects are pickled, not stored as plain data"},
};

static const struct npy_letter *npy_letter_find(char letter)
{
    for (size_t i = 0; i < sizeof npy_letters / sizeof npy_letters[0]; i++)
        if (npy_letters[i].letter == letter)
            return &npy_letters[i];
    return NULL;
}

static consort_type npy_dtype_number(int32_t kind, uint64_t bytes, char order)
{
    consort_type type = kind << 8 | (consort_type)bytes;
    /* One byte has no order; '=' and '|' say nothing about more. */
    if (bytes == 1 || (order != '<' && order != '>'))
        return type;
    bool big = order == '>';
    bool native_big = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__;
    if (big == native_big)
        return type;
    return consort_type_with_byte_order(type, big ? CONSORT_BIG_ENDIAN : CONSORT_LITTLE_ENDIAN);
}

/* ">M8[ns]": the unit is not part of the size. */
static size_t npy_dtype_without_unit(const char *text, size_t length)
{
    const char *bracket = memchr(text, '[', length);
    return bracket ? (size_t)(bracket - text) : length;
}

bool npy_dtype_parse(const char *text, size_t length, struct npy_dtype *dtype)
{
    char order = '=';
    uint64_t size = 0;
    *dtype = (struct npy_dtype){.type = 0};
    if (length > 0 && strchr("<>|=", text[0]) && text[0] != '\0') {
        order = text[0];
        text++;
        length--;
    }
    const struct npy_letter *letter = length > 0 ? npy_letter_find(text[0]) : NULL;
    if (!letter)
        return false;
    size_t digits = npy_dtype_without_unit(text, length) - 1;
    if (letter->letter == 'O')
        size = sizeof(void *);
    else if (!size_parse_number(text + 1, digits, &size))
        return false;
    if (letter->kind == CONSORT_KIND_FLOAT && (size == 12 || size == 16)) {
        dtype->bytes = size;
        dtype->refusal = "long double has no portable form; store it as float64";
        return true;
    }
    bool power = (size & (size - 1)) == 0;
    bool number = letter->kind != 0 && letter->kind != CONSORT_KIND_BYTES;
    if (size < letter->least || size > letter->most || (number && !power))
        return false;
    dtype->refusal = letter->refusal;
    dtype->is_string = letter->kind == CONSORT_KIND_BYTES;
    dtype->bytes = letter->letter == 'U' ? 4 * size : size;
    if (dtype->is_string)
        dtype->type = consort_type_bytes((uint32_t)size);
    else if (number)
        dtype->type = npy_dtype_number(letter->kind, size, order);
    return true;
}
