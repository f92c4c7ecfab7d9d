cdef void _exp(double[::1] values) noexcept nogil
cdef void _expm1(double[::1] values) noexcept nogil
cdef void _log(double[::1] values) noexcept nogil
cdef void _log1p(double[::1] values) noexcept nogil
cdef void _erfc(double[::1] values) noexcept nogil
cdef void _add_product(const double[:, ::1] left, const double[:, ::1] right, double[:, ::1] out) noexcept nogil
