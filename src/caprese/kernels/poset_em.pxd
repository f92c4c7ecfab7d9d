from libc.stdint cimport int64_t

from caprese.kernels.lattice cimport Lattice
from caprese.kernels.true_counts cimport Observations, TrueCounts

cdef double _LEAST_RATE, _MOST_RATE, _LEAST_ERROR, _MOST_ERROR, _NO_ERROR
cdef double _LONGEST_STEP, _SHORTEST_STEP, _GAIN_FACTOR, _GAIN_OFFSET

cdef class Limits:
    cdef readonly bint estimate_error
    cdef readonly double tolerance
    cdef readonly Py_ssize_t steps

cdef class Step:
    cdef readonly Observations data
    cdef readonly Lattice poset
    cdef readonly TrueCounts true_counts
    cdef public double error
    cdef readonly double[::1] rates, occurrences, waiting_times
    cdef double[::1] times, sums

cdef class Ascent:
    cdef Py_ssize_t size
    cdef readonly Step step
    cdef double[::1] point, next_point, lower, upper, gradient, next_gradient
    cdef double[::1] curvature, direction, scratch
    cdef double[:, ::1] inverse

cpdef maximise_likelihood(
    Ascent ascent,
    const int64_t[::1] ancestors,
    const double[::1] rates,
    double error,
    Limits limits,
    double target,
)
cdef void start(
    Ascent ascent,
    const int64_t[::1] ancestors,
    const double[::1] rates,
    double error,
    Limits limits,
) noexcept nogil
cdef (double, bint) ascend(Ascent ascent, Limits limits, double target) noexcept nogil
cdef (double, bint) _line_search(Ascent ascent, double log_likelihood, double gain) noexcept nogil
cdef double _fill_gradient(Ascent ascent, double[::1] point, double[::1] gradient) noexcept nogil
cdef void _fill_rates(Ascent ascent, double[::1] point) noexcept nogil
cdef void _reset(Ascent ascent) noexcept nogil
cdef double _fill_direction(Ascent ascent) noexcept nogil
cdef bint _at_bound(Ascent ascent, Py_ssize_t k) noexcept nogil
cdef void _update_inverse(Ascent ascent) noexcept nogil
cdef double _logit(double probability) noexcept nogil
cpdef (double, double) expectations(Step step) noexcept nogil
cdef void _fill_times(Step step) noexcept nogil
cdef void _fill_totals(Step step) noexcept nogil
cdef double _fold(Step step, Py_ssize_t part, Py_ssize_t event) noexcept nogil
