"""ForestPrior: the prior of forests, edge probabilities and error rates."""

from dataclasses import dataclass
from math import inf

import numpy as np

from caprese._core.arrays import IntArray
from caprese.errors import ParameterError
from caprese.kernels.forest_ascent import Prior
from caprese.kernels.functions import exp, expm1, log
from caprese.models.forest import ROOT


@dataclass(frozen=True, kw_only=True)
class ForestPrior:
    """Prior over forests, edge probabilities and error rates.

    With r in (0, 1), a forest of n events has probability r^(roots - 1) ((1 - r) / n)^(n - roots):
    the number of roots less one is Binomial(n - 1, r), and forests with as many roots are equally
    probable. r = 1 / (n + 1) makes all forests equally probable. That is most of the prior; with
    probability exp(-`cost` n) r is unknown, Beta(`first`, `second`), so that the data may say that
    there is little order among the events. r is integrated out here. Edge probabilities are
    uniform; the two error rates are Beta(`rate_first`, `rate_second`), restricted to below 1/2.
    """

    first: float = 0.1  # of the Beta density of r, the probability that an event is a root
    second: float = 0.1  # large values of both hold r at first / (first + second)
    # What learning r costs, in nats of prior log-probability for each event: with 0 it is always
    # learnt; with infinity never, and all forests are equally probable.
    cost: float = 0.35
    rate_first: float = 1.0  # of the Beta density of each error rate
    rate_second: float = 20.0

    def __post_init__(self) -> None:
        for name in ("first", "second", "rate_first", "rate_second"):
            value = getattr(self, name)
            if not 0 < value < inf:
                raise ParameterError(name, "a positive number", value)
        if not self.cost >= 0:
            raise ParameterError("cost", "a number of at least 0", self.cost)

    def uniform(self, events: int) -> float:
        """Return the prior probability that all forests are equally probable."""
        return float(-expm1(-self.cost * events))

    def log_probability(self, parents: IntArray) -> float:
        """Return the log-probability of a forest."""
        return self.forest_log_probability(len(parents), int((np.asarray(parents) == ROOT).sum()))

    def forest_log_probability(self, events: int, roots: int) -> float:
        """Return the log-probability of any one forest with so many roots."""
        even = (1 - events) * float(log(events + 1))
        # The mean of r^(roots - 1) (1 - r)^(events - roots)
        learnt = _log_rising(self.first, roots - 1) + _log_rising(self.second, events - roots)
        learnt -= _log_rising(self.first + self.second, events - 1)
        learnt -= (events - roots) * float(log(events)) + self.cost * events
        if not self.cost:
            return learnt
        even += float(log(self.uniform(events)))
        most = max(even, learnt)
        return most + float(log(exp(even - most) + exp(learnt - most)))

    def kernel_prior(self, events: int) -> Prior:
        """Return what the compiled loops take."""
        forests = [self.forest_log_probability(events, roots) for roots in range(1, events + 1)]
        return Prior(
            float(self.first),
            float(self.second),
            self.uniform(events),
            float(self.rate_first),
            float(self.rate_second),
            np.array([0.0, *forests]),
        )


def flat_kernel_prior(events: int) -> Prior:
    """Return a prior for the compiled loops that is constant: for the likelihood alone."""
    return Prior(1.0, 1.0, 1.0, 1.0, 1.0, np.zeros(events + 1))


def _log_rising(start: float, number: int) -> float:
    """Return the logarithm of start (start + 1) ... of so many factors."""
    return float(log(start + np.arange(number)).sum())
