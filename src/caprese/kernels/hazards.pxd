# What is read only to fill the room may have any layout.

from libc.stdint cimport int64_t, uint8_t

from caprese.kernels.seen_paths cimport Paths

cdef double _LEAST, _NEVER

cdef class Room:
    cdef Py_ssize_t events, width, inside
    cdef bint ordered
    cdef int64_t[::1] order
    cdef uint8_t[::1] is_inside
    cdef double[:, ::1] effects, rows, sums, effect_slopes
    cdef double[::1] leave, likely, values, stays, lost

cpdef probabilities(const double[:] rates, const double[:, :] effects, const int64_t[:] members)
cdef void enter_lattice(
    Room room,
    const double[:] rates,
    const double[:, :] effects,
    const int64_t[:] members,
    Py_ssize_t start,
    Py_ssize_t inside,
) noexcept nogil
cdef void occur(Room room, Py_ssize_t event, Py_ssize_t depth) noexcept nogil
cdef void _substitute(Room room, Py_ssize_t inside) noexcept nogil
cdef void _find_slopes(Room room, Py_ssize_t inside, double leaving) noexcept nogil
cdef double _adjoint(Room room, Py_ssize_t state, Py_ssize_t depth, Py_ssize_t inside) noexcept nogil
cdef void pass_on(Room room, Py_ssize_t event, Py_ssize_t depth, double lost) noexcept nogil
cdef double _chance(double[::1] likely, Py_ssize_t present, Py_ssize_t free) noexcept nogil
cdef void _spread(
    double[::1] values, Py_ssize_t present, Py_ssize_t free, double slope
) noexcept nogil
cdef void _follow(
    Room room,
    Paths paths,
    Py_ssize_t present,
    Py_ssize_t free,
    const int64_t[:] earlier,
    const int64_t[:] later,
    const double[:] confidence,
    Py_ssize_t start,
    Py_ssize_t stop,
) noexcept nogil
cdef void _trace(
    Room room, Paths paths, double slope, double[::1] by_rate, double[:, ::1] by_effect
) noexcept nogil
cpdef chances(
    const double[:] rates,
    const double[:, :] effects,
    const int64_t[:] members,
    const int64_t[:] starts,
    const int64_t[:] present,
    const int64_t[:] free,
    const int64_t[:] firsts,
    const int64_t[:] pairs,
    const int64_t[:] earlier,
    const int64_t[:] later,
    const double[:] confidence,
)
cpdef tuple log_likelihood(
    const double[:] rates,
    const double[:, :] effects,
    const double[:] weights,
    const int64_t[:] members,
    const int64_t[:] starts,
    const int64_t[:] present,
    const int64_t[:] free,
    const int64_t[:] firsts,
    const int64_t[:] pairs,
    const int64_t[:] earlier,
    const int64_t[:] later,
    const double[:] confidence,
)
cpdef order_probabilities(
    const double[:] rates,
    const double[:, :] effects,
    const int64_t[:] members,
    const int64_t[:] starts,
    const int64_t[:] present,
    const int64_t[:] free,
    const int64_t[:] pairs,
    const int64_t[:] first,
    const int64_t[:] second,
)
cdef Py_ssize_t _most(const int64_t[:] starts) noexcept nogil
cdef double _sum(const double[:] weights, Py_ssize_t first, Py_ssize_t last) noexcept nogil
