"""What is true of a sample of a forest, given what was observed with errors.

Given what was observed, the true genotype is again drawn from a forest of the same shape: an event
has occurred with probability `share` if its parent has (see `forest_likelihood.upward_pass`). So
how many events are there, and which one comes next, is answered by one pass up this forest, and for
the next event one down. All functions take a row of codes for each sample.
"""

from math import nan

import cython
import numpy as np
from cython.cimports.caprese.kernels.elementary import exp
from cython.cimports.caprese.kernels.forest_likelihood import BLOCK, Block, block_of, upward_pass

from caprese._core.arrays import BoolArray, FloatArray, IntArray, Integer, OctetArray
from caprese.kernels.forest_likelihood import Model


def event_probabilities(codes: OctetArray, model: Model) -> FloatArray:
    """Return the probability of each event in each observation, given the observation."""
    samples, n = codes.shape[0], codes.shape[1]
    block, found = block_of(model, True), np.empty((samples, n))
    with cython.nogil:
        for row in range(samples):
            if row % BLOCK == 0:
                upward_pass(block, codes, row)
                _multiply_shares(block)
            for event in range(n):
                found[row, event] = block.share[event, row % BLOCK]
    return np.asarray(found)


def _multiply_shares(block: Block) -> None:
    """Multiply the share of each event by those of all events before it."""
    for position in range(len(block.order)):
        event = block.order[position]
        parent = block.parents[event]
        for k in range(BLOCK):
            block.share[event, k] *= block.share[parent, k]


class _Logarithms:
    """A forest with errors, and what is observed of one sample below each event."""

    def __init__(
        self,
        order: IntArray,
        parents: IntArray,
        log_p: FloatArray,
        log_q: FloatArray,
        log_observed: FloatArray,
    ) -> None:
        self.order, self.parents = order, parents
        self.log_p, self.log_q, self.log_observed = log_p, log_q, log_observed
        self.occurred, self.absent = np.empty(len(order)), np.empty(len(order))


def likeliest_genotypes(codes: OctetArray, model: Model) -> BoolArray:
    """Return the most likely true genotype of each observation; absent if there is a tie."""
    n, logs = codes.shape[1], _Logarithms(*model)
    there = np.empty((codes.shape[0], n), np.uint8)
    with cython.nogil:
        for row in range(codes.shape[0]):
            for event in range(n):
                logs.occurred[event] = logs.log_observed[1, codes[row, event]]
                logs.absent[event] = logs.log_observed[0, codes[row, event]]
            for position in range(n - 1, -1, -1):
                event = logs.order[position]
                parent = logs.parents[event]
                yes = logs.log_p[event] + logs.occurred[event]
                no = logs.log_q[event] + logs.absent[event]
                there[row, event] = yes > no
                if parent >= 0:
                    logs.occurred[parent] += max(yes, no)
                    logs.absent[parent] += logs.absent[event]
            for position in range(n):
                event = logs.order[position]
                if logs.parents[event] >= 0:
                    there[row, event] &= there[row, logs.parents[event]]
    return np.asarray(there).view(np.bool_)


class _Counts:
    """How probable each number of events below each event is; the root is the last event."""

    def __init__(self, n: Integer) -> None:
        self.below, self.product = np.empty((n + 1, n + 1)), np.empty(n + 1)
        self.sizes = np.empty(n + 1, np.int64)  # events below each event


def count_probabilities(codes: OctetArray, model: Model) -> FloatArray:
    """Return the probability that 0, 1, ... events are truly there, for each row of `codes`."""
    samples, n = codes.shape[0], codes.shape[1]
    block, counts, found = block_of(model, True), _Counts(n), np.empty((samples, n + 1))
    with cython.nogil:
        for row in range(samples):
            if row % BLOCK == 0:
                upward_pass(block, codes, row)
            _count(block, row % BLOCK, counts)
            found[row, :] = counts.below[n]
    return np.asarray(found)


