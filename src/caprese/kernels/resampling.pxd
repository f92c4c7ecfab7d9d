from libc.stdint cimport int64_t, uint8_t, uint64_t

cdef double _STEPS
cdef uint64_t _HALF
cdef Py_ssize_t _SHARES

cdef class Source:
    cdef const int64_t[::1] parents, order, by_name
    cdef const double[::1] probabilities
    cdef double false_positive, false_negative

cpdef resample(Py_ssize_t samples, uint64_t seed, uint64_t replicate)
cpdef resampled_pair_counts(
    const uint64_t[:, ::1] rows, Py_ssize_t columns, uint64_t seed, Py_ssize_t start, Py_ssize_t stop
)
cdef void _count_resamples(
    const uint64_t[:, ::1] rows, uint64_t seed, Py_ssize_t start, int64_t[::1] chosen,
    uint64_t[::1] block, uint64_t[:, ::1] packed, int64_t[:, ::1] upper, int64_t[:, :, ::1] counts,
) noexcept
cdef void _pack_chosen(
    const uint64_t[:, ::1] rows, Py_ssize_t word, const int64_t[::1] chosen, Py_ssize_t position,
    uint64_t[::1] block, uint64_t[:, ::1] packed,
) noexcept nogil
cdef void _transpose(uint64_t[::1] block, Py_ssize_t number) noexcept nogil
cpdef simulated_samples(Py_ssize_t samples, tuple model, uint64_t seed, uint64_t replicate)
cdef void _fill_table(
    Source source, uint64_t seed, uint64_t replicate, uint64_t[:, ::1] packed, uint64_t[::1] words,
    uint8_t[:, ::1] table,
) noexcept
cpdef simulated_pair_counts(
    Py_ssize_t samples, const uint64_t[:, ::1] known, tuple model, uint64_t seed,
    Py_ssize_t start, Py_ssize_t stop,
)
cdef void _count_simulated(
    Source source, Py_ssize_t samples, const uint64_t[:, ::1] known, uint64_t seed,
    Py_ssize_t start, uint64_t[:, ::1] packed, int64_t[:, ::1] upper, int64_t[:, :, ::1] counts,
) noexcept
cdef void _simulate(
    Source source, Py_ssize_t samples, uint64_t state, uint64_t[:, ::1] packed
) noexcept nogil
cdef void _add_errors(
    Source source, Py_ssize_t samples, uint64_t state, uint64_t[:, ::1] packed
) noexcept nogil
cdef uint64_t _threshold(double probability) noexcept nogil
cdef _upper(Py_ssize_t columns)
cdef void _count(
    const uint64_t[:, ::1] packed, int64_t[:, ::1] upper, int64_t[:, :, ::1] counts,
    Py_ssize_t replicate,
) noexcept nogil
cpdef permuted_counts(
    const uint64_t[:, ::1] columns, Py_ssize_t samples, Py_ssize_t carriers, uint64_t seed,
    Py_ssize_t start, Py_ssize_t stop, int64_t[:, ::1] counts,
)
cdef void _permute(
    const uint64_t[:, ::1] columns, Py_ssize_t samples, Py_ssize_t carriers, uint64_t seed,
    Py_ssize_t start, Py_ssize_t stop, uint64_t[:, ::1] chosen, int64_t[:, ::1] counts,
) noexcept
cdef void _count_two(
    const uint64_t[:, ::1] columns, const uint64_t[:, ::1] chosen, Py_ssize_t number,
    Py_ssize_t first, int64_t[:, ::1] counts,
) noexcept nogil
cdef void _draw_carriers(
    uint64_t state, Py_ssize_t samples, Py_ssize_t number, uint64_t[:, ::1] chosen, Py_ssize_t row
) noexcept nogil
cdef void _draw_samples(uint64_t seed, uint64_t replicate, int64_t[::1] chosen) noexcept nogil
cdef (uint64_t, int64_t) _draw_below(uint64_t state, uint64_t bound) noexcept nogil
