"""Compiled inner loops; importing one loads numba, so they are imported where they are called."""

from caprese.kernels.cache import choose_cache_folder

choose_cache_folder()
