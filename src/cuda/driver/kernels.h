/* SPDX-License-Identifier: Apache-2.0 */
/* Kernels: embedded fatbins, loaded once per device when a plan first needs one. */
#ifndef CONSORT_CUDA_KERNELS_H
#define CONSORT_CUDA_KERNELS_H

#include "cuda/driver/device.h"

/* The embedded fatbins, one per algorithm folder; a table the build writes. */
struct kernels_image {
    const char *name; /* "lsd" */
    const unsigned char *bytes;
};

extern const struct kernels_image kernels_images[];
extern const uint32_t kernels_image_count;

/* The function `name` of image `image` on a device that is entered, with room for `shared` bytes of
 * dynamic shared memory. Loads the image if it is not loaded; NULL, with the error recorded. */
CUfunction kernels_find(const struct device *device, const char *image, const char *name,
                        uint32_t shared);

#endif
