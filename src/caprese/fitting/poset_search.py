"""Poset search: the likeliest poset, by simulated annealing with several restarts."""

from collections.abc import Iterator
from concurrent.futures import Future, wait
from dataclasses import dataclass
from queue import Empty, SimpleQueue
from threading import Event, Thread
from time import perf_counter

import numpy as np

from caprese._core.arrays import BoolArray, IntArray
from caprese._core.environment import cores
from caprese._core.progress import tell
from caprese.fitting.poset_em import START_ERROR
from caprese.kernels.functions import exp, log
from caprese.kernels.poset_em import Limits
from caprese.kernels.poset_search import Place, Search, anneal, climb, fit_best
from caprese.kernels.posets import number_of_moves
from caprese.kernels.true_counts import Observations
from caprese.kernels.words import stream_of
from caprese.models.states import as_sets, from_sets

_COLDEST = 0.05  # last temperature, relative to the first
_ROUGH, _FINE = Limits(True, 1e-2, 1000), Limits(True, 1e-4, 1000)  # while annealing, ascending
_AT_ONCE = 1 << 17  # steps times sets of events, between two checks for an interruption
_TRIAL_STEPS, _TRIAL_SECONDS = 30, 3.0  # steps whose time is measured, and for how long at most
_ASCENTS = 2.2  # times that an ascent tries every move; measured on fits of 10 to 18 events
_WATCH = 0.1  # seconds
_GRACE = 0.5  # seconds in which an interrupted search may end by itself


@dataclass(frozen=True, eq=False)
class Found:
    """Where a search ended: its adjacency matrix and its log-likelihood."""

    adjacency: BoolArray
    log_likelihood: float


@dataclass(frozen=True, eq=False)
class PosetSearch:
    """Several searches for the likeliest poset, from one adjacency matrix."""

    data: Observations
    start: BoolArray
    free: IntArray  # positions of the events whose parents may change
    steps: int  # of annealing
    temperature: float  # of the first step; it falls to a twentieth
    restarts: int  # searches, each with its own random stream
    ascent: bool  # whether each ends with an ascent, until no move improves the likelihood
    seed: int

    def results(self) -> tuple[Found, ...]:
        """Return where each search ended, in order."""
        stop = Event()
        running = self._started(stop)
        try:
            _watch(running)
        except BaseException:
            stop.set()
            wait(running, timeout=_GRACE)
            raise
        return tuple(each.result() for each in running)

    def expected_seconds(self) -> float:
        """Return about how long the searches take on this machine, from the time of a few steps.

        The time of a step depends on the poset: the start should be such as the searches pass.
        """
        if len(self.free) < 2:
            return 0.0
        trial = self._search(self._fitted_start(), 0)
        warm = np.array([self.temperature])
        start, steps = perf_counter(), 0
        while steps < _TRIAL_STEPS and perf_counter() - start < _TRIAL_SECONDS:
            anneal(trial, warm, _ROUGH)
            steps += 1
        step = (perf_counter() - start) / steps
        ascent = _ASCENTS * number_of_moves(len(self.free)) if self.ascent else 0
        one_after_another = -(-self.restarts // cores())
        return step * (self.steps + ascent) * one_after_another

    def _started(self, stop: Event) -> list[Future[Found]]:
        """Start the searches, as many at a time as there are cores.

        A few steps with many events take half a minute and cannot be interrupted. So the threads
        are daemons: an interrupted program does not wait for them, as it would for a pool.
        """
        first = self._fitted_start()
        running: list[Future[Found]] = [Future() for _ in range(self.restarts)]
        waiting: SimpleQueue[int] = SimpleQueue()
        for restart in range(self.restarts):
            waiting.put(restart)

        def search_on() -> None:
            while not stop.is_set():
                try:
                    restart = waiting.get_nowait()
                except Empty:
                    return
                try:
                    running[restart].set_result(self._run(self._search(first, restart), stop))
                except BaseException as error:
                    running[restart].set_exception(error)

        for _ in range(min(self.restarts, cores())):
            Thread(target=search_on, daemon=True).start()
        return running

    def _search(self, first: Place, restart: int) -> Search:
        return Search(first, self.free, self.data, stream_of(self.seed, restart))

    def _fitted_start(self) -> Place:
        """Return the start with its likeliest rates and error rate."""
        point = np.append(np.ones(len(self.start)), START_ERROR)
        search = self._search(Place(as_sets(self.start.T), point, -np.inf), 0)
        fit_best(search, _ROUGH)
        return search.best

    def _run(self, search: Search, stop: Event) -> Found:
        """Search once, from a fitted poset; end early if asked to."""
        for _ in self._stages(search):
            if stop.is_set():
                break
        parents = np.asarray(search.best.parents)
        return Found(from_sets(parents, len(parents)).T, search.best.log_likelihood)

    def _stages(self, search: Search) -> Iterator[None]:
        """Search, and yield every few steps."""
        if len(self.free) < 2:
            return
        some = max(1, _AT_ONCE >> len(self.start))
        for first in range(0, self.steps, some):
            share = np.arange(first, min(first + some, self.steps)) / max(1, self.steps - 1)
            anneal(search, self.temperature * exp(share * log(_COLDEST)), _ROUGH)
            yield
        if not self.ascent:
            return
        fit_best(search, _FINE)
        while not climb(search, some, _FINE):
            yield


def _watch(running: list[Future[Found]]) -> None:
    """Wait for the searches, and tell how many have ended."""
    ended = 0
    while ended < len(running):
        tell("searches", ended, len(running))
        ended = len(wait(running, timeout=_WATCH).done)
