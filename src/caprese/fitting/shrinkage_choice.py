"""Selection: the shrinkage that does best on data like the data at hand."""

from dataclasses import dataclass
from functools import partial
from typing import Protocol

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


class ShrinkageRule(Protocol):
    """Gives the parents that follow from pair counts and a shrinkage."""

    def __call__(self, counts: Counts, shrinkage: float) -> IntArray:
        """Return the parents, for a batch of counts as well."""


@dataclass(frozen=True, eq=False)
class ShrinkageChoice(ArrayValue):
    """A shrinkage, and why it was chosen.

    Parameters
    ----------
    shrinkage
        The smallest whose mean distance is no more than a standard error behind the least.
    grid
        The shrinkages that were tried.
    distance
        Mean tree edit distance between the forest found and the one simulated from, for each.
    noise
        Error rates of the simulated data, estimated from the data at hand.
    replicates
        How many data sets were simulated.
    """

    shrinkage: float
    grid: FloatArray
    distance: FloatArray
    noise: Noise
    replicates: int

    def __post_init__(self) -> None:
        for name in ("grid", "distance"):
            object.__setattr__(self, name, frozen(getattr(self, name), np.float64))


def choose_shrinkage(
    rule: ShrinkageRule,
    data: Dataset,
    *,
    seed: int,
    noise: Noise | None = None,
    grid: tuple[float, ...] = GRID,
    replicates: int = 200,
) -> ShrinkageChoice:
    """Choose the shrinkage by cross-validation on simulated data.

    Infer with a small and a middle shrinkage, allowing for errors; take the forest that makes the
    data likeliest, with its error rates; simulate data sets of the same size from it; and see which
    shrinkage finds the forest again best. Of those that are no worse than the best by more than
    chance (one standard error), the smallest. Error rates are given if they are known and the rule
    allows for them.
    """
    best = _likeliest(rule, data, noise)
    known = data.take_samples(data.sample_order).known
    simulated = CountedDraws(best.model, len(data.samples), seed, known).counts(0, replicates)
    distances = np.array(
        [distance_bounds(rule(simulated, shrinkage), best.forest.parents)[1] for shrinkage in grid]
    )
    chosen, mean = grid[_smallest(distances)], distances.mean(axis=1)
    return ShrinkageChoice(chosen, np.array(grid), mean, best.model.noise, replicates)


def _likeliest(rule: ShrinkageRule, data: Dataset, noise: Noise | None) -> ForestEstimate:
    """Return the likeliest of the forests that the paper's two shrinkages lead to."""
    counts = Counts.of(data)
    found = []
    for shrinkage in _FIRST:
        if noise is None:
            rounds, _ = estimate_rates(partial(rule, shrinkage=shrinkage), data, counts)
            found.append(likeliest(rounds).estimate)
        else:
            forest = unweighted(data.events, rule(counts, shrinkage))
            found.append(fit_forest(forest, data, noise=noise))
    return max(found, key=lambda estimate: estimate.log_likelihood)


def _smallest(distances: IntArray) -> int:
    """Return the first row that is no worse than the best by more than one standard error."""
    mean = distances.mean(axis=1)
    behind = distances - distances[mean.argmin()]
    error = behind.std(axis=1) / np.sqrt(distances.shape[1])
    return int(np.flatnonzero(behind.mean(axis=1) <= error)[0])
