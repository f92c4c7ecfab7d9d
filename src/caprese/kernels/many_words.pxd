# The compiled form of many_words.py, copied into every kernel that uses it.

from libc.stdint cimport int64_t, uint64_t

cdef extern from "many_words.h" nogil:
    ctypedef struct Counts "caprese_counts":
        int64_t ac, ad, bc, bd
    ctypedef struct Bits "caprese_bits":
        uint64_t one, other
    Counts common "caprese_common" (
        const uint64_t *a, const uint64_t *b, const uint64_t *c, const uint64_t *d, Py_ssize_t words
    ) noexcept
    Bits below "caprese_below" (uint64_t state, uint64_t limit, uint64_t other) noexcept
    void share "caprese_share" (
        uint64_t state, uint64_t share, Py_ssize_t words, uint64_t *result
    ) noexcept
    const uint64_t STEP "CAPRESE_STEP"


cdef inline (int64_t, int64_t, int64_t, int64_t) common_bits(
    const uint64_t[:, ::1] one, Py_ssize_t i,
    const uint64_t[:, ::1] other, Py_ssize_t j,
    Py_ssize_t start, Py_ssize_t stop,
) noexcept nogil:
    cdef Py_ssize_t next_i = min(i + 1, one.shape[0] - 1), next_j = min(j + 1, other.shape[0] - 1)
    cdef Counts found = common(
        &one[i, start], &one[next_i, start], &other[j, start], &other[next_j, start], stop - start
    )
    return found.ac, found.ad, found.bc, found.bd


cdef inline (uint64_t, uint64_t, uint64_t) bits_below(
    uint64_t state, Py_ssize_t number, uint64_t limit, uint64_t other_limit
) noexcept nogil:
    cdef Bits found = below(state, limit, other_limit)
    cdef uint64_t used = ~<uint64_t>0 if number >= 64 else (<uint64_t>1 << number) - 1
    return state + number * STEP, found.one & used, found.other & used


cdef inline uint64_t fill_with_share(
    uint64_t state, uint64_t of_256, uint64_t[:, ::1] words, Py_ssize_t row
) noexcept nogil:
    share(state, of_256, words.shape[1], &words[row, 0])
    return state + 8 * <uint64_t>words.shape[1] * STEP
