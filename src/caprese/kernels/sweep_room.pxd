from libc.stdint cimport int64_t, uint8_t, uint64_t
from caprese.kernels.event_moves cimport Moves
from caprese.kernels.forest_ascent cimport Prior
from caprese.kernels.forest_messages cimport Table


cdef class Settings:
    cdef readonly Prior prior
    cdef readonly bint free
    cdef readonly double dirichlet
    cdef readonly Py_ssize_t swaps, slices, joints


cdef class State:
    cdef readonly int64_t[:, ::1] parents
    cdef readonly double[:, ::1] theta
    cdef readonly double[:, ::1] rates
    cdef readonly double[::1] common, log_weights, dirichlet
    cdef readonly int64_t[::1] own
    cdef readonly double[:, ::1] members
    cdef readonly uint64_t[::1] stream
    cdef readonly double[:, ::1] proposal
    cdef readonly int64_t[::1] tried, accepted


cdef class SweepRoom:
    cdef State state
    cdef Settings settings
    cdef Table table
    cdef double power, samples
    cdef uint8_t[:, :, ::1] codes
    cdef double[:, ::1] times, log_probabilities, theta
    cdef double[:, :, ::1] order_gains
    cdef uint8_t[:, ::1] before
    cdef int64_t[:, ::1] ends
    cdef int64_t[::1] genotypes, runs, chosen
    cdef double[::1] weights, rates, now, from_root, carried, pool, old_weights
    cdef double[:, ::1] parts, old_theta, frequencies, log_odds
    cdef int64_t[:, ::1] old_parents
    cdef Moves moves


cdef void turn_to(SweepRoom room, Py_ssize_t table) noexcept nogil
cdef void raise_gains(
    SweepRoom room, const double[:, ::1] gains, Py_ssize_t table
) noexcept nogil
cdef Py_ssize_t _choose_members(SweepRoom room, const double[::1] members) noexcept nogil
cdef void fill_table(
    SweepRoom room, Py_ssize_t component, const double[::1] members
) noexcept nogil
cdef void set_component(SweepRoom room, Py_ssize_t component) noexcept nogil
cdef void fill_component(SweepRoom room, Py_ssize_t component) noexcept nogil
cpdef void draw_component(State state, Py_ssize_t component, Prior prior) noexcept nogil
