"""A walk over timed forests: from one to the next, by changes of a few parents and numbers."""

from collections.abc import Iterator, Sequence

import numpy as np

from caprese._core.arrays import FloatArray, IntArray
from caprese.fitting.forest_ascent import ForestPrior
from caprese.fitting.timed_likelihood import (
    STEPS,
    Maximum,
    Point,
    TimedLikelihood,
    TimedPrior,
    below_first,
)
from caprese.kernels.functions import exp
from caprese.kernels.timed_forests import fill, undo
from caprese.models.forest import ROOT

_FEW = 25  # steps of an ascent whose end is only compared
_PROMISING = 4  # neighbours that are looked at closely
_HOPELESS = 3.0  # loss of log-posterior that better numbers do not make good
_LITTLE = 0.01  # gain of log-posterior that is not worth a step
_PASSES = 100
_HUGE = 100.0  # gain or loss of log-posterior, beyond which its size does not matter


class Walk:
    """A timed forest, and one that may take its place.

    Parameters
    ----------
    likelihood
        The data.
    prior, forests
        Of numbers, and of forests; None where all forests count alike.
    start
        Where the walk begins.
    """

    def __init__(
        self,
        likelihood: TimedLikelihood,
        prior: TimedPrior,
        forests: ForestPrior | None,
        start: Point,
    ) -> None:
        n = likelihood.events
        self.likelihood, self.prior, self.tables = likelihood, prior, likelihood.tables()
        self._by_roots = [0.0] * (n + 1)
        if forests is not None:
            self._by_roots[1:] = [forests.forest_log_probability(n, k) for k in range(1, n + 1)]
        self.begin(start)

    def begin(self, point: Point) -> None:
        """Go to any forest."""
        self.point, self.objective = point, 0.0
        self.tables.weights = self.likelihood.weights(point.pace)
        self.propose(point, range(self.likelihood.events))
        self.accept()

    def best(self, point: Point, steps: int = STEPS) -> Maximum:
        """Return the best numbers for a forest, with its prior; `begin` has to follow."""
        found = self.likelihood.maximum(self.tables, point, self.prior, steps)
        roots = int((point.parents == ROOT).sum())
        return found._replace(objective=found.objective + self._by_roots[roots])

    def propose(self, point: Point, changed: Sequence[int]) -> float:
        """Look at another forest; return the logarithm of its posterior density over this one's.

        Parameters
        ----------
        changed
            Events with another rate, another parent or other children; all, if error rates change.
        """
        parents, touched = point.parents.tolist(), set[int]()
        for event in changed:
            above = event
            while above >= 0 and above not in touched:
                touched.add(above)
                above = parents[above]
        if point.pace != self.point.pace:
            self.tables.weights = self.likelihood.weights(point.pace)
        events = np.array(below_first(parents, sorted(touched)), dtype=np.int64)
        rates = exp(point.logarithms)
        likely = float(fill(self.tables, point.parents, rates, point.errors, events))
        density = float(self.prior.of_rates(point.logarithms, point.pace).sum())
        density += self.prior.of_errors(point.errors) + self.prior.of_pace(point.pace)
        density += self._by_roots[parents.count(ROOT)]
        self._proposed = point, likely, likely + density, events
        return float(likely + density - self.objective)

    def accept(self) -> None:
        """Go there."""
        self.point, self.log_likelihood, self.objective, _ = self._proposed

    def reject(self) -> None:
        """Stay."""
        point, _, _, events = self._proposed
        if point.pace != self.point.pace:
            self.tables.weights = self.likelihood.weights(self.point.pace)
        undo(self.tables, self.point.parents, events)

    def moved(self, parents: IntArray) -> tuple[Point, list[int]]:
        """Return the same with other parents, rates to match, and which events are changed."""
        before = self.point.parents
        shifts = self.likelihood.shifts(before, parents)
        others = np.flatnonzero(parents != before)
        changed = {*others.tolist(), *before[others].tolist()} - {ROOT}
        point = self.point._replace(parents=parents, logarithms=self.point.logarithms + shifts)
        return point, sorted(changed)

    def look(self, parents: IntArray) -> tuple[float, Point]:
        """Return what other parents gain, with rates to match; stay."""
        point, changed = self.moved(parents)
        gain = self.propose(point, changed)
        self.reject()
        return gain, point


