"""Poset search: the likeliest poset, by simulated annealing with several restarts."""

from collections.abc import Iterator
from concurrent.futures import Future, wait
from dataclasses import dataclass
from queue import Empty, SimpleQueue
from threading import Event, Thread
from time import perf_counter
from typing import Any

import numpy as np

from caprese._core.arrays import BoolArray, FloatArray, IntArray
from caprese._core.cores import cores
from caprese._core.progress import tell
from caprese.fitting.poset_em import START_ERROR, Observations
from caprese.models.base import as_sets, from_sets

_COLDEST = 0.05  # last temperature, relative to the first
_ROUGH, _FINE = (True, 1e-2, 1000), (True, 1e-4, 1000)  # limits while annealing, while ascending
_AT_ONCE = 1 << 17  # steps times sets of events, between two checks for an interruption
_TRIAL_STEPS, _TRIAL_SECONDS = 30, 3.0  # steps whose time is measured, and for how long at most
_ASCENTS = 2.2  # times that an ascent tries every move; measured on fits of 10 to 18 events
_WATCH = 0.1  # seconds
_GRACE = 0.5  # seconds in which an interrupted search may end by itself

_Fitted = tuple[IntArray, FloatArray, float]  # parents as sets, rates and error, log-likelihood


@dataclass(frozen=True)
class Annealing:
    """How posets are searched.

    Parameters
    ----------
    steps
        Steps of annealing.
    temperature
        Of the first step; it falls to a twentieth.
    restarts
        How many searches, each with its own random stream.
    ascent
        Whether each ends with an ascent, until no move improves the likelihood.
    seed
        A whole number, not negative.
    """

    steps: int
    temperature: float
    restarts: int
    ascent: bool
    seed: int


@dataclass(frozen=True, eq=False)
class Found:
    """Where a search ended: its adjacency matrix and its log-likelihood."""

    adjacency: BoolArray
    log_likelihood: float


def search_posets(
    search: Annealing, data: Observations, start: BoolArray, free: IntArray
) -> tuple[Found, ...]:
    """Return where each search ended, in order.

    Parameters
    ----------
    data
        The observations, as `poset_em.observations` gives them.
    start
        Adjacency matrix where the searches start; parent row, child column.
    free
        Positions of the events whose parents may change.
    """
    work = _Work(search, data, as_sets(start.T), free)
    # Not in threads: one that compiles cannot be interrupted.
    first, streams = work.fitted_start(), work.streams()
    stop = Event()
    running = _started(work, first, streams, stop)
    try:
        _watch(running)
    except BaseException:
        stop.set()
        wait(running, timeout=_GRACE)
        raise
    return tuple(each.result() for each in running)


