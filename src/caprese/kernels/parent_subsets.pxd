from libc.stdint cimport int64_t, uint8_t, uint64_t

cdef double _EQUAL, _NEVER
cdef Py_ssize_t _SHALLOW

cdef class Column:
    cdef const uint8_t[:, :] values, known
    cdef const int64_t[:] rank
    cdef uint8_t[::1] counts
    cdef Py_ssize_t total, present, absent, number, words, positive
    cdef int64_t[::1] own
    cdef int64_t[:, ::1] met
    cdef double[::1] n_log_n, gains, scores
    cdef uint64_t[:, ::1] packed
    cdef uint64_t[::1] keys, others, sets

cdef class Cells:
    cdef uint64_t[:, ::1] masks
    cdef int64_t[:, ::1] sums, split
    cdef int64_t[::1] order, starts, held, chosen
    cdef uint64_t[::1] bits
    cdef double[::1] losses
    cdef grow(self, Py_ssize_t size)

cpdef tuple best_sets(
    const uint8_t[:, :] values,
    const uint8_t[:, :] known,
    const uint8_t[:, :] candidates,
    const int64_t[:] rank,
    Py_ssize_t price_kind,
    Py_ssize_t most,
    Py_ssize_t largest,
    Py_ssize_t limit,
)
cdef Py_ssize_t _words(Py_ssize_t samples) noexcept nogil
cdef void _fill_n_log_n(Column column) noexcept nogil
cdef double _price(Py_ssize_t kind, Py_ssize_t samples) noexcept nogil
cdef double _likelihood(Column column, Py_ssize_t present, Py_ssize_t absent) noexcept nogil
cdef double _split_likelihood(
    Column column, Py_ssize_t both, Py_ssize_t without, Py_ssize_t present, Py_ssize_t absent
) noexcept nogil
cdef void _choose(Column column, const uint8_t[:, :] candidates, Py_ssize_t child) noexcept nogil
cdef void _sort_candidates(Column column) noexcept nogil
cdef bint _comes_before(Column column, Py_ssize_t own, double gain, Py_ssize_t place) noexcept nogil
cdef void _pack(Column column, Py_ssize_t child) noexcept nogil
cdef double _saturated(Column column, uint64_t parents) noexcept nogil
cdef void _sort_genotypes(Column column, uint64_t parents) noexcept nogil
cdef uint64_t _genotype(Column column, Py_ssize_t place) noexcept nogil
cdef void _find_likeliest(Column column) noexcept nogil
cdef bint _find_best_two(
    Column column, Cells cells, double price, Py_ssize_t most, Py_ssize_t limit
) except -1 nogil
cdef void _start(Column column, Cells cells, double price) noexcept nogil
cdef double _likelihood_with(
    Column column, Cells cells, Py_ssize_t depth, Py_ssize_t candidate, double least
) noexcept nogil
cdef (Py_ssize_t, Py_ssize_t) _split(
    Column column, Cells cells, Py_ssize_t cell, Py_ssize_t candidate
) noexcept nogil
cdef void _rank(Column column, double score, uint64_t own) noexcept nogil
cdef bint _is_better(Column column, double score, uint64_t own, Py_ssize_t place) noexcept nogil
cdef void _refine(Column column, Cells cells, Py_ssize_t depth, Py_ssize_t candidate) noexcept nogil
cdef Py_ssize_t _new_cell(
    Column column, Cells cells, Py_ssize_t size, Py_ssize_t present, Py_ssize_t absent
) noexcept nogil
