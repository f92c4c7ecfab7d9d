# The compiled form of words.py, copied into every kernel that uses it.

from libc.stdint cimport int64_t, uint64_t

cdef extern from "words.h" nogil:
    int64_t popcount "caprese_popcount" (uint64_t word) noexcept
    int64_t trailing_zeros "caprese_trailing_zeros" (uint64_t word) noexcept


cdef inline uint64_t random_bits(uint64_t state) noexcept nogil:
    cdef uint64_t bits = (state ^ (state >> 30)) * <uint64_t>0xBF58476D1CE4E5B9
    bits = (bits ^ (bits >> 27)) * <uint64_t>0x94D049BB133111EB
    return bits ^ (bits >> 31)


cdef inline uint64_t next_state(uint64_t state) noexcept nogil:
    return state + <uint64_t>0x9E3779B97F4A7C15


cdef inline uint64_t stream_of(uint64_t seed, uint64_t replicate) noexcept nogil:
    return random_bits(seed + random_bits(<uint64_t>0x9E3779B97F4A7C15 * (replicate + 1)))
