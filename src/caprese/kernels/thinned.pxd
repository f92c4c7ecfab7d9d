from libc.stdint cimport int64_t, uint8_t

cdef double _LEAST, _NEVER

cdef class Thinned:
    cdef const int64_t[::1] members, bounds, previous, added, firsts, sources, by
    cdef const uint8_t[::1] ends
    cdef const double[::1] factors

cdef class Room:
    cdef double[:, ::1] rates, sums, effects, effect_slopes
    cdef double[::1] leave, likely, values

cdef Py_ssize_t _most(const int64_t[::1] bounds) noexcept nogil
cpdef likely(const double[::1] rates, const double[:, ::1] effects, Thinned given)
cpdef tuple log_likelihood(
    const double[::1] rates, const double[:, ::1] effects, const double[::1] weights, Thinned given
)
cpdef earlier_shares(const double[::1] rates, const double[:, ::1] effects, Thinned given)
cdef void _substitute(
    Room room,
    Thinned given,
    const double[::1] rates,
    const double[:, ::1] effects,
    Py_ssize_t place,
) noexcept nogil
cdef double _chance(Room room, Thinned given, Py_ssize_t place) noexcept nogil
cdef void _find_slopes(
    Room room, Thinned given, Py_ssize_t place, double slope, double leaving
) noexcept nogil
