from libc.stdint cimport int32_t, int64_t, uint8_t, uint64_t
from caprese.kernels.event_moves cimport Moves
from caprese.kernels.forest_ascent cimport Prior
from caprese.kernels.forest_messages cimport Table

cdef double _TARGET, _INFINITE, LEAST_DIRICHLET, MOST_DIRICHLET, _DIRICHLET_STEP
cdef Py_ssize_t _JOINT, _DIRICHLET_MOVES


cdef class Settings:
    cdef readonly Prior prior
    cdef readonly bint free
    cdef readonly double dirichlet
    cdef readonly Py_ssize_t swaps, slices, joints


cdef class State:
    cdef readonly int64_t[:, ::1] parents
    cdef readonly double[:, ::1] theta
    cdef readonly double[::1] rates, log_weights, dirichlet
    cdef readonly double[:, ::1] members
    cdef readonly uint64_t[::1] stream
    cdef readonly double[::1] proposal
    cdef readonly int64_t[::1] tried, accepted


cdef class Records:
    cdef readonly int32_t[:, :, ::1] parents
    cdef readonly double[:, :, ::1] theta
    cdef readonly double[:, ::1] rates, weights, root_probability
    cdef readonly double[::1] log_likelihood


cdef class SweepRoom:
    cdef State state
    cdef Settings settings
    cdef Table table
    cdef double power
    cdef uint8_t[:, :, ::1] codes
    cdef double[:, ::1] times, log_probabilities, theta
    cdef double[:, :, ::1] order_gains
    cdef uint8_t[:, ::1] before
    cdef int64_t[:, ::1] ends
    cdef int64_t[::1] genotypes, runs, chosen
    cdef double[::1] weights, rates, from_root, carried
    cdef Moves moves


cdef void _turn_to(SweepRoom room, Py_ssize_t table) noexcept nogil
cdef void _enter(SweepRoom room, State state, double power)
cdef void _raise_gains(
    SweepRoom room, const double[:, ::1] gains, Py_ssize_t table
) noexcept nogil
cdef Py_ssize_t _choose_members(SweepRoom room, Py_ssize_t component) noexcept nogil
cdef void _fill_table(SweepRoom room, Py_ssize_t component) noexcept nogil
cdef void _fill_log_probabilities(SweepRoom room) noexcept nogil
cdef double _mixture_log_likelihood(SweepRoom room) noexcept nogil
cpdef double state_log_likelihood(Table table, State state, Settings settings)
cdef void _draw_members(SweepRoom room) noexcept nogil
cdef double _log_chance(SweepRoom room, double dirichlet) noexcept nogil
cdef void _move_dirichlet(SweepRoom room) noexcept nogil
cpdef void draw_weights(State state, double dirichlet) noexcept nogil
cpdef void draw_component(State state, Py_ssize_t component, Prior prior) noexcept nogil
cdef double _draw_root_probability(
    uint64_t[::1] stream, Prior prior, Py_ssize_t n, Py_ssize_t roots
) noexcept nogil

cdef double _rate(double x) noexcept nogil
cdef double _point(double rate) noexcept nogil
cdef double _rates_objective(
    SweepRoom room, const double[:, ::1] theta, const double[::1] rates
) noexcept nogil
cdef double _objective_at(SweepRoom room, Py_ssize_t which, double x) noexcept nogil
cdef double _slice_rate(SweepRoom room, Py_ssize_t which, double objective) noexcept nogil
cdef double _carry_theta(SweepRoom room, Py_ssize_t component) noexcept nogil
cdef void _propose_rates(State state, double[::1] rates) noexcept nogil
cdef (double, bint) _joint_move(SweepRoom room, double objective) noexcept nogil
cdef void _learn(State state, bint accepted) noexcept nogil
cdef void _move_rates(SweepRoom room, bint learning) noexcept nogil

cdef void _sweep(SweepRoom room, bint learning) noexcept nogil
cdef void _sweep_component(SweepRoom room, Py_ssize_t component) noexcept nogil
cpdef sweep(Table table, State state, Settings settings)
cdef void _record(SweepRoom room, Records records, Py_ssize_t draw) noexcept nogil
cdef double _members_log_likelihood(SweepRoom room) noexcept nogil
cdef void _exchange(State one, State other) noexcept nogil
cpdef run(
    Table table, rungs, double[::1] powers, Settings settings, Records records,
    Py_ssize_t start, Py_ssize_t stop, Py_ssize_t thin, bint learning,
)
cdef double _swept(SweepRoom room, bint learning)
