/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers from text, exactly. */
#include "number_parse.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "half.h"

typedef unsigned __int128 number_u128;

/* A number's text without blanks: [from, end), after the sign. */
struct number_token {
    const char *text;
    size_t sign; /* where the sign or the first digit stands */
    size_t from;
    size_t end;
    bool negative;
};

static bool number_is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

static bool number_is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static enum number_result number_parse_integer(consort_type type, const struct number_token *token,
                                               void *item, size_t *column)
{
    uint32_t bytes = consort_type_size(type);
    bool is_signed = (type >> 8 & 0xff) == CONSORT_KIND_SIGNED;
    number_u128 value = 0;
    bool overflow = false;
    for (size_t i = token->from; i < token->end; i++) {
        if (!number_is_digit(token->text[i])) {
            *column = i;
            return NUMBER_INVALID;
        }
        unsigned digit = (unsigned)(token->text[i] - '0');
        if (value < UINT64_MAX / 16)
            value = (uint64_t)value * 10 + digit;
        else
            overflow |= __builtin_mul_overflow(value, (number_u128)10, &value) ||
                        __builtin_add_overflow(value, (number_u128)digit, &value);
    }
    number_u128 most = (number_u128)-1 >> (128 - 8 * bytes);
    if (is_signed)
        most = (most >> 1) + token->negative;
    else if (token->negative)
        most = 0;
    if (overflow || value > most)
        return NUMBER_OUT_OF_RANGE;
    value = token->negative ? -value : value;
    if (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__)
        value <<= 128 - 8 * bytes;
    memcpy(item, &value, bytes);
    return NUMBER_GOOD;
}

/* Digits, a point, an exponent: false and *column where the grammar is broken. */
static bool number_is_decimal(const struct number_token *token, size_t *column)
{
    size_t i = token->from;
    size_t digits = 0;
    for (; i < token->end && number_is_digit(token->text[i]); i++)
        digits++;
    if (i < token->end && token->text[i] == '.')
        for (i++; i < token->end && number_is_digit(token->text[i]); i++)
            digits++;
    *column = i;
    if (digits == 0)
        return false;
    if (i < token->end && (token->text[i] == 'e' || token->text[i] == 'E')) {
        i++;
        if (i < token->end && (token->text[i] == '+' || token->text[i] == '-'))
            i++;
        *column = i;
        if (i == token->end || !number_is_digit(token->text[i]))
            return false;
        while (i < token->end && number_is_digit(token->text[i]))
            i++;
    }
    *column = i;
    return i == token->end;
}

static bool number_is_word(const struct number_token *token, const char *word)
{
    size_t length = strlen(word);
    return token->end - token->from == length &&
           strncasecmp(token->text + token->from, word, length) == 0;
}

/* 1 to 15 plain digits: exact in a double, so that strtod has nothing to add. */
static bool number_short_integer(const struct number_token *token, double *value)
{
    uint64_t whole = 0;
    if (token->end - token->from > 15)
        return false;
    for (size_t i = token->from; i < token->end; i++) {
        if (!number_is_digit(token->text[i]))
            return false;
        whole = whole * 10 + (uint64_t)(token->text[i] - '0');
    }
    *value = (double)whole;
    return true;
}

/* `text` ends with NUL and has the sign. */
static enum number_result number_convert(uint32_t bytes, bool brain, const char *text, void *item)
{
    errno = 0;
    if (bytes == 8) {
        double value = strtod(text, NULL);
        memcpy(item, &value, sizeof value);
        return isinf(value) ? NUMBER_OUT_OF_RANGE : NUMBER_GOOD;
    }
    if (bytes == 4) {
        float value = strtof(text, NULL);
        memcpy(item, &value, sizeof value);
        return isinf(value) ? NUMBER_OUT_OF_RANGE : NUMBER_GOOD;
    }
    uint16_t value = half_of_text(text, brain);
    memcpy(item, &value, sizeof value);
    return isinf(half_to_double(value, brain)) ? NUMBER_OUT_OF_RANGE : NUMBER_GOOD;
}

static enum number_result number_parse_decimal(uint32_t bytes, bool brain,
                                               const struct number_token *token, void *item)
{
    char buffer[64];
    size_t length = token->end - token->sign;
    double whole;
    if (bytes == 8 && number_short_integer(token, &whole)) {
        whole = token->negative ? -whole : whole;
        memcpy(item, &whole, sizeof whole);
        return NUMBER_GOOD;
    }
    char *copy = length < sizeof buffer ? buffer : malloc(length + 1);
    if (!copy)
        return NUMBER_NO_MEMORY;
    memcpy(copy, token->text + token->sign, length);
    copy[length] = '\0';
    enum number_result result = number_convert(bytes, brain, copy, item);
    if (copy != buffer)
        free(copy);
    return result;
}

static enum number_result number_parse_float(consort_type type, const struct number_token *token,
                                             void *item, size_t *column)
{
    uint32_t bytes = consort_type_size(type);
    bool brain = (type >> 8 & 0xff) == CONSORT_KIND_BFLOAT;
    const char *special = NULL;
    if (number_is_word(token, "inf") || number_is_word(token, "infinity"))
        special = token->negative ? "-inf" : "inf";
    else if (number_is_word(token, "nan"))
        special = token->negative ? "-nan" : "nan";
    if (special) {
        number_convert(bytes, brain, special, item);
        return NUMBER_GOOD;
    }
    if (!number_is_decimal(token, column))
        return NUMBER_INVALID;
    *column = token->sign;
    return number_parse_decimal(bytes, brain, token, item);
}

enum number_result number_parse(consort_type type, const char *text, size_t length, void *item,
                                size_t *column)
{
    struct number_token token = {text, 0, 0, length, false};
    while (token.sign < length && number_is_blank(text[token.sign]))
        token.sign++;
    while (token.end > token.sign && number_is_blank(text[token.end - 1]))
        token.end--;
    token.from = token.sign;
    *column = token.sign;
    if (token.sign == token.end)
        return NUMBER_EMPTY;
    if (text[token.from] == '-' || text[token.from] == '+')
        token.negative = text[token.from++] == '-';
    if (token.from == token.end) {
        *column = token.from;
        return NUMBER_INVALID;
    }
    int32_t kind = type >> 8 & 0xff;
    if (kind == CONSORT_KIND_UNSIGNED || kind == CONSORT_KIND_SIGNED)
        return number_parse_integer(type, &token, item, column);
    if (kind == CONSORT_KIND_FLOAT || kind == CONSORT_KIND_BFLOAT)
        return number_parse_float(type, &token, item, column);
    return NUMBER_INVALID;
}
