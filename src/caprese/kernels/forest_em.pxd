cimport cython
from libc.stdint cimport uint8_t
from caprese.kernels.forest_likelihood cimport Block

cdef double _MOST_ERROR

cdef class ForestEM:
    cdef Block block
    cdef Py_ssize_t n
    cdef const uint8_t[::1] free
    cdef uint8_t[:, ::1] columns
    cdef const uint8_t[:, :] codes
    cdef double[::1] weights, occurrences, with_code
    cdef double[:, ::1] points, occurred, shown, observed

@cython.locals(heights=double[::1])
cpdef maximise_likelihood(ForestEM work, double tolerance, Py_ssize_t steps)
cpdef em_step(ForestEM work)
@cython.locals(found=double[::1])
cpdef slopes(ForestEM work)
cdef double _step(ForestEM work, Py_ssize_t here, Py_ssize_t there) noexcept nogil
cdef double _expect(ForestEM work, Py_ssize_t here) noexcept nogil
cdef void _count(ForestEM work, Py_ssize_t start) noexcept nogil
cdef void _sum_counts(ForestEM work) noexcept nogil
cdef void _keep_below_one(ForestEM work, Py_ssize_t there) noexcept nogil
cdef void _extrapolate(
    ForestEM work, Py_ssize_t point, Py_ssize_t first, Py_ssize_t second, Py_ssize_t there
) noexcept nogil
cdef double _length(
    ForestEM work, Py_ssize_t point, Py_ssize_t first, Py_ssize_t second
) noexcept nogil
