from libc.stdint cimport int64_t, uint8_t, uint64_t

cdef int64_t _INFINITE

cdef class Search:
    cdef Py_ssize_t words
    cdef uint64_t[:, ::1] ancestors, ancestors_other, conflicts, sets
    cdef uint64_t[::1] left, ready
    cdef uint8_t[::1] is_sum, is_second
    cdef int64_t[::1] cost, first, second, limit, bound, lower, upper

cpdef tuple minimum_covers(
    const int64_t[:, ::1] parents, const int64_t[:, ::1] others, Py_ssize_t budget
)
cdef void _fill_bounds(
    const int64_t[:, ::1] parents, const int64_t[:, ::1] others, Py_ssize_t budget,
    Search search, int64_t[::1] lower, int64_t[::1] upper,
) noexcept
cpdef Py_ssize_t first_cyclic(const int64_t[:, ::1] parents) except -2
cdef Py_ssize_t _first_cyclic(const int64_t[:, ::1] parents, int64_t[::1] path) noexcept
cdef Py_ssize_t _lowest(uint64_t word, Py_ssize_t at) noexcept nogil
cdef uint64_t _bit(Py_ssize_t event) noexcept nogil
cdef void _fill_ancestors(
    const int64_t[:, ::1] parents, Py_ssize_t b, uint64_t[:, ::1] ancestors
) noexcept nogil
cdef void _fill_conflicts(Search search) noexcept nogil
cdef (int64_t, int64_t) _cover(Search search, Py_ssize_t budget) noexcept nogil
cdef (int64_t, int64_t, Py_ssize_t) _bounds(Search search, Py_ssize_t top) noexcept nogil
cdef (int64_t, int64_t, bint) _after_first(
    Search search, Py_ssize_t top, int64_t lower, int64_t upper, bint go_on
) noexcept nogil
cdef (int64_t, int64_t) _both(
    Search search, Py_ssize_t top, int64_t lower, int64_t upper
) noexcept nogil
cdef void _branch(Search search, Py_ssize_t top, Py_ssize_t pivot) noexcept nogil
cdef (Py_ssize_t, Py_ssize_t, Py_ssize_t) _reduce(Search search, Py_ssize_t node) noexcept nogil
cdef Py_ssize_t _degree(Search search, Py_ssize_t node, Py_ssize_t v) noexcept nogil
cdef Py_ssize_t _dominant(Search search, Py_ssize_t node, Py_ssize_t v) noexcept nogil
cdef bint _dominates(
    Search search, Py_ssize_t node, Py_ssize_t u, Py_ssize_t v
) noexcept nogil
cdef Py_ssize_t _cover_of_cycles(Search search, Py_ssize_t node) noexcept nogil
cdef Py_ssize_t _next_in_cycle(Search search, Py_ssize_t v) noexcept nogil
cdef Py_ssize_t _clique_bound(Search search, Py_ssize_t node) noexcept nogil
cdef bint _component(Search search, Py_ssize_t node, Py_ssize_t found) noexcept nogil
cdef Py_ssize_t _remove_pivot(
    Search search, Py_ssize_t node, Py_ssize_t pivot, Py_ssize_t first
) noexcept nogil
cdef bint _mirrors(
    Search search, Py_ssize_t node, Py_ssize_t u, Py_ssize_t pivot
) noexcept nogil
