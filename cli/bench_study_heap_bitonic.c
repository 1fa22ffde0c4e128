/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Hybrid multi-phased sort: heaps and bitonic merges, against bitonic, odd-even merge and merge
 * sort on 16- and 32-bit integers. Its results are figures without numbers (6 and 7); what its text
 * says of them is what is compared. Floats are its future work.
 */
#include "bench_study_list.h"

#define SORTERS                                                                                    \
    "--algorithm heap-bitonic,bitonic,odd-even-merge,merge --min-time 0 --repeat 5 --peers none"

static const char *const lines[] = {
    "--device gpu -t u16,u32 -n 2^12,2^14,2^16,2^18,2^20,2^22,2^24,2^26,2^28 " SORTERS,
    "--device gpu -t f32,f64 -n 2^12,2^16,2^20,2^24,2^26 " SORTERS,
    "--device gpu -t u32 -n 2^12,2^16,2^20,2^24 --algorithm heap-bitonic --set "
    "chunk=8,16,32,64,128,256 --min-time 0 --repeat 5 --peers none",
    NULL,
};

#define KEYS(sorter, width, exponent)                                                              \
    {                                                                                              \
        .name = "consort:" sorter, .where = BENCH_ON_GPU, .type = (width),                         \
        .count = UINT64_C(1) << (exponent)                                                         \
    }
#define CLAIM(bits, width, exponent, other, paper)                                                 \
    {                                                                                              \
        bits ", 2^" #exponent ", against " other, paper, BENCH_SPEED_UP,                           \
            KEYS("heap-bitonic", width, exponent), KEYS(other, width, exponent), NULL              \
    }
#define OTHERS(bits, width, exponent, paper, odd_even)                                             \
    CLAIM(bits, width, exponent, "bitonic", paper), CLAIM(bits, width, exponent, "merge", paper),  \
        CLAIM(bits, width, exponent, "odd-even-merge", odd_even)

static const struct bench_claim claims[] = {
    OTHERS("16 bits", CONSORT_U16, 12, "faster", "faster"),
    OTHERS("16 bits", CONSORT_U16, 20, "faster", "faster"),
    OTHERS("16 bits", CONSORT_U16, 28, "faster", "faster"),
    OTHERS("32 bits", CONSORT_U32, 12, "slower", "slower"),
    OTHERS("32 bits", CONSORT_U32, 20, "faster", "faster, comparable"),
    OTHERS("32 bits", CONSORT_U32, 28, "faster", "faster, comparable"),
    OTHERS("floats", CONSORT_F32, 24, "future work", "future work"),
    OTHERS("doubles", CONSORT_F64, 24, "future work", "future work"),
};

const struct bench_study bench_study_heap_bitonic = {
    {"heap-bitonic", "heaps and bitonic merges beside bitonic, odd-even merge and merge sort",
     lines, NULL, 0},
    "Hybrid multi-phased (HMP) GPU sorting: heap sort and bitonic merges (GeForce GT 750M; Figures "
    "6 and 7)",
    claims,
    sizeof claims / sizeof claims[0],
};
