"""Yardstick: what pairs of events predict without an order; it is never judged best."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from caprese._core.arrays import ArrayValue, FloatArray, IntArray
from caprese.data.dataset import Dataset
from caprese.fitting.pairwise import exclusive_pairs, fitted_pairwise, is_quick

NOTABLE_GAIN = 0.02
"""Nats per sample beyond the best method from which on the yardstick is mentioned."""

_MOST_PAIRS = 3  # that are named


@dataclass(frozen=True, eq=False)
class Yardstick(ArrayValue):
    """How well a pairwise model predicts held-out samples.

    Parameters
    ----------
    log_probabilities
        Of each held-out sample, the mean over all repetitions.
    part_scores
        The mean log-probability of all samples by what was learnt from each training part.
    apart
        Pairs of events that it keeps apart most.
    """

    log_probabilities: FloatArray
    part_scores: FloatArray
    apart: tuple[tuple[str, str], ...]


def yardstick(data: Dataset, splits: Sequence[IntArray], rows: Sequence[int]) -> Yardstick | None:
    """Return what a pairwise model says of held-out samples, where that takes less than a second.

    Parameters
    ----------
    data
        The samples.
    splits
        The rows of each held-out part.
    rows
        The order of the samples in the answer.
    """
    if not is_quick(data):
        return None
    values = data.values.astype(float)
    total, times, means = np.zeros(len(values)), np.zeros(len(values)), []
    for held_out in splits:
        training = np.delete(np.arange(len(values)), held_out)
        found = fitted_pairwise(data.take_samples(training)).log_probabilities(values)
        total[held_out] += found[held_out]
        times[held_out] += 1
        means.append(float(found.mean()))
    pairs = exclusive_pairs(fitted_pairwise(data), values, _MOST_PAIRS)
    apart = tuple((data.events[one], data.events[other]) for one, other in pairs.tolist())
    return Yardstick(total[rows] / times[rows], np.array(means), apart)
