"""Scores of orders: which seen orders are scored, and what methods are compared with."""

import numpy as np

from caprese._core.arrays import FloatArray, IntArray
from caprese.data.dataset import Dataset
from caprese.fitting.strengths import earlier_probability, event_strengths


def scored_orders(data: Dataset) -> IntArray:
    """Return the pairs whose order is sure enough to be scored: sample, earlier, later event."""
    if data.orders is None:
        return np.zeros((0, 3), dtype=np.int64)
    return data.orders.pairs[data.orders.firm()]


def baselines(data: Dataset, held_out: IntArray) -> FloatArray:
    """Return what a coin, frequency and strengths of events say of the seen orders held out.

    Probabilities, baselines x pairs; frequencies and strengths are those of all other samples.
    """
    training = data.take_samples(np.delete(np.arange(len(data.samples)), held_out))
    _, first, second = scored_orders(data.take_samples(held_out)).T
    frequency = training.frequency
    more_frequent = 0.5 * (1 + np.sign(frequency[first] - frequency[second]))
    coin = np.full(len(first), 0.5)
    if training.orders is None:
        return np.array([coin, more_frequent, coin])
    before = earlier_probability(event_strengths(training.orders))
    return np.array([coin, more_frequent, before[first, second]])
