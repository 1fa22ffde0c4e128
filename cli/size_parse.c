/* SPDX-License-Identifier: Apache-2.0 */
/* Sizes and counts as people write them. */
#include "size_parse.h"

#include <stdio.h>
#include <string.h>

bool size_parse_number(const char *text, size_t length, uint64_t *number)
{
    uint64_t value = 0;
    if (length == 0)
        return false;
    for (size_t i = 0; i < length; i++) {
        if (text[i] < '0' || text[i] > '9' || __builtin_mul_overflow(value, 10, &value) ||
            __builtin_add_overflow(value, (uint64_t)(text[i] - '0'), &value))
            return false;
    }
    *number = value;
    return true;
}

static bool size_parse_power_of_two(const char *text, uint64_t *value)
{
    uint64_t exponent;
    if (strncmp(text, "2^", 2) != 0 || !size_parse_number(text + 2, strlen(text + 2), &exponent) ||
        exponent > 63)
        return false;
    *value = (uint64_t)1 << exponent;
    return true;
}

/* "1e8": digits, e, digits. */
static bool size_parse_power_of_ten(const char *text, uint64_t *value)
{
    const char *e = strchr(text, 'e');
    uint64_t exponent;
    if (!e || !size_parse_number(text, (size_t)(e - text), value) ||
        !size_parse_number(e + 1, strlen(e + 1), &exponent))
        return false;
    for (; exponent > 0 && *value > 0; exponent--) {
        if (__builtin_mul_overflow(*value, 10, value))
            return false;
    }
    return true;
}

static bool size_parse_suffixed(const char *text, uint64_t base, uint64_t *value)
{
    static const char letters[] = "KMGT";
    size_t length = strlen(text);
    uint64_t factor = 1;
    if (length > 0 && (text[length - 1] < '0' || text[length - 1] > '9')) {
        char letter = text[length - 1] == 'k' ? 'K' : text[length - 1];
        const char *place = strchr(letters, letter);
        if (!place)
            return false;
        for (long power = 0; power <= place - letters; power++)
            factor *= base;
        length--;
    }
    return size_parse_number(text, length, value) && !__builtin_mul_overflow(*value, factor, value);
}

bool size_parse_count(const char *text, uint64_t *count, struct problem *problem)
{
    if (size_parse_power_of_two(text, count) || size_parse_power_of_ten(text, count) ||
        size_parse_suffixed(text, 1000, count))
        return true;
    return problem_set(problem,
                       "\"%.40s\" is no count; write digits, with k, M, G or T (powers of 1000), "
                       "or a power like 1e8 or 2^28",
                       text);
}

bool size_parse_bytes(const char *text, uint64_t *bytes, struct problem *problem)
{
    if (size_parse_power_of_two(text, bytes) || size_parse_suffixed(text, 1024, bytes))
        return true;
    return problem_set(problem,
                       "\"%.40s\" is no size; write bytes, with K, M, G or T (powers of 1024) "
                       "after it, like 4G",
                       text);
}

const char *size_format(uint64_t bytes, char text[SIZE_TEXT])
{
    static const char *const units[] = {"kB", "MB", "GB", "TB", "PB", "EB"};
    if (bytes < 1000) {
        snprintf(text, SIZE_TEXT, "%u bytes", (unsigned)bytes);
        return text;
    }
    double value = (double)bytes / 1000;
    size_t unit = 0;
    for (; value >= 999.95 && unit < 5; unit++)
        value /= 1000;
    snprintf(text, SIZE_TEXT, "%.1f %s", value, units[unit]);
    return text;
}
