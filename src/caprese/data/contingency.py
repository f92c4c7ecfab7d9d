"""Exact tests, by hand because importing `scipy.stats` takes 0.6 s and its Boschloo's test 44 ms.

Those of all edges of a model take a few milliseconds here. `kernels.rank_tests` has Fisher's test.
"""

import math
from functools import cache, lru_cache

import numpy as np

from caprese._core.arrays import FloatArray, sealed

_EQUAL = 1 + 1e-11  # p-values whose ratio is closer to 1 differ by rounding
_GRID = 256  # probabilities of the second event at which Boschloo's test is evaluated first
_CLOSE = 0.9  # of the highest value on the grid, where a maximum is refined
_STEPS = 6  # of Newton's method


def sign_test(more: int, fewer: int) -> float:
    """Return P(heads in so many or more of all tosses of a coin)."""
    tosses = more + fewer
    if more == 0:
        return 1.0
    return min(1.0, float(np.exp(_log_choices(tosses)[more:] - tosses * math.log(2)).sum()))


def boschloo(joint: int, first: int, second: int, total: int) -> float:
    """Return Boschloo's test: whether the second event is more frequent where the first is.

    A table is given by the number of samples with both events, with the first, with the second, and
    in all. Fisher's p-value is the statistic, and the probability of one as small is the highest
    over all probabilities of the second event. Given how many samples have the second event, as
    small a p-value has a probability of at most itself. So for each such number the largest that is
    not above the observed one is needed, and no other p-value of the two-dimensional table;
    Boschloo (1970), Statistica Neerlandica 24:1-9.
    """
    without = total - first
    if without < first:  # the same tables, with "absent" for "present"
        return boschloo(without - second + joint, without, total - second, total)
    # Row: samples with the second event; column: with the first event only.
    others = np.pad(_log_choices(without), first, constant_values=-np.inf)
    others = np.lib.stride_tricks.sliding_window_view(others, first + 1)
    chance = np.exp(_log_choices(first) + others - _log_choices(total)[:, None])
    tails = np.cumsum(chance, axis=1)
    observed = tails[second, first - joint] * _EQUAL
    levels = np.where(tails <= observed, tails, 0.0).max(axis=1)
    return min(1.0, _highest_mixture(levels))


def adjusted(p_values: FloatArray) -> FloatArray:
    """Return p-values adjusted by Benjamini and Hochberg."""
    number = len(p_values)
    order = np.argsort(-p_values, kind="stable")
    scaled = p_values[order] * number / np.arange(number, 0, -1)
    found = np.empty(number)
    found[order] = np.minimum(np.minimum.accumulate(scaled), 1.0)
    return found


def _highest_mixture(levels: FloatArray) -> float:
    """Return the highest binomial mean of levels 0 to n, by Newton's method from a grid."""
    total = len(levels) - 1
    grid, weights = _binomials(total)
    means = weights @ levels
    inner = (means[1:-1] >= means[:-2]) & (means[1:-1] >= means[2:])
    places = 1 + np.flatnonzero(inner & (means[1:-1] >= _CLOSE * means.max()))
    logit, best = grid[places], float(max(means.max(), levels[0], levels[-1]))
    counts = np.arange(total + 1)
    for _ in range(_STEPS if len(places) else 0):
        share = 1 / (1 + np.exp(-logit))[:, None]
        weighted = np.exp(_log_binomial(total, logit)) * levels
        away = counts - total * share
        mean, slope = weighted.sum(axis=1), (weighted * away).sum(axis=1)
        bend = (weighted * (away**2 - total * share * (1 - share))).sum(axis=1)
        best = max(best, float(mean.max()))
        logit = logit - np.where(bend < 0, slope / np.where(bend < 0, bend, 1.0), 0.0)
    return best


@lru_cache(maxsize=8)
def _binomials(total: int) -> tuple[FloatArray, FloatArray]:
    """Return logits of probabilities, and for each the binomial distribution."""
    angles = (np.arange(_GRID) + 0.5) * (np.pi / 2 / _GRID)
    logit = 2 * np.log(np.tan(angles))
    return sealed(logit), sealed(np.exp(_log_binomial(total, logit)))


def _log_binomial(total: int, logit: FloatArray) -> FloatArray:
    """Return the log-probability of 0 to `total`, for each logit of a probability."""
    counts = np.arange(total + 1)
    return np.asarray(
        _log_choices(total) + counts * logit[:, None] - total * np.logaddexp(0.0, logit)[:, None]
    )


@lru_cache(maxsize=8)
def _log_choices(total: int) -> FloatArray:
    """Return the logarithms of the binomial coefficients of `total`."""
    logs = _log_factorials(int(total + 1).bit_length())[: total + 1]
    return sealed(logs[total] - logs - logs[::-1])


@cache
def _log_factorials(bits: int) -> FloatArray:
    """Return the logarithms of the factorials of all numbers of so many bits."""
    return sealed(np.fromiter(map(math.lgamma, range(1, (1 << bits) + 1)), float, 1 << bits))
