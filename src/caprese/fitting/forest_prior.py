"""ForestPrior: what is thought of forests and error rates before any data."""

from dataclasses import dataclass
from math import inf, lgamma, log, log1p
from typing import Any

import numpy as np

from caprese.arrays import IntArray
from caprese.models.forest import ROOT


@dataclass(frozen=True, kw_only=True)
class ForestPrior:
    """Prior over forests, edge probabilities and error rates.

    With r in (0, 1), a forest of n events has probability r^(roots - 1) ((1 - r) / n)^(n - roots):
    the number of roots less one is Binomial(n - 1, r), and forests with as many roots are equally
    probable. r itself is unknown, Beta(`first`, `second`), and integrated out here. Edge
    probabilities are uniform; the two error rates are Beta(`rate_first`, `rate_second`),
    restricted to below 1/2.

    Parameters
    ----------
    first, second
        Of the Beta density of r, the probability that an event other than one is a root. Large
        values hold r at first / (first + second).
    rate_first, rate_second
        Of the Beta density of each error rate.

    Examples
    --------
    >>> prior = ForestPrior(first=1, second=1)
    >>> round(prior.log_probability(np.array([-1, -1, -1])), 4), round(-np.log(3), 4)
    (-1.0986, -1.0986)
    """

    first: float = 1.0
    second: float = 1.0
    rate_first: float = 1.0
    rate_second: float = 20.0

    def __post_init__(self) -> None:
        for name in ("first", "second", "rate_first", "rate_second"):
            value = getattr(self, name)
            if not 0 < value < inf:
                raise ValueError(f"{name} must be positive, got {value}")

    def log_probability(self, parents: IntArray) -> float:
        """Return the log-probability of a forest."""
        n, roots = len(parents), int((np.asarray(parents) == ROOT).sum())
        return (
            _log_beta(self.first + roots - 1, self.second + n - roots)
            - _log_beta(self.first, self.second)
            - (n - roots) * log(n)
        )

    def rate_log_density(self, rate: float) -> float:
        """Return the log-density of an error rate, up to a constant."""
        if not 0 <= rate < 0.5:
            return -inf
        low = 0.0 if self.rate_first == 1 else (self.rate_first - 1) * log(rate) if rate else -inf
        return low + (self.rate_second - 1) * log1p(-rate)

    def kernel_prior(self, *, flat: bool = False, volume: bool = False) -> Any:
        """Return what the compiled loops take; `flat` for the likelihood alone."""
        from caprese.kernels.forest_ascent import Prior

        if flat:
            return Prior(1.0, 1.0, 1.0, 1.0, True, volume)
        numbers = (self.first, self.second, self.rate_first, self.rate_second)
        return Prior(*map(float, numbers), False, volume)


def _log_beta(a: float, b: float) -> float:
    return lgamma(a) + lgamma(b) - lgamma(a + b)
