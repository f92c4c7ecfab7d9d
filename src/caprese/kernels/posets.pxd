from libc.stdint cimport int64_t

cdef int64_t KINDS

cpdef int64_t number_of_moves(int64_t events) noexcept nogil
cpdef void fill_neighbour(
    const int64_t[::1] parents,
    int64_t kind,
    int64_t one,
    int64_t other,
    int64_t[::1] result,
    int64_t[::1] ancestors,
) noexcept nogil
cdef void _remove_relation(int64_t[::1] parents, int64_t parent, int64_t event) noexcept nogil
cdef void _swap_events(int64_t[::1] parents, int64_t one, int64_t other) noexcept nogil
cpdef void reduce_transitively(int64_t[::1] parents, int64_t[::1] ancestors) noexcept nogil
cpdef void fill_ancestors(const int64_t[::1] parents, int64_t[::1] ancestors) noexcept nogil
cpdef bint equal(const int64_t[::1] one, const int64_t[::1] other) noexcept nogil
