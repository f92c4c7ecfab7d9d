from libc.stdint cimport uint8_t
from caprese.kernels.forest_messages cimport Forest, Table


cdef class Orders:
    cdef double[:, ::1] gains
    cdef double[::1] bonus


cdef void fill_bonus(Orders orders, Forest forest, double advantage) noexcept nogil
cdef double order_gain(Orders orders, Forest forest) noexcept nogil
cdef void fill_before(Forest forest, uint8_t[:, ::1] before) noexcept nogil
cdef void add_order_gains(
    Table table, const uint8_t[:, ::1] before, double[::1] out
) noexcept nogil
cdef void pool_gains(
    Table table, const double[::1] members, double[:, ::1] gains
) noexcept nogil