def _count(block: Block, k: Integer, counts: _Counts) -> None:
    """Fill how probable each number of events is, for one sample of the block."""
    n = len(block.order)
    for node in range(n + 1):
        counts.below[node, 0] = 1.0
        counts.sizes[node] = 0
    for position in range(n - 1, -1, -1):
        event = block.order[position]
        parent = block.parents[event]
        share = block.share[event, k]
        size, others = counts.sizes[event] + 1, counts.sizes[parent]
        for number in range(size, 0, -1):  # the event itself comes on top
            counts.below[event, number] = share * counts.below[event, number - 1]
        counts.below[event, 0] = 1.0 - share
        for number in range(others + size + 1):
            counts.product[number] = 0.0
        for one in range(others + 1):
            chance = counts.below[parent, one]
            for two in range(size + 1):
                counts.product[one + two] += chance * counts.below[event, two]
        for number in range(others + size + 1):
            counts.below[parent, number] = counts.product[number]
        counts.sizes[parent] = others + size


class _Times:
    """Room for the integral over time of each event, with an entry for each time.

    The expectation of exp(-R t) is a product of such numbers: `decay` of an event that may come
    next, `within` its subtree, `below` it, and `outside` its subtree. The root is the last event.
    """

    def __init__(self, n: Integer, times: Integer) -> None:
        self.decay, self.within = np.empty((n, times)), np.empty((n, times))
        self.below, self.outside = np.empty((n + 1, times)), np.ones((n + 1, times))


def next_probabilities(
    codes: OctetArray, model: Model, rates: FloatArray, times: FloatArray, steps: FloatArray
) -> FloatArray:
    """Return the probability that each event comes next, for each row of `codes`.

    In a genotype with total rate R, event j comes next with probability r_j / R, the integral of
    r_j exp(-R t) over all times t. As R is a sum over events, the expectation of exp(-R t) falls
    apart along the forest; the integral becomes a sum over `times`, each with its step.
    """
    samples, n = codes.shape[0], codes.shape[1]
    block, work, found = block_of(model, True), _Times(n, len(times)), np.full((samples, n), nan)
    with cython.nogil:
        for event in range(n):
            for t in range(len(times)):
                work.decay[event, t] = exp(-(times[t] * rates[event]))
        for row in range(samples):
            if row % BLOCK == 0:
                upward_pass(block, codes, row)
            if block.numbers[1, n, row % BLOCK] > 0.0:
                _fill_within(block, row % BLOCK, work)
                _fill_outside(block, row % BLOCK, work)
                for event in range(n):
                    total: float = 0.0
                    for t in range(len(times)):
                        chance = work.outside[event, t] * (1.0 - block.share[event, row % BLOCK])
                        total += steps[t] * (chance * work.decay[event, t])
                    found[row, event] = rates[event] * total
    return np.asarray(found)


def _fill_within(block: Block, k: Integer, work: _Times) -> None:
    """Fill the numbers within and below each event, of one sample of the block."""
    for node in range(len(block.order) + 1):
        for t in range(work.below.shape[1]):
            work.below[node, t] = 1.0
    for position in range(len(block.order) - 1, -1, -1):
        event = block.order[position]
        parent, share = block.parents[event], block.share[event, k]
        for t in range(work.below.shape[1]):
            within = (1.0 - share) * work.decay[event, t] + share * work.below[event, t]
            work.within[event, t] = within
            work.below[parent, t] *= within


def _fill_outside(block: Block, k: Integer, work: _Times) -> None:
    """Fill the numbers outside each event, from those within and below."""
    for position in range(len(block.order)):
        event = block.order[position]
        parent = block.parents[event]
        above = block.share[parent, k]
        for t in range(work.below.shape[1]):
            around = work.outside[parent, t] * above * work.below[parent, t]
            within = work.within[event, t]
            work.outside[event, t] = around / within if within > 0.0 else 0.0
