/* SPDX-License-Identifier: Apache-2.0 */
#include "trial_share.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

bool trial_share_takes_next(void)
{
    static unsigned number;
    const char *text = getenv("CONSORT_TEST_SHARE");
    unsigned share, shares;
    char rest;
    if (!text)
        return true;
    if (sscanf(text, "%u/%u%c", &share, &shares, &rest) != 2 || share >= shares)
        fail_msg("CONSORT_TEST_SHARE=%s is not K/N with K < N", text);
    return number++ % shares == share;
}
