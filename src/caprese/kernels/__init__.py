"""Compiled inner loops; importing one loads numba, so they are imported where they are called."""

from caprese.kernels.cache import load_without_blas, prepare_cache

prepare_cache()
load_without_blas()
