from libc.stdint cimport int64_t, uint8_t, uint64_t

cdef double _DOUBT, _NEVER

cdef class Draft:
    cdef Py_ssize_t inside, events, most, states, moves
    cdef double[:, ::1] rates, next_rates, steps, next_steps, orders, next_orders
    cdef double[::1] mass, guess, missing, next_mass, next_guess, next_missing
    cdef uint64_t[::1] keys, next_keys, found_keys, marks
    cdef int64_t[::1] slots, found_from, found_by, place, move_to, move_from, move_by
    cdef double[::1] found_mass, found_guess, leave, weight, move_factor, factors
    cdef int64_t[::1] previous, added, firsts, sources, by
    cdef uint8_t[::1] ends

cpdef tuple drawn(
    const double[::1] rates,
    const double[:, ::1] effects,
    const double[:, ::1] logs,
    const uint8_t[::1] present,
    const int64_t[::1] earlier,
    const int64_t[::1] later,
    const double[::1] confidence,
    Py_ssize_t most,
    uint64_t[::1] stream,
)
cdef void _begin(
    Draft draft,
    const double[::1] rates,
    const double[:, ::1] logs,
    const uint8_t[::1] present,
    const int64_t[::1] earlier,
    const int64_t[::1] later,
    const double[::1] confidence,
    uint64_t[::1] stream,
) noexcept nogil
cdef double _sure(double confidence) noexcept nogil
cdef Py_ssize_t _find(Draft draft, Py_ssize_t count) noexcept nogil
cdef void _guess(
    Draft draft, const double[:, ::1] effects, const uint8_t[::1] present, Py_ssize_t found
) noexcept nogil
cdef Py_ssize_t _choose(Draft draft, Py_ssize_t found, uint64_t[::1] stream) noexcept nogil
cdef double _share(Draft draft, Py_ssize_t found) noexcept nogil
cdef void _keep(
    Draft draft,
    const double[:, ::1] effects,
    const double[:, ::1] logs,
    const uint8_t[::1] present,
    const int64_t[::1] earlier,
    const int64_t[::1] later,
    const double[::1] confidence,
    Py_ssize_t start,
    Py_ssize_t found,
) noexcept nogil
cdef void _link(Draft draft, Py_ssize_t start, Py_ssize_t count, Py_ssize_t kept) noexcept nogil
