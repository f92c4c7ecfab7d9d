"""Noisy hazards: the likelihood of observations with errors, and its slopes.

The probability of an observation is a sum over true genotypes. Its slopes are those of the true
genotypes, each counted as often as it may be expected to be behind the observations.
"""

import numpy as np

from caprese._core.arrays import FloatArray
from caprese.kernels import hazards
from caprese.kernels.functions import log, product
from caprese.models.blur import Blur
from caprese.models.hazards import NO_CONFIDENCE, Lattices


def chances(rates: FloatArray, effects: FloatArray, seen: Blur) -> FloatArray:
    """Return the probability of each observation."""
    return seen.observed(all_sets(rates, effects))


def log_likelihood(
    rates: FloatArray, effects: FloatArray, times: FloatArray, seen: Blur
) -> tuple[float, FloatArray, FloatArray]:
    """Return the log-likelihood, and its slopes by the logarithms of rates and effects."""
    likely, n = all_sets(rates, effects), len(rates)
    found = seen.observed(likely)
    expected = likely * seen.blamed(times / found, n)
    _, by_rate, by_effect = hazards.log_likelihood(rates, effects, expected, *_whole_lattice(n))
    return float(product(times, log(found))), by_rate, by_effect


def all_sets(rates: FloatArray, effects: FloatArray) -> FloatArray:
    """Return the probability of every set of events, event k in bit k of the position."""
    return np.asarray(hazards.probabilities(rates, effects, np.arange(len(rates))))


def _whole_lattice(events: int) -> Lattices:
    """Return one lattice of all events, each of whose states is an observation."""
    sets, none = np.arange(1 << events), np.empty(0, dtype=np.int64)
    whole = np.arange(events), np.array([0, events]), sets, 0 * sets, np.array([0, len(sets)])
    return *whole, np.zeros(len(sets) + 1, dtype=np.int64), none, none, NO_CONFIDENCE
