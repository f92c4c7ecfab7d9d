from libc.stdint cimport int64_t, uint64_t
from caprese.kernels.forest_ascent cimport Prior
from caprese.kernels.forest_messages cimport Forest
from caprese.kernels.forest_orders cimport Orders

cdef double _ROUGH, _DROP, _ELSEWHERE, _END, _INFINITE
cdef Py_ssize_t _ROUGH_STEPS, _SIDE, _POINTS, _EVENT, _SWAP, _REVERSAL, _INSERTION, _PASSES


cdef class Moves:
    cdef Forest forest
    cdef Orders orders
    cdef uint64_t[::1] stream
    cdef int64_t[::1] tried, accepted, candidates, path
    cdef double[::1] weights, points, log_densities, shares, spacing, old_theta
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
cdef double build(
    Moves moves, Prior prior, int64_t[::1] goal, double[::1] theta, bint draw
) noexcept nogil
cdef void _plant_roots(Moves moves) noexcept nogil
cdef bint _move_event(Moves moves, Prior prior, Py_ssize_t event) noexcept nogil
cdef void _swap_some(Moves moves, Py_ssize_t swaps) noexcept nogil
cdef void _climb_to_probabilities(Moves moves, Py_ssize_t length) noexcept nogil
cdef void _aim_at(Moves moves, Py_ssize_t event) noexcept nogil
cdef void _attach(Moves moves, Py_ssize_t event) noexcept nogil
cdef double _pass_path(Moves moves, Py_ssize_t length, bint draw) noexcept nogil
cdef void _reverse_path(Moves moves, Py_ssize_t length) noexcept nogil
cdef Py_ssize_t _fill_path(Moves moves, Py_ssize_t event) noexcept nogil
cdef bint _reverse(Moves moves, bint exchange) noexcept nogil
cdef double _pass_pair(
    Moves moves, Prior prior, Py_ssize_t one, Py_ssize_t other, bint draw
) noexcept nogil
cdef Py_ssize_t _weigh_places(
    Moves moves, Prior prior, Py_ssize_t one, Py_ssize_t other
) noexcept nogil
cdef double _log_share(Moves moves, Py_ssize_t found, Py_ssize_t parent) noexcept nogil
cdef bint _insert(Moves moves, Prior prior) noexcept nogil
cdef void sweep_events(Moves moves, Prior prior, Py_ssize_t swaps) noexcept nogil
