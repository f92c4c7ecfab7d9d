from libc.stdint cimport int64_t, uint8_t

cdef double LEAST, _TINY, _SMALL, _INFINITE
cdef Py_ssize_t _BLOCK


cdef class Table:
    cdef readonly uint8_t[:, ::1] codes
    cdef readonly double[::1] times
    cdef readonly int64_t[::1] ends
    cdef readonly Py_ssize_t genotypes, runs
    cdef readonly double[:, ::1] order_gains, pair_gains
    cdef readonly int64_t[::1] pair_starts
    cdef readonly int64_t[:, ::1] pairs


cdef class Forest:
    cdef readonly Table table
    cdef readonly int64_t[::1] parents, order
    cdef readonly double[::1] theta, slope, base
    cdef bint mixed
    cdef double[::1] factor, rest, claim
    cdef readonly double[:, ::1] present, absent, share, reach
    cdef readonly Py_ssize_t moving, above
    cdef readonly uint8_t[::1] inside
    cdef int64_t[::1] first_child, sibling
    cdef double[:, ::1] seen, seen_shares, rows
    cdef double[::1] products


cdef void find_runs(Table table) noexcept nogil
cpdef void set_forest(
    Forest forest, const int64_t[::1] parents, const double[::1] theta
) noexcept nogil
cpdef void set_rates(Forest forest, double false_positive, double false_negative) noexcept nogil
cpdef Py_ssize_t parents_first(Forest forest) noexcept nogil
cdef Py_ssize_t _append_siblings(
    Forest forest, Py_ssize_t event, Py_ssize_t filled
) noexcept nogil
cdef void _fill_inside(Forest forest, Py_ssize_t top) noexcept nogil

cpdef void log_probabilities(Forest forest, double[::1] out) noexcept nogil
cdef double log_sum(const double[:, ::1] parts, Py_ssize_t d) noexcept nogil
cpdef double log_likelihood(Forest forest) noexcept nogil
cpdef double forest_log_likelihood(
    Table table, const int64_t[::1] parents, const double[::1] theta, const double[::1] rates
)
cdef void _add_rest(Forest forest, bint rescaled) noexcept nogil
cdef void _fill_claims(Forest forest, Py_ssize_t event) noexcept nogil
cdef bint _fill_chances(Forest forest) noexcept nogil
cdef void _look_up(
    Forest forest, Py_ssize_t event, const double[:, ::1] seen, Py_ssize_t truth,
    double[:, ::1] out, Py_ssize_t row,
) noexcept nogil
cdef Py_ssize_t _multiply_root(Forest forest, Py_ssize_t event) noexcept nogil
cdef Py_ssize_t _multiply_above(
    Forest forest, Py_ssize_t event, Py_ssize_t parent
) noexcept nogil
cdef void _rescale(Forest forest, Py_ssize_t one, Py_ssize_t other) noexcept nogil

cdef void refresh(Forest forest, Py_ssize_t event) noexcept nogil
cdef void _multiply_scaled(Forest forest, Py_ssize_t event, Py_ssize_t child) noexcept nogil
cdef void refresh_upwards(Forest forest, Py_ssize_t event) noexcept nogil
cpdef void refresh_all(Forest forest) noexcept nogil
cpdef void fill_reach(Forest forest) noexcept nogil
cdef void _fill_reach_below(Forest forest, Py_ssize_t event) noexcept nogil
cdef Py_ssize_t row_of(Forest forest, Py_ssize_t parent) noexcept nogil
cpdef void detach(Forest forest, Py_ssize_t event) noexcept nogil
cdef Py_ssize_t lift(Forest forest, Py_ssize_t event) noexcept nogil

cpdef void aim(Forest forest, Py_ssize_t event, Py_ssize_t parent) noexcept nogil
cpdef double gain(Forest forest, double theta) noexcept nogil
cdef double _product(
    Forest forest, double theta, Py_ssize_t start, Py_ssize_t stop
) noexcept nogil
cdef double _row_product(
    Forest forest, Py_ssize_t row, Py_ssize_t start, Py_ssize_t stop
) noexcept nogil
cdef double _product_of(double* lanes) noexcept nogil
cdef double _log_products(Forest forest) noexcept nogil
cpdef (double, double) slopes(Forest forest, double theta) noexcept nogil
cdef double _sum_of_sixteen(double* lanes) noexcept nogil
cdef double _sum_of_eight(double* lanes) noexcept nogil
cpdef double first_guess(Forest forest) noexcept nogil
cpdef (double, double, double) best_probability(
    Forest forest, double guess, double accuracy, Py_ssize_t steps
) noexcept nogil
cdef double _next_probability(
    double theta, double first, double second, double low, double high
) noexcept nogil
cpdef double log_normal_mass(double theta, double first, double second) noexcept nogil
