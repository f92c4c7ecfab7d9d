/* Counting and finding bits by the processor's instructions; see words.py. */
#ifndef CAPRESE_WORDS_H
#define CAPRESE_WORDS_H

#include <stdint.h>

#if defined(_MSC_VER) && !defined(__clang__)
#include <intrin.h>

static __forceinline int64_t caprese_popcount(uint64_t word) {
#if defined(_M_ARM64)
    return (int64_t)_CountOneBits64(word);
#else
    return (int64_t)__popcnt64(word);
#endif
}

static __forceinline int64_t caprese_trailing_zeros(uint64_t word) {
    unsigned long place;
    return _BitScanForward64(&place, word) ? (int64_t)place : 64;
}

#else

static inline int64_t caprese_popcount(uint64_t word) {
    return __builtin_popcountll(word);
}

static inline int64_t caprese_trailing_zeros(uint64_t word) {
    return word ? __builtin_ctzll(word) : 64;
}

#endif
#endif
