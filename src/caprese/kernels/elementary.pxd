cdef extern from "elementary.h" nogil:
    double exp "caprese_exp" (double x) noexcept
    double expm1 "caprese_expm1" (double x) noexcept
    double log "caprese_log" (double x) noexcept
    double log1p "caprese_log1p" (double x) noexcept
    double erfc "caprese_erfc" (double x) noexcept
    double sqrt "caprese_sqrt" (double x) noexcept
