/* Counting and drawing the bits of many words; see many_words.py.

   On x86-64 the processor at hand decides which variant is run: of 8 words at a time, of 4 words, or
   of one after the other. All give the same bits and counts. */
#ifndef CAPRESE_MANY_WORDS_H
#define CAPRESE_MANY_WORDS_H

#include <stddef.h>

#include "words.h"

#if defined(__x86_64__) && defined(__GNUC__) && !defined(_MSC_VER)
#include <immintrin.h>
#define CAPRESE_CHOICE
#define CAPRESE_ALWAYS_INLINE __attribute__((always_inline)) static inline
#define CAPRESE_FOR(instructions) __attribute__((target(instructions))) static
#define CAPRESE_INLINE_FOR(instructions) __attribute__((target(instructions))) CAPRESE_ALWAYS_INLINE
#define CAPRESE_256 "avx2,popcnt"
#define CAPRESE_COUNT_512 "avx512f,avx512vpopcntdq"
#define CAPRESE_DRAW_512 "avx512f,avx512dq"
#else
#define CAPRESE_ALWAYS_INLINE static inline
#endif

/* Common bits: of two rows, a and b, with two others, c and d. Each word that is loaded serves two
   pairs. */

typedef struct {
    int64_t ac, ad, bc, bd;
} caprese_counts;

CAPRESE_ALWAYS_INLINE caprese_counts caprese_common_loop(
    const uint64_t *a, const uint64_t *b, const uint64_t *c, const uint64_t *d, ptrdiff_t words
) {
    caprese_counts counts = {0, 0, 0, 0};
    for (ptrdiff_t k = 0; k < words; k++) {
        counts.ac += caprese_popcount(a[k] & c[k]);
        counts.ad += caprese_popcount(a[k] & d[k]);
        counts.bc += caprese_popcount(b[k] & c[k]);
        counts.bd += caprese_popcount(b[k] & d[k]);
    }
    return counts;
}

#ifdef CAPRESE_CHOICE

typedef struct {
    __m512i ac, ad, bc, bd;
} caprese_sums;

CAPRESE_INLINE_FOR(CAPRESE_COUNT_512) void caprese_add_common(
    caprese_sums *sums, __m512i a, __m512i b, __m512i c, __m512i d
) {
    __asm__("" : "+v"(a), "+v"(b), "+v"(c), "+v"(d)); /* or gcc loads them twice */
    sums->ac = _mm512_add_epi64(sums->ac, _mm512_popcnt_epi64(_mm512_and_si512(a, c)));
    sums->ad = _mm512_add_epi64(sums->ad, _mm512_popcnt_epi64(_mm512_and_si512(a, d)));
    sums->bc = _mm512_add_epi64(sums->bc, _mm512_popcnt_epi64(_mm512_and_si512(b, c)));
    sums->bd = _mm512_add_epi64(sums->bd, _mm512_popcnt_epi64(_mm512_and_si512(b, d)));
}

CAPRESE_FOR(CAPRESE_COUNT_512) caprese_counts caprese_common_512(
    const uint64_t *a, const uint64_t *b, const uint64_t *c, const uint64_t *d, ptrdiff_t words
) {
    const __m512i zero = _mm512_setzero_si512();
    caprese_sums sums = {zero, zero, zero, zero};
    ptrdiff_t k = 0;
    for (; k + 8 <= words; k += 8)
        caprese_add_common(
            &sums, _mm512_loadu_si512(a + k), _mm512_loadu_si512(b + k),
            _mm512_loadu_si512(c + k), _mm512_loadu_si512(d + k)
        );
    if (k < words) {
        const __mmask8 rest = (__mmask8)((1u << (words - k)) - 1);
        caprese_add_common(
            &sums, _mm512_maskz_loadu_epi64(rest, a + k), _mm512_maskz_loadu_epi64(rest, b + k),
            _mm512_maskz_loadu_epi64(rest, c + k), _mm512_maskz_loadu_epi64(rest, d + k)
        );
    }
    const caprese_counts counts = {
        _mm512_reduce_add_epi64(sums.ac), _mm512_reduce_add_epi64(sums.ad),
        _mm512_reduce_add_epi64(sums.bc), _mm512_reduce_add_epi64(sums.bd),
    };
    return counts;
}

