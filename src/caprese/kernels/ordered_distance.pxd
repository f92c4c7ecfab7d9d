from libc.stdint cimport int32_t, int64_t

cdef class Tree:
    cdef Py_ssize_t keys
    cdef int64_t[::1] events, leftmost, keyroots, child, sibling, up, place

cdef class Distances:
    cdef int32_t[:, ::1] trees, forests

cpdef edit_distances(
    const int64_t[:, ::1] parents, const int64_t[:, ::1] others, const int64_t[::1] by_rank
)
cdef void _fill_distances(
    const int64_t[:, ::1] parents, const int64_t[:, ::1] others, const int64_t[::1] by_rank,
    Tree one, Tree other, Distances distances, int64_t[::1] result,
) noexcept
cdef bint _are_equal(
    const int64_t[:, ::1] parents, const int64_t[:, ::1] others, Py_ssize_t b
) noexcept nogil
cdef void _fill_tree(
    Tree tree, const int64_t[:, ::1] parents, Py_ssize_t b, const int64_t[::1] by_rank
) noexcept nogil
cdef void _link(
    Tree tree, const int64_t[:, ::1] parents, Py_ssize_t b, const int64_t[::1] by_rank
) noexcept nogil
cdef void _compare(
    Tree one, Tree other, Py_ssize_t top, Py_ssize_t top_other, Distances distances
) noexcept nogil
cdef void _fill_row(
    Tree one, Tree other, Py_ssize_t start, Py_ssize_t start_other, Py_ssize_t a,
    Py_ssize_t top_other, Distances distances,
) noexcept nogil
