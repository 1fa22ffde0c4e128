/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One case of the benchmark: what is sorted, of which data, on how many threads. Everybody who is
 * measured at a case does exactly the same work.
 */
#ifndef CONSORT_CLI_BENCH_CASE_H
#define CONSORT_CLI_BENCH_CASE_H

#include <stdbool.h>
#include <stdint.h>

#include <consort.h>
#include "bench_lengths.h"
#include "distributions.h"

enum bench_operation {
    BENCH_SORT,
    BENCH_PAIRS,
    BENCH_ARGSORT,
    BENCH_SEGMENTED,
    BENCH_TOP_K,
    BENCH_MERGE,
    BENCH_RECORDS,
    BENCH_OPERATION_COUNT
};

struct bench_case {
    enum bench_operation operation;
    consort_type type;
    uint32_t value_bytes; /* pairs and argsort (the index); else 0 */
    const struct distribution *distribution;
    uint64_t count; /* items */
    uint32_t threads;
    uint64_t seed;
    uint64_t k;       /* top-k */
    uint64_t segment; /* segmented: items of a segment, on average if they differ */
    enum bench_lengths lengths;
    uint64_t record_bytes; /* records: the key stands first */
    int32_t gpu;           /* number of the GPU that sorts; -1: the CPU */
    bool every_gpu;        /* all GPUs sort together, that one among them */
    bool on_device;        /* the arrays are in that GPU's memory */
    bool spread;           /* they are shared out over the memory of `gpus` GPUs */
    uint32_t gpus;         /* spread: how many; 0: all */
    bool pinned;           /* they are in host memory that GPUs copy by themselves */
    bool separate;         /* host memory: output and input are two places */
};

const char *bench_operation_name(enum bench_operation operation);
bool bench_operation_parse(const char *name, enum bench_operation *operation);

/* The operation as the library counts them: CONSORT_OPERATION_SORT … */
int32_t bench_operation_number(enum bench_operation operation);

/* Bytes from one key to the next in the input. */
uint64_t bench_case_stride(const struct bench_case *shape);

/* Bytes that any way of doing it must read and write, each once. */
uint64_t bench_case_traffic(const struct bench_case *shape);

/* 1, or for short inputs how many arrays one timing runs over, so that it lasts long enough for the
 * clock, and that branch predictors cannot learn the data by heart. On a GPU always 1: what
 * a short sort costs there is its launches, which a batch would hide behind each other. */
uint64_t bench_case_batch(const struct bench_case *shape);

/* Is it the same input, for any number of threads? */
bool bench_case_same_input(const struct bench_case *a, const struct bench_case *b);

#endif
