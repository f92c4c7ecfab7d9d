cimport cython

cdef double _FLAT

cdef void _multiply(
    double[::1] found, const double[:, ::1] moves, const double[:, ::1] falls, double[::1] shares,
) noexcept nogil
cdef double _dot(const double[::1] one, const double[::1] other) noexcept nogil
cdef void _add(double[::1] found, const double[::1] vector, double share) noexcept nogil
