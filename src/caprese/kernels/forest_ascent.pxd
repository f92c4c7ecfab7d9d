from libc.stdint cimport int64_t
from caprese.kernels.forest_messages cimport Messages, Table

cdef double _MOST_RATE, _BETTER, _ROUGH, _FINE, _WORTH_A_SWAP, _CLOSE, _INFINITE
cdef Py_ssize_t _ROUGH_STEPS, _FINE_STEPS


cdef class Prior:
    cdef readonly double first, second, uniform, rate_first, rate_second
    cdef readonly double[::1] forests


cdef class Room:
    cdef Messages work
    cdef double[:, ::1] seen, tried_seen
    cdef int64_t[::1] tried_parents
    cdef double[::1] tried_theta
    cdef double[::1] plain_theta, plain_rates, far_theta, far_rates
    cdef double[:, ::1] points
    cdef double[::1] occurred, wrong, right


cdef double root_advantage(Prior prior, Py_ssize_t roots) noexcept nogil
cdef double rate_log_density(Prior prior, double rate) noexcept nogil
cdef double _objective(
    Table table, const int64_t[::1] parents, const double[::1] theta, const double[::1] rates,
    Prior prior, Room room,
) noexcept nogil
cdef void _count(Table table, Py_ssize_t event, Room room) noexcept nogil
cdef void _expectation_step(
    Table table, const int64_t[::1] parents, double[::1] theta, double[::1] rates, Prior prior,
    bint free, Room room,
) noexcept nogil
cdef void _fill_points(Room room, Py_ssize_t k) noexcept nogil
cdef void _extrapolate(bint free, Room room) noexcept nogil
cdef double _fit_numbers(
    Table table, const int64_t[::1] parents, double[::1] theta, double[::1] rates, Prior prior,
    bint free, Room room, double tolerance, Py_ssize_t rounds,
) noexcept nogil
cdef void _set_best_theta(
    Table table, int64_t[::1] parents, double[::1] theta, Room room, Py_ssize_t event
) noexcept nogil
cdef bint _move_to_best_parent(
    Table table, int64_t[::1] parents, double[::1] theta, Prior prior, Room room, Py_ssize_t event
) noexcept nogil
cdef void swap_labels(
    int64_t[::1] parents, double[::1] theta, Py_ssize_t one, Py_ssize_t other
) noexcept nogil
cdef double _try_swap(
    Table table, int64_t[::1] parents, double[::1] theta, Room room, Py_ssize_t event, bint keep,
    double objective,
) noexcept nogil
cdef Py_ssize_t _swaps(
    Table table, int64_t[::1] parents, double[::1] theta, Room room
) noexcept nogil
cdef double _climb(
    Table table, int64_t[::1] parents, double[::1] theta, double[::1] rates, Prior prior,
    bint free, Py_ssize_t passes, Room room,
) noexcept nogil
cpdef double ascend(
    Table table, int64_t[::1] parents, double[::1] theta, double[::1] rates, Prior prior,
    bint free, Py_ssize_t passes,
)
cdef void _fill_attachments(
    Table table, int64_t[::1] parents, const double[::1] theta, Room room, Py_ssize_t event,
    double[:, ::1] out,
) noexcept nogil
cpdef attachments(
    Table table, int64_t[::1] parents, const double[::1] theta, const double[::1] rates
)