/* Return the bits of each byte, from a table for half a byte (Mula, Kurz and Lemire 2018). */
CAPRESE_INLINE_FOR(CAPRESE_256) __m256i caprese_byte_counts(__m256i bits) {
    const __m256i low = _mm256_set1_epi8(0x0F), table = _mm256_setr_epi8(
        0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4,
        0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4
    );
    return _mm256_add_epi8(
        _mm256_shuffle_epi8(table, _mm256_and_si256(bits, low)),
        _mm256_shuffle_epi8(table, _mm256_and_si256(_mm256_srli_epi32(bits, 4), low))
    );
}

CAPRESE_INLINE_FOR(CAPRESE_256) int64_t caprese_sum_of_bytes(__m256i bytes) {
    const __m256i sums = _mm256_sad_epu8(bytes, _mm256_setzero_si256());
    return _mm256_extract_epi64(sums, 0) + _mm256_extract_epi64(sums, 1) +
           _mm256_extract_epi64(sums, 2) + _mm256_extract_epi64(sums, 3);
}

CAPRESE_FOR(CAPRESE_256) caprese_counts caprese_common_256(
    const uint64_t *a, const uint64_t *b, const uint64_t *c, const uint64_t *d, ptrdiff_t words
) {
    const ptrdiff_t whole = words - words % 4, most = 4 * 31; /* so that no byte overflows */
    caprese_counts counts = caprese_common_loop(
        a + whole, b + whole, c + whole, d + whole, words - whole
    );
    for (ptrdiff_t k = 0; k < whole;) {
        const ptrdiff_t stop = whole - k < most ? whole : k + most;
        __m256i ac = _mm256_setzero_si256(), ad = ac, bc = ac, bd = ac;
        for (; k < stop; k += 4) {
            const __m256i wa = _mm256_loadu_si256((const __m256i *)(a + k));
            const __m256i wb = _mm256_loadu_si256((const __m256i *)(b + k));
            const __m256i wc = _mm256_loadu_si256((const __m256i *)(c + k));
            const __m256i wd = _mm256_loadu_si256((const __m256i *)(d + k));
            ac = _mm256_add_epi8(ac, caprese_byte_counts(_mm256_and_si256(wa, wc)));
            ad = _mm256_add_epi8(ad, caprese_byte_counts(_mm256_and_si256(wa, wd)));
            bc = _mm256_add_epi8(bc, caprese_byte_counts(_mm256_and_si256(wb, wc)));
            bd = _mm256_add_epi8(bd, caprese_byte_counts(_mm256_and_si256(wb, wd)));
        }
        counts.ac += caprese_sum_of_bytes(ac);
        counts.ad += caprese_sum_of_bytes(ad);
        counts.bc += caprese_sum_of_bytes(bc);
        counts.bd += caprese_sum_of_bytes(bd);
    }
    return counts;
}

#endif

static inline caprese_counts caprese_common(
    const uint64_t *a, const uint64_t *b, const uint64_t *c, const uint64_t *d, ptrdiff_t words
) {
#ifdef CAPRESE_CHOICE /* with fewer words the loop is faster */
    if (words >= 4 && __builtin_cpu_supports("avx512vpopcntdq"))
        return caprese_common_512(a, b, c, d, words);
    if (words >= 16 && __builtin_cpu_supports("avx2"))
        return caprese_common_256(a, b, c, d, words);
#endif
    return caprese_common_loop(a, b, c, d, words);
}

/* Random bits: the numbers are those of words.py. */

#define CAPRESE_STEP UINT64_C(0x9E3779B97F4A7C15)
#define CAPRESE_FIRST UINT64_C(0xBF58476D1CE4E5B9)
#define CAPRESE_SECOND UINT64_C(0x94D049BB133111EB)

typedef struct {
    uint64_t one, other;
} caprese_bits;

CAPRESE_ALWAYS_INLINE uint64_t caprese_draw(uint64_t state) {
    uint64_t bits = (state ^ (state >> 30)) * CAPRESE_FIRST;
    bits = (bits ^ (bits >> 27)) * CAPRESE_SECOND;
    return bits ^ (bits >> 31);
}

