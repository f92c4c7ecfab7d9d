"""The prior of forests, and the most probable forest of a data set, or the likeliest one."""

from collections.abc import Iterable
from dataclasses import dataclass
from operator import attrgetter
from typing import NamedTuple

import numpy as np

from caprese._core.arrays import FloatArray, IntArray
from caprese._core.progress import tell
from caprese.data.counts import Counts
from caprese.data.dataset import Dataset
from caprese.data.seen_orders import SeenOrders
from caprese.fitting.genotype_table import GenotypeTable
from caprese.fitting.structure import over_batch
from caprese.kernels.forest_ascent import Prior, ascend, attachments
from caprese.kernels.forest_messages import forest_log_likelihood
from caprese.kernels.functions import exp, expm1, log
from caprese.kernels.pairwise_parents import caprese_parents, szabo_parents
from caprese.models.forest import ROOT, Forest
from caprese.models.noise import Noise

_PASSES = 200
_START_RATES = (0.05, 0.05)
_EDGE = 1e-7  # an edge probability closer to 0 or 1 is rounded
_SEED = 13


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


@dataclass(frozen=True)
class Ascent:
    """The best forest that an ascent has found."""

    forest: Forest
    noise: Noise
    log_likelihood: float
    log_posterior: float | None  # up to a constant; None where the likelihood alone was maximised
    starts: tuple[float, ...]  # what each reached: those given, independent events, perturbed ones


def most_probable_forest(
    data: Dataset,
    *,
    prior: ForestPrior | None = ForestPrior(),
    noise: Noise | None = None,
    starts: Iterable[IntArray] = (),
    perturbed: int = 4,
    orders: SeenOrders | None = None,
) -> Ascent:
    """Return the forest, edge probabilities and error rates of highest posterior density.

    By an ascent from each start and from independent events, the best of which is then perturbed a
    few times. The answer is deterministic, and does not depend on the order of samples and events.
    Without a prior the likelihood alone is maximised; given error rates are kept. Given orders
    count as in `RunningChains`, but not in the `log_likelihood` of the answer.
    """
    ascents = _Ascents(data, prior, noise, orders)
    star = np.full(len(data.events), ROOT)
    first = [*(ascents.table.inward(np.asarray(start)) for start in starts), star]
    again = perturbed if len(data.events) > 1 else 0
    found: list[_Found] = []
    for start in first:
        found.append(ascents.from_parents(start))
        tell("ascents", len(found), len(first) + again)
    best = max(found, key=attrgetter("objective"))
    rng = np.random.default_rng(_SEED)
    for _ in range(again):
        found.append(ascents.perturbed(best, perturbation(best.parents, rng)))
        best = max(best, found[-1], key=attrgetter("objective"))
        tell("ascents", len(found), len(first) + again)
    return ascents.answer(best, tuple(each.objective for each in found))


def with_best_numbers(
    parents: IntArray,
    data: Dataset,
    *,
    prior: ForestPrior | None = ForestPrior(),
    noise: Noise | None = None,
    orders: SeenOrders | None = None,
) -> Ascent:
    """Return a forest with the edge probabilities and error rates of highest posterior density."""
    ascents = _Ascents(data, prior, noise, orders)
    found = ascents.from_parents(ascents.table.inward(np.asarray(parents)), passes=0)
    return ascents.answer(found, (found.objective,))


def pairwise_starts(data: Dataset) -> list[IntArray]:
    """Return forests to start from: those of CAPRESE, with two shrinkages, and of Szabo."""
    counts = Counts.of(data)
    found = [over_batch(caprese_parents, counts, shrinkage) for shrinkage in (0.5, 0.01)]
    return [*found, over_batch(szabo_parents, counts)]


def attachment_gains(forest: Forest, noise: Noise, data: Dataset) -> FloatArray:
    """Return the log-likelihood of each event under each other parent, relative to the best.

    Parent row, the last one the root, child column; -inf for events that come after the child.
    All else stays as it is; the edge probability of the child is the best for each parent.
    """
    table = GenotypeTable.of(data)
    theta = np.clip(forest.probabilities, 1e-9, 1 - 1e-9)[table.positions]
    found = attachments(table.kernel_table(), table.inward(forest.parents), theta, noise.rates)
    back = np.argsort(table.positions)
    rows = np.append(back, len(back))
    return np.asarray(found[np.ix_(rows, back)])


