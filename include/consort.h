/* SPDX-License-Identifier: Apache-2.0 */
/*
 * consort: sorts arrays on NVIDIA GPUs, or on the CPU where there is none, with the same bytes out
 * everywhere. This header is the manual; it is the whole public interface.
 *
 * CONTENTS
 *    1. Thirty seconds            5. Contexts                  9. Plans: descriptor and creation
 *    2. Rules that hold always    6. Options                  10. Plans: arguments and running
 *    3. Status and errors         7. Columns and fields       11. What is there
 *    4. Types and orders          8. One-call functions       12. Versions and build facts
 *
 * ------------------------------------------------------------------------------------------------
 * 1. THIRTY SECONDS
 * ------------------------------------------------------------------------------------------------
 *
 *     #include <consort.h>
 *
 *     float prices[] = {3.5f, -1.0f, 2.25f};
 *     if (consort_sort(prices, prices, 3, CONSORT_F32, NULL) != CONSORT_OK)
 *         fprintf(stderr, "%s\n", consort_last_error()->message);
 *
 *     cc program.c $(pkg-config --cflags --libs consort)
 *
 * Every operation exists twice. As one call (section 8), which plans, takes memory, runs and waits.
 * And as a plan (sections 9 and 10): describe once, ask how much workspace it needs, run it many
 * times, from several threads, without any allocation inside unless it is asked to replay.
 *
 * ------------------------------------------------------------------------------------------------
 * 2. RULES THAT HOLD ALWAYS
 * ------------------------------------------------------------------------------------------------
 *
 * Counts are 64-bit and count items, never bytes. Sizes are in bytes. Offsets into records are in
 * bytes. 0 items are valid everywhere, and then every array pointer may be NULL, but offsets of
 * segments in device memory. At most 1024 columns of values and 1024 key fields are possible.
 *
 * Result. The same input, type, order and operation give the same bytes with every engine, every
 * algorithm, every number of threads and every device, unless `stable` was switched off for an
 * operation with values. Sorting is stable by default: items with equal keys keep their order.
 *
 * Places. `in` and `out` are either the same pointer (in place) or do not overlap; anything else is
 * CONSORT_ERROR_OVERLAP. With separate places `in` is never written, whatever happens.
 *
 * Alignment. Keys of a scalar type need that type's natural alignment (a 16-byte key needs 16),
 * else CONSORT_ERROR_ALIGNMENT. Byte strings, values, records and callback elements need none.
 * Index and offset arrays need theirs.
 *
 * Threads. Every function may be called from any thread at any time, with these exceptions: an
 * object is destroyed by one thread, after its last use; one output, one workspace belong to one
 * run at a time. Plans are immutable and may run in several threads at once.
 *
 * Silence. The library never prints, aborts, exits or changes signal masks, locale or the CUDA
 * context of the caller. With CONSORT_LOG=error|warn|info|trace in the environment it logs to
 * stderr; it is off by default.
 *
 * Memory. One-call functions and host plans run without a workspace take memory from the context's
 * allocator and give it back before they return. Running out is an error, never a crash. What the
 * planner put on a GPU by itself runs on the CPU if the GPU lacks the memory or fails before it has
 * written over an input. For host arrays on a GPU a context keeps up to 256 MiB of pinned memory
 * and, while nothing runs, a sixteenth of the GPU's memory, until it is destroyed.
 *
 * C and C++. This header is C99 and C++98 clean. Enumerators are plain int32_t constants, so that
 * the ABI is the same in C, C++, Fortran, Python and Rust. Structures that can grow start with
 * their size and have an `_init` function: always call it, then set what you need. A library that
 * is older than the caller's header refuses such a structure if it sets a member the library does
 * not know, and accepts it otherwise.
 */
#ifndef CONSORT_H
#define CONSORT_H

#include <stddef.h>
#include <stdint.h>

#if defined(_WIN32)
#define CONSORT_API
#elif defined(CONSORT_BUILDING) && defined(__GNUC__)
#define CONSORT_API __attribute__((visibility("default")))
#else
#define CONSORT_API
#endif

/* The version this header belongs to: see section 12. */
#define CONSORT_VERSION_MAJOR 0
#define CONSORT_VERSION_MINOR 1
#define CONSORT_VERSION_PATCH 0

