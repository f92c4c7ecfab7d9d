from libc.stdint cimport int32_t, int64_t, uint8_t

cdef double _INFINITE, _NEVER

cdef class Branching:
    cdef Py_ssize_t nodes
    cdef int64_t[::1] parents, inside
    cdef double[::1] heaviest

cdef class Room:
    cdef Py_ssize_t events
    cdef double[:, ::1] weights, into
    cdef int32_t[:, ::1] source, target
    cdef int64_t[::1] node, row, best, visited, cycle
    cdef int64_t[:, ::1] entry

cdef class CloseEdges:
    cdef double[:, ::1] losses
    cdef double[::1] entered
    cdef int64_t[::1] starts, ends, waiting
    cdef uint8_t[::1] around, reached

cpdef tuple certain_parents(
    const double[:, :, ::1] weights, const double[:, ::1] root_weights, double equal
)
cdef void _fill_certain(
    const double[:, :, ::1] weights, const double[:, ::1] root_weights, double equal,
    Branching found, Branching other, Room room, CloseEdges close,
    int64_t[:, ::1] parents, uint8_t[:, ::1] tied,
) noexcept
cpdef branching(const double[:, :, ::1] weights, const double[:, ::1] root_weights)
cdef void _fill_branchings(
    const double[:, :, ::1] weights, const double[:, ::1] root_weights, Room room, Branching found,
    int64_t[:, ::1] parents,
) noexcept
cdef void _load(
    const double[:, :, ::1] weights, const double[:, ::1] root_weights, Py_ssize_t b, Room room
) noexcept nogil
cdef bint _note_others(
    Branching found, Branching other, uint8_t[:, ::1] tied, Py_ssize_t b
) noexcept nogil
cdef double _total_weight(Room room, Branching found) noexcept nogil
cdef void _add_ambiguous(
    Room room, Branching found, Branching other, CloseEdges close, double equal,
    uint8_t[:, ::1] tied, Py_ssize_t b,
) noexcept nogil
cdef bint _is_reached_without(CloseEdges close, Py_ssize_t parent, Py_ssize_t event) noexcept nogil
cdef void _fill_lists(CloseEdges close, double limit) noexcept nogil
cdef void _fill_losses(Room room, Branching found, CloseEdges close) noexcept nogil
cdef void _find(Room room, Branching found) noexcept nogil
cdef void _start(Room room, Branching found) noexcept nogil
cdef void _fill_edges(
    const double[:, ::1] weights, double[:, ::1] into, int32_t[:, ::1] source,
    int32_t[:, ::1] target,
) noexcept nogil
cdef void _expand(Room room, Branching found) noexcept nogil
cdef Py_ssize_t _row_now(Room room, Py_ssize_t first) noexcept nogil
cdef void _enter(Room room, Branching found, Py_ssize_t at) noexcept nogil
cdef void _contract(Room room, Branching found, Py_ssize_t keep) noexcept nogil
cdef void _merge(Room room, Branching found, Py_ssize_t member, Py_ssize_t keep) noexcept nogil
