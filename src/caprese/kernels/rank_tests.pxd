from libc.stdint cimport int64_t

cdef double _SPREADS, _MORE

cpdef tuple rank_sums(first, second, valid)
cdef _ascending(values, valid)
cdef (double, double) _merged(
    const double[:, ::1] ones, const double[:, ::1] others, Py_ssize_t row, Py_ssize_t number
) noexcept nogil
cpdef tuple hypergeometric_tails(
    const int64_t[::1] joint, const int64_t[::1] first, const int64_t[::1] rest, const int64_t[::1] second
)
