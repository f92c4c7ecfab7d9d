# What is read only to fill the room may have any layout.

from libc.stdint cimport int64_t

from caprese.kernels.hazards cimport Room

cdef double _LEAST
cdef Py_ssize_t _FEW

cdef class Chains:
    cdef const int64_t[:] members, starts, fixed, fixed_starts, legs, present, free, kinds
    cdef const double[:] elapsed

cdef class Poles:
    cdef Py_ssize_t most, width
    cdef double stayed
    cdef const double[:, :] contour
    cdef double[::1] shift_re, shift_im, weight_re, weight_im, own_re, own_im
    cdef double[:, ::1] mass, re, im, back_re, back_im

cdef void _place_poles(Poles poles, double elapsed, double rate) noexcept nogil
cdef void _pass_time(Room room, Poles poles, Py_ssize_t leg) noexcept nogil
cdef void _push(Poles poles, Py_ssize_t state, Py_ssize_t target, double rate) noexcept nogil
cdef void _divide(
    double[:, ::1] re, double[:, ::1] im, Poles poles, Py_ssize_t state, double rate
) noexcept nogil
cdef double _weighed(
    double[:, ::1] re,
    double[:, ::1] im,
    double[::1] by_re,
    double[::1] by_im,
    Py_ssize_t row,
    Py_ssize_t width,
) noexcept nogil
cdef bint _agrees(Py_ssize_t state, Py_ssize_t present, Py_ssize_t free) noexcept nogil
cdef double _follow(
    Room room, Poles poles, Chains given, Py_ssize_t chain, const double[:] unknown
) noexcept nogil
cdef void _trace(
    Room room,
    Poles poles,
    Chains given,
    Py_ssize_t chain,
    const double[:] unknown,
    double slope,
    double[::1] by_unknown,
) noexcept nogil
cdef void _find_slopes(Room room, Poles poles) noexcept nogil
cdef double _adjoint(Room room, Poles poles, Py_ssize_t state, Py_ssize_t depth) noexcept nogil
cdef void _start(
    Room room,
    Chains given,
    Py_ssize_t chain,
    const double[:] rates,
    const double[:, :] effects,
    double[::1] base,
) noexcept nogil
cdef void _collect(
    Room room, Chains given, Py_ssize_t chain, double[::1] by_rate, double[:, ::1] by_effect
) noexcept nogil
cpdef chances(
    const double[:] rates,
    const double[:, :] effects,
    const double[:] unknown,
    const double[:, :] contour,
    Chains given,
    Py_ssize_t start,
    Py_ssize_t stop,
)
cpdef tuple log_likelihood(
    const double[:] rates,
    const double[:, :] effects,
    const double[:] unknown,
    const double[:, :] contour,
    const double[:] weights,
    Chains given,
    Py_ssize_t start,
    Py_ssize_t stop,
)
cdef Py_ssize_t _most(const int64_t[:] bounds, Py_ssize_t start, Py_ssize_t stop) noexcept nogil
