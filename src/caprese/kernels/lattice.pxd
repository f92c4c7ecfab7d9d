from libc.stdint cimport int64_t

cdef class Lattice:
    cdef readonly Py_ssize_t events, number
    cdef readonly int64_t[::1] states, first_states, followers, added, ready, moves, first_moves
    cdef readonly double[::1] stays, likely
    cdef int64_t[::1] places, children, later
    cdef Py_ssize_t half
    cdef double[::1] sums

cpdef states(const int64_t[::1] ancestors)
cpdef probabilities(const int64_t[::1] ancestors, const double[::1] rates)
cpdef void fill_lattice(Lattice poset, const int64_t[::1] ancestors) noexcept nogil
cdef void _fill_children(Lattice poset, const int64_t[::1] ancestors) noexcept nogil
cdef void _fill_later(Lattice poset, const int64_t[::1] ancestors) noexcept nogil
cdef void _fill_states(Lattice poset, const int64_t[::1] ancestors) noexcept nogil
cdef void _add_states(Lattice poset, const int64_t[::1] ancestors, Py_ssize_t k) noexcept nogil
cdef void _fill_moves(Lattice poset) noexcept nogil
cpdef void fill_probabilities(Lattice poset, const double[::1] rates) noexcept nogil
cdef void _fill_stays(Lattice poset, const double[::1] rates) noexcept nogil
