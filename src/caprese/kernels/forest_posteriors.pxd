cimport cython
from libc.stdint cimport int64_t, uint8_t
from caprese.kernels.forest_likelihood cimport Block

cdef class _Logarithms:
    cdef const int64_t[::1] order, parents
    cdef const double[::1] log_p, log_q
    cdef const double[:, ::1] log_observed
    cdef double[::1] occurred, absent

cdef class _Counts:
    cdef double[:, ::1] below
    cdef double[::1] product
    cdef int64_t[::1] sizes

cdef class _Times:
    cdef double[:, ::1] decay, below, within, outside

@cython.locals(found=double[:, ::1])
cpdef event_probabilities(const uint8_t[:, :] codes, tuple model)
cdef void _multiply_shares(Block block) noexcept nogil
@cython.locals(there=uint8_t[:, ::1])
cpdef likeliest_genotypes(const uint8_t[:, :] codes, tuple model)
@cython.locals(found=double[:, ::1])
cpdef count_probabilities(const uint8_t[:, :] codes, tuple model)
cdef void _count(Block block, Py_ssize_t k, _Counts counts) noexcept nogil
@cython.locals(found=double[:, ::1])
cpdef next_probabilities(
    const uint8_t[:, :] codes, tuple model, const double[::1] rates, const double[::1] times,
    const double[::1] steps,
)
cdef void _fill_within(Block block, Py_ssize_t k, _Times work) noexcept nogil
cdef void _fill_outside(Block block, Py_ssize_t k, _Times work) noexcept nogil
