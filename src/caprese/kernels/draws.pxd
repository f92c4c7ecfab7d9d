from libc.stdint cimport int64_t, uint64_t

cdef double _STEP, _INFINITE
cdef double uniform(uint64_t[::1] stream) noexcept nogil
cdef Py_ssize_t below(uint64_t[::1] stream, Py_ssize_t bound) noexcept nogil
cpdef double normal(uint64_t[::1] stream) noexcept nogil
cpdef double log_gamma_draw(uint64_t[::1] stream, double shape) noexcept nogil
cpdef double log_gamma(double x) noexcept nogil
cpdef double beta_draw(uint64_t[::1] stream, double first, double second) noexcept nogil
cpdef Py_ssize_t choice(uint64_t[::1] stream, const double[::1] log_weights, Py_ssize_t length) noexcept nogil
cpdef void forest_draw(uint64_t[::1] stream, double root_probability, int64_t[::1] parents) noexcept nogil
