"""Compiled inner loops; importing one loads numba, so they are imported where they are called."""
