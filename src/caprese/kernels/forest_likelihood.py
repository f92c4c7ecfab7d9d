"""Probabilities of what was observed of a forest, many samples at a time.

Each event has two numbers for its parent: the probability of what was observed in its subtree if
the event has not occurred, and if it has. With a thousand events they are far below the smallest
number of the processor, and one may be far below the other. So each has a power besides: how often
it was multiplied by `_UNIT`. That is done only where it became small, and looked for only where a
lower bound of all samples says that it may have. The inner loops run over samples, and logarithms
are taken once, at the end.
"""

from math import ldexp

import cython
import numpy as np
from cython.cimports.caprese.kernels.elementary import log

from caprese._core.arrays import FloatArray, IntArray, Integer, NumberArray, OctetArray
from caprese.kernels.functions import exp

BLOCK = 64  # samples
_UNIT = ldexp(1.0, 230)
_LOG_UNIT = log(_UNIT)
_SMALL = 1 / _UNIT  # a product of four such numbers is still far from underflow
_MOST = 5  # powers by which two numbers differ that make the smaller one 0


Model = tuple[IntArray, IntArray, FloatArray, FloatArray, FloatArray]
"""A forest with errors.

The order of its events, parents before children, and their parents, -1 for the root; logarithms of
each event's probability given its parent, and of its complement; and ``[x, code]``, the
log-probability to observe `code` (0 absent, 1 present, 2 unknown) if the truth is x.
"""


class Block:
    """A forest, and the numbers of its events for a block of samples; the root is the last event.

    Where an index says so, 0 is an event that has not occurred, and 1 one that has: in `chances`,
    given its parent, in `seen`, the probability to observe each code, and in `numbers`.
    """

    def __init__(self, order: IntArray, parents: IntArray, with_shares: cython.bint) -> None:
        n = len(order)
        self.order, self.parents = order, np.where(parents >= 0, parents, n)
        self.chances, self.seen = np.empty((2, n)), np.ones((2, 3))
        self.numbers = np.empty((2, n + 1, BLOCK))
        self.least = np.empty((2, n + 1))  # at most the least number that is not 0
        self.powers = np.empty((2, n + 1, BLOCK), np.int32)
        self.scaled = np.empty(n + 1, np.uint8)  # whether an event has powers
        self.either, self.either_powers = np.empty(BLOCK), np.empty(BLOCK, np.int32)
        self.with_shares = with_shares
        if with_shares:
            self.share = np.ones((n + 1, BLOCK))


def block_of(model: Model, with_shares: cython.bint) -> Block:
    """Return room for the samples of a forest; `upward_pass` fills its shares if asked for."""
    order, parents, log_p, log_q, log_observed = model
    block = Block(order, parents, with_shares)
    block.chances, block.seen = exp([log_q, log_p]), exp(log_observed)
    return block


def log_probabilities(codes: OctetArray, model: Model) -> FloatArray:
    """Return the log-probability of each observation, a row of `codes`."""
    block, found = block_of(model, False), np.empty(codes.shape[0])
    with cython.nogil:
        for row in range(codes.shape[0]):
            if row % BLOCK == 0:
                upward_pass(block, codes, row)
            found[row] = log_probability(block, row % BLOCK)
    return np.asarray(found)


def log_probability(block: Block, k: Integer) -> float:
    """Return the log-probability of one observation of the block."""
    root = len(block.order)
    powers: cython.Py_ssize_t = block.powers[1, root, k] if block.scaled[root] else 0
    return log(block.numbers[1, root, k]) - powers * _LOG_UNIT


def upward_pass(block: Block, codes: OctetArray, start: Integer) -> None:
    """Fill the numbers of the block of `codes` from a row on, for all events and the root.

    Fill `share`, if asked for: the probability that an event has occurred, given that its parent
    has and given what was observed in its subtree; 0 where that cannot be observed.
    """
    _begin(block, codes, start)
    for position in range(len(block.order) - 1, -1, -1):
        event = block.order[position]
        least = _either(block, event)
        _multiply(block, block.parents[event], event, least)