def expected_seconds(
    search: Annealing, data: Observations, typical: BoolArray, free: IntArray
) -> float:
    """Return about how long the searches take on this machine, from the time of a few steps.

    Parameters
    ----------
    typical
        Adjacency matrix of a poset such as the searches pass: the time of a step depends on it.
    """
    from caprese.kernels.posets import KINDS

    if len(free) < 2:
        return 0.0
    work = _Work(search, data, as_sets(typical.T), free)
    place = work.fitted_start()
    warm, state = np.array([search.temperature]), np.uint64(search.seed)
    start, steps = perf_counter(), 0
    while steps < _TRIAL_STEPS and perf_counter() - start < _TRIAL_SECONDS:
        state = work.search_on(place, place, _ROUGH, annealing=(warm, np.uint64(state)))[2]
        steps += 1
    step = (perf_counter() - start) / steps
    ascent = _ASCENTS * KINDS * len(free) ** 2 if search.ascent else 0
    one_after_another = -(-search.restarts // cores())
    return step * (search.steps + ascent) * one_after_another


def _started(
    work: "_Work", first: _Fitted, streams: list[np.uint64], stop: Event
) -> list[Future[Found]]:
    """Start the searches, as many at a time as there are cores.

    A few steps with many events take half a minute and cannot be interrupted. So the threads are
    daemons: an interrupted program does not wait for them, as it would for a pool.
    """
    running: list[Future[Found]] = [Future() for _ in streams]
    waiting: SimpleQueue[int] = SimpleQueue()
    for restart in range(len(running)):
        waiting.put(restart)

    def search_on() -> None:
        while not stop.is_set():
            try:
                restart = waiting.get_nowait()
            except Empty:
                return
            try:
                running[restart].set_result(work.run(streams[restart], first, stop))
            except BaseException as error:
                running[restart].set_exception(error)

    for _ in range(min(len(running), cores())):
        Thread(target=search_on, daemon=True).start()
    return running


def _watch(running: list[Future[Found]]) -> None:
    """Wait for the searches, and tell how many have ended."""
    ended = 0
    while ended < len(running):
        tell("searches", ended, len(running))
        ended = len(wait(running, timeout=_WATCH).done)


@dataclass(frozen=True, eq=False)
class _Work:
    search: Annealing
    data: Observations
    start: IntArray
    free: IntArray

    def streams(self) -> list[np.uint64]:
        """Return the random stream of each search, as its first state."""
        from caprese.kernels.random import stream

        return [np.uint64(stream(self.search.seed, k)) for k in range(self.search.restarts)]

    def run(self, state: np.uint64, first: _Fitted, stop: Event) -> Found:
        """Search once, from a fitted poset; end early if asked to."""
        places = self._places(state, first)
        parents, log_likelihood = next(places)
        for place in places:
            parents, log_likelihood = place
            if stop.is_set():
                break
        return Found(from_sets(parents).T, log_likelihood)

    def _places(self, state: np.uint64, first: _Fitted) -> Iterator[tuple[IntArray, float]]:
        """Yield the best so far, every few steps."""
        from caprese.kernels.posets import KINDS

        place = best = first
        yield best[0], best[2]
        if len(self.free) < 2:
            return
        for temperatures in self._cooling():
            place, best, state, *_ = self.search_on(
                place, best, _ROUGH, annealing=(temperatures, np.uint64(state))
            )
            yield best[0], best[2]
        if not self.search.ascent:
            return
        at = failed = 0
        moves = self._at_once()
        place, *_ = self.search_on(best, best, _FINE, refit=True)
        tried = np.empty((KINDS * len(self.free) ** 2, len(self.start)), dtype=np.int64)
        while failed < len(tried):
            place, _, _, at, failed = self.search_on(
                place, best, _FINE, climbing=(at, failed, tried, moves)
            )
            yield place[0], place[2]

    def fitted_start(self) -> _Fitted:
        """Return the start with its likeliest rates and error rate."""
        point = np.append(np.ones(len(self.start)), START_ERROR)
        place = (self.start, point, -np.inf)
        fitted: _Fitted = self.search_on(place, place, _ROUGH, refit=True)[0]
        return fitted

    def search_on(
        self,
        place: _Fitted,
        best: _Fitted,
        limits: tuple[bool, float, int],
        *,
        refit: bool = False,
        annealing: tuple[FloatArray, np.uint64] = (np.empty(0), np.uint64(0)),
        climbing: tuple[int, int, IntArray, int] | None = None,
    ) -> Any:
        """Fit the place, anneal or climb, as `kernels.poset_search.search` does."""
        from caprese.kernels.poset_search import search

        if climbing is None:
            climbing = (0, 0, np.empty((1, len(self.start)), dtype=np.int64), 0)
        return search(place, best, self.free, self.data, refit, annealing, climbing, limits)

    def _cooling(self) -> Iterator[FloatArray]:
        """Yield the temperatures of a few steps at a time."""
        steps, some = self.search.steps, self._at_once()
        for first in range(0, steps, some):
            share = np.arange(first, min(first + some, steps)) / max(1, steps - 1)
            yield self.search.temperature * _COLDEST**share

    def _at_once(self) -> int:
        return max(1, _AT_ONCE >> len(self.start))
