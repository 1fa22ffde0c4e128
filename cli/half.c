/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The two 16-bit float formats. Rounding decimal text to double and that to 16 bits would round
 * twice; the double in between is therefore rounded "to odd", after which the second rounding
 * gives what a single one would (Boldo and Melquiond, "Emulation of FMA and correctly rounded
 * sums: proved algorithms using rounding to odd", IEEE Transactions on Computers 57, 2008).
 */
#include "half.h"

#include <fenv.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

double half_to_double(uint16_t bits, bool brain)
{
    int fraction_bits = brain ? 7 : 10;
    int exponent_bits = 15 - fraction_bits;
    int bias = (1 << (exponent_bits - 1)) - 1;
    int exponent = bits >> fraction_bits & ((1 << exponent_bits) - 1);
    int fraction = bits & ((1 << fraction_bits) - 1);
    double value;
    if (exponent == (1 << exponent_bits) - 1)
        value = fraction ? (double)NAN : (double)INFINITY;
    else if (exponent == 0)
        value = ldexp(fraction, 1 - bias - fraction_bits);
    else
        value = ldexp(fraction + (1 << fraction_bits), exponent - bias - fraction_bits);
    return bits >> 15 ? -value : value;
}

static double half_read_rounding(const char *text, int direction)
{
    int before = fegetround();
    fesetround(direction);
    double value = strtod(text, NULL);
    fesetround(before);
    return value;
}

/* Of the two doubles around the text, if they differ, the one whose last bit is set. */
static double half_read_to_odd(const char *text)
{
    double below = half_read_rounding(text, FE_DOWNWARD);
    double above = half_read_rounding(text, FE_UPWARD);
    uint64_t bits;
    memcpy(&bits, &below, sizeof bits);
    return below == above || (bits & 1) ? below : above;
}

uint16_t half_of_text(const char *text, bool brain)
{
    int fraction_bits = brain ? 7 : 10;
    int bias = brain ? 127 : 15;
    double value = half_read_to_odd(text);
    uint16_t sign = signbit(value) ? 0x8000 : 0;
    uint16_t infinity = (uint16_t)((2 * bias + 1) << fraction_bits);
    value = fabs(value);
    if (isnan(value))
        return (uint16_t)(sign | infinity | 1 << (fraction_bits - 1));
    if (isinf(value) || value == 0)
        return value == 0 ? sign : sign | infinity;
    int exponent;
    frexp(value, &exponent);
    /* value = significand × 2^scale with a whole significand of at most fraction_bits + 1 bits. */
    int scale = (exponent - 1 < 1 - bias ? 1 - bias : exponent - 1) - fraction_bits;
    double significand = nearbyint(ldexp(value, -scale));
    /* A significand that reached the next power of two carries into the exponent by itself. */
    double biased = (double)(scale + fraction_bits + bias - 1) * ldexp(1, fraction_bits);
    double bits = biased + significand;
    return bits >= infinity ? sign | infinity : (uint16_t)(sign | (uint16_t)bits);
}
