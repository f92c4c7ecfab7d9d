"""Search over posets by maximum likelihood: simulated annealing, then hill climbing.

Both take a few steps at a time, so that the caller can report progress and stop them.
"""

import cython
import numpy as np
from cython.cimports.caprese.kernels.elementary import log
from cython.cimports.caprese.kernels.poset_em import Ascent, Limits, ascend, start
from cython.cimports.caprese.kernels.posets import (
    KINDS,
    equal,
    fill_ancestors,
    fill_neighbour,
    number_of_moves,
)
from cython.cimports.caprese.kernels.true_counts import Observations
from cython.cimports.caprese.kernels.words import next_state, random_bits

from caprese._core.arrays import FloatArray, IntArray, Integer

_ATTEMPTS = 1000  # to draw a possible move; nearly every draw is one
_UNIT = 1.0 / (1 << 53)
_AFRESH = 0.01  # error rate of a fit that starts from rates of 1
_INFINITY = float("inf")


class Place:
    """A poset as the parents of each event, a point, and the log-likelihood there.

    The point holds rates, then the error rate.
    """

    def __init__(self, parents: IntArray, point: FloatArray, log_likelihood: float) -> None:
        self.parents, self.point = np.array(parents), np.array(point)
        self.log_likelihood = log_likelihood


class Search:
    """Where a search is, the best poset so far, and what it takes to go on.

    Parameters
    ----------
    place
        Where it starts.
    free
        The events whose parents may change.
    state
        Of the random stream.
    """

    def __init__(self, place: Place, free: IntArray, data: Observations, state: Integer) -> None:
        n, moves = len(place.parents), number_of_moves(len(free))
        self.current = Place(place.parents, place.point, place.log_likelihood)
        self.best = Place(place.parents, place.point, place.log_likelihood)
        self.candidate = Place(place.parents, place.point, place.log_likelihood)
        self.free, self.state = free, state
        self.at, self.failed, self.moves = 0, 0, moves
        self.tried = np.empty((moves, n), np.int64)  # where the moves that failed have led
        self.ascent = Ascent(data)
        self.ancestors, self.rates = np.empty(n, np.int64), np.empty(n)
        self.afresh = np.append(np.ones(n), _AFRESH)  # a point that no other poset has shaped


def fit_best(search: Search, limits: Limits) -> None:
    """Go to the best poset so far, and fit it."""
    with cython.nogil:
        _copy(search.best, search.candidate)
        _fit(search, search.best.point, limits, -_INFINITY)
        _copy(search.candidate, search.current)
        _copy(search.candidate, search.best)


def anneal(search: Search, temperatures: FloatArray, limits: Limits) -> None:
    """Take one annealing step at each temperature, a random move of the free events.

    A step that lowers the log-likelihood is taken with probability exp(change / temperature).
    """
    with cython.nogil:
        for step in range(len(temperatures)):
            _draw_candidate(search)
            search.state = next_state(search.state)
            chance: float = (random_bits(search.state) >> 11) * _UNIT
            target: float = search.current.log_likelihood
            target += temperatures[step] * log(max(chance, _UNIT))
            _fit(search, search.current.point, limits, target)
            if search.candidate.log_likelihood >= target:
                _copy(search.candidate, search.current)
                if search.current.log_likelihood > search.best.log_likelihood:
                    _copy(search.current, search.best)


def climb(search: Search, moves: Integer, limits: Limits, thorough: cython.bint) -> bool:
    """Try a number of moves in turn, and take each that improves; return whether all have failed.

    Several moves may lead to the same poset, which is tried once. The likelihood of a poset may
    have several maxima: a thorough climb fits it a second time from another start.
    """
    with cython.nogil:
        for _ in range(moves):
            if search.failed == search.moves:
                break
            if _next_candidate(search):
                target: float = search.current.log_likelihood + limits.tolerance
                _fit(search, search.current.point, limits, target)
                if thorough and not search.candidate.log_likelihood > target:
                    _fit(search, search.afresh, limits, target)
                if search.candidate.log_likelihood > target:
                    _copy(search.candidate, search.current)
                    _copy(search.candidate, search.best)
                    search.failed = 0
    return search.failed == search.moves


def _fit(search: Search, point: FloatArray, limits: Limits, target: float) -> None:
    """Fit the candidate, starting from the point of another poset.

    The starting rates are moderate: where rates tend to infinity the likelihood is flat, and its
    gradient does not lead back. Limits and target are those of `poset_em.ascend`.
    """
    n = len(search.rates)
    for event in range(n):
        search.rates[event] = min(max(point[event], 0.1), 10.0)
    fill_ancestors(search.candidate.parents, search.ancestors)
    start(search.ascent, search.ancestors, search.rates, point[n], limits)
    search.candidate.log_likelihood, _ = ascend(search.ascent, limits, target)
    for event in range(n):
        search.candidate.point[event] = search.ascent.step.rates[event]
    search.candidate.point[n] = search.ascent.step.error


def _copy(source: Place, target: Place) -> None:
    target.parents[:] = source.parents
    target.point[:] = source.point
    target.log_likelihood = source.log_likelihood


def _draw_candidate(search: Search) -> None:
    """Set the candidate by a random move; to the current poset, if no move is possible."""
    number = len(search.free)
    for _ in range(_ATTEMPTS):
        search.state = next_state(search.state)
        draw: cython.ulonglong = random_bits(search.state) >> 1
        kind, draw = draw % KINDS, draw // KINDS
        one, draw = search.free[draw % number], draw // number
        _move(search, kind, one, search.free[draw % number])
        if not equal(search.candidate.parents, search.current.parents):
            return


def _next_candidate(search: Search) -> bool:
    """Set the candidate by the next move; return whether it was not tried before."""
    m, at = len(search.free), search.at
    _move(search, at // (m * m), search.free[at // m % m], search.free[at % m])
    search.at = (at + 1) % search.moves
    new: cython.bint = not equal(search.candidate.parents, search.current.parents)
    for before in range(search.failed):
        different: cython.longlong = 0
        for event in range(len(search.rates)):
            different |= search.tried[before, event] ^ search.candidate.parents[event]
        new = new and different != 0
    search.tried[search.failed, :] = search.candidate.parents
    search.failed += 1
    return new


def _move(search: Search, kind: Integer, one: Integer, other: Integer) -> None:
    """Set the candidate to the current poset after a move."""
    fill_neighbour(
        search.current.parents, kind, one, other, search.candidate.parents, search.ancestors
    )
