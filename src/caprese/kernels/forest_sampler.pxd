from libc.stdint cimport int32_t, uint64_t
from caprese.kernels.forest_ascent cimport Prior
from caprese.kernels.forest_messages cimport Table
from caprese.kernels.sweep_room cimport Settings, State, SweepRoom

cdef double _INFINITE, LEAST_DIRICHLET, MOST_DIRICHLET, _DIRICHLET_STEP, _WEIGHT_STEP, _LEAST_COUNT, _LEAST_LOG
cdef Py_ssize_t _EARLY_SPLITS, _DIRICHLET_MOVES, _WEIGHT_MOVES


cdef class Records:
    cdef readonly int32_t[:, :, ::1] parents
    cdef readonly double[:, :, ::1] theta, rates
    cdef readonly double[:, ::1] weights, root_probability
    cdef readonly double[::1] log_likelihood


cdef void _enter(SweepRoom room, State state, double power)
cdef void _fill_log_probabilities(SweepRoom room) noexcept nogil
cdef double _summed(SweepRoom room) noexcept nogil
cdef double _mixture_log_likelihood(SweepRoom room) noexcept nogil
cpdef double state_log_likelihood(
    Table table, State state, Settings settings, double power=*
)
cdef void _draw_members(SweepRoom room) noexcept nogil
cdef double _log_chance(SweepRoom room, double dirichlet) noexcept nogil
cdef void _move_dirichlet(SweepRoom room) noexcept nogil
cpdef void draw_weights(State state, double dirichlet) noexcept nogil
cdef double _set_weight(SweepRoom room, Py_ssize_t component, double log_weight) noexcept nogil
cdef void _move_weights(SweepRoom room) noexcept nogil
cdef double _draw_root_probability(
    uint64_t[::1] stream, Prior prior, Py_ssize_t n, Py_ssize_t roots
) noexcept nogil
cdef void _sweep(SweepRoom room, bint learning) noexcept nogil
cdef bint _counts(SweepRoom room, Py_ssize_t component) noexcept nogil
cdef void _sweep_mixed(SweepRoom room, Py_ssize_t component) noexcept nogil
cdef void _mix(SweepRoom room, Py_ssize_t component) noexcept nogil
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
