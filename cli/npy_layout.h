/* SPDX-License-Identifier: Apache-2.0 */
/* How the items of a .npy file are ordered. A pure function. */
#ifndef CONSORT_CLI_NPY_LAYOUT_H
#define CONSORT_CLI_NPY_LAYOUT_H

#include "layout.h"
#include "npy_header.h"

/* What --key, -r and --float-order say of it. */
struct npy_order {
    const char *const *keys;
    uint32_t key_count;
    int32_t direction;
    int32_t float_order;
};

bool npy_layout_make(const struct npy_header *header, const struct npy_order *order,
                     struct layout *layout, struct problem *problem);

#endif
