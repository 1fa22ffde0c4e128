/* SPDX-License-Identifier: Apache-2.0 */
#include "trial_share.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

enum {
    FEW = 4
};

/* False: nobody said. */
static bool trial_share_read(unsigned *share, unsigned *shares)
{
    const char *text = getenv("CONSORT_TEST_SHARE");
    char rest;
    if (text && (sscanf(text, "%u/%u%c", share, shares, &rest) != 2 || *share >= *shares))
        fail_msg("CONSORT_TEST_SHARE=%s is not K/N with K < N", text);
    return text != NULL;
}

bool trial_share_takes_next(void)
{
    static unsigned number;
    unsigned share, shares;
    return !trial_share_read(&share, &shares) || number++ % shares == share;
}

bool trial_share_takes_test(void)
{
    unsigned share, shares;
    return !trial_share_read(&share, &shares) || shares <= FEW || trial_share_takes_next();
}
