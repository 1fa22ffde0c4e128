/* SPDX-License-Identifier: Apache-2.0 */
/* Every type but byte strings, in this machine's byte order. */
#include "number_types.h"

const consort_type number_types[NUMBER_TYPES] = {
    CONSORT_U8,  CONSORT_I8,  CONSORT_U16, CONSORT_I16, CONSORT_F16, CONSORT_BF16, CONSORT_U32,
    CONSORT_I32, CONSORT_F32, CONSORT_U64, CONSORT_I64, CONSORT_F64, CONSORT_U128, CONSORT_I128};
