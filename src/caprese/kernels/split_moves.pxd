from libc.stdint cimport int64_t
from caprese.kernels.sweep_room cimport SweepRoom

cdef double _MOST_BIAS
cdef Py_ssize_t _SPLIT, _CLUSTERINGS

cdef bint split_or_unite(SweepRoom room) noexcept nogil
cdef double _pool(SweepRoom room, Py_ssize_t one, Py_ssize_t other) noexcept nogil
cdef void _keep(SweepRoom room, Py_ssize_t one, Py_ssize_t other) noexcept nogil
cdef void _restore(SweepRoom room, Py_ssize_t one, Py_ssize_t other) noexcept nogil
cdef double _pair_log_density(
    SweepRoom room, Py_ssize_t one, Py_ssize_t other, double samples, double clustered,
    bint splits, bint draw,
) noexcept nogil
cdef double _build(
    SweepRoom room, Py_ssize_t component, const double[::1] members, bint draw
) noexcept nogil
cdef double _divide_weight(
    SweepRoom room, Py_ssize_t one, Py_ssize_t other, double first, double second, bint draw
) noexcept nogil
cdef double _log_sum_of_two(double one, double other) noexcept nogil
cdef void _share_pool(SweepRoom room, Py_ssize_t one, Py_ssize_t other) noexcept nogil
cdef double _divide(SweepRoom room, double samples) noexcept nogil
cdef void _seed_cluster(SweepRoom room, Py_ssize_t cluster, double samples) noexcept nogil
cdef void _fit_cluster(SweepRoom room, Py_ssize_t cluster) noexcept nogil
cdef double _assign(SweepRoom room, double bias, bint draw) noexcept nogil
