"""Slow methods are fitted once to the same data."""

from fitted_once import shared as shared
from fitted_once import slow_methods_are_fitted_once as slow_methods_are_fitted_once