#ifdef __cplusplus
extern "C" {
#endif

/*
 * ------------------------------------------------------------------------------------------------
 * 3. STATUS AND ERRORS
 * ------------------------------------------------------------------------------------------------
 *
 * Every function that can fail returns a consort_status: 0 is success, everything else an error.
 * The numbers below are pinned: they never change their meaning.
 */
typedef int32_t consort_status;

enum {
    CONSORT_OK = 0,
    /* An argument is invalid: NULL where an array is needed, an unknown enumerator, a count above
     * the plan's maximum, sizes whose product does not fit, an unknown member in a newer struct. */
    CONSORT_ERROR_ARGUMENT = 1,
    /* The request is well formed, but nothing here can do it: found when the plan is made. */
    CONSORT_ERROR_UNSUPPORTED = 2,
    /* Host memory ran out. */
    CONSORT_ERROR_MEMORY = 3,
    /* Device memory ran out. */
    CONSORT_ERROR_DEVICE_MEMORY = 4,
    /* The workspace is too small, or no algorithm fits the workspace limit. The message names the
     * least that works. */
    CONSORT_ERROR_WORKSPACE = 5,
    /* Two arrays overlap partly, or an output (the workspace and the outcome, too) overlaps another
     * argument. */
    CONSORT_ERROR_OVERLAP = 6,
    /* A pointer is not aligned as its type needs. */
    CONSORT_ERROR_ALIGNMENT = 7,
    /* Segment offsets decrease or pass the end of the array. */
    CONSORT_ERROR_OFFSETS = 8,
    /* The progress function, the cancel flag, or a read or write function stopped the run. */
    CONSORT_ERROR_CANCELLED = 9,
    /* A GPU was asked for by force, and there is no driver, no device or no such device. */
    CONSORT_ERROR_NO_DEVICE = 10,
    /* There is a GPU, but this build has no kernels for its architecture. */
    CONSORT_ERROR_NO_KERNEL = 11,
    /* A driver call failed; consort_last_error() has its name and number. */
    CONSORT_ERROR_DRIVER = 12,
    /* The device vanished or faulted; what was in its memory is lost. */
    CONSORT_ERROR_DEVICE_LOST = 13,
    /* Not allowed while the stream is being captured into a graph. */
    CONSORT_ERROR_CAPTURE = 14,
    /* The operating system refused something; consort_last_error() has its errno. */
    CONSORT_ERROR_SYSTEM = 15,
    /* A bug in consort. Please report it with the message. */
    CONSORT_ERROR_INTERNAL = 16
};

/* The enumerator's name, "CONSORT_ERROR_OVERLAP"; "CONSORT_ERROR_?" for an unknown number. Never
 * NULL; static storage. */
CONSORT_API const char *consort_status_name(consort_status status);

/* One English sentence without a full stop: "two arrays overlap". Never NULL; static storage. */
CONSORT_API const char *consort_status_string(consort_status status);

/*
 * What went wrong last in this thread. `message` says what, where and what to do; it names values
 * ("value column 1 is NULL, but the count is 12"). It stays valid until this thread's next call of
 * a function that fails. `input_whole` is 1 if the input still holds what it held, 0 if a failed
 * in-place run left it permuted or damaged.
 */
typedef struct consort_error {
    consort_status status;
    int32_t os_error;     /* errno, or 0 */
    int32_t driver_error; /* CUresult, or 0 */
    int32_t input_whole;
    const char *message;
} consort_error;

/* Never NULL. Before the first failure: CONSORT_OK and an empty message. Success leaves it. */
CONSORT_API const consort_error *consort_last_error(void);

/*
 * ------------------------------------------------------------------------------------------------
 * 4. TYPES AND ORDERS
 * ------------------------------------------------------------------------------------------------
 *
 * A type is one int32_t made of three parts: the kind (what the bytes mean), the number of bytes,
 * and the byte order. The named ones:
 */
typedef int32_t consort_type;

/* Kinds: bits 8…15 of a type. */
enum {
    CONSORT_KIND_UNSIGNED = 1, /* 1, 2, 4, 8, 16 bytes */
    CONSORT_KIND_SIGNED = 2,   /* two's complement; 1, 2, 4, 8, 16 bytes */
    CONSORT_KIND_FLOAT = 3,    /* IEEE 754 binary16, binary32, binary64: 2, 4, 8 bytes */
    CONSORT_KIND_BFLOAT = 4,   /* bfloat16: 2 bytes */
    CONSORT_KIND_BYTES = 5,    /* byte string of 1…255 bytes, compared as memcmp does */
    CONSORT_KIND_RECORD = 6,   /* a record of any size; the order comes from its key fields */
    CONSORT_KIND_CALLBACK = 7  /* elements of any size, ordered by a function (CPU only) */
};

/* Byte orders: bits 16…17 of a type. Byte strings, records and callback elements have none. */
enum {
    CONSORT_NATIVE = 0,
    CONSORT_LITTLE_ENDIAN = 1,
    CONSORT_BIG_ENDIAN = 2
};

enum {
    CONSORT_U8 = 0x0101,
    CONSORT_U16 = 0x0102,
    CONSORT_U32 = 0x0104,
    CONSORT_U64 = 0x0108,
    CONSORT_U128 = 0x0110,
    CONSORT_I8 = 0x0201,
    CONSORT_I16 = 0x0202,
    CONSORT_I32 = 0x0204,
    CONSORT_I64 = 0x0208,
    CONSORT_I128 = 0x0210,
    CONSORT_F16 = 0x0302,
    CONSORT_F32 = 0x0304,
    CONSORT_F64 = 0x0308,
    CONSORT_BF16 = 0x0402,
    CONSORT_RECORD = 0x0600,  /* bytes per record and key fields stand in the descriptor */
    CONSORT_CALLBACK = 0x0700 /* bytes per element and the function stand in the descriptor */
};

/* The type of byte strings of `length` bytes, 1…255; 0 (no type) for any other length. */
CONSORT_API consort_type consort_type_bytes(uint32_t length);

/* The same type stored in `byte_order`; 0 if either is invalid or the type has no byte order. */
CONSORT_API consort_type consort_type_with_byte_order(consort_type type, int32_t byte_order);

/* Bytes of one item; 0 for records, callback elements and invalid types. */
CONSORT_API uint32_t consort_type_size(consort_type type);

/* 1 if `type` is one of those above, in any byte order; else 0. */
CONSORT_API int32_t consort_type_valid(consort_type type);

/* "u32", "f16", "bytes:16"; a fixed byte order is written before it: "be:u32", "le:f64". Reads such
 * a name (at most 15 characters, case matters): CONSORT_ERROR_ARGUMENT if it is none. */
CONSORT_API consort_status consort_type_parse(const char *name, consort_type *type);

/* Writes the name and a NUL into `name`, which has room for `size` characters (16 is enough). */
CONSORT_API consort_status consort_type_name(consort_type type, char *name, size_t size);

/* Direction. Descending is not the reverse of ascending: equal keys keep their order in both. */
enum {
    CONSORT_ASCENDING = 0,
    CONSORT_DESCENDING = 1
};

/*
 * Where floats that are no ordinary numbers go. Ignored for other kinds.
 *
 *   NAN_LAST     numbers by value, −0 before +0 (after it if descending), then every NaN, last in
 *                both directions. The default.
 *   NAN_FIRST    every NaN first in both directions, then numbers as with NAN_LAST.
 *   TOTAL_ORDER  IEEE 754 totalOrder: −NaN, −Inf, …, −0, +0, …, +Inf, +NaN; descending is its exact
 *                opposite.
 *   NUMPY_ORDER  as numpy.sort(kind="stable"): −0 equals +0, every NaN equals every other NaN, NaN
 *                last in both directions; equal items keep their order, and their bits.
 *
 * In the first three NaNs differ by sign and payload (all bits but the sign) and are ordered by
 * them, so every result is unique; no bit of a key is ever changed. NAN_LAST and NAN_FIRST have
 * the positive NaNs by rising payload, then the negative ones by falling payload; descending, the
 * exact opposite of that.
 */
enum {
    CONSORT_NAN_LAST = 0,
    CONSORT_NAN_FIRST = 1,
    CONSORT_TOTAL_ORDER = 2,
    CONSORT_NUMPY_ORDER = 3
};

/*
 * ------------------------------------------------------------------------------------------------
 * 5. CONTEXTS
 * ------------------------------------------------------------------------------------------------
 *
 * A context owns what runs share: worker threads, memory, device handles. NULL means the process's
 * default context, made when first needed, with as many threads as the process may use processors.
 * Threads that run at the same time in one context share its workers.
 */
typedef struct consort_context consort_context;

typedef struct consort_context_options {
    size_t size;
    /* Threads a run may use, the caller's included; 0 = as many as there are processors. */
    uint32_t threads;
    uint32_t reserved;
    /* Host memory; both NULL = malloc and free. `allocate` returns NULL when it has none; memory
     * is at least 16-byte aligned. Called from the thread that runs. */
    void *(*allocate)(void *allocator, size_t bytes);
    void (*release)(void *allocator, void *memory, size_t bytes);
    void *allocator;
} consort_context_options;

CONSORT_API void consort_context_options_init(consort_context_options *options);

/* `options` may be NULL. On failure *context is NULL. Errors: ARGUMENT, MEMORY. Threads that cannot
 * be started make the context smaller; that is no error. */
CONSORT_API consort_status consort_context_create(const consort_context_options *options,
                                                  consort_context **context);

/* Plans made with it must be gone. NULL is allowed. */
CONSORT_API void consort_context_destroy(consort_context *context);

/*
 * ------------------------------------------------------------------------------------------------
 * 6. OPTIONS
 * ------------------------------------------------------------------------------------------------
 *
 * How to sort. NULL instead of options means the defaults that consort_options_init sets.
 */
enum {
    CONSORT_ENGINE_AUTO = 0, /* the planner's choice */
    CONSORT_ENGINE_CPU = 1,
    CONSORT_ENGINE_CUDA = 2 /* an NVIDIA GPU; see `device` */
};

/* options.device: every GPU of the machine together, for arrays in host memory. One that is full or
 * fails is done without; an error comes only when none is left. Sorts and argsorts use several
 * where the planner finds that faster, or if "merge-chunks" is forced; everything else uses the
 * first. */
enum {
    CONSORT_DEVICE_ALL = -2
};

/* A named number for one algorithm, as consort_algorithm_info lists them: {"block", 128}. */
typedef struct consort_parameter {
    const char *name;
    int64_t value;
} consort_parameter;

typedef struct consort_options {
    size_t size;
    /* NULL = the default context. */
    consort_context *context;
    /* CONSORT_ASCENDING or CONSORT_DESCENDING. Records: 0; their fields have their own. */
    int32_t direction;
    /* CONSORT_NAN_LAST … CONSORT_NUMPY_ORDER. Records: 0; their fields have their own. */
    int32_t float_order;
    /* 1 (default): items with equal keys keep their order. 0: values of equal keys may come out in
     * any order, different ones each time, if that is faster; so may records, and the −0 and +0 or
     * the NaNs of CONSORT_NUMPY_ORDER. All other keys alone: the same result. */
    int32_t stable;
    /* CONSORT_ENGINE_AUTO, or an engine by force. */
    int32_t engine;
    /* Device number for CONSORT_ENGINE_CUDA, or CONSORT_DEVICE_ALL; −1 (default) = the planner's
     * choice of one. */
    int32_t device;
    /* Threads for this plan; 0 (default) = the context's. More than the context has is no error. */
    uint32_t threads;
    /* An algorithm by force, by the name consort_algorithm_info lists; NULL (default) = the
     * planner's choice, which never takes a quadratic one. A name that the chosen engine lacks for
     * the operation, or that cannot do this request, fails when the plan is made. */
    const char *algorithm;
    /* Parameters for the algorithm by force; unknown names and bad values are refused. */
    const consort_parameter *parameters;
    uint64_t parameter_count;
    /* At most so many bytes of workspace; UINT64_MAX (default) = no limit, 0 = none at all. The
     * planner takes the fastest algorithm that fits. */
    uint64_t workspace_limit;
} consort_options;

CONSORT_API void consort_options_init(consort_options *options);

/*
 * ------------------------------------------------------------------------------------------------
 * 7. COLUMNS AND FIELDS
 * ------------------------------------------------------------------------------------------------
 *
 * A column of values that moves with the keys: item i belongs to key i. `element_bytes` is any size
 * from 1 up. `in` = `out` moves in place. The layout of this struct is final.
 */
typedef struct consort_column {
    const void *in;
    void *out;
    /* Only for merge: the values of the second list; else NULL. */
    const void *in_b;
    uint64_t element_bytes;
} consort_column;

/*
 * A part of a list that is spread over the memory of several GPUs (CONSORT_MEMORY_SPREAD). The list
 * is the parts' items in the order of the parts, and so is the result: each part gets back as many
 * items as it had. Parts may be empty, and of any mix of lengths. All arrays of a part are in the
 * memory of its device, or managed. The layout of this struct is final.
 */
typedef struct consort_part {
    int32_t device;
    int32_t reserved; /* 0 */
    uint64_t count;
    const void *in;
    void *out; /* may be `in`; argsort: NULL */
    /* As many columns as there are; NULL without values. */
    const consort_column *values;
    /* Argsort: where this part's indices go; they count through the whole list. */
    void *indices;
} consort_part;

/*
 * One key field of a record. Fields compare in the order given: the second decides where the first
 * is equal. The field must lie inside the record; it needs no alignment; fields may overlap. The
 * layout of this struct is final.
 */
typedef struct consort_field {
    uint64_t offset;
    consort_type type; /* any type but CONSORT_RECORD and CONSORT_CALLBACK */
    int32_t direction;
    int32_t float_order;
    int32_t reserved; /* 0 */
} consort_field;

/*
 * A comparison of two elements: negative if a comes before b, 0 if equal, positive if after. It
 * must be a strict weak order, must not modify the elements, and may be called on several threads
 * at once. Pointers have no alignment beyond that of the array. A comparison that contradicts
 * itself gives an unspecified permutation of the input, never a crash.
 */
typedef int32_t (*consort_compare)(void *context, const void *a, const void *b);

/*
 * ------------------------------------------------------------------------------------------------
 * 8. ONE-CALL FUNCTIONS
 * ------------------------------------------------------------------------------------------------
 *
 * Each plans, takes its plan's workspace from the context, runs, waits. `options` may be NULL. They
 * return CONSORT_OK or any error of section 3.
 *
 * Cost on the CPU for n items: radix sorts read and write each item about bytes/1.2 times, merge
 * sorts log2(n) times; flat, sorted and strictly reversed input is found in one read.
 */

/* Sorts `count` keys of a scalar or byte-string type. */
CONSORT_API consort_status consort_sort(const void *in, void *out, uint64_t count,
                                        consort_type type, const consort_options *options);

/* Sorts keys and moves `value_count` columns of values with them. Columns whose places overlap each
 * other or the keys are an error. */
CONSORT_API consort_status consort_sort_pairs(const void *keys_in, void *keys_out,
                                              const consort_column *values, uint32_t value_count,
                                              uint64_t count, consort_type type,
                                              const consort_options *options);

/* Writes the permutation that sorts: indices[j] is the position in `keys` of the j-th item.
 * `index_type` is CONSORT_U32 (count ≤ 2³²) or CONSORT_U64. Keys are only read. */
CONSORT_API consort_status consort_argsort(const void *keys, void *indices, consort_type index_type,
                                           uint64_t count, consort_type type,
                                           const consort_options *options);

/* Sorts a list that is spread over several GPUs, 1 to 16 parts (section 7): scalar keys or byte
 * strings (records: by a plan), and `value_count` columns of values with them, each of the same
 * element_bytes in all parts. Without peer access between two GPUs the driver carries items through
 * host memory. Stable by default. options.device must not be set. If a GPU is lost midway, the
 * error is DEVICE_LOST and names it: what was in its memory is gone. */
CONSORT_API consort_status consort_sort_spread(const consort_part *parts, uint32_t part_count,
                                               uint32_t value_count, consort_type type,
                                               const consort_options *options);

/* Writes the permutation that sorts such a list: `indices` of the parts, one after the other. */
CONSORT_API consort_status consort_argsort_spread(const consort_part *parts, uint32_t part_count,
                                                  consort_type index_type, consort_type type,
                                                  const consort_options *options);

/* Sorts `count` records of `record_bytes` bytes each by `field_count` ≥ 1 key fields: a
 * multi-column order. */
CONSORT_API consort_status consort_sort_records(const void *in, void *out, uint64_t count,
                                                uint64_t record_bytes, const consort_field *fields,
                                                uint32_t field_count,
                                                const consort_options *options);

/* Sorts elements of `element_bytes` bytes by a function of the caller: CPU only, stable merge sort
 * (Knuth, The Art of Computer Programming 3, 5.2.4). CONSORT_ENGINE_CUDA is refused. `options` must
 * not set direction or float_order. */
CONSORT_API consort_status consort_sort_by(const void *in, void *out, uint64_t count,
                                           uint64_t element_bytes, consort_compare compare,
                                           void *compare_context, const consort_options *options);

/* Merges two sorted lists into `out` (count_a + count_b items). Stable: of equal keys those of `a`
 * come first. `out` and the columns' `out` must not overlap any input. Values: `in` belongs to a,
 * `in_b` to b. If a list is not sorted the result is an unspecified permutation of both. */
CONSORT_API consort_status consort_merge(const void *a, uint64_t count_a, const void *b,
                                         uint64_t count_b, void *out, const consort_column *values,
                                         uint32_t value_count, consort_type type,
                                         const consort_options *options);

/* Sorts each segment of an array by itself. Segment s is items [offsets[s], offsets[s + 1]); there
 * are segment_count + 1 offsets of `offset_type` CONSORT_U32 or CONSORT_U64, non-decreasing, the
 * last ≤ count: else CONSORT_ERROR_OFFSETS, with nothing written by a host run. Items outside all
 * segments are copied unchanged. Segments may be empty; any mix of lengths. */
CONSORT_API consort_status consort_segmented_sort(const void *in, void *out, uint64_t count,
                                                  const void *offsets, consort_type offset_type,
                                                  uint64_t segment_count,
                                                  const consort_column *values,
                                                  uint32_t value_count, consort_type type,
                                                  const consort_options *options);

/* The first min(k, count) items of the order, sorted: ascending gives the smallest, descending the
 * largest. Of equal keys the lowest index is taken first. `keys_out` and `indices_out` each have
 * room for min(k, count) items; one of them may be NULL. The input is only read; an output must not
 * overlap it. `index_type` as for argsort, ignored without indices. */
CONSORT_API consort_status consort_top_k(const void *in, uint64_t count, uint64_t k, void *keys_out,
                                         void *indices_out, consort_type index_type,
                                         consort_type type, const consort_options *options);

/* *first_disorder = the least i with item i before item i − 1 in the order, or `count` if there is
 * none: sorted. Reads no further than it must, give or take a block per thread. */
CONSORT_API consort_status consort_is_sorted(const void *keys, uint64_t count, consort_type type,
                                             const consort_options *options,
                                             uint64_t *first_disorder);

/*
 * ------------------------------------------------------------------------------------------------
 * 9. PLANS: DESCRIPTOR AND CREATION
 * ------------------------------------------------------------------------------------------------
 *
 * A descriptor says what will be done; the plan made from it is immutable, has chosen engine and
 * algorithm, has loaded what it needs, and knows its workspace, which depends on nothing but the
 * descriptor. What cannot be done is refused here, not when running. Members that an operation has
 * no use for are not looked at.
 */
enum {
    CONSORT_OPERATION_SORT = 1,           /* keys, pairs, records or callback elements */
    CONSORT_OPERATION_ARGSORT = 2,        /* the permutation only */
    CONSORT_OPERATION_MERGE = 3,          /* two sorted lists */
    CONSORT_OPERATION_SEGMENTED_SORT = 4, /* many arrays in one */
    CONSORT_OPERATION_TOP_K = 5,          /* the first k of the order */
    CONSORT_OPERATION_IS_SORTED = 6       /* the first disorder */
};

/*
 * Where the arrays of a run live.
 *
 * HOST: runs block until done. Each array may be ordinary, pinned or managed memory, and with a
 * plan that runs on a GPU also device memory, of that GPU or another. A plan that runs on the CPU
 * refuses device memory with ARGUMENT; one-call functions go to the array's GPU unless an engine
 * is forced. A run that finds a managed or device array first waits for the stream it was given.
 *
 * DEVICE: runs are queued on a stream. Arrays, workspace and outcome are what kernels of the plan's
 * device can reach: its own memory, managed or pinned memory, and that of a peer, to which access
 * is enabled. Other host memory is refused with ARGUMENT where the device cannot read it, and
 * memory of a device that is no peer always.
 *
 * SPREAD: SORT and ARGSORT of a list that lies in the memory of several GPUs, as parts (section 7):
 * the list is all parts, one after the other. Runs block until done, and first wait for what is
 * queued on the stream they are given, or, without one, on each device's default stream; they take
 * device memory from the context's pools, about that of the part once more on each device.
 */
enum {
    CONSORT_MEMORY_HOST = 0,
    CONSORT_MEMORY_DEVICE = 1,
    CONSORT_MEMORY_SPREAD = 2
};

/* What happens to input and output. */
enum {
    /* The result is in `out`. `in` is kept, or is the same place. */
    CONSORT_FORM_COPY = 0,
    /* SORT and SEGMENTED_SORT: `in` and `out` are two different buffers that may both be
     * overwritten; outcome->buffer says where the result is: 0 = in, 1 = out. SORT then takes no
     * further array: on the CPU lsd, msd and merge with keys alone, on GPUs with one column too. */
    CONSORT_FORM_DOUBLE_BUFFER = 1,
    /* SORT of keys alone, whose order tells different bytes apart, in host memory, on the CPU:
     * items come through arguments.read and go through arguments.write; `in` and `out` are NULL.
     * For input and output on a disk: items are sorted while others are read and written, and
     * memory (the workspace) holds them once, of keys of 8 and 16 bits no more than a piece for
     * each thread. */
    CONSORT_FORM_PIECES = 2,
    /* As CONSORT_FORM_COPY, but `in` and `out`, also of columns, are never the same place: a run in
     * place is CONSORT_ERROR_OVERLAP. On a device a plan needs no workspace for that. */
    CONSORT_FORM_APART = 3
};

typedef struct consort_descriptor {
    size_t size;
    int32_t operation;
    /* Type of the keys; CONSORT_RECORD or CONSORT_CALLBACK need the members below. */
    consort_type type;
    /* Runs may have at most so many items (MERGE: both lists together). */
    uint64_t maximum_count;
    /* The columns of values: how many, and the bytes of an element of each. */
    const uint64_t *value_bytes;
    uint32_t value_count;
    /* ARGSORT and TOP_K with indices: CONSORT_U32 or CONSORT_U64; 0 = TOP_K without indices. */
    consort_type index_type;
    /* CONSORT_RECORD and CONSORT_CALLBACK: bytes of one item. */
    uint64_t record_bytes;
    const consort_field *fields;
    uint32_t field_count;
    /* SEGMENTED_SORT: CONSORT_U32 or CONSORT_U64. */
    consort_type offset_type;
    uint64_t maximum_segments;
    /* TOP_K: the largest k of a run, and the most rows of equal length it selects from at once. */
    uint64_t maximum_k;
    uint64_t maximum_rows;
    consort_compare compare;
    void *compare_context;
    int32_t memory;
    int32_t form;
    /* NULL = defaults. Copied, like every array a descriptor points to, except the context and the
     * compare_context, which must outlive the plan. */
    const consort_options *options;
    /* CONSORT_MEMORY_SPREAD: the devices of the parts, in the order of the parts, 1 to 16; one may
     * have several parts. maximum_count is that of all parts together. */
    const int32_t *devices;
    uint64_t device_count;
    /* CONSORT_MEMORY_DEVICE: 1 if runs come again with the same arguments, columns, workspace and
     * stream, as in a loop over the same buffers; 0 (default) if not. What arrays hold may change.
     * The second such run records its launches as a CUDA graph, later ones replay it: the GPU waits
     * less, and the host makes one driver call instead of several (docs/gpu.md has figures). The 8
     * runs that came last are remembered; in whose memory their arrays are is looked up until they
     * are recorded, not again. Recording takes about 0.1 ms and memory of the driver's; no other
     * run allocates. What cannot be recorded, and runs on a stream that is being captured, are
     * launched kernel by kernel, as without it. */
    int32_t replay;
    int32_t reserved; /* 0 */
} consort_descriptor;

/* All members 0, `size` set, maximum_rows = 1. */
CONSORT_API void consort_descriptor_init(consort_descriptor *descriptor);

typedef struct consort_plan consort_plan;

/* On failure *plan is NULL. Errors: ARGUMENT, UNSUPPORTED, MEMORY, WORKSPACE (nothing fits the
 * limit), NO_DEVICE, NO_KERNEL, DRIVER. */
CONSORT_API consort_status consort_plan_create(const consort_descriptor *descriptor,
                                               consort_plan **plan);

/* NULL is allowed. Queued device runs must have finished. */
CONSORT_API void consort_plan_destroy(consort_plan *plan);

/* Bytes of workspace a run of this plan needs; may be 0, as for short lists on a GPU: then NULL
 * will do (cuMemAlloc refuses 0 bytes). Host workspace needs 64-byte alignment, device workspace
 * 256. */
CONSORT_API uint64_t consort_plan_workspace(const consort_plan *plan);

/* What the planner decided, whatever runs then have to do: one whose GPU fails or has not enough
 * memory left may go by another algorithm, or on the CPU. The log says so, these members do not,
 * and the counters of such a run are 0. Strings live as long as the plan. */
typedef struct consort_plan_info {
    size_t size;
    const char *algorithm;
    int32_t engine;
    int32_t device;         /* −1 on the CPU; CONSORT_DEVICE_ALL if it may use several */
    uint32_t threads;       /* most threads a run uses; 0 on a device */
    int32_t stable;         /* 1: this plan is stable, asked for or not */
    uint64_t workspace;     /* as consort_plan_workspace */
    uint64_t alignment;     /* of the workspace */
    int32_t capturable;     /* 1: runs may be captured into a CUDA graph */
    uint32_t counter_count; /* how many of consort_outcome.counters this algorithm fills */
} consort_plan_info;

CONSORT_API void consort_plan_info_init(consort_plan_info *info);
CONSORT_API consort_status consort_plan_get_info(const consort_plan *plan, consort_plan_info *info);

/* The name of a counter, 0 ≤ index < counter_count: "passes", "rounds"; NULL beyond. */
CONSORT_API const char *consort_plan_counter_name(const consort_plan *plan, uint32_t index);

/*
 * ------------------------------------------------------------------------------------------------
 * 10. PLANS: ARGUMENTS AND RUNNING
 * ------------------------------------------------------------------------------------------------
 *
 * What a run tells. Host runs write it before they return, in host memory; device runs write it in
 * device memory, in stream order, and never read it. The layout is final.
 */
typedef struct consort_outcome {
    consort_status status; /* late errors of device runs: OFFSETS */
    int32_t buffer;        /* CONSORT_FORM_DOUBLE_BUFFER: 0 = result in `in`, 1 = in `out` */
    uint64_t position;     /* IS_SORTED: the first disorder, or the count. OFFSETS: bad segment */
    uint64_t counters[14]; /* by algorithm: consort_plan_counter_name; 0 if another had to do it */
} consort_outcome;

/* Reports that `done` of `total` units of work are done; units are the algorithm's own. Called on
 * the thread that runs. `done` never falls and `total` stays, even if a GPU fails and others or the
 * CPU begin again. Anything but 0 cancels. */
typedef int32_t (*consort_progress)(void *context, uint64_t done, uint64_t total);

/*
 * CONSORT_FORM_PIECES: brings items [first, first + count) of the input into `items`; takes these
 * items of the result from there. Read comes for a sample (of keys of more than 16 bits), then once
 * for every item, then write once for every item. Called by the threads of the run, several at once
 * and in any order of `first`; calls at the same time differ in `worker`, 0 … threads − 1. Pieces
 * are of 8 MiB and less, and `items` lies like the items in a file: its address and first * bytes
 * are equal modulo 4096. A context with some threads more than there are processors keeps these
 * busy while some wait for the disk. Anything but 0 ends the run with CONSORT_ERROR_CANCELLED.
 */
typedef int32_t (*consort_read)(void *context, uint64_t first, uint64_t count, void *items,
                                uint32_t worker);
typedef int32_t (*consort_write)(void *context, uint64_t first, uint64_t count, const void *items,
                                 uint32_t worker);

typedef struct consort_arguments {
    size_t size;
    /* Items, ≤ the plan's maximum_count. MERGE: of the first list. TOP_K: of all rows together, a
     * multiple of `rows`. */
    uint64_t count;
    /* Reserved for a count that stands in device memory; must be NULL. */
    const uint64_t *device_count;
    const void *in;
    void *out; /* ARGSORT and IS_SORTED: NULL; TOP_K: NULL if only indices are wanted */
    /* As many columns as the plan has; element_bytes must be those of the plan. */
    const consort_column *values;
    /* ARGSORT and TOP_K: where indices go. Row r of TOP_K: from r * min(k, row length), counted
     * within its row. */
    void *indices;
    /* MERGE: the second list. */
    const void *in_b;
    uint64_t count_b;
    /* SEGMENTED_SORT. */
    const void *offsets;
    uint64_t segment_count;
    /* TOP_K: k ≤ maximum_k; 1 ≤ rows ≤ maximum_rows (1 by default). */
    uint64_t k;
    uint64_t rows;
    /* NULL if nobody asks; needed by IS_SORTED and CONSORT_FORM_DOUBLE_BUFFER. */
    consort_outcome *outcome;
    /* Runs that block only; NULL if nobody asks. */
    consort_progress progress;
    void *progress_context;
    /* Runs that block only: any thread may write non-zero to stop the run soon; NULL if nobody
     * does. */
    const volatile int32_t *cancel;
    /* CONSORT_MEMORY_SPREAD: as many parts as the plan has devices; `count` is their sum, and in,
     * out, values and indices above are NULL. */
    const consort_part *parts;
    /* CONSORT_FORM_PIECES only. */
    consort_read read;
    consort_write write;
    void *pieces_context;
} consort_arguments;

/* All members 0 or NULL, `size` set, rows = 1. */
CONSORT_API void consort_arguments_init(consort_arguments *arguments);

/* A CUstream (= cudaStream_t). NULL = the default stream. Host plans refuse one that is being
 * captured, wait for it if an array is device or managed memory, and ignore it otherwise. */
typedef void *consort_stream;

/*
 * Runs a plan. `workspace` has at least consort_plan_workspace(plan) bytes, in the memory that the
 * plan's arrays are in; host plans may pass NULL and 0, and then take it from the context.
 *
 * Host plans return when the result is complete. Device plans return when everything is queued: no
 * allocation (but where descriptor.replay records), no synchronisation, no copy to the host, the
 * same launches whatever the data.
 *
 * Errors: ARGUMENT, WORKSPACE, OVERLAP, ALIGNMENT, OFFSETS, MEMORY and CAPTURE leave every array
 * untouched. All others, as CANCELLED, DEVICE_MEMORY, DRIVER and DEVICE_LOST, may leave outputs,
 * and an input that is sorted in place, in any state: consort_last_error()->input_whole says
 * whether the input still stands.
 */
CONSORT_API consort_status consort_plan_run(const consort_plan *plan,
                                            const consort_arguments *arguments, void *workspace,
                                            uint64_t workspace_bytes, consort_stream stream);

/*
 * ------------------------------------------------------------------------------------------------
 * 11. WHAT IS THERE
 * ------------------------------------------------------------------------------------------------
 *
 * Algorithms. The registry: one entry for each (operation, engine, name). Strings are static.
 */
typedef struct consort_parameter_info {
    const char *name;
    const char *summary;
    int64_t minimum;
    int64_t maximum;
    int64_t standard; /* the value when none is given */
} consort_parameter_info;

typedef struct consort_algorithm_info {
    size_t size;
    const char *name;    /* "lsd", "merge", … */
    const char *summary; /* one sentence, with its source */
    int32_t operation;
    int32_t engine;
    int32_t stable;    /* 1: can do stable runs with values */
    int32_t quadratic; /* 1: takes quadratic time; never chosen unless forced */
    int32_t serial;    /* 1: uses one thread whatever the plan has */
    uint32_t parameter_count;
    const consort_parameter_info *parameters;
} consort_algorithm_info;

CONSORT_API void consort_algorithm_info_init(consort_algorithm_info *info);

CONSORT_API uint32_t consort_algorithm_count(void);

/* 0 ≤ index < consort_algorithm_count(), else ARGUMENT. The order is fixed within a version. */
CONSORT_API consort_status consort_algorithm_get_info(uint32_t index, consort_algorithm_info *info);

/* "sort", "argsort", …; "cpu", "cuda"; "?" for unknown numbers. Static storage. */
CONSORT_API const char *consort_operation_name(int32_t operation);
CONSORT_API const char *consort_engine_name(int32_t engine);

/*
 * GPUs, numbered as options.device counts them. These functions start the driver, but nothing on a
 * GPU; without a driver there are none.
 */
typedef struct consort_device_info {
    size_t size;
    const char *name;   /* "NVIDIA H200"; static storage */
    int32_t capability; /* compute capability, 90 for 9.0 */
    int32_t processors; /* streaming multiprocessors */
    uint64_t memory;    /* bytes in all */
    int32_t in_all;     /* 1: one of those that CONSORT_DEVICE_ALL uses, if it works */
    int32_t reserved;
} consort_device_info;

CONSORT_API void consort_device_info_init(consort_device_info *info);

CONSORT_API uint32_t consort_device_count(void);

/* Errors: ARGUMENT, NO_DEVICE, DRIVER. */
CONSORT_API consort_status consort_device_get_info(int32_t device, consort_device_info *info);

/* 1: the GPU `device` can read and write the memory of `peer` without the host's help. 0: it
 * cannot, or one of them is not there. A GPU reaches itself. */
CONSORT_API int32_t consort_device_reaches(int32_t device, int32_t peer);

/*
 * ------------------------------------------------------------------------------------------------
 * 12. VERSIONS AND BUILD FACTS
 * ------------------------------------------------------------------------------------------------
 *
 * Semantic versioning; until 1.0 a minor version may break the ABI and then changes the soname.
 * consort_version() is that of the library at run time: major * 1000000 + minor * 1000 + patch.
 */
CONSORT_API uint32_t consort_version(void);

/* "0.1.0". Static storage. */
CONSORT_API const char *consort_version_string(void);

/* Facts about the build, one "name: value" a line: compiler, instruction sets, kernel
 * architectures. For people; the content may change. Static storage. */
CONSORT_API const char *consort_build_info(void);

#ifdef __cplusplus
}
#endif

#endif
