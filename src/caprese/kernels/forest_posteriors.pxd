from libc.stdint cimport int64_t, uint8_t
from caprese.kernels.forest_likelihood cimport Block

cdef class _Counts:
    cdef double[:, ::1] below
    cdef double[::1] product
    cdef int64_t[::1] sizes

cdef class _Times:
    cdef double[:, ::1] decay, below, within, outside

cpdef event_probabilities(
    const uint8_t[:, :] codes,
    const int64_t[::1] order,
    const int64_t[::1] parents,
    const double[::1] log_p,
    const double[::1] log_q,
    const double[:, ::1] log_observed,
)
cpdef likeliest_genotypes(
    const uint8_t[:, :] codes,
    const int64_t[::1] order,
    const int64_t[::1] parents,
    const double[::1] log_p,
    const double[::1] log_q,
    const double[:, ::1] log_observed,
)
cpdef count_probabilities(
    const uint8_t[:, :] codes,
    const int64_t[::1] order,
    const int64_t[::1] parents,
    const double[::1] log_p,
    const double[::1] log_q,
    const double[:, ::1] log_observed,
)
cdef void _count(Block block, Py_ssize_t k, _Counts counts) noexcept nogil
cpdef next_probabilities(
    const uint8_t[:, :] codes,
    const int64_t[::1] order,
    const int64_t[::1] parents,
    const double[::1] log_p,
    const double[::1] log_q,
    const double[:, ::1] log_observed,
    const double[::1] rates,
    const double[::1] times,
    const double[::1] steps,
)
cdef void _fill_within(Block block, Py_ssize_t k, _Times work) noexcept nogil
cdef void _fill_outside(Block block, Py_ssize_t k, _Times work) noexcept nogil
