cimport cython
from libc.stdint cimport int64_t
from caprese.kernels.forest_messages cimport Forest, Table
from caprese.kernels.forest_orders cimport Orders

cdef double _MOST_RATE, _BETTER, _ROUGH, _FINE, _WORTH_A_SWAP, _CLOSE, _INFINITE, _SERIES
cdef Py_ssize_t _ROUGH_STEPS, _FINE_STEPS


cdef class Prior:
    cdef readonly double first, second, uniform, rate_first, rate_second, rate_log_mass
    cdef readonly double[::1] forests


cdef class Climber:
    cdef Forest forest
    cdef Orders orders
    cdef Prior prior
    cdef bint free
    cdef double[::1] numbers, plain, far, occurred, wrong, right, old_theta
    cdef double[:, ::1] points
    cdef int64_t[::1] old_parents


cdef double _log_half_beta(double first, double second)
cdef double root_advantage(Prior prior, Forest forest) noexcept nogil
cdef double rate_log_density(Prior prior, double rate) noexcept nogil
cdef void _set_numbers(Climber climber, const double[::1] numbers) noexcept nogil
cdef double _objective(Climber climber, const double[::1] numbers) noexcept nogil
cdef void _count(Climber climber, Py_ssize_t event) noexcept nogil
cdef void _expectation_step(Climber climber, double[::1] numbers) noexcept nogil
cdef double _within(double number, double most) noexcept nogil
cdef void _fill_point(Climber climber, Py_ssize_t k) noexcept nogil
cdef void _extrapolate(Climber climber) noexcept nogil
cdef double _fit_numbers(Climber climber, double tolerance, Py_ssize_t rounds) noexcept nogil
cdef void _set_best_theta(Forest forest, Py_ssize_t event) noexcept nogil
cdef bint _move_to_best_parent(
    Forest forest, Orders orders, Prior prior, Py_ssize_t event
) noexcept nogil
cdef void swap_labels(Forest forest, Py_ssize_t one, Py_ssize_t other) noexcept nogil
cdef double _try_swap(
    Climber climber, Py_ssize_t event, bint keep, double objective
) noexcept nogil
cdef Py_ssize_t _swaps(Climber climber) noexcept nogil
cdef double _climb(Climber climber, Py_ssize_t passes) noexcept nogil
cpdef double ascend(
    Table table, int64_t[::1] parents, double[::1] theta, double[::1] rates, Prior prior,
    bint free, Py_ssize_t passes,
)
@cython.locals(found=double[:, ::1])
cpdef attachments(
    Table table, const int64_t[::1] parents, const double[::1] theta, const double[::1] rates
)
cdef void _fill_attachments(Forest forest, Py_ssize_t event, double[:, ::1] out) noexcept nogil
