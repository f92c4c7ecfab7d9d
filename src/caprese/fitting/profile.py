"""Ends of a profile-likelihood interval, found with few maximisations."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import isfinite, prod, sqrt
from typing import Protocol

from caprese._core.arrays import FloatArray

# The accuracy of an end: as a share of its distance from the maximum, at least and at most.
_SHARE, _FINEST, _ACCURACY = 0.01, 1e-9, 1e-5
_NEAR = 0.02  # the fall at an end may differ from the depth by this share
_FARTHER = 4.0  # an end is sought at most so many times as far as the profile is known
_HIGHER = 0.01  # what another start has to gain in log-likelihood
_RESTARTS = 5  # so often at most
_NODES = 3  # of an interpolation
_MOST = 10  # maxima of one side that are interpolated; with more, the bracket is halved


@dataclass(frozen=True, eq=False)
class Maximum:
    """The highest log-likelihood where one number is fixed."""

    value: float  # the number that is fixed
    point: FloatArray  # all numbers there
    fall: float  # how far the log-likelihood is below the highest of all


class Profile(Protocol):
    """The highest log-likelihood as a function of one number."""

    def near(self, value: float, known: Sequence[Maximum]) -> Maximum:
        """Return the maximum that is reached from those known nearby."""

    def afresh(self, value: float) -> Maximum:
        """Return the best maximum that is reached from other starts."""


def interval_end(
    profile: Profile, best: Maximum, limit: float, depth: float, distance: float
) -> float:
    """Return where a profile has fallen by `depth`, between its maximum and a limit.

    That is the limit itself if the profile does not fall so far. The root of the fall is almost
    linear in the number, so the end is found by interpolation, each maximisation starting from the
    solutions nearby; the distance is a first guess how far it is. There may be several maxima: at
    the end other starts are tried, and if one is higher, the search goes on from there.
    """
    if best.value == limit:
        return limit
    side = _Side(limit, depth, (best,))
    value, restarts = side.at(distance), 0
    while True:
        side = replace(side, known=(*side.known, profile.near(value, side.known)))
        if value == limit and side.outside is None:
            return limit
        end = side.end()
        closest = min(side.known, key=lambda each: abs(each.value - end))
        if side.is_reached(end, closest):
            other = profile.afresh(closest.value)
            if other.fall > closest.fall - _HIGHER or restarts == _RESTARTS:
                return end
            # What else is known may be too low as well.
            side, restarts = replace(side, known=(best, other)), restarts + 1
        value = side.next()


@dataclass(frozen=True, eq=False)
class _Side:
    """What is known of a profile between its maximum, the first one known, and a limit."""

    limit: float
    depth: float
    known: tuple[Maximum, ...]

    @property
    def inside(self) -> Maximum:
        """The farthest one that has not fallen by the depth."""
        return max((each for each in self.known if each.fall < self.depth), key=self.distance)

    @property
    def outside(self) -> Maximum | None:
        """The nearest one beyond that."""
        within = self.distance(self.inside)
        beyond = (each for each in self.known if self.distance(each) > within)
        return min(beyond, key=self.distance, default=None)

    def distance(self, each: Maximum) -> float:
        """Return how far a number is from that of the maximum."""
        return abs(each.value - self.known[0].value)

    def at(self, distance: float) -> float:
        """Return the number at a distance from that of the maximum, but not beyond the limit."""
        best = self.known[0].value
        if self.limit < best:
            return max(best - distance, self.limit)
        return min(best + distance, self.limit)

    def end(self) -> float:
        """Return where the end is, by interpolation; within the bracket."""
        near, far = self._bracket()
        return self.at(min(max(self._interpolated(), near), far))

    def next(self) -> float:
        """Return the number to look at next, which is none of those known."""
        near, far = self._bracket()
        guess = self._interpolated()
        if near < guess < far and len(self.known) <= _MOST:
            return self.at(guess)
        return self.at(far if self.outside is None else (near + far) / 2)

    def is_reached(self, end: float, closest: Maximum) -> bool:
        """Whether an end is as good as the closest number whose maximum is known."""
        accuracy = min(_ACCURACY, max(_SHARE * abs(end - self.known[0].value), _FINEST))
        near, far = self._bracket()
        if far - near < accuracy:
            return True
        fallen = abs(closest.fall - self.depth) < _NEAR * self.depth
        return fallen and abs(closest.value - end) <= accuracy

    def _bracket(self) -> tuple[float, float]:
        """Return between which distances the end is."""
        near = self.distance(self.inside)
        return near, _FARTHER * near if self.outside is None else self.distance(self.outside)

    def _interpolated(self) -> float:
        """Return the distance of the end, as a quadratic function of the root of the fall."""
        target = sqrt(self.depth)
        closest = sorted(self.known, key=lambda each: abs(_root(each) - target))
        nodes: dict[float, float] = {}
        for each in (self.inside, self.outside, *closest):
            if each is not None and isfinite(each.fall) and len(nodes) < _NODES:
                nodes.setdefault(_root(each), self.distance(each))
        return sum(
            distance * prod((target - other) / (root - other) for other in nodes if other != root)
            for root, distance in nodes.items()
        )


def _root(each: Maximum) -> float:
    return sqrt(max(each.fall, 0.0))
