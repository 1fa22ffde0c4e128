/* SPDX-License-Identifier: Apache-2.0 */
/* Checks of results, one read each: as many scans as there are representations of keys. */
#include "bench_verify.h"

#include <string.h>

#include "bench_order.h"

/* The finaliser of MurmurHash3 (Appleby), over the key and the tag spread by an odd constant. */
static inline uint64_t mix(uint64_t key, uint64_t tag)
{
    uint64_t x = key ^ (tag * UINT64_C(0x9E3779B97F4A7C15));
    x ^= x >> 33;
    x *= UINT64_C(0xFF51AFD7ED558CCD);
    x ^= x >> 33;
    x *= UINT64_C(0xC4CEB9FE1A85EC53);
    return x ^ (x >> 33);
}

static inline void note(uint64_t *first, uint64_t position)
{
    if (position < *first) {
        *first = position;
    }
}

static inline uint32_t tag_bytes(uint32_t value_bytes)
{
    return value_bytes < sizeof(uint64_t) ? BENCH_VALUE_MINIMUM : sizeof(uint64_t);
}

static inline uint64_t value_tag(const unsigned char *value, uint32_t value_bytes)
{
    if (value_bytes < sizeof(uint64_t)) {
        uint32_t tag;
        memcpy(&tag, value, sizeof tag);
        return tag;
    }
    uint64_t tag;
    memcpy(&tag, value, sizeof tag);
    return tag;
}

static inline unsigned char filler(uint64_t tag, uint32_t position)
{
    return (unsigned char)(mix(tag, position / sizeof tag) >> (8 * (position % sizeof tag)));
}

static bool value_tail_whole(const unsigned char *value, uint32_t value_bytes, uint64_t tag)
{
    for (uint32_t i = tag_bytes(value_bytes); i < value_bytes; i++) {
        if (value[i] != filler(tag, i)) {
            return false;
        }
    }
    return true;
}

static inline bool value_whole(const unsigned char *value, uint32_t value_bytes, uint64_t tag)
{
    return value_bytes == tag_bytes(value_bytes) || value_tail_whole(value, value_bytes, tag);
}

void bench_verify_write_value(void *value, uint32_t value_bytes, uint64_t tag)
{
    uint32_t narrow = (uint32_t)tag;
    uint32_t head = tag_bytes(value_bytes);
    memcpy(value, head == sizeof tag ? (const void *)&tag : (const void *)&narrow, head);
    for (uint32_t i = head; i < value_bytes; i++) {
        ((unsigned char *)value)[i] = filler(head == sizeof tag ? tag : narrow, i);
    }
}

/* Where a scan stands, apart from the keys. */
struct walk {
    const struct bench_view *view;
    struct bench_findings *findings;
    const unsigned char *value;
    uint64_t last_tag;
};

/* Item i, whose key is before (-1), equal to (0) or after (1) that of item i - 1. */
static inline void walk_item(struct walk *walk, uint64_t i, int order, uint64_t key_hash)
{
    uint64_t tag = 0;
    if (walk->value != NULL) {
        tag = value_tag(walk->value, walk->view->value_bytes);
        if (!value_whole(walk->value, walk->view->value_bytes, tag)) {
            note(&walk->findings->torn, i);
        }
        if (order == 0 && tag <= walk->last_tag) {
            note(&walk->findings->unstable, i);
        }
        walk->value += walk->view->value_stride;
        walk->last_tag = tag;
    }
    if (order < 0) {
        note(&walk->findings->disorder, i);
    }
    walk->findings->checksum += mix(key_hash, tag);
}

/* What a scan has to know about keys of at most 8 bytes. */
struct rule {
    int32_t kind;
    uint64_t infinity;
    bool zeros_equal;
};

static inline uint64_t rule_rank(const struct rule *rule, uint64_t bits, uint32_t bytes)
{
    switch (rule->kind) {
    case CONSORT_KIND_SIGNED:
        return bench_order_signed(bits, bytes);
    case CONSORT_KIND_FLOAT:
    case CONSORT_KIND_BFLOAT:
        return bench_order_float(bits, bytes, rule->infinity, rule->zeros_equal);
    default:
        return bits;
    }
}

/* `bytes` is a constant wherever this is called, so that each width gets a loop of its own. */
static inline void scan_narrow(struct walk walk, const struct rule rule, uint32_t bytes)
{
    const unsigned char *key = walk.view->keys;
    uint64_t last = 0;
    for (uint64_t i = 0; i < walk.view->count; i++) {
        uint64_t bits = bench_order_load(key, bytes);
        uint64_t rank = rule_rank(&rule, bits, bytes);
        int order = i == 0 ? 1 : (rank > last) - (rank < last);
        walk_item(&walk, i, order, bits);
        last = rank;
        key += walk.view->key_stride;
    }
}

static void scan_wide(struct walk walk, bool has_sign)
{
    const unsigned char *key = walk.view->keys;
    bench_rank last = 0;
    for (uint64_t i = 0; i < walk.view->count; i++) {
        bench_rank rank;
        memcpy(&rank, key, sizeof rank);
        uint64_t hash = (uint64_t)rank ^ mix((uint64_t)(rank >> 64), 1);
        rank += has_sign ? (bench_rank)1 << 127 : 0;
        int order = i == 0 ? 1 : (rank > last) - (rank < last);
        walk_item(&walk, i, order, hash);
        last = rank;
        key += walk.view->key_stride;
    }
}

