from libc.stdint cimport int64_t, uint8_t
from caprese.kernels.forest_messages cimport Messages, Table

cdef double _INFINITE


cdef class Room:
    cdef Table table
    cdef Messages work
    cdef double[:, ::1] seen, parts
    cdef double[::1] whole


cpdef draw_log_probabilities(
    const uint8_t[:, ::1] codes, const int64_t[:, :, ::1] parents, const double[:, :, ::1] theta,
    const double[:, ::1] rates, const double[:, ::1] weights,
)
cpdef draw_component_probabilities(
    const uint8_t[:, ::1] codes, const int64_t[:, :, ::1] parents, const double[:, :, ::1] theta,
    const double[:, ::1] rates, const double[:, ::1] weights,
)
cpdef event_probabilities(
    const uint8_t[:, ::1] codes, const int64_t[:, :, ::1] parents, const double[:, :, ::1] theta,
    const double[:, ::1] rates, const double[:, ::1] weights, const double[:, ::1] shares,
)
cdef void _fill_parts(
    const int64_t[:, ::1] parents, const double[:, ::1] theta, const double[::1] rates,
    const double[::1] weights, Room room,
) noexcept nogil
cdef double _log_sum(const double[:, ::1] parts, Py_ssize_t d) noexcept nogil
cdef void _add_events(
    const int64_t[::1] parents, const double[::1] theta, Py_ssize_t component, Room room,
    double[:, ::1] out,
) noexcept nogil
