"""ForestPrior: the prior of forests, edge probabilities and error rates."""

from dataclasses import dataclass
from math import exp, inf, lgamma, log, log1p
from typing import Any

import numpy as np

from caprese._core.arrays import IntArray
from caprese.models.forest import ROOT


@dataclass(frozen=True, kw_only=True)
class ForestPrior:
    """Prior over forests, edge probabilities and error rates.

    With r in (0, 1), a forest of n events has probability r^(roots - 1) ((1 - r) / n)^(n - roots):
    the number of roots less one is Binomial(n - 1, r), and forests with as many roots are equally
    probable. r = 1 / (n + 1) makes all forests equally probable. That is most of the prior,
    `uniform`; in the rest r is unknown, Beta(`first`, `second`), so that the data may say that
    there is little order among the events. r is integrated out here. Edge probabilities are
    uniform; the two error rates are Beta(`rate_first`, `rate_second`), restricted to below 1/2.

    Parameters
    ----------
    first, second
        Of the Beta density of r, the probability that an event is a root. Large values hold r at
        first / (first + second).
    uniform
        Prior probability that all forests are equally probable, whatever their roots.
    rate_first, rate_second
        Of the Beta density of each error rate.

    Examples
    --------
    >>> prior = ForestPrior(first=1, second=1, uniform=0)
    >>> round(3 * exp(prior.log_probability(np.array([-1, -1, -1]))), 4)  # 1, 2, 3 roots: alike
    1.0
    """

    first: float = 0.1
    second: float = 0.1
    uniform: float = 0.999
    rate_first: float = 1.0
    rate_second: float = 20.0

    def __post_init__(self) -> None:
        for name in ("first", "second", "rate_first", "rate_second"):
            value = getattr(self, name)
            if not 0 < value < inf:
                raise ValueError(f"{name} must be positive, got {value}")
        if not 0 <= self.uniform <= 1:
            raise ValueError(f"uniform must be in [0, 1], got {self.uniform}")

    def log_probability(self, parents: IntArray) -> float:
        """Return the log-probability of a forest."""
        return self.forest_log_probability(len(parents), int((np.asarray(parents) == ROOT).sum()))

    def forest_log_probability(self, events: int, roots: int) -> float:
        """Return the log-probability of any one forest with so many roots."""
        even = (1 - events) * log(events + 1)
        learnt = (
            _log_beta(self.first + roots - 1, self.second + events - roots)
            - _log_beta(self.first, self.second)
            - (events - roots) * log(events)
        )
        most = max(even, learnt)
        return most + log(self.uniform * exp(even - most) + (1 - self.uniform) * exp(learnt - most))

    def rate_log_density(self, rate: float) -> float:
        """Return the log-density of an error rate, up to a constant."""
        if not 0 <= rate < 0.5:
            return -inf
        low = 0.0 if self.rate_first == 1 else (self.rate_first - 1) * log(rate) if rate else -inf
        return low + (self.rate_second - 1) * log1p(-rate)

    def kernel_prior(self, events: int) -> Any:
        """Return what the compiled loops take."""
        from caprese.kernels.forest_ascent import Prior

        forests = [self.forest_log_probability(events, roots) for roots in range(1, events + 1)]
        return Prior(
            float(self.first),
            float(self.second),
            float(self.uniform),
            float(self.rate_first),
            float(self.rate_second),
            np.array([0.0, *forests]),
        )


def flat_kernel_prior(events: int) -> Any:
    """Return a prior for the compiled loops that is constant: for the likelihood alone."""
    from caprese.kernels.forest_ascent import Prior

    return Prior(1.0, 1.0, 1.0, 1.0, 1.0, np.zeros(events + 1))


def _log_beta(a: float, b: float) -> float:
    return lgamma(a) + lgamma(b) - lgamma(a + b)
