"""Courses: the grids of times on which forests with a clock are compared with visits of patients.

A grid leads from the last visit back to the start of the progression. After each visit it is
divided into panels that become twice as long each time, as fast events leave traces of a short
time; each panel has five points (those of
Radau). A first visit at an unknown, exponential time is an
integral over 64 times its mean.
"""

from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from caprese._core.arrays import FloatArray, IntArray, sealed
from caprese.data.visits import Visits
from caprese.kernels.functions import exp, log1p
from caprese.kernels.timed_forests import Histories

_POINTS = (0.0571041961145177, 0.27684301363812366, 0.5835904323689169, 0.8602401356562193, 1.0)
_FIRST = 2.0**-7  # the width of the first panel after a visit
_LAST = 64.0  # of an unknown time
_SHORTEST = 1e-9  # of a time that is 0
# Quantiles of an unknown time between two visits, and how much each counts.
_GAPS = ((0.0, 0.25), (0.25, 1.0), (1.0, 4.0), (4.0, 16.0))
_LATTICE = 64  # points, if several times are unknown


def _polynomial(point: int) -> FloatArray:
    """Return the coefficients of the polynomial that is 1 at a point and 0 at the others."""
    found = np.zeros(len(_POINTS))
    found[0] = 1.0
    for other in (each for each in range(len(_POINTS)) if each != point):
        shifted = np.append(0.0, found[:-1])
        found = (shifted - _POINTS[other] * found) / (_POINTS[point] - _POINTS[other])
    return found


_COEFFICIENTS: FloatArray = sealed(np.array([_polynomial(point) for point in range(5)]))
_COUNTS: FloatArray = sealed((_COEFFICIENTS / np.arange(1.0, 6.0)).sum(axis=1))  # of an integral


class _Panel(NamedTuple):
    """A part of a grid."""

    start: float  # since the visit before which it lies
    width: float
    first: int  # the first visit at which an event is seen that occurs in it
    counts: bool  # whether the progression may have begun in it, ...
    unknown: bool  # ... and at any time in it, not only at its end


class Courses(NamedTuple):
    """What compiled loops compare forests with, and where in its grids progressions may begin."""

    histories: Histories
    order: IntArray  # the history of the visits that each group of these is of
    at: FloatArray  # how long before the first visit each point is, panels x 5
    counts: FloatArray  # how much each point counts, but for how soon first visits are
    grid: IntArray  # of each panel

    def weights(self, pace: float) -> FloatArray:
        """Return how much each point counts as the start of the progression, panels x 5.

        Those of a grid sum to 1. Where it is known when the first visit was, that is one point;
        unknown times end at this rate.
        """
        return _weights(self.at, self.counts, self.grid, pace)


def _weights(at: FloatArray, counts: FloatArray, grid: IntArray, pace: float) -> FloatArray:
    found = counts * exp(-pace * at)
    total = np.bincount(grid, found.sum(axis=1))
    return sealed(found / total[grid][:, None])


def courses(visits: Visits, *, gap: float = 1.0, shared: bool = True) -> Courses:
    """Return what compiled loops compare forests with.

    It does not depend on the names of events.

    Parameters
    ----------
    visits
        Times are in the unit in which rates are counted.
    gap
        The mean of unknown times between two visits.
    shared
        Whether tables are shared by all histories in which the same was seen.
    """
    spans = list(pairwise(visits.starts.tolist()))
    known = np.where(np.isnan(visits.elapsed), -1.0, np.maximum(visits.elapsed, _SHORTEST))
    keys = [(tuple(known[i:j].tolist()), visits.codes[i:j].tobytes()) for i, j in spans]
    order = sorted(range(len(keys)), key=keys.__getitem__)
    found = [
        (group, elapsed, keys[history][1], share)
        for group, history in enumerate(order)
        for elapsed, share in _with_gaps(keys[history][0], gap)
    ]
    place: dict[tuple[float, ...], int] = {}
    course = [place.setdefault(elapsed, len(place)) for _, elapsed, _, _ in found]
    grids = tuple(tuple(_panels(elapsed)) for elapsed in place)
    panels = [panel for grid in grids for panel in grid]
    codes = b"".join(each for _, _, each, _ in found)
    start, size, first = (np.array(each) for each in list(zip(*panels, strict=True))[:3])
    widths, width = np.unique(size, return_inverse=True)
    points = np.array(_POINTS)
    unknown = np.array([panel.counts and panel.unknown for panel in panels])[:, None]
    ends = np.array([panel.counts and not panel.unknown for panel in panels])[:, None]
    at = np.where(unknown, start[:, None] + size[:, None] * points, 0.0)
    counts = np.where(unknown, size[:, None] * _COUNTS, 0.0) + ends * (points == 1.0)
    grid = np.repeat(np.arange(len(grids)), list(map(len, grids)))
    work = Histories(
        np.frombuffer(codes, np.uint8).reshape(-1, len(visits.events)),
        np.cumsum([0, *(len(elapsed) for _, elapsed, _, _ in found)]),
        np.array(course),
        np.cumsum([0, *map(len, grids)]),
        width.reshape(-1).astype(np.int64),
        first,
        widths,
        _weights(at, counts, grid, 1.0),
        np.array([group for group, *_ in found]),
        np.array([share for *_, share in found]),
        visits.number[order].astype(np.float64),
        points,
        _COEFFICIENTS,
        shared,
    )
    return Courses(work, np.array(order), at, counts, grid)


def _with_gaps(elapsed: tuple[float, ...], gap: float) -> Iterator[tuple[tuple[float, ...], float]]:
    """Yield elapsed times in which no time between two visits is unknown, and their shares.

    Unknown times are negative; that before a first visit stays.
    """
    own = np.array(elapsed)
    unknown = np.flatnonzero(own[1:] < 0) + 1
    for gaps, share in _quantiles(len(unknown)):
        own[unknown] = gap * np.array(gaps)
        yield tuple(own.tolist()), share


def _quantiles(number: int) -> Iterator[tuple[tuple[float, ...], float]]:
    """Yield values of so many exponential times of mean 1, and how much they count."""
    if number == 0:
        yield (), 1.0
    elif number == 1:
        points = [
            (low + part * (high - low), weight * (high - low))
            for low, high in _GAPS
            for part, weight in ((1 / 3, 0.75), (1.0, 0.25))
        ]
        counts = exp([-at for at, _ in points]) * np.array([weight for _, weight in points])
        shares = counts / counts.sum()
        yield from (((at,), share) for (at, _), share in zip(points, shares.tolist(), strict=True))
    else:
        root = 1.5  # the generalised golden ratio: x^(number + 1) = x + 1
        for _ in range(60):
            root = float(exp(log1p(root) / (number + 1)))
        steps = np.array([root ** -(k + 1) for k in range(number)])
        for point in range(_LATTICE):
            at = -log1p(-((0.5 + (point + 1) * steps) % 1.0))
            yield tuple(at.tolist()), 1 / _LATTICE


def _panels(elapsed: tuple[float, ...]) -> Iterator[_Panel]:
    """Yield the panels of a grid, from the last visit backwards."""
    for first in range(len(elapsed) - 1, -1, -1):
        unknown = elapsed[first] < 0
        ends = _ends(_LAST if unknown else elapsed[first])
        for start, end in pairwise([0.0, *ends]):
            begins = first == 0 and (unknown or end == ends[-1])
            yield _Panel(start, end - start, first, begins, unknown)


def _ends(length: float) -> list[float]:
    """Return where panels end."""
    found, end = [], _FIRST
    while end < length:
        found.append(end)
        end *= 2
    return [*found, length]
