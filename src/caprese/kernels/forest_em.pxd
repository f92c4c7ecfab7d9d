from libc.stdint cimport int64_t, uint8_t
from caprese.kernels.forest_likelihood cimport Block

cdef double _MOST_ERROR
cdef uint8_t _UNKNOWN

cdef class _Work:
    cdef Block block
    cdef Py_ssize_t n
    cdef const uint8_t[::1] free
    cdef uint8_t[:, ::1] columns
    cdef const uint8_t[:, :] codes
    cdef double[::1] weights, occurrences, with_code
    cdef double[:, ::1] points, occurred, shown, observed

cdef _Work _work_of(
    const uint8_t[:, :] codes,
    const int64_t[::1] times,
    const int64_t[::1] order,
    const int64_t[::1] parents,
    const double[::1] point,
    const uint8_t[::1] free,
)
cpdef maximise_likelihood(
    const uint8_t[:, :] codes,
    const int64_t[::1] times,
    const int64_t[::1] order,
    const int64_t[::1] parents,
    const double[::1] point,
    const uint8_t[::1] free,
    double tolerance,
    Py_ssize_t steps,
)
cpdef em_step(
    const uint8_t[:, :] codes,
    const int64_t[::1] times,
    const int64_t[::1] order,
    const int64_t[::1] parents,
    const double[::1] point,
    const uint8_t[::1] free,
)
cdef double _step(_Work work, Py_ssize_t here, Py_ssize_t there) noexcept nogil
cdef double _expect(_Work work, Py_ssize_t here) noexcept nogil
cdef void _count(_Work work, Py_ssize_t start) noexcept nogil
cdef void _sum_counts(_Work work) noexcept nogil
cdef void _keep_below_one(_Work work, Py_ssize_t there) noexcept nogil
cdef void _extrapolate(
    _Work work, Py_ssize_t point, Py_ssize_t first, Py_ssize_t second, Py_ssize_t there
) noexcept nogil
cdef double _length(
    _Work work, Py_ssize_t point, Py_ssize_t first, Py_ssize_t second
) noexcept nogil
