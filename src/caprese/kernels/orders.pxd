from libc.stdint cimport int32_t, int64_t

cdef class Ways:
    cdef Py_ssize_t most
    cdef double[::1] total
    cdef double[:, ::1] best
    cdef int32_t[:, ::1] step

cpdef tuple likeliest_orders(const double[:, ::1] chances, Py_ssize_t most)
cdef void _come_last(Ways ways, Py_ssize_t subset, Py_ssize_t event, double chance) noexcept nogil
cdef void _trace(Ways ways, Py_ssize_t place, int64_t[::1] order) noexcept nogil
