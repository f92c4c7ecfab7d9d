"""Posterior of hazards: normal around its mode, under a normal prior of the effects.

A penalty such as `l1` pulls small effects to 1 and says nothing of how far they may be from it. So
intervals have a prior of their own: the logarithms of effects are normal around 0, or around the
load, and their deviation is learnt from the data. The curvature at the mode is that of the exact
gradient, by differences.
"""

from dataclasses import dataclass, replace

import numpy as np

from caprese._core.arrays import ArrayValue, FloatArray, IntArray, frozen
from caprese._core.names import places
from caprese.errors import ModelError
from caprese.fitting.hazards_ascent import Objective, Observations
from caprese.kernels.functions import exp

_FIRST = 0.5  # deviation of effects, as logarithms, from which it is learnt
_LEAST = 0.05
_ROUNDS, _SAME = 20, 0.01  # of learning it, and the relative change at which that ends
_STEP = 1e-4  # of differences


@dataclass(frozen=True, eq=False)
class EffectPosterior(ArrayValue):
    """Mode and standard errors of the logarithms of all rates and effects.

    Rows act on columns; base rates are on the diagonal, and effects on observation, if there are
    any, in a last column.
    """

    events: tuple[str, ...]
    mode: FloatArray
    errors: FloatArray
    deviation: float  #: Of the effects, as logarithms, in the prior.

    def __post_init__(self) -> None:
        for name in ("mode", "errors"):
            object.__setattr__(self, name, frozen(getattr(self, name), np.float64))
        n = len(self.events)
        if self.mode.shape not in ((n, n), (n, n + 1)) or self.errors.shape != self.mode.shape:
            raise ModelError(f"mode and errors must be events x events, got {self.mode.shape}")

    def in_order(self, events: tuple[str, ...]) -> "EffectPosterior":
        """Return the same with the events in another order."""
        rows = places(self.events, events, "posterior and order")
        among = np.ix_(rows, [*rows, *range(len(events), self.mode.shape[1])])
        return EffectPosterior(events, self.mode[among], self.errors[among], self.deviation)

    def intervals(self, level: float = 0.9) -> tuple[FloatArray, FloatArray]:
        """Return factors between which each rate and effect is with this probability."""
        from scipy.special import ndtri

        reach = float(ndtri((1 + level) / 2)) * self.errors
        return exp(self.mode - reach), exp(self.mode + reach)


def effect_posterior(seen: Observations, objective: Objective) -> EffectPosterior:
    """Return the posterior of rates and effects; the penalty of the objective plays no part."""
    samples = float(seen.times.sum())
    first, (least, most) = objective.start_and_bounds(seen, seen.times)
    free = np.flatnonzero(least.ravel() < most.ravel())
    n, effects = len(first), np.zeros(first.shape, dtype=bool)
    effects[:, : n + objective.observation] = True
    np.fill_diagonal(effects, False)
    counted = effects.ravel()[free]
    deviation, mode, covariance = _FIRST, first, np.zeros((0, 0))
    for _ in range(_ROUNDS):
        prior = replace(objective, penalty="l2", strength=1 / (2 * samples * deviation**2))
        mode = prior.maximum(seen, seen.times, start=mode).parameters
        covariance = _covariance(prior, seen, mode, free)
        if not counted.any():
            break
        squares = mode.ravel()[free] ** 2 + covariance.diagonal()
        before, deviation = deviation, max(_LEAST, float(np.sqrt(squares[counted].mean())))
        if abs(deviation / before - 1) < _SAME:
            break
    moves = np.zeros((len(free), mode.size))
    moves[np.arange(len(free)), free] = 1.0
    shown = np.array([_stated(objective, move.reshape(mode.shape), seen) for move in moves])
    shown = shown.reshape(len(free), -1)
    variances = np.einsum("ki,kl,li->i", shown, covariance, shown, optimize=True)
    stated = _stated(objective, mode, seen)
    errors = np.sqrt(np.maximum(variances, 0.0)).reshape(stated.shape)
    return EffectPosterior(seen.events, stated, errors, deviation)


def _stated(objective: Objective, parameters: FloatArray, seen: Observations) -> FloatArray:
    """Return the parameters with the load in the effects."""
    return seen.stated(objective.loaded(parameters, seen, seen.times))


def _covariance(
    objective: Objective, seen: Observations, mode: FloatArray, free: IntArray
) -> FloatArray:
    """Return the inverse of the curvature of the log-posterior, by those that are free."""
    curvature = np.empty((len(free), len(free)))
    for row, place in enumerate(free.tolist()):
        sides = []
        for step in (_STEP, -_STEP):
            moved = mode.copy()
            moved.ravel()[place] += step
            sides.append(objective.value(moved, seen, seen.times)[1].ravel()[free])
        curvature[row] = (sides[1] - sides[0]) / (2 * _STEP)
    sizes, axes = np.linalg.eigh((curvature + curvature.T) / 2 * seen.times.sum())
    flat = 1 / np.maximum(sizes, 1e-3)  # nothing is known of what has no curvature
    return np.asarray((axes * flat) @ axes.T)