def reparented(parents: IntArray, event: int, parent: int) -> IntArray:
    """Return a forest in which an event has another parent."""
    found = parents.copy()
    found[event] = parent
    return found


def reversed_edge(parents: IntArray, event: int) -> IntArray:
    """Return a forest in which an event and its parent have changed places; its children stay."""
    found, parent = parents.copy(), int(parents[event])
    found[event], found[parent] = parents[parent], event
    return found


def swapped(parents: IntArray, one: int, other: int) -> IntArray:
    """Return a forest in which two events have changed their labels."""
    place = np.arange(len(parents) + 1)  # the root, -1, is the last
    place[[one, other]] = other, one
    place[-1] = ROOT
    found = parents.copy()
    found[place[:-1]] = place[parents]
    return found


def allowed_parents(parents: IntArray, event: int) -> list[int]:
    """Return the root and the events that do not come after an event, but for its parent."""
    own = parents.tolist()

    def comes_after(other: int) -> bool:
        while other >= 0:
            if other == event:
                return True
            other = own[other]
        return False

    found = [ROOT, *(other for other in range(len(own)) if not comes_after(other))]
    return [parent for parent in found if parent != own[event]]


def search(
    likelihood: TimedLikelihood,
    prior: TimedPrior,
    forests: ForestPrior | None,
    starts: Sequence[IntArray],
) -> Maximum:
    """Return the timed forest of highest posterior density.

    From the best of the given forests, single events get other parents and edges are reversed, as
    long as that helps once all numbers are the best for it.
    """
    walk = Walk(likelihood, prior, forests, likelihood.start(starts[0]))
    distinct = {tuple(start.tolist()): start for start in starts}
    ends = [walk.best(likelihood.start(start), _FEW) for start in distinct.values()]
    best = max(ends, key=lambda each: each.objective)
    for _ in range(_PASSES):
        walk.begin(best.point)
        promising = sorted(_neighbours(walk), key=lambda each: -each[0])[:_PROMISING]
        better = (walk.best(point, _FEW) for gain, point in promising if gain > -_HOPELESS)
        after = next((e for e in better if e.objective > best.objective + _LITTLE), None)
        if after is None:
            break
        best = after
    return walk.best(best.point)


def _neighbours(walk: Walk) -> Iterator[tuple[float, Point]]:
    """Yield forests that differ by a parent or by a reversed edge, and the gain of each."""
    here, events = walk.point.parents, range(walk.likelihood.events)
    others = [
        reparented(here, event, parent)
        for event in events
        for parent in allowed_parents(here, event)
    ]
    others += [reversed_edge(here, event) for event in events if here[event] != ROOT]
    yield from map(walk.look, others)


def prospects(walk: Walk) -> FloatArray:
    """Return what each parent of each event would gain, where a walk is: events x (events, root).

    0 for the parents they have. An event that comes after another can be its parent only if their
    edge is reversed, and it is not known what it would gain if there are others between them: 0.
    """
    here, events = walk.point.parents, range(walk.likelihood.events)
    found = np.zeros((len(events), len(events) + 1))

    def gain(parents: IntArray) -> float:
        return float(np.clip(walk.look(parents)[0], -_HUGE, _HUGE))

    for event in events:
        for parent in allowed_parents(here, event):
            found[event, parent] = gain(reparented(here, event, parent))
    for event in (each for each in events if here[each] != ROOT):
        above = here[event]
        found[above, event] = gain(reversed_edge(here, event)) - found[event, here[above]]
    return found
