"""Blur: how true sets of events become observations, event by event, with errors."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from caprese._core.arrays import BoolArray, FloatArray, IntArray
from caprese.models.noise import Noise
from caprese.models.states import Codes, as_sets


class Kind(NamedTuple):
    """Observations of which the same events are known."""

    known: BoolArray  # events
    rows: IntArray  # which observations
    sets: IntArray  # what is present in each, event k in bit k


def kinds(codes: Codes) -> Iterator[Kind]:
    """Yield the observations by which of their events are known."""
    masks, which = np.unique(codes < 2, axis=0, return_inverse=True)
    present = as_sets(codes == 1)
    for place, known in enumerate(masks):
        rows = np.flatnonzero(which.ravel() == place)
        yield Kind(known, rows, present[rows])


class Blur(NamedTuple):
    """How true sets of events become observations: event by event, with errors.

    All sets of events stand in one vector, event k in bit k of the position. Errors of different
    events are independent, so that each is a step of its own over the vector.
    """

    noise: Noise
    kinds: tuple[Kind, ...]

    def observed(self, likely: FloatArray) -> FloatArray:
        """Return the probability of each observation, from those of all true sets."""
        found = np.empty(sum(len(kind.rows) for kind in self.kinds))
        for kind in self.kinds:
            found[kind.rows] = _through(likely, self._steps(kind))[kind.sets]
        return found

    def blamed(self, weights: FloatArray, events: int) -> FloatArray:
        """Return the sum over observations of weights times how probable each true set makes it."""
        total = np.zeros(1 << events)
        for kind in self.kinds:
            own = np.zeros(1 << events)
            np.add.at(own, kind.sets, weights[kind.rows])
            total += _through(own, [step.T for step in self._steps(kind)])
        return total

    def _steps(self, kind: Kind) -> list[FloatArray]:
        """Return for each event how probably it is seen (row) if it is there or not (column)."""
        positive, negative = self.noise.rates
        seen = np.array([[1 - positive, negative], [positive, 1 - negative]])
        anything = np.array([[1.0, 1.0], [0.0, 0.0]])
        return [seen if known else anything for known in kind.known.tolist()]


def _through(values: FloatArray, steps: Sequence[FloatArray]) -> FloatArray:
    """Return numbers for all sets of events after each event has taken its step."""
    for event, step in enumerate(steps):
        without, there = values.reshape(-1, 2, 1 << event).swapaxes(0, 1)
        values = np.stack([row[0] * without + row[1] * there for row in step], axis=1).ravel()
    return values
