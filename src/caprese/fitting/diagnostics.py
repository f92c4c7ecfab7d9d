"""Diagnostics of Markov chains: have they converged, and how many independent draws are they worth.

The rank-normalised split R-hat and the bulk effective sample size of Vehtari, Gelman, Simpson,
Carpenter and Buerkner (2021), Bayesian Analysis 16:667-718.
"""

from dataclasses import dataclass, field

import numpy as np

from caprese._core.arrays import FloatArray
from caprese._core.facts import CHAINS_DISAGREE
from caprese._core.significance import mean_ranks
from caprese.models.forest import ROOT
from caprese.models.posterior import Posterior

MOST_R_HAT = 1.05
LEAST_EFFECTIVE = 100.0
_CLEARLY_APART = 1.2  # R-hat of chains that are not just too short
_APART = 0.2  # difference between chains from which on the parent of an event is not known
_RARE = 0.02  # an edge this improbable, or this certain, says nothing about convergence


@dataclass(frozen=True)
class Diagnostics:
    """How well the chains agree, and how many independent draws they are worth.

    Of each number its R-hat and its effective sample size.
    """

    log_likelihood: tuple[float, float]  #: Of the log-likelihood of the draws.
    false_positive: tuple[float, float]  #: Of the false positive rate.
    false_negative: tuple[float, float]  #: Of the false negative rate.
    #: The highest R-hat and the lowest effective sample size among all edges whose posterior
    #: probability is neither about 0 nor about 1; (1, inf) if there are none.
    edges: tuple[float, float]
    draws: int  #: How many draws there are.
    #: Events of which two chains differ by more than 0.2 in the probability of a parent.
    unsettled: tuple[str, ...] = field(default=(), metadata={"optional": True})

    @property
    def r_hat(self) -> float:
        """The highest R-hat."""
        return max(value for value, _ in self._all())

    @property
    def effective(self) -> float:
        """The lowest effective sample size."""
        return min(value for _, value in self._all())

    @property
    def converged(self) -> bool:
        """Whether the chains agree and are long enough."""
        return self.r_hat <= MOST_R_HAT and self.effective >= LEAST_EFFECTIVE

    @property
    def doubt(self) -> str:
        """What is wrong with the chains, in a few words; empty if they converged."""
        if self.converged:
            return ""
        return "chains too short" if self.agree else CHAINS_DISAGREE

    @property
    def agree(self) -> bool:
        """Whether the chains tell the same, be they long enough or not."""
        return self.r_hat <= (MOST_R_HAT if self.unsettled else _CLEARLY_APART)

    def _all(self) -> tuple[tuple[float, float], ...]:
        return self.log_likelihood, self.false_positive, self.false_negative, self.edges


def diagnostics(samples: Posterior) -> Diagnostics:
    """Return the diagnostics of log-likelihood, error rates and edges.

    An edge of a mixture is the weight of the components that have it, and an error rate is the mean
    over components: neither depends on how the components are numbered.
    """
    rates = samples.mean_rates
    numbers = samples.log_likelihood, rates[..., 0], rates[..., 1]
    edges = _edge_indicators(samples)
    worst = max(map(r_hat, edges), default=1.0), min(map(effective_size, edges), default=np.inf)
    likely, positive, negative = ((r_hat(x), effective_size(x)) for x in numbers)
    return Diagnostics(likely, positive, negative, worst, samples.draws, _unsettled(samples))


def r_hat(draws: FloatArray) -> float:
    """Return the rank-normalised split R-hat of chains x draws: 1 where the chains agree.

    The larger of two: of the ranks themselves, and of their distances from the median.
    """
    halves = _split(draws)
    if np.ptp(halves) == 0 or halves.shape[1] < 2:
        return 1.0
    folded = np.abs(halves - np.median(halves))
    return max(_plain_r_hat(_normal_scores(halves)), _plain_r_hat(_normal_scores(folded)))


def effective_size(draws: FloatArray) -> float:
    """Return the bulk effective sample size: how many independent draws are worth as much."""
    halves = _split(draws)
    if np.ptp(halves) == 0 or halves.shape[1] < 4:
        return float(draws.size)
    scores = _normal_scores(halves)
    chains, length = scores.shape
    covariance = _autocovariances(scores)
    within = covariance[:, 0].mean() * length / (length - 1)
    total = within * (length - 1) / length
    if chains > 1:
        total += scores.mean(axis=1).var(ddof=1)
    correlation = 1 - (within - covariance.mean(axis=0)) / total
    correlation[0] = 1
    return float(scores.size / max(_correlation_time(correlation), 1 / np.log10(scores.size)))


def _split(draws: FloatArray) -> FloatArray:
    """Cut every chain in two, so that a drift within a chain shows between chains."""
    half = draws.shape[1] // 2
    if half == 0:
        return draws
    return np.concatenate([draws[:, :half], draws[:, -half:]])


def _normal_scores(draws: FloatArray) -> FloatArray:
    """Replace values by the normal quantiles of their ranks; ties share the mean rank."""
    from scipy.special import ndtri

    return np.asarray(ndtri((mean_ranks(draws) - 0.375) / (draws.size + 0.25)))


def _plain_r_hat(draws: FloatArray) -> float:
    length = draws.shape[1]
    within = draws.var(axis=1, ddof=1).mean()
    between = length * draws.mean(axis=1).var(ddof=1)
    if within == 0:
        return 1.0 if between == 0 else np.inf
    return float(np.sqrt((between / within + length - 1) / length))


def _autocovariances(draws: FloatArray) -> FloatArray:
    """Return the autocovariances of each chain, divided by its length."""
    length = draws.shape[1]
    size = 1 << (2 * length - 1).bit_length()
    centred = draws - draws.mean(axis=1, keepdims=True)
    spectrum = np.fft.rfft(centred, size)
    return np.asarray(np.fft.irfft(spectrum.real**2 + spectrum.imag**2, size)[:, :length] / length)


def _correlation_time(correlation: FloatArray) -> float:
    """Return how many draws are worth one, by Geyer's initial monotone sequence.

    Correlations are summed in pairs of lags as long as the pairs are positive; no pair counts
    more than the one before it. Of the first pair that is not positive, its first lag counts.
    """
    whole = (len(correlation) - 2) // 2  # as many pairs as the chain is long enough for
    pairs = correlation[: 2 * whole].reshape(-1, 2).sum(axis=1)
    negative = np.flatnonzero(pairs < 0)
    end = int(negative[0]) if negative.size else whole - 1
    kept = np.minimum.accumulate(pairs[:end])
    rest = max(float(correlation[2 * end]), 0.0)
    return float(-1 + 2 * kept.sum() + rest)


def _unsettled(samples: Posterior) -> tuple[str, ...]:
    chains = [samples.with_chains([chain]) for chain in range(len(samples.log_likelihood))]
    apart = np.ptp([chain.parent_probabilities() for chain in chains], axis=0).max(axis=0)
    return tuple(samples.events[event] for event in np.flatnonzero(apart > _APART))


def _edge_indicators(samples: Posterior) -> list[FloatArray]:
    """Return for each edge in doubt the weight of the components that have it, chains x draws."""
    n = len(samples.events)
    probability = samples.parent_probabilities()
    found = []
    for parent, child in np.argwhere((probability > _RARE) & (probability < 1 - _RARE)):
        has = samples.parents[..., child] == (ROOT if parent == n else parent)
        found.append(np.asarray((has * samples.weights).sum(axis=-1)))
    return found
