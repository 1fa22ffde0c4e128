/* SPDX-License-Identifier: Apache-2.0 */
/* Lists and numbers of the options of `consort bench`. */
#include "bench_parse.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "size_parse.h"

bool bench_parse_names(const char *text, struct bench_names *names, struct problem *problem)
{
    names->count = 0;
    for (;;) {
        size_t length = strcspn(text, ",");
        if (length == 0 || length >= BENCH_NAME) {
            return problem_set(problem, "\"%.60s\" is no list of names with commas between", text);
        }
        if (names->count == BENCH_LIST) {
            return problem_set(problem, "more than %d items", BENCH_LIST);
        }
        char *name = names->items[names->count++];
        memcpy(name, text, length);
        name[length] = '\0';
        if (text[length] == '\0') {
            return true;
        }
        text += length + 1;
    }
}

bool bench_names_only(const struct bench_names *names, const char *name)
{
    return names->count == 1 && strcmp(names->items[0], name) == 0;
}

bool bench_parse_number(const char *text, uint64_t minimum, uint64_t *number,
                        struct problem *problem)
{
    if (!size_parse_count(text, number, problem)) {
        return false;
    }
    return *number >= minimum || problem_set(problem, "%.40s is less than %" PRIu64, text, minimum);
}

bool bench_parse_numbers(const char *text, struct bench_numbers *numbers, struct problem *problem)
{
    struct bench_names names;
    if (!bench_parse_names(text, &names, problem)) {
        return false;
    }
    numbers->count = 0;
    for (size_t i = 0; i < names.count; i++) {
        if (!bench_parse_number(names.items[i], 1, &numbers->items[numbers->count++], problem)) {
            return false;
        }
    }
    return true;
}

bool bench_parse_seconds(const char *text, double *seconds, struct problem *problem)
{
    char *end;
    *seconds = strtod(text, &end);
    return (end != text && *end == '\0' && isfinite(*seconds) && *seconds >= 0) ||
           problem_set(problem, "\"%.40s\" is no number of seconds", text);
}
