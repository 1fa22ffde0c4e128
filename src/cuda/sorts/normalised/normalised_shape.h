/* SPDX-License-Identifier: Apache-2.0 */
/* How a request's keys are cut into codes, and where everything lies in the workspace. */
#ifndef CONSORT_CUDA_NORMALISED_SHAPE_H
#define CONSORT_CUDA_NORMALISED_SHAPE_H

#include "core/request.h"

struct normalised_shape {
    uint64_t key_bytes;    /* of a normalised key */
    uint32_t prefix_bytes; /* that the first sort may look at */
    uint32_t prefix_width; /* bytes of a code in the first sort: 4 or 8 */
    uint32_t code_width;   /* in a round: 8 or 16 */
    uint32_t group_bytes;  /* of a round's code that number the group */
    uint32_t index_bytes;  /* 4 or 8 */
    uint64_t rounds;       /* at most, to tell everything apart */
    bool uses_out;         /* prefixes and homes stand where the result goes */
};

/* Counted in bytes from the start. What is gathered in place rests where the codes were. */
struct normalised_places {
    uint64_t scratch; /* of lsd */
    uint64_t index;   /* of all items: the result; argsort has the caller's */
    uint64_t codes[2];
    uint64_t lists[2]; /* index of tied items */
    uint64_t prefixes; /* before they are sorted; rounds have other things there */
    uint64_t homes[2]; /* places of tied items in the whole */
    uint64_t total;
};

struct normalised_shape normalised_shape_of(const struct request *request);
struct normalised_places normalised_shape_places(const struct request *request);

#endif
