cimport cython
from libc.stdint cimport int32_t, int64_t, uint8_t

cdef double _UNIT, _LOG_UNIT, _SMALL
cdef Py_ssize_t BLOCK, _MOST

cdef class Block:
    cdef const int64_t[::1] order
    cdef int64_t[::1] parents
    cdef bint with_shares
    cdef double[:, ::1] chances, seen, least, share
    cdef double[:, :, ::1] numbers
    cdef int32_t[:, :, ::1] powers
    cdef uint8_t[::1] scaled
    cdef double[::1] either
    cdef int32_t[::1] either_powers

cdef Block block_of(tuple model, bint with_shares)
@cython.locals(found=double[::1])
cpdef log_probabilities(const uint8_t[:, :] codes, tuple model)
cdef double log_probability(Block block, Py_ssize_t k) noexcept nogil
cdef void upward_pass(Block block, const uint8_t[:, :] codes, Py_ssize_t start) noexcept nogil
cdef void _begin(Block block, const uint8_t[:, :] codes, Py_ssize_t start) noexcept nogil
cdef double _either(Block block, Py_ssize_t event) noexcept nogil
cdef double _either_with_powers(Block block, Py_ssize_t event) noexcept nogil
cdef double _fraction(Py_ssize_t powers) noexcept nogil
cdef void _multiply(
    Block block, Py_ssize_t parent, Py_ssize_t event, double least
) noexcept nogil
cdef void _with_powers(Block block, Py_ssize_t event) noexcept nogil
cdef void _rescale_event(Block block, Py_ssize_t event) noexcept nogil
cdef double _rescale(double[::1] numbers, int32_t[::1] powers) noexcept nogil
cdef double _least(const double[::1] numbers) noexcept nogil