def _begin(block: Block, codes: OctetArray, start: Integer) -> None:
    """Set the numbers of each event to the probabilities of its codes, those of the root to 1."""
    n, stop = len(block.order), min(start + BLOCK, codes.shape[0])
    absent, present = _least(block.seen[0]), _least(block.seen[1])
    for event in range(n + 1):
        known: cython.Py_ssize_t = stop - start if event < n else 0
        for k in range(known):
            code = codes[start + k, event]
            block.numbers[0, event, k] = block.seen[0, code]
            block.numbers[1, event, k] = block.seen[1, code]
        for k in range(known, BLOCK):
            block.numbers[0, event, k] = 1.0
            block.numbers[1, event, k] = 1.0
        block.least[0, event] = absent
        block.least[1, event] = present
        block.scaled[event] = False
        if min(absent, present) < _SMALL:
            _rescale_event(block, event)


def _either(block: Block, event: Integer) -> float:
    """Fill what was observed, whether or not an event follows its parent; return the least."""
    no, yes = block.chances[0, event], block.chances[1, event]
    if yes < _SMALL:
        _with_powers(block, event)
    if block.scaled[event]:
        return _either_with_powers(block, event)
    for k in range(BLOCK):
        block.either[k] = yes * block.numbers[1, event, k] + no * block.numbers[0, event, k]
    if block.with_shares:
        for k in range(BLOCK):
            present, total = yes * block.numbers[1, event, k], block.either[k]
            block.share[event, k] = present / total if total > 0.0 else 0.0
    least: float = yes * block.least[1, event]
    return min(least, no * block.least[0, event]) if no > 0.0 else least


def _either_with_powers(block: Block, event: Integer) -> float:
    """Do the same for numbers with powers; the larger of two has the lower power."""
    no, yes, yes_powers = block.chances[0, event], block.chances[1, event], 0
    while 0.0 < yes < _SMALL:
        yes *= _UNIT
        yes_powers += 1
    for k in range(BLOCK):
        absent: float = no * block.numbers[0, event, k]
        present: float = yes * block.numbers[1, event, k]
        power: cython.Py_ssize_t = block.powers[0, event, k]
        more = block.powers[1, event, k] + yes_powers - power
        if absent == 0.0 or (present > 0.0 and more <= 0):
            absent *= _fraction(-more)
            power += more
        else:
            present *= _fraction(more)
        block.either[k] = present + absent
        block.either_powers[k] = power
        if block.with_shares:
            block.share[event, k] = present / (present + absent) if present > 0.0 else 0.0
    return _rescale(block.either, block.either_powers)


def _fraction(powers: Integer) -> float:
    """Return how much a number with so many more powers counts, beside one with fewer."""
    fraction = 1.0
    for _ in range(min(powers, _MOST)):
        fraction *= _SMALL
    return fraction


def _multiply(block: Block, parent: Integer, event: Integer, least: float) -> None:
    """Multiply the numbers of a parent by those of a child."""
    for k in range(BLOCK):
        block.numbers[0, parent, k] *= block.numbers[0, event, k]
        block.numbers[1, parent, k] *= block.either[k]
    block.least[0, parent] *= block.least[0, event]
    block.least[1, parent] *= least
    if block.scaled[event]:
        _with_powers(block, parent)
        for k in range(BLOCK):
            block.powers[0, parent, k] += block.powers[0, event, k]
            block.powers[1, parent, k] += block.either_powers[k]
    if min(block.least[0, parent], block.least[1, parent]) < _SMALL:
        _rescale_event(block, parent)


def _with_powers(block: Block, event: Integer) -> None:
    """Give an event powers of 0, if it has none."""
    if not block.scaled[event]:
        block.scaled[event] = True
        for k in range(BLOCK):
            block.powers[0, event, k] = 0
            block.powers[1, event, k] = 0


def _rescale_event(block: Block, event: Integer) -> None:
    """Rescale both numbers of an event."""
    _with_powers(block, event)
    for truth in range(2):
        numbers, powers = block.numbers[truth, event], block.powers[truth, event]
        block.least[truth, event] = _rescale(numbers, powers)


def _rescale(numbers: FloatArray, powers: NumberArray) -> float:
    """Multiply what became small by the unit until it is not; return the least number."""
    if _least(numbers) < _SMALL:
        for k in range(BLOCK):
            while 0.0 < numbers[k] < _SMALL:
                numbers[k] *= _UNIT
                powers[k] += 1
    return _least(numbers)


def _least(numbers: FloatArray) -> float:
    """Return the least number that is not 0; 1 if there is none."""
    least = 1.0
    for k in range(len(numbers)):
        if 0.0 < numbers[k] < least:
            least = numbers[k]
    return least
