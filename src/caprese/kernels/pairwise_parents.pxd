from libc.stdint cimport int64_t

ctypedef fused number:
    int64_t
    double

cdef double _INFINITE

cpdef caprese_parents(
    const number[:, :, :] joint, const number[:, :, :] first, const number[:, :, :] total,
    double shrinkage, double tolerance, double equal,
)
cpdef szabo_parents(
    const number[:, :, :] joint, const number[:, :, :] first, const number[:, :, :] total,
    double tolerance, double equal,
)
cdef bint _is_more(number ahead, number behind, double tolerance) noexcept nogil
cdef double _ratio(number above, number below) noexcept nogil
cpdef add_ancestors(const int64_t[:, ::1] parents, int64_t[:, ::1] ancestors)
