from libc.stdint cimport int64_t

cdef double _DOUBT

cdef class Paths:
    cdef Py_ssize_t size, late
    cdef int64_t shared, present, free
    cdef int64_t[::1] places, homes, low_homes
    cdef double[:, ::1] effects, within, rows, sums, flows, effect_slopes
    cdef double[::1] likely, values

cdef void enter(
    Paths paths,
    const double[:, ::1] rates,
    const double[:, ::1] effects,
    int64_t present,
    int64_t free,
    const int64_t[:] earlier,
    const int64_t[:] later,
    const double[:] confidence,
    Py_ssize_t start,
    Py_ssize_t stop,
) noexcept nogil
cdef Py_ssize_t _place(Paths paths, int64_t home) noexcept nogil
cdef void _occur(Paths paths, Py_ssize_t event, Py_ssize_t depth) noexcept nogil
cdef void follow(Paths paths, double[::1] likely, double[::1] stays) noexcept nogil
cdef void _push(
    Paths paths, Py_ssize_t first, Py_ssize_t target, Py_ssize_t event, double rate
) noexcept nogil
cdef void trace(
    Paths paths, double[::1] stays, double[::1] values, double[::1] lost
) noexcept nogil
cdef void _settle_values(
    Paths paths, double[::1] stays, double[::1] lost, Py_ssize_t first, Py_ssize_t depth
) noexcept nogil
cdef double _pull(
    Paths paths, Py_ssize_t first, Py_ssize_t target, Py_ssize_t event, double rate
) noexcept nogil
