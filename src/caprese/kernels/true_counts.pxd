from libc.stdint cimport int64_t

from caprese.kernels.lattice cimport Lattice

cdef double _TRANSFORM_COST, _MOST_ERROR, _LEAST_RATIO, _SMALLEST, _LEAST_PRODUCT
cdef int64_t _WIDTH, _CACHED

cdef class Observations:
    cdef readonly Py_ssize_t events, number, groups
    cdef readonly double entries
    cdef readonly const int64_t[::1] genotypes, known
    cdef readonly const double[::1] times
    cdef int64_t[::1] ends

cdef _aligned(Py_ssize_t rows, Py_ssize_t size)

cdef class Sets:
    cdef Py_ssize_t events
    cdef double[::1] values

cdef class TrueCounts:
    cdef readonly double[::1] relative
    cdef double[::1] weights, totals, total_errors, shown, of_errors, of_states
    cdef double[:, ::1] factors, changes, chances, errors
    cdef int64_t[::1] order, waiting
    cdef Sets sets

cpdef (double, double) fill_true_counts(
    Lattice poset, double error, Observations data, TrueCounts counts
) noexcept nogil
cpdef (double, double) by_transform(
    Lattice poset, double error, Observations data, TrueCounts counts
) noexcept nogil
cdef double _weigh(
    Observations data, TrueCounts counts, Py_ssize_t first, Py_ssize_t last
) noexcept nogil
cdef double _flipped(
    Observations data, TrueCounts counts, Py_ssize_t first, Py_ssize_t last
) noexcept nogil
cpdef observe_with_errors(const double[::1] likely, int64_t known, double error)
cdef void _observe_all(Sets sets, int64_t known, double factor) noexcept nogil
cdef void _observe_cached(
    Sets sets, Py_ssize_t start, Py_ssize_t stop, int64_t known, double factor
) noexcept nogil
cdef double _factor(int64_t known, int64_t event, double factor) noexcept nogil
cdef void _observe_nearest(
    Sets sets, Py_ssize_t start, Py_ssize_t stop, double one, double two
) noexcept nogil
cdef void _observe_two(
    Sets sets, Py_ssize_t start, Py_ssize_t stop, Py_ssize_t distance, double one, double two
) noexcept nogil
cdef void _observe_last(Sets sets, double factor) noexcept nogil
cpdef (double, double) by_path(
    Lattice poset, double error, Observations data, TrueCounts counts
) noexcept nogil
cdef void _fill_factors(Observations data, double error, TrueCounts counts) noexcept nogil
cdef void _fill_totals(Lattice poset, TrueCounts counts) noexcept nogil
cdef void _fill_order(Lattice poset, TrueCounts counts) noexcept nogil
cdef double _total_chance(TrueCounts counts, Py_ssize_t depth) noexcept nogil
cdef void _fill_weighted_chances(Lattice poset, TrueCounts counts) noexcept nogil
cpdef (double, double) by_pair(
    Lattice poset, double error, Observations data, TrueCounts counts
) noexcept nogil
cdef void _fill_chances(TrueCounts counts, int64_t entries, double error) noexcept nogil
