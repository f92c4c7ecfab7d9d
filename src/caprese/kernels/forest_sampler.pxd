from libc.stdint cimport int32_t, int64_t, uint8_t, uint64_t
from caprese.kernels.event_moves cimport Room
from caprese.kernels.forest_ascent cimport Prior
from caprese.kernels.forest_messages cimport Table

cdef double _TARGET, _INFINITE
cdef Py_ssize_t _JOINT


cdef class Settings:
    cdef readonly Prior prior
    cdef readonly bint free
    cdef readonly double dirichlet
    cdef readonly Py_ssize_t swaps, slices, joints


cdef class State:
    cdef readonly int64_t[:, ::1] parents
    cdef readonly double[:, ::1] theta
    cdef readonly double[::1] rates, log_weights
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
    cdef Table table
    cdef uint8_t[:, :, ::1] codes
    cdef double[:, ::1] times
    cdef int64_t[:, ::1] ends
    cdef int64_t[::1] genotypes, runs, chosen
    cdef double[:, ::1] log_probabilities
    cdef double[::1] weights
    cdef double[:, ::1] theta
    cdef double[::1] rates, from_root, carried
    cdef Room moves


cdef void _turn_to(SweepRoom room, Py_ssize_t component) noexcept nogil
cdef Py_ssize_t _choose_members(
    const double[:, ::1] members, Py_ssize_t component, int64_t[::1] chosen
) noexcept nogil
cdef void _fill_table(
    Table table, State state, SweepRoom room, Py_ssize_t component
) noexcept nogil
cdef void _fill_log_probabilities(Table table, State state, SweepRoom room) noexcept nogil
cdef double _mixture_log_likelihood(Table table, const double[:, ::1] found) noexcept nogil
cpdef double state_log_likelihood(Table table, State state)
cdef void _draw_members(Table table, State state, SweepRoom room) noexcept nogil
cpdef void draw_weights(State state, double dirichlet) noexcept nogil
cpdef void draw_component(State state, Py_ssize_t component, Prior prior) noexcept nogil
cdef double _draw_root_probability(
    uint64_t[::1] stream, Prior prior, Py_ssize_t n, Py_ssize_t roots
) noexcept nogil

cdef double _rate(double x) noexcept nogil
cdef double _point(double rate) noexcept nogil
cdef double _rates_objective(
    State state, const double[:, ::1] theta, const double[::1] rates, Prior prior, SweepRoom room
) noexcept nogil
cdef double _objective_at(
    State state, Py_ssize_t which, double x, Prior prior, SweepRoom room
) noexcept nogil
cdef double _slice_rate(
    State state, Prior prior, Py_ssize_t which, double objective, SweepRoom room
) noexcept nogil
cdef double _carry_theta(State state, Py_ssize_t component, SweepRoom room) noexcept nogil
cdef void _propose_rates(State state, SweepRoom room) noexcept nogil
cdef (double, bint) _joint_move(
    State state, Prior prior, double objective, SweepRoom room
) noexcept nogil
cdef void _learn(State state, bint accepted) noexcept nogil
cdef void _move_rates(State state, Settings settings, SweepRoom room, bint learning) noexcept nogil

cdef void _sweep(
    Table table, State state, Settings settings, SweepRoom room, bint learning
) noexcept nogil
cpdef sweep(Table table, State state, Settings settings)
cdef void _record(
    Table table, State state, Settings settings, SweepRoom room, Records records, Py_ssize_t draw
) noexcept nogil
cpdef run(
    Table table, State state, Settings settings, Records records,
    Py_ssize_t start, Py_ssize_t stop, Py_ssize_t warm_up, Py_ssize_t thin,
)