CAPRESE_ALWAYS_INLINE caprese_bits caprese_below_loop(
    uint64_t state, uint64_t limit, uint64_t other
) {
    caprese_bits bits = {0, 0};
    for (uint64_t place = 0; place < 64; place++) {
        state += CAPRESE_STEP;
        const uint64_t draw = caprese_draw(state) >> 11;
        bits.one |= (draw - limit) >> 63 << place; /* 1 where the difference is negative */
        bits.other |= (draw - other) >> 63 << place;
    }
    return bits;
}

CAPRESE_ALWAYS_INLINE void caprese_share_loop(
    uint64_t state, uint64_t share, ptrdiff_t words, uint64_t *result
) {
    for (ptrdiff_t k = 0; k < words; k++) {
        uint64_t bits = 0;
        for (uint64_t place = 0; place < 8; place++) {
            const uint64_t draw = caprese_draw(state + (8 * k + place + 1) * CAPRESE_STEP);
            const uint64_t is_set = 0 - (share >> place & 1); /* in all bits */
            bits = (bits & draw) | (is_set & (bits | draw));
        }
        result[k] = bits;
    }
}

#ifdef CAPRESE_CHOICE

CAPRESE_FOR(CAPRESE_DRAW_512) caprese_bits caprese_below_512(
    uint64_t state, uint64_t limit, uint64_t other
) {
    const __m512i first = _mm512_set1_epi64((int64_t)CAPRESE_FIRST);
    const __m512i second = _mm512_set1_epi64((int64_t)CAPRESE_SECOND);
    const __m512i limits = _mm512_set1_epi64((int64_t)limit);
    const __m512i others = _mm512_set1_epi64((int64_t)other);
    const __m512i steps = _mm512_set1_epi64((int64_t)(8 * CAPRESE_STEP));
    __m512i states = _mm512_add_epi64(
        _mm512_set1_epi64((int64_t)state),
        _mm512_mullo_epi64(
            _mm512_set1_epi64((int64_t)CAPRESE_STEP), _mm512_setr_epi64(1, 2, 3, 4, 5, 6, 7, 8)
        )
    );
    caprese_bits bits = {0, 0};
    for (int place = 0; place < 64; place += 8) {
        __m512i draws = _mm512_xor_si512(states, _mm512_srli_epi64(states, 30));
        draws = _mm512_mullo_epi64(draws, first);
        draws = _mm512_xor_si512(draws, _mm512_srli_epi64(draws, 27));
        draws = _mm512_mullo_epi64(draws, second);
        draws = _mm512_xor_si512(draws, _mm512_srli_epi64(draws, 31));
        draws = _mm512_srli_epi64(draws, 11);
        bits.one |= (uint64_t)_mm512_cmplt_epu64_mask(draws, limits) << place;
        bits.other |= (uint64_t)_mm512_cmplt_epu64_mask(draws, others) << place;
        states = _mm512_add_epi64(states, steps);
    }
    return bits;
}

/* The compiler takes these loops 4 or 8 draws at a time. */
CAPRESE_FOR(CAPRESE_256) caprese_bits caprese_below_256(
    uint64_t state, uint64_t limit, uint64_t other
) {
    return caprese_below_loop(state, limit, other);
}

CAPRESE_FOR(CAPRESE_DRAW_512) void caprese_share_512(
    uint64_t state, uint64_t share, ptrdiff_t words, uint64_t *result
) {
    caprese_share_loop(state, share, words, result);
}

CAPRESE_FOR(CAPRESE_256) void caprese_share_256(
    uint64_t state, uint64_t share, ptrdiff_t words, uint64_t *result
) {
    caprese_share_loop(state, share, words, result);
}

#endif

static inline caprese_bits caprese_below(uint64_t state, uint64_t limit, uint64_t other) {
#ifdef CAPRESE_CHOICE
    if (__builtin_cpu_supports("avx512dq"))
        return caprese_below_512(state, limit, other);
    if (__builtin_cpu_supports("avx2"))
        return caprese_below_256(state, limit, other);
#endif
    return caprese_below_loop(state, limit, other);
}

static inline void caprese_share(
    uint64_t state, uint64_t share, ptrdiff_t words, uint64_t *result
) {
#ifdef CAPRESE_CHOICE
    if (__builtin_cpu_supports("avx512dq"))
        caprese_share_512(state, share, words, result);
    else if (__builtin_cpu_supports("avx2"))
        caprese_share_256(state, share, words, result);
    else
#endif
        caprese_share_loop(state, share, words, result);
}

#endif
