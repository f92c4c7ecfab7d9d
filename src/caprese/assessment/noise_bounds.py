"""Noise bounds: up to which noise the paper's guarantees hold for a given forest."""

import math

import numpy as np

from caprese._core.checks import instance, number
from caprese.data.counts import Counts
from caprese.methods.caprese import Caprese
from caprese.models.forest import Forest
from caprese.models.noise import Noise

_STEPS = 256  # levels of noise tried before the first failure is bisected
_PRECISION = 1e-9


def corollary_noise_bound(p_min: float) -> float:
    """Return the paper's bound on uniform noise, sqrt(p_min) / (1/2 + sqrt(p_min)).

    The corollary promises the true forest below it, from infinitely many samples. It does not
    hold as stated: the independence filter cuts true edges well below the bound. See
    `noise_tolerance` for what a forest truly tolerates.

    Parameters
    ----------
    p_min
        Probability of the rarest event.

    Examples
    --------
    >>> round(corollary_noise_bound(0.05), 2)
    0.31
    """
    number("p_min", p_min, 0, 1, "(]")
    return math.sqrt(p_min) / (0.5 + math.sqrt(p_min))


def noise_tolerance(forest: Forest, shrinkage: float = 0.01) -> float:
    """Return the largest uniform noise up to which CAPRESE still returns this forest.

    From exact counts, that is, from infinitely many samples. Found as the first of evenly spaced
    levels at which the forest is lost, then by bisection; 0 if it is lost without any noise.

    Examples
    --------
    The chain a -> b -> c is lost at less than a quarter of the paper's bound of 0.52:

    >>> from caprese.models.forest import ROOT
    >>> chain = Forest(("a", "b", "c"), (ROOT, 0, 1), (0.95, 0.6 / 0.95, 0.5))
    >>> round(noise_tolerance(chain), 3)
    0.124
    """
    instance("forest", forest, Forest, "a forest")
    exact, method = Counts.expected(forest), Caprese(shrinkage=shrinkage)

    def survives(nu: float) -> bool:
        seen = Noise.uniform(nu).corrupt_counts(exact)
        return bool((method.infer_parents(seen) == forest.parents).all())

    levels = np.arange(_STEPS) / _STEPS
    lost = next((float(nu) for nu in levels if not survives(nu)), 1.0)
    kept = max(0.0, lost - 1 / _STEPS)
    while lost - kept > _PRECISION:
        middle = (kept + lost) / 2
        kept, lost = (middle, lost) if survives(middle) else (kept, middle)
    return kept
