from libc.stdint cimport int64_t, uint8_t

cdef double LEAST, _TINY, _SMALL, _INFINITE
cdef Py_ssize_t _BLOCK


cdef class Table:
    cdef readonly uint8_t[:, ::1] codes
    cdef readonly double[::1] times
    cdef readonly int64_t[::1] ends
    cdef readonly Py_ssize_t genotypes, runs


cdef class Messages:
    cdef readonly double[:, ::1] present, absent, share, reach
    cdef readonly Py_ssize_t moving
    cdef readonly double[::1] slope
    cdef readonly uint8_t[::1] inside
    cdef readonly int64_t[::1] order
    cdef int64_t[::1] first_child, sibling
    cdef double[:, ::1] rows
    cdef double[::1] products


cdef void find_runs(Table table) noexcept nogil
cdef void fill_seen(double false_positive, double false_negative, double[:, ::1] seen) noexcept nogil
cpdef seen_probabilities(double false_positive, double false_negative)
cpdef Py_ssize_t parents_first(const int64_t[::1] parents, Messages work) noexcept nogil

cdef Py_ssize_t _append_siblings(
    Messages work, Py_ssize_t event, Py_ssize_t filled
) noexcept nogil
cdef void _fill_inside(const int64_t[::1] parents, Py_ssize_t top, Messages work) noexcept nogil

cpdef void log_probabilities(
    Table table, const int64_t[::1] parents, const double[::1] theta, const double[:, ::1] seen,
    Messages work, double[::1] out,
) noexcept nogil
cpdef double log_likelihood(
    Table table, const int64_t[::1] parents, const double[::1] theta, const double[:, ::1] seen,
    Messages work,
) noexcept nogil
cpdef double forest_log_likelihood(
    Table table, const int64_t[::1] parents, const double[::1] theta, const double[::1] rates
)

cdef bint _fill_chances(
    Table table, const int64_t[::1] parents, const double[::1] theta, const double[:, ::1] seen,
    Messages work,
) noexcept nogil
cdef void _look_up(
    Table table, Py_ssize_t event, double zero, double one, double two, double[:, ::1] out,
    Py_ssize_t row,
) noexcept nogil
cdef Py_ssize_t _multiply_root(
    Messages work, Py_ssize_t n, Py_ssize_t genotypes, Py_ssize_t event, double chance
) noexcept nogil
cdef Py_ssize_t _multiply_above(
    Messages work, Py_ssize_t n, Py_ssize_t genotypes, Py_ssize_t event, Py_ssize_t parent,
    double chance,
) noexcept nogil
cdef void _rescale(
    Messages work, Py_ssize_t one, Py_ssize_t other, Py_ssize_t genotypes
) noexcept nogil
cdef double _row_product(
    Messages work, Py_ssize_t row, Py_ssize_t start, Py_ssize_t stop
) noexcept nogil
cdef double _product_of(double* lanes) noexcept nogil
cdef double _log_products(Table table, Messages work) noexcept nogil

cdef void refresh(
    Table table, const int64_t[::1] parents, const double[::1] theta, const double[:, ::1] seen,
    Messages work, Py_ssize_t event,
) noexcept nogil
cdef void _multiply_scaled(
    Table table, Messages work, Py_ssize_t event, Py_ssize_t child, double chance
) noexcept nogil
cdef void refresh_upwards(
    Table table, const int64_t[::1] parents, const double[::1] theta, const double[:, ::1] seen,
    Messages work, Py_ssize_t event,
) noexcept nogil
cpdef void refresh_all(
    Table table, const int64_t[::1] parents, const double[::1] theta, const double[:, ::1] seen,
    Messages work,
) noexcept nogil
cpdef void fill_reach(Table table, const int64_t[::1] parents, Messages work) noexcept nogil
cdef void _fill_reach_below(
    Table table, Messages work, Py_ssize_t event, Py_ssize_t parent
) noexcept nogil
cpdef void detach(
    Table table, int64_t[::1] parents, const double[::1] theta, const double[:, ::1] seen,
    Messages work, Py_ssize_t event,
) noexcept nogil
cdef Py_ssize_t lift(
    Table table, int64_t[::1] parents, const double[::1] theta, const double[:, ::1] seen,
    Messages work, Py_ssize_t event,
) noexcept nogil

cpdef void aim(Table table, Messages work, Py_ssize_t event, Py_ssize_t parent) noexcept nogil
cpdef double gain(Table table, Messages work, double theta) noexcept nogil
cdef double _product(
    Messages work, double theta, Py_ssize_t start, Py_ssize_t stop
) noexcept nogil
cdef double _sum_of_sixteen(double* lanes) noexcept nogil
cdef double _sum_of_eight(double* lanes) noexcept nogil
cpdef (double, double) slopes(Table table, Messages work, double theta) noexcept nogil
cpdef double first_guess(
    Table table, Messages work, Py_ssize_t event, Py_ssize_t parent
) noexcept nogil
cpdef (double, double, double) best_probability(
    Table table, Messages work, double guess, double accuracy, Py_ssize_t steps
) noexcept nogil
cdef double _next_probability(
    double theta, double first, double second, double low, double high
) noexcept nogil
cpdef double log_normal_mass(double theta, double first, double second) noexcept nogil
