from libc.stdint cimport int64_t, uint64_t
from caprese.kernels.forest_ascent cimport Prior
from caprese.kernels.forest_messages cimport Messages, Table

cdef double _ROUGH, _DROP, _ELSEWHERE
cdef Py_ssize_t _ROUGH_STEPS, _SIDE, _POINTS, _EVENT, _SWAP


cdef class Pieces:
    cdef double[::1] points, log_densities, shares, spacing


cdef class Room:
    cdef uint64_t[::1] stream
    cdef int64_t[::1] tried, accepted
    cdef double[:, ::1] seen
    cdef Messages work
    cdef double[::1] weights
    cdef int64_t[::1] candidates
    cdef double[:, ::1] peaks
    cdef Pieces pieces


cdef void _place_points(double theta, double first, double second, Pieces pieces) noexcept nogil
cdef double _fill_pieces(Table table, Messages work, double top, Pieces pieces) noexcept nogil
cdef void _raise_ends(Pieces pieces) noexcept nogil
cdef double _integral(Pieces pieces, Py_ssize_t k, double top) noexcept nogil
cdef double _draw_theta(uint64_t[::1] stream, Pieces pieces) noexcept nogil
cdef double _log_proposal(double theta, Pieces pieces, double log_mass) noexcept nogil
cdef Py_ssize_t _weigh_parents(
    Table table, const int64_t[::1] parents, double advantage, Py_ssize_t event, Room room
) noexcept nogil
cdef double _approximate(Table table, Py_ssize_t event, Py_ssize_t k, Room room) noexcept nogil
cdef double _log_importance(
    Table table, Py_ssize_t k, double theta, double advantage, double log_mass, Room room
) noexcept nogil
cdef bint _move_event(
    Table table, int64_t[::1] parents, double[::1] theta, Prior prior, Py_ssize_t event, Room room
) noexcept nogil
cdef Py_ssize_t _other_roots(const int64_t[::1] parents, Py_ssize_t event) noexcept nogil
cdef void _swap_some(
    Table table, int64_t[::1] parents, double[::1] theta, Py_ssize_t swaps, Room room
) noexcept nogil
cdef void sweep_events(
    Table table, int64_t[::1] parents, double[::1] theta, Prior prior, Py_ssize_t swaps, Room room
) noexcept nogil
