from libc.stdint cimport uint64_t
from caprese.kernels.forest_ascent cimport Prior
from caprese.kernels.sweep_room cimport State, SweepRoom

cdef double _TARGET, _INFINITE, _NEAR, _WIDER, _LOG_TWO_PI, _LEAST_RATE, _MOST_RATE
cdef Py_ssize_t _JOINT, _SWITCH, _COMMON, _WIDTHS, _TRIES, _SHRINKS

cdef double _rate(double x) noexcept nogil
cdef double _point(double rate) noexcept nogil
cdef double _draw_rate(uint64_t[::1] stream, Prior prior) noexcept nogil
cdef double _log_own_odds(State state, Py_ssize_t component) noexcept nogil
cdef void _draw_rates(SweepRoom room, Py_ssize_t component) noexcept nogil
cdef bint _in_group(SweepRoom room, Py_ssize_t component, Py_ssize_t group) noexcept nogil
cdef double _rates_log_density(Prior prior, const double[::1] rates) noexcept nogil
cdef double _log_likelihood_at(
    SweepRoom room, Py_ssize_t component, const double[:, ::1] theta, const double[::1] rates
) noexcept nogil
cdef double _rates_objective(
    SweepRoom room, Py_ssize_t group, const double[:, ::1] theta, const double[::1] rates
) noexcept nogil
cdef double _objective_at(
    SweepRoom room, Py_ssize_t group, Py_ssize_t which, double x
) noexcept nogil
cdef double _slice_rate(
    SweepRoom room, Py_ssize_t group, Py_ssize_t which, double objective
) noexcept nogil
cdef double _carry_theta(
    SweepRoom room, Py_ssize_t component, const double[::1] rates, const double[::1] other
) noexcept nogil
cdef void _propose_rates(SweepRoom room, const double[::1] proposal) noexcept nogil
cdef (double, bint) _joint_move(SweepRoom room, Py_ssize_t group, double objective) noexcept nogil
cdef void _learn(double[::1] proposal, const double[::1] rates, bint accepted) noexcept nogil
cdef void _move_group(SweepRoom room, Py_ssize_t group, bint learning) noexcept nogil
cdef bint _has_common(SweepRoom room) noexcept nogil
cdef void move_rates(SweepRoom room, bint learning) noexcept nogil
cdef double _log_proximity(const double[::1] common, const double[::1] rates) noexcept nogil
cdef double _log_leaving(SweepRoom room, const double[::1] rates) noexcept nogil
cdef void _propose_own(State state, double[::1] rates) noexcept nogil
cdef bint _switch_rates(SweepRoom room, Py_ssize_t component, bint carry) noexcept nogil