static uint64_t hash_string(const unsigned char *key, uint32_t length)
{
    uint64_t hash = length;
    for (uint32_t i = 0; i < length; i += 8) {
        uint32_t piece = length - i < 8 ? length - i : 8;
        hash = mix(hash, bench_order_load(key + i, piece));
    }
    return hash;
}

static void scan_strings(struct walk walk, uint32_t length)
{
    const unsigned char *key = walk.view->keys;
    for (uint64_t i = 0; i < walk.view->count; i++) {
        int order = i == 0 ? 1 : memcmp(key, key - walk.view->key_stride, length);
        walk_item(&walk, i, order, hash_string(key, length));
        key += walk.view->key_stride;
    }
}

static uint64_t infinity_of(consort_type type)
{
    switch (type) {
    case CONSORT_F16:
        return 0x7C00;
    case CONSORT_BF16:
        return 0x7F80;
    case CONSORT_F32:
        return 0x7F800000;
    default:
        return UINT64_C(0x7FF0000000000000);
    }
}

static int32_t kind_of(consort_type type)
{
    return type >> 8 & 0xFF;
}

void bench_verify_scan(const struct bench_view *view, bool zeros_equal,
                       struct bench_findings *findings)
{
    *findings = (struct bench_findings){0, view->count, view->count, view->count};
    struct walk walk = {view, findings, view->values, 0};
    struct rule rule = {kind_of(view->type), infinity_of(view->type), zeros_equal};
    uint32_t bytes = consort_type_size(view->type);
    if (rule.kind == CONSORT_KIND_BYTES) {
        scan_strings(walk, bytes);
        return;
    }
    switch (bytes) {
    case 1:
        scan_narrow(walk, rule, 1);
        break;
    case 2:
        scan_narrow(walk, rule, 2);
        break;
    case 4:
        scan_narrow(walk, rule, 4);
        break;
    case 8:
        scan_narrow(walk, rule, 8);
        break;
    default:
        scan_wide(walk, rule.kind == CONSORT_KIND_SIGNED);
    }
}

/* −1, 0, 1 as key a stands before, beside or after key b: the scan of two items says it. */
static int compare(const void *a, const void *b, consort_type type)
{
    uint32_t bytes = consort_type_size(type);
    unsigned char two[2 * 256];
    memcpy(two, a, bytes);
    memcpy(two + bytes, b, bytes);
    if (memcmp(two, two + bytes, bytes) == 0) {
        return 0;
    }
    struct bench_view view = {.keys = two, .key_stride = bytes, .type = type, .count = 2};
    struct bench_findings findings;
    bench_verify_scan(&view, false, &findings);
    return findings.disorder < 2 ? 1 : -1;
}

static uint64_t hash_one(const void *key, consort_type type)
{
    struct bench_view view = {.keys = key, .key_stride = 0, .type = type, .count = 1};
    struct bench_findings findings;
    bench_verify_scan(&view, false, &findings);
    return findings.checksum;
}

struct division {
    uint64_t below;
    uint64_t equal;
    uint64_t checksum; /* of those below */
};

static struct division divide(const struct bench_view *view, const void *limit)
{
    struct division division = {0};
    const unsigned char *key = view->keys;
    for (uint64_t i = 0; i < view->count; i++, key += view->key_stride) {
        int order = compare(key, limit, view->type);
        if (order < 0) {
            division.below++;
            division.checksum += hash_one(key, view->type);
        }
        division.equal += order == 0;
    }
    return division;
}

/*
 * Sorted, and with the same keys before the last one as the input has: then what is left are copies
 * of the last one, of which the input needs as many.
 */
bool bench_verify_top(const struct bench_view *all, const struct bench_view *top)
{
    if (top->count == 0) {
        return true;
    }
    struct bench_findings findings;
    bench_verify_scan(top, false, &findings);
    if (findings.disorder < top->count) {
        return false;
    }
    const unsigned char *last =
        (const unsigned char *)top->keys + (top->count - 1) * top->key_stride;
    struct division of_all = divide(all, last);
    struct division of_top = divide(top, last);
    return of_all.below == of_top.below && of_all.checksum == of_top.checksum &&
           of_all.equal >= of_top.equal;
}

static bool is_nan(const unsigned char *key, uint32_t bytes, uint64_t infinity)
{
    uint64_t sign = UINT64_C(1) << (8 * bytes - 1);
    return (bench_order_load(key, bytes) & (sign - 1)) > infinity;
}

bool bench_verify_has_nan(const struct bench_view *view)
{
    int32_t kind = kind_of(view->type);
    if (kind != CONSORT_KIND_FLOAT && kind != CONSORT_KIND_BFLOAT) {
        return false;
    }
    uint32_t bytes = consort_type_size(view->type);
    const unsigned char *key = view->keys;
    for (uint64_t i = 0; i < view->count; i++, key += view->key_stride) {
        if (is_nan(key, bytes, infinity_of(view->type))) {
            return true;
        }
    }
    return false;
}
