/* SPDX-License-Identifier: Apache-2.0 */
/* Strings as Python's repr() writes them. */
#include "npy_string.h"

#include <stdint.h>
#include <string.h>

struct npy_string_output {
    char *to; /* NULL: nobody wants it */
    size_t size;
    size_t used;
};

static bool npy_string_put_byte(struct npy_string_output *output, uint32_t byte)
{
    if (!output->to)
        return true;
    if (output->used + 1 >= output->size)
        return false;
    output->to[output->used++] = (char)byte;
    return true;
}

/* In UTF-8; a half of a surrogate pair, which Python strings may have, as if it were a character.
 */
static bool npy_string_put_character(struct npy_string_output *output, uint32_t code)
{
    int more = code < 0x80 ? 0 : code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
    static const uint32_t first[] = {0, 0xc0, 0xe0, 0xf0};
    bool good = npy_string_put_byte(output, first[more] | code >> (6 * more));
    while (more-- > 0)
        good = good && npy_string_put_byte(output, 0x80 | (code >> (6 * more) & 0x3f));
    return good;
}

static bool npy_string_read_digits(const char *text, size_t digits, uint32_t *code)
{
    static const char hexadecimal[] = "0123456789abcdef";
    *code = 0;
    for (size_t i = 0; i < digits; i++) {
        char lower = text[i] >= 'A' && text[i] <= 'F' ? (char)(text[i] + 'a' - 'A') : text[i];
        const char *digit = memchr(hexadecimal, lower, 16);
        if (!digit)
            return false;
        *code = *code << 4 | (uint32_t)(digit - hexadecimal);
    }
    return *code <= 0x10ffff;
}

/* What stands behind a backslash: \\ \' \" \n \r \t \xNN \uNNNN \UNNNNNNNN. */
static bool npy_string_unescape(const char *text, size_t length, size_t *at, uint32_t *code)
{
    static const char letters[] = "\\'\"nrt";
    static const char meanings[] = "\\'\"\n\r\t";
    if (*at >= length)
        return false;
    char c = text[(*at)++];
    const char *letter = memchr(letters, c, sizeof letters - 1);
    if (letter) {
        *code = (uint32_t)meanings[letter - letters];
        return true;
    }
    size_t digits = c == 'x' ? 2 : c == 'u' ? 4 : c == 'U' ? 8 : 0;
    if (digits == 0 || digits > length - *at || !npy_string_read_digits(text + *at, digits, code))
        return false;
    *at += digits;
    return true;
}

enum npy_string_result npy_string_read(const char *text, size_t length, size_t *at, bool latin,
                                       char *to, size_t size)
{
    struct npy_string_output output = {to, size, 0};
    size_t start = *at + 1;
    char quote = text[*at];
    for (*at = start; *at < length && text[*at] != quote;) {
        size_t from = (*at)++;
        bool escaped = text[from] == '\\';
        uint32_t code = (unsigned char)text[from];
        if (escaped && !npy_string_unescape(text, length, at, &code)) {
            *at = from;
            return NPY_STRING_ESCAPE;
        }
        if (code == 0 && to)
            return NPY_STRING_ZERO;
        if (escaped || latin ? !npy_string_put_character(&output, code)
                             : !npy_string_put_byte(&output, code))
            return NPY_STRING_LONG;
    }
    if (*at >= length) {
        *at = start;
        return NPY_STRING_OPEN;
    }
    ++*at;
    if (to)
        to[output.used] = '\0';
    return NPY_STRING_GOOD;
}
