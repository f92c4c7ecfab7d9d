from libc.stdint cimport int64_t, uint64_t

from caprese.kernels.poset_em cimport Ascent, Limits
from caprese.kernels.true_counts cimport Observations

cdef Py_ssize_t _ATTEMPTS
cdef double _UNIT, _INFINITY, _AFRESH

cdef class Place:
    cdef readonly int64_t[::1] parents
    cdef readonly double[::1] point
    cdef readonly double log_likelihood

cdef class Search:
    cdef readonly Place current, best
    cdef Place candidate
    cdef const int64_t[::1] free
    cdef uint64_t state
    cdef Py_ssize_t at, failed, moves
    cdef int64_t[:, ::1] tried
    cdef int64_t[::1] ancestors
    cdef double[::1] rates, afresh
    cdef Ascent ascent

cpdef fit_best(Search search, Limits limits)
cpdef anneal(Search search, const double[::1] temperatures, Limits limits)
cpdef bint climb(Search search, Py_ssize_t moves, Limits limits, bint thorough)
cdef void _fit(Search search, double[::1] point, Limits limits, double target) noexcept nogil
cdef void _copy(Place source, Place target) noexcept nogil
cdef void _draw_candidate(Search search) noexcept nogil
cdef bint _next_candidate(Search search) noexcept nogil
cdef void _move(Search search, int64_t kind, int64_t one, int64_t other) noexcept nogil
