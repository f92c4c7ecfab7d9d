from libc.stdint cimport int64_t, uint8_t, uint64_t

cdef Py_ssize_t _BLOCK
cpdef pack(
    const uint8_t[:, ::1] octets, uint64_t[:, ::1] packed, Py_ssize_t start, Py_ssize_t stop
)
cdef void _pack(
    const uint8_t[:, ::1] octets, uint64_t[:, ::1] packed, Py_ssize_t start, Py_ssize_t stop,
    uint8_t[:, ::1] eights,
) noexcept
cdef void _push(
    uint8_t[:, ::1] eights, Py_ssize_t eight, const uint8_t[:, ::1] octets, Py_ssize_t row
) noexcept nogil
cpdef upper_counts(const uint64_t[:, ::1] packed, Py_ssize_t start, Py_ssize_t stop)
cdef void _count(
    const uint64_t[:, ::1] packed, Py_ssize_t start, Py_ssize_t stop, int64_t[:, ::1] upper
) noexcept
cdef void add_pair_counts(
    const uint64_t[:, ::1] packed, Py_ssize_t start, Py_ssize_t stop, int64_t[:, ::1] upper
) noexcept nogil
