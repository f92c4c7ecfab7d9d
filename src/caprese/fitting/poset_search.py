"""Poset search: the likeliest poset, by simulated annealing with several restarts."""

import os
from collections.abc import Iterator
from concurrent.futures import Future, wait
from dataclasses import dataclass
from queue import Empty, SimpleQueue
from threading import Event, Thread
from time import perf_counter

import numpy as np

from caprese._core.arrays import BoolArray, FloatArray, IntArray
from caprese._core.progress import tell
from caprese.fitting.poset_em import START_ERROR, Observations
from caprese.models.base import as_sets, from_sets

_COLDEST = 0.05  # last temperature, relative to the first
_ROUGH, _FINE = (True, 1e-2, 1000), (True, 1e-4, 1000)  # limits while annealing, while ascending
_AT_ONCE = 10  # steps between two checks for an interruption; with more than _FEW events, one
_FEW = 10
_TRIAL_STEPS, _TRIAL_SECONDS = 30, 3.0  # steps whose time is measured, and for how long at most
_ASCENTS = 2.2  # times that an ascent tries every move; measured on fits of 10 to 18 events
_WATCH = 0.1  # seconds
_GRACE = 0.5  # seconds in which an interrupted search may end by itself


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
    stop = Event()
    running = _started(work, stop)
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
    from caprese.kernels import poset_search
    from caprese.kernels.posets import KINDS

    if len(free) < 2:
        return 0.0
    point = np.append(np.ones(len(typical)), START_ERROR)
    place = poset_search.fitted(as_sets(typical.T), point, data, _ROUGH, -np.inf)
    warm, state = np.array([search.temperature]), np.uint64(search.seed)
    start, steps = perf_counter(), 0
    while steps < _TRIAL_STEPS and perf_counter() - start < _TRIAL_SECONDS:
        *_, state = poset_search.anneal(place, place, free, data, warm, np.uint64(state), _ROUGH)
        steps += 1
    step = (perf_counter() - start) / steps
    ascent = _ASCENTS * KINDS * len(free) ** 2 if search.ascent else 0
    one_after_another = -(-search.restarts // (os.cpu_count() or 1))
    return step * (search.steps + ascent) * one_after_another


def _started(work: "_Work", stop: Event) -> list[Future[Found]]:
    """Start the searches, as many at a time as there are cores.

    A few steps with many events take half a minute and cannot be interrupted. So the threads are
    daemons: an interrupted program does not wait for them, as it would for a pool.
    """
    running: list[Future[Found]] = [Future() for _ in range(work.search.restarts)]
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
                running[restart].set_result(work.run(restart, stop))
            except BaseException as error:
                running[restart].set_exception(error)

    for _ in range(min(len(running), os.cpu_count() or 1)):
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

    def run(self, restart: int, stop: Event) -> Found:
        """Search once; end early if asked to."""
        places = self._places(restart)
        parents, log_likelihood = next(places)
        for place in places:
            parents, log_likelihood = place
            if stop.is_set():
                break
        return Found(from_sets(parents).T, log_likelihood)

    def _places(self, restart: int) -> Iterator[tuple[IntArray, float]]:
        """Yield the best so far, every few steps."""
        from caprese.kernels import poset_search
        from caprese.kernels.posets import KINDS
        from caprese.kernels.random import stream

        point = np.append(np.ones(len(self.start)), START_ERROR)
        place = best = poset_search.fitted(self.start, point, self.data, _ROUGH, -np.inf)
        yield best[0], best[2]
        if len(self.free) < 2:
            return
        state = np.uint64(stream(self.search.seed, restart))
        for temperatures in self._cooling():
            place, best, state = poset_search.anneal(
                place, best, self.free, self.data, temperatures, np.uint64(state), _ROUGH
            )
            yield best[0], best[2]
        if not self.search.ascent:
            return
        at = failed = 0
        moves = self._at_once()
        place = poset_search.fitted(best[0], best[1], self.data, _FINE, -np.inf)
        tried = np.empty((KINDS * len(self.free) ** 2, len(self.start)), dtype=np.int64)
        while failed < len(tried):
            place, at, failed = poset_search.hill_climb(
                place, self.free, self.data, at, failed, tried, moves, _FINE
            )
            yield place[0], place[2]

    def _cooling(self) -> Iterator[FloatArray]:
        """Yield the temperatures of a few steps at a time."""
        steps, some = self.search.steps, self._at_once()
        for first in range(0, steps, some):
            share = np.arange(first, min(first + some, steps)) / max(1, steps - 1)
            yield self.search.temperature * _COLDEST**share

    def _at_once(self) -> int:
        return _AT_ONCE if len(self.start) <= _FEW else 1
