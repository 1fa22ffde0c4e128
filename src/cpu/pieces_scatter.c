/* SPDX-License-Identifier: Apache-2.0 */
/* Distribution among buckets, for each width of keys. */
#include "cpu/pieces_map.h"

enum {
    PIECES_BATCH = 128
};

#define PIECES_BITS 8
#define PIECES_KEY  uint8_t
#include "cpu/pieces_scatter_template.h"
#define PIECES_BITS 16
#define PIECES_KEY  uint16_t
#include "cpu/pieces_scatter_template.h"
#define PIECES_BITS 32
#define PIECES_KEY  uint32_t
#include "cpu/pieces_scatter_template.h"
#define PIECES_BITS 64
#define PIECES_KEY  uint64_t
#include "cpu/pieces_scatter_template.h"
#define PIECES_BITS 128
#define PIECES_KEY  uint128
#include "cpu/pieces_scatter_template.h"

pieces_scatter pieces_scatter_of(uint32_t width)
{
    return width == 1   ? pieces_scatter_u8
           : width == 2 ? pieces_scatter_u16
           : width == 4 ? pieces_scatter_u32
           : width == 8 ? pieces_scatter_u64
                        : pieces_scatter_u128;
}
