"""Selection: the shrinkage that does best on data like the data at hand."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from caprese._core.arrays import ArrayValue, FloatArray, IntArray, frozen
from caprese.data.counts import Counts
from caprese.data.dataset import Dataset
from caprese.fitting.forest_em import ForestEstimate, fit_forest
from caprese.fitting.recovery import estimate_rates, likeliest, unweighted
from caprese.models.metrics import distance_bounds
from caprese.models.noise import Noise
from caprese.simulation.replicates import CountedDraws

GRID = (0.01, *(round(0.05 * k, 2) for k in range(1, 20)))
_FIRST = (0.01, 0.5)  # the paper's two values; the likelier forest is simulated from
_REPLICATES = 200
_SEED = 0  # of the simulations; the answer depends on it

ShrinkageRule = Callable[[Counts, float], IntArray]
"""Gives the parents that follow from pair counts, or a batch of them, and a shrinkage."""


@dataclass(frozen=True, eq=False)
class ShrinkageChoice(ArrayValue):
    """A shrinkage, and why it was chosen."""

    #: The smallest whose mean distance is no more than a standard error behind the least.
    shrinkage: float
    grid: FloatArray  #: The shrinkages that were tried.
    #: Mean tree edit distance between the forest found and the one simulated from, for each.
    distance: FloatArray
    noise: Noise  #: Error rates of the simulated data, estimated from the data at hand.
    replicates: int  #: How many data sets were simulated.

    def __post_init__(self) -> None:
        for name in ("grid", "distance"):
            object.__setattr__(self, name, frozen(getattr(self, name), np.float64))


def choose_shrinkage(
    rule: ShrinkageRule, data: Dataset, noise: Noise | None = None
) -> ShrinkageChoice:
    """Choose the shrinkage by cross-validation on simulated data.

    Infer with a small and a middle shrinkage, allowing for errors; take the forest that makes the
    data likeliest, with its error rates; simulate data sets of the same size from it; and see which
    shrinkage finds the forest again best. Of those that are no worse than the best by more than
    chance (one standard error), the smallest. Error rates are given if they are known and the rule
    allows for them.
    """
    first = [_estimate(rule, shrinkage, data, noise) for shrinkage in _FIRST]
    best = max(first, key=lambda estimate: estimate.log_likelihood)
    known = data.take_samples(data.sample_order).known
    simulated = CountedDraws(best.model, len(data.samples), _SEED, known).counts(0, _REPLICATES)
    distances = np.array(
        [distance_bounds(rule(simulated, shrinkage), best.forest.parents)[1] for shrinkage in GRID]
    )
    chosen, mean = GRID[_smallest(distances)], distances.mean(axis=1)
    return ShrinkageChoice(chosen, np.array(GRID), mean, best.model.noise, _REPLICATES)


def _estimate(
    rule: ShrinkageRule, shrinkage: float, data: Dataset, noise: Noise | None
) -> ForestEstimate:
    """Return the forest of a shrinkage with its error rates, those given or the likeliest ones."""
    counts = Counts.of(data)
    if noise is None:
        rounds, _ = estimate_rates(lambda some: rule(some, shrinkage), data, counts)
        return likeliest(rounds).estimate
    return fit_forest(unweighted(data.events, rule(counts, shrinkage)), data, noise=noise)


def _smallest(distances: IntArray) -> int:
    """Return the first row that is no worse than the best by more than one standard error."""
    mean = distances.mean(axis=1)
    behind = distances - distances[mean.argmin()]
    error = behind.std(axis=1) / np.sqrt(distances.shape[1])
    return int(np.flatnonzero(behind.mean(axis=1) <= error)[0])
