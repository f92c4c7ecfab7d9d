"""Differences: means over samples or pairs, with standard errors over groups of them."""

import math
from dataclasses import dataclass

import numpy as np

from caprese._core.arrays import FloatArray, IntArray


@dataclass(frozen=True)
class Difference:
    """A mean, such as a difference of log-probabilities in nats, with its standard error."""

    mean: float
    error: float

    def exceeds(self, errors: float) -> bool:
        """Whether the mean is above 0 by more than so many standard errors."""
        return bool(self.mean > errors * self.error)


def grouped_mean(values: FloatArray, groups: IntArray) -> Difference:
    """Return the mean of all values, with a standard error over groups, such as patients.

    The error is what resampling whole groups would give. It is infinite if there is only one group,
    and NaN where the mean is not finite.
    """
    mean = float(values.mean())
    names, place = np.unique(groups, return_inverse=True)
    number = len(names)
    if not np.isfinite(mean):
        return Difference(mean, np.nan)
    if number < 2:
        return Difference(mean, np.inf)
    within = np.bincount(place, values - mean)
    with np.errstate(over="ignore"):
        spread = float((within**2).sum()) * number / (number - 1)
    return Difference(mean, spread**0.5 / len(values))


def patient_mean(values: FloatArray, groups: IntArray) -> Difference:
    """Return the mean over groups of the means within them: one patient, one vote."""
    names, place = np.unique(groups, return_inverse=True)
    if len(names) == len(values):
        return grouped_mean(values, groups)
    means = np.bincount(place, values) / np.bincount(place)
    return grouped_mean(means, np.arange(len(names)))


_CHANGE = 3.0  # how much more fits to other data sets vary than the jackknife tells
_LEAST = 0.7  # nats in all, of what fits that are the same by chance can hide


def over_data_sets(
    found: Difference, groups: int, means: FloatArray, folds: int, held_out: int
) -> Difference:
    """Return the difference of two methods with a standard error over repeated data sets.

    The error over samples leaves out that other data would have given other fits. How much these
    vary is taken from the fits to different training parts: the jackknife variance t of their mean
    differences over all samples. With v the variance over samples, the variance becomes
    v (1 + c r / (c + r)) + (0.7 / groups)^2, where r = 3 t / v, and c = held_out / (folds - 1) is
    by how much it grows where samples of a training part and held-out ones weigh the same (Nadeau
    and Bengio). The last term is for fits that are the same by chance in all folds.

    Parameters
    ----------
    found
        The mean difference, with its error over samples.
    groups
        How many samples there are, or groups.
    means
        The mean difference over all samples, held out or not, by what was learnt from each
        training part: repetitions x parts.
    folds, held_out
        How many folds, and how many of them were held out.

    References
    ----------
    Nadeau and Bengio (2003), Machine Learning 52:239-281. The two constants are from simulated data
    sets (``verify/differences.py``).
    """
    if not math.isfinite(found.error):
        return found
    variance, most = found.error**2, held_out / (folds - 1)
    more = most * variance
    if held_out > 1 and np.isfinite(means).all():
        with np.errstate(over="ignore"):  # of a file that was changed by hand
            spread = ((means - means.mean(axis=1, keepdims=True)) ** 2).sum(axis=1).mean()
        between = _CHANGE * float(spread) * (held_out - 1) / held_out
        more = most * variance * between / (most * variance + between) if between else 0.0
    return Difference(found.mean, math.sqrt(variance + more + (_LEAST / groups) ** 2))


def difference_of(
    scores: tuple[FloatArray, FloatArray],
    parts: tuple[FloatArray, FloatArray],
    groups: IntArray,
    folds: int,
    held_out: int,
    repeats: int = 1,
) -> Difference:
    """Return by how much one method predicts better than another, over repeated data sets.

    Parameters
    ----------
    scores
        Of the two, the log-probability of each held-out sample; both impossible is no difference.
    parts
        Of the two, the mean over all samples by what was learnt from each training part.
    groups
        Of the samples.
    folds, held_out, repeats
        How many folds, how many of them were held out, and how often.
    """
    first, second = scores
    both = np.isneginf(first) & np.isneginf(second)
    with np.errstate(invalid="ignore"):
        paired = np.where(both, 0.0, first - second)
        means = np.reshape(parts[0] - parts[1], (repeats, held_out))
    found, number = patient_mean(paired, groups), len(np.unique(groups))
    return over_data_sets(found, number, means, folds, held_out)
