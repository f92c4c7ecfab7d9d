"""Differences: means over samples or pairs, with standard errors over groups of them."""

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
