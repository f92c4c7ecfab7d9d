/* Elementary functions of additions, multiplications and divisions only, in a fixed order: the same
 * bytes from every compiler, C library and processor. Within two units in the last place; erfc to
 * 1e-13. See elementary.py. */
#ifndef CAPRESE_ELEMENTARY_H
#define CAPRESE_ELEMENTARY_H

#include <math.h>
#include <stdint.h>
#include <string.h>

#if defined(_MSC_VER) && !defined(__clang__)
#define CAPRESE_INLINE static __forceinline
#else
#define CAPRESE_INLINE static inline
#endif

/* ln 2 in two parts: whole multiples of the first, up to 2^11, are exact. */
#define CAPRESE_LN2_HIGH 6.93147180369123816490e-01
#define CAPRESE_LN2_LOW 1.90821492927058770002e-10

CAPRESE_INLINE double caprese_from_bits(uint64_t bits) {
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

CAPRESE_INLINE uint64_t caprese_to_bits(double x) {
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

/* 2^k for the exponents of normal numbers. */
CAPRESE_INLINE double caprese_power_of_two(int64_t k) {
    return caprese_from_bits((uint64_t)(k + 1023) << 52);
}

/* exp(r) - 1 - r for |r| <= ln(2) / 2, by the first 14 terms of the series. */
CAPRESE_INLINE double caprese_exp_tail(double r) {
    double r2 = r * r, r4 = r2 * r2, r8 = r4 * r4;
    double a = (1.0 / 2 + r * (1.0 / 6)) + r2 * (1.0 / 24 + r * (1.0 / 120));
    double b = (1.0 / 720 + r * (1.0 / 5040)) + r2 * (1.0 / 40320 + r * (1.0 / 362880));
    double c = (1.0 / 3628800 + r * (1.0 / 39916800)) +
               r2 * (1.0 / 479001600 + r * (1.0 / 6227020800.0));
    return r2 * (a + r4 * b + r8 * c);
}

/* The nearest whole multiple of ln 2: x = k ln 2 + high - low. */
CAPRESE_INLINE int64_t caprese_reduce(double x, double *high, double *low) {
    double shift = 6755399441055744.0; /* 1.5 * 2^52: adding it rounds to a whole number */
    double k = (x * 1.44269504088896338700 + shift) - shift;
    *high = x - k * CAPRESE_LN2_HIGH;
    *low = k * CAPRESE_LN2_LOW;
    return (int64_t)k;
}

CAPRESE_INLINE double caprese_exp(double x) {
    double high, low, r, y;
    int64_t k;
    if (!(x > -745.2)) return x != x ? x : 0.0;
    if (x > 709.8) return INFINITY;
    k = caprese_reduce(x, &high, &low);
    r = high - low;
    y = 1.0 + (high - (low - caprese_exp_tail(r)));
    if (k > -1022 && k < 1024) return y * caprese_power_of_two(k);
    /* Two steps where the result overflows or is subnormal. */
    return y * caprese_power_of_two(k / 2) * caprese_power_of_two(k - k / 2);
}

CAPRESE_INLINE double caprese_expm1(double x) {
    double high, low, r, tail, scale;
    int64_t k;
    if (x > 709.8) return INFINITY;
    if (x < -40.0) return -1.0;
    if (x != x) return x;
    if (fabs(x) < 0.34) return x + caprese_exp_tail(x);
    k = caprese_reduce(x, &high, &low);
    r = high - low;
    tail = high - (low - caprese_exp_tail(r));
    if (k == 1024) return (1.0 + tail) * caprese_power_of_two(1023) * 2.0;
    scale = caprese_power_of_two(k);
    if (k > 52) return scale * (1.0 + tail);
    return (scale - 1.0) + scale * tail;
}

/* k ln 2 + log(1 + f) + rest, for f in [sqrt(1/2) - 1, sqrt(2) - 1].
 *
 * With s = f / (2 + f), log(1 + f) = 2 s + 2 s^3 / 3 + 2 s^5 / 5 + ...; as 2 s = f - s f, the
 * leading term f is exact. */
CAPRESE_INLINE double caprese_log_near_one(double k, double f, double rest) {
    double s = f / (2.0 + f), half = 0.5 * f * f;
    double z = s * s, z2 = z * z, z4 = z2 * z2;
    double a = (2.0 / 3 + z * (2.0 / 5)) + z2 * (2.0 / 7 + z * (2.0 / 9));
    double b = (2.0 / 11 + z * (2.0 / 13)) + z2 * (2.0 / 15 + z * (2.0 / 17));
    double c = (2.0 / 19 + z * (2.0 / 21)) + z2 * (2.0 / 23);
    double tail = z * (a + z4 * (b + z4 * c));
    return k * CAPRESE_LN2_HIGH + (f - (half - (s * (half + tail) + (k * CAPRESE_LN2_LOW + rest))));
}

CAPRESE_INLINE double caprese_log(double x) {
    uint64_t bits;
    double k = 0.0;
    if (!(x > 0.0)) return x == 0.0 ? -INFINITY : NAN;
    if (x == INFINITY) return x;
    if (x < 2.2250738585072014e-308) { /* subnormal */
        x *= 18014398509481984.0; /* 2^54 */
        k = -54.0;
    }
    /* The power of 2 that leaves a number in [sqrt(1/2), sqrt(2)). */
    bits = caprese_to_bits(x) - 0x3FE6A09E667F3BCDull;
    k += (double)((int64_t)bits >> 52);
    bits = (bits & 0x000FFFFFFFFFFFFFull) + 0x3FE6A09E667F3BCDull;
    return caprese_log_near_one(k, caprese_from_bits(bits) - 1.0, 0.0);
}

CAPRESE_INLINE double caprese_log1p(double x) {
    uint64_t bits;
    double u, k;
    if (!(x > -1.0)) return x == -1.0 ? -INFINITY : NAN;
    if (x == INFINITY) return x;
    if (x > -0.29 && x < 0.41) return caprese_log_near_one(0.0, x, 0.0);
    u = 1.0 + x;
    bits = caprese_to_bits(u) - 0x3FE6A09E667F3BCDull;
    k = (double)((int64_t)bits >> 52);
    bits = (bits & 0x000FFFFFFFFFFFFFull) + 0x3FE6A09E667F3BCDull;
    /* What rounding 1 + x has lost, relative to it. */
    x = u < 9007199254740992.0 ? (x < 1.0 ? x - (u - 1.0) : 1.0 - (u - x)) / u : 0.0;
    return caprese_log_near_one(k, caprese_from_bits(bits) - 1.0, x);
}

/* Chebyshev interpolation, of degree 21, of exp(x^2) erfc(x) (x + 3) in t = (x - 3) / (x + 3). */
CAPRESE_INLINE double caprese_erfc(double x) {
    double y = fabs(x), t, t2, t4, t8, a, b, c, tail;
    if (x != x) return x;
    if (y > 27.3) return x > 0.0 ? 0.0 : 2.0;
    t = (y - 3.0) / (y + 3.0);
    t2 = t * t, t4 = t2 * t2, t8 = t4 * t4;
    a = ((1.0740069070883396624 + t * -0.88339445316988323043) +
         t2 * (0.59022835710411142754 + t * -0.31046726190066750066)) +
        t4 * ((0.11952776128689279926 + t * -0.026827234620471114213) +
              t2 * (-0.0012124166205845952937 + t * 0.0030340619389599120903));
    b = ((-0.00054830974996053975795 + t * -0.0002767773524426042703) +
         t2 * (0.0001075617936908704625 + t * 0.000030395885562610690999)) +
        t4 * ((-0.000017471611310691202698 + t * -4.7427074538457912912e-6) +
              t2 * (2.7677778100941677121e-6 + t * 9.869878793822319801e-7));
    c = ((-4.1167358576610408285e-7 + t * -2.1964465355487640116e-7) +
         t2 * (4.9918651561142377124e-8 + t * 4.0589943973773350837e-8)) +
        t4 * (-3.540176717834472522e-9 + t * -4.2328962561313320882e-9);
    tail = caprese_exp(-y * y) * ((a + t8 * (b + t8 * c)) / (y + 3.0));
    return x < 0.0 ? 2.0 - tail : tail;
}

/* The processor's square root is exact. */
CAPRESE_INLINE double caprese_sqrt(double x) {
    return sqrt(x);
}

#endif