def start_rates(noise: Noise | None) -> FloatArray:
    """Return the error rates to start from: those given, or small ones."""
    return np.array(_START_RATES) if noise is None else noise.rates


def perturbation(parents: IntArray, rng: np.random.Generator) -> IntArray:
    """Return a forest of which some events have moved to parents drawn at random."""
    moved = np.array(parents)
    n = len(moved)
    for event in rng.choice(n, size=min(n, 2 + n // 8), replace=False):
        allowed = [ROOT, *(u for u in range(n) if not _is_above(moved, event, u))]
        moved[event] = allowed[rng.integers(len(allowed))]
    return moved


class _Found(NamedTuple):
    parents: IntArray
    theta: FloatArray
    rates: FloatArray
    objective: float


class _Ascents:
    """One data set, one prior; ascents from many starts."""

    def __init__(
        self,
        data: Dataset,
        prior: ForestPrior | None,
        noise: Noise | None,
        orders: SeenOrders | None,
    ) -> None:
        self.data, self.prior, self.noise = data, prior, noise
        self.table = GenotypeTable.of(data, orders=orders)
        self._kernel_table = self.table.kernel_table()
        n = len(data.events)
        self._kernel_prior = prior.kernel_prior(n) if prior else flat_kernel_prior(n)

    def from_parents(self, parents: IntArray, passes: int = _PASSES) -> _Found:
        """Ascend from a forest whose numbers are not known."""
        theta = np.full(len(parents), 0.5)
        rates = start_rates(self.noise)
        possible = forest_log_likelihood(self._kernel_table, parents, theta, rates)
        start = parents if np.isfinite(possible) else np.full(len(parents), ROOT)
        return self._ascended(np.array(start), theta, rates, passes)

    def perturbed(self, best: _Found, parents: IntArray) -> _Found:
        """Ascend from a perturbed forest with the rates reached before."""
        theta = np.clip(best.theta, 0.05, 0.95)
        rates = best.rates if self.noise else np.maximum(best.rates, 0.005)
        again = self._ascended(parents, theta, rates.copy())
        return again if np.isfinite(again.objective) else best

    def answer(self, best: _Found, starts: tuple[float, ...]) -> Ascent:
        """Return a forest in the order of the data set."""
        theta = best.theta.copy()
        theta[theta < _EDGE], theta[theta > 1 - _EDGE] = 0, 1
        rates = np.where(best.rates < _EDGE, 0, best.rates) if self.noise is None else best.rates
        rounded, exact = (
            forest_log_likelihood(self._kernel_table, best.parents, numbers, errors)
            for numbers, errors in ((theta, rates), (best.theta, best.rates))
        )
        if rounded < exact - 1e-4:  # rounding has cost too much
            theta, rates, rounded = best.theta, best.rates, exact
        back = np.argsort(self.table.positions)
        return Ascent(
            Forest(self.data.events, self.table.outward(best.parents), theta[back]),
            self.noise or Noise(*rates.tolist()),
            float(rounded),
            None if self.prior is None else best.objective,
            starts,
        )

    def _ascended(
        self, parents: IntArray, theta: FloatArray, rates: FloatArray, passes: int = _PASSES
    ) -> _Found:
        unknown = self.noise is None
        objective = ascend(
            self._kernel_table, parents, theta, rates, self._kernel_prior, unknown, passes
        )
        if self.prior is not None:
            objective += self.prior.log_probability(parents)
        return _Found(parents, theta, rates, objective)


def _is_above(parents: IntArray, event: int, other: int) -> bool:
    """Whether the other event is the event itself or comes after it."""
    above = other
    while above not in (ROOT, event):
        above = int(parents[above])
    return above == event


def flat_kernel_prior(events: int) -> Prior:
    """Return a prior for the compiled loops that is constant: for the likelihood alone."""
    return Prior(1.0, 1.0, 1.0, 1.0, 1.0, np.zeros(events + 1))


def _log_rising(start: float, number: int) -> float:
    """Return the logarithm of start (start + 1) ... of so many factors."""
    return float(log(start + np.arange(number)).sum())
