cimport cython
from libc.stdint cimport int64_t, uint8_t

cdef Py_ssize_t _UNKNOWN

cdef class Histories:
    cdef const uint8_t[:, ::1] codes
    cdef const int64_t[::1] starts, course, panels, width, first, group
    cdef const double[::1] widths, share, number
    cdef const double[::1] points
    cdef const double[:, ::1] weights, coefficients
    cdef readonly Py_ssize_t events, size, room
    cdef const int64_t[:, ::1] own

cdef class Tables:
    cdef Py_ssize_t events, size, room
    cdef const uint8_t[:, ::1] codes
    cdef const int64_t[::1] starts, course, panels, width, first, group
    cdef const double[::1] widths, share, patients
    cdef const double[::1] points
    cdef const double[:, ::1] coefficients
    cdef const int64_t[:, ::1] own
    cdef int64_t[::1] children, heads, now, step, changed, slots, keys
    cdef int64_t[:, ::1] number
    cdef int64_t[:, :, ::1] kinds, example, offset
    cdef double[::1] error, chances, probability, product, back, moments
    cdef public const double[:, ::1] weights
    cdef public double[::1] total, occurred, risked
    cdef double[:, :, ::1] absent, values
    cdef double[:, ::1] rates, bends
    cdef double[:, :, :, ::1] left, added
    cdef double[:, ::1] slopes, absent_slopes
    cdef public double[:, ::1] seen, there

cpdef double fill(
    Tables tables,
    const int64_t[::1] parents,
    const double[::1] rates,
    const double[::1] error,
    const int64_t[::1] events,
)
cpdef undo(Tables tables, const int64_t[::1] parents, const int64_t[::1] events)
cpdef log_probabilities(Tables tables)
cpdef expectations(Tables tables, const int64_t[::1] order)
cdef void _find_children(Tables tables, const int64_t[::1] parents) noexcept nogil
cdef void _find_kinds(Tables tables, Py_ssize_t event) noexcept nogil
cdef Py_ssize_t _number_of(Tables tables, Py_ssize_t slot, Py_ssize_t event) noexcept nogil
cdef Py_ssize_t _combine(
    Tables tables, Py_ssize_t slot, Py_ssize_t event, Py_ssize_t child
) noexcept nogil
cdef void _find_steps(Tables tables, Py_ssize_t event) noexcept nogil
cdef void _find_bends(Tables tables, Py_ssize_t event) noexcept nogil
cdef void _find_moments(Tables tables, double z, double end) noexcept nogil
cdef Py_ssize_t _find_chances(
    Tables tables, Py_ssize_t event, Py_ssize_t history
) noexcept nogil
cdef void _find_values(Tables tables, Py_ssize_t event) noexcept nogil
cdef double _none_below(Tables tables, Py_ssize_t event, Py_ssize_t history) noexcept nogil
cdef void _multiply(
    Tables tables, Py_ssize_t parent, Py_ssize_t history, Py_ssize_t panel, Py_ssize_t without
) noexcept nogil
cdef double _log_likelihood(Tables tables) noexcept nogil
cdef void _start_slopes(Tables tables, Py_ssize_t history) noexcept nogil
cdef void _pass_on(Tables tables, Py_ssize_t event) noexcept nogil
cdef double _pass_panel(
    Tables tables, Py_ssize_t event, Py_ssize_t kind, Py_ssize_t history, Py_ssize_t panel,
    double none, double slope,
) noexcept nogil
cdef void _see(
    Tables tables, Py_ssize_t event, Py_ssize_t history, Py_ssize_t first, double expected
) noexcept nogil
