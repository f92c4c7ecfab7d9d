cimport cython
from libc.stdint cimport int64_t, uint8_t
from caprese.kernels.forest_messages cimport Forest

cdef double _INFINITE


cdef class Room:
    cdef Forest forest
    cdef double[:, ::1] parts
    cdef double[::1] whole


@cython.locals(found=double[:, ::1])
cpdef draw_log_probabilities(
    const uint8_t[:, ::1] codes, const int64_t[:, :, ::1] parents, const double[:, :, ::1] theta,
    const double[:, :, ::1] rates, const double[:, ::1] weights,
)
@cython.locals(found=double[:, :, ::1])
cpdef draw_component_probabilities(
    const uint8_t[:, ::1] codes, const int64_t[:, :, ::1] parents, const double[:, :, ::1] theta,
    const double[:, :, ::1] rates, const double[:, ::1] weights,
)
@cython.locals(found=double[:, ::1])
cpdef event_probabilities(
    const uint8_t[:, ::1] codes, const int64_t[:, :, ::1] parents, const double[:, :, ::1] theta,
    const double[:, :, ::1] rates, const double[:, ::1] weights, const double[:, ::1] shares,
)
cdef void _fill_parts(
    const int64_t[:, ::1] parents, const double[:, ::1] theta, const double[:, ::1] rates,
    const double[::1] weights, Room room,
) noexcept nogil
