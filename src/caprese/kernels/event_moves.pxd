from libc.stdint cimport int64_t, uint64_t
from caprese.kernels.forest_ascent cimport Prior
from caprese.kernels.forest_messages cimport Forest
from caprese.kernels.forest_orders cimport Orders

cdef double _ROUGH, _DROP, _ELSEWHERE
cdef Py_ssize_t _ROUGH_STEPS, _SIDE, _POINTS, _EVENT, _SWAP


cdef class Moves:
    cdef Forest forest
    cdef Orders orders
    cdef uint64_t[::1] stream
    cdef int64_t[::1] tried, accepted, candidates
    cdef double[::1] weights, points, log_densities, shares, spacing
    cdef double[:, ::1] peaks


cdef void _place_points(Moves moves, double theta, double first, double second) noexcept nogil
cdef double _fill_pieces(Moves moves, double top) noexcept nogil
cdef void _raise_ends(Moves moves) noexcept nogil
cdef double _integral(Moves moves, Py_ssize_t k, double top) noexcept nogil
cdef double _draw_theta(Moves moves) noexcept nogil
cdef double _log_proposal(Moves moves, double theta, double log_mass) noexcept nogil
cdef Py_ssize_t _weigh_parents(Moves moves, Py_ssize_t event) noexcept nogil
cdef double _approximate(Moves moves, Py_ssize_t event, Py_ssize_t k) noexcept nogil
cdef double _log_importance(
    Moves moves, Py_ssize_t k, double theta, double log_mass
) noexcept nogil
cdef bint _move_event(Moves moves, Prior prior, Py_ssize_t event) noexcept nogil
cdef void _swap_some(Moves moves, Py_ssize_t swaps) noexcept nogil
cdef void sweep_events(Moves moves, Prior prior, Py_ssize_t swaps) noexcept nogil
