"""Poset search: the likeliest poset, by simulated annealing from several starts.

Each search is annealed. An ascent follows from the best of the distinct posets they found; then
the best end is annealed again, from warmer, two at a time, and each of these ends with an ascent of
its own. The likelihood of a poset may have several maxima, and an ascent that starts each fit from
where it is may miss the higher one. So the ascents of the best ends go on thoroughly: every move is
tried, and fitted from a second start before it is given up.
"""

from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Future, wait
from dataclasses import dataclass, field
from functools import partial
from operator import attrgetter
from queue import Empty, SimpleQueue
from threading import Event, Thread
from time import perf_counter

import numpy as np

from caprese._core.arrays import BoolArray, FloatArray, IntArray
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
_WARMER = 2.0  # the temperature at which an end is annealed again, relative to the first
_TOGETHER = 2  # such annealings at the same time; the next ones start from the best of all
_ENOUGH = 150  # an ascent that is not thorough ends when so many moves in turn have failed
_NEAR, _MOST_NEAR = 1.0, 2  # the ends that are ascended thoroughly: how near the best, how many
_AT_ONCE = 1 << 17  # steps times sets of events, between two checks for an interruption
_TRIAL_STEPS, _TRIAL_SECONDS = 30, 3.0  # steps whose time is measured, and for how long at most
_ASCENT, _THOROUGH = 1.0, 4.0  # fits of an ascent, relative to the number of moves
_WATCH = 0.1  # seconds
_GRACE = 0.5  # seconds in which an interrupted search may end by itself

_Task = Callable[[], Place]


@dataclass(frozen=True, eq=False)
class Found:
    """Where a search ended: its adjacency matrix, its rates and its log-likelihood."""

    adjacency: BoolArray
    rates: FloatArray
    log_likelihood: float


@dataclass(frozen=True, eq=False)
class PosetSearch:
    """Several searches for the likeliest poset."""

    data: Observations
    starts: tuple[BoolArray, ...]  # adjacency matrices, from which searches start in turn
    free: IntArray  # positions of the events whose parents may change
    steps: int  # of annealing
    temperature: float  # of the first step; it falls to a twentieth
    restarts: int  # searches, each with its own random stream
    ascent: bool  # whether ascents follow, until no move improves the likelihood
    seed: int
    _stop: Event = field(default_factory=Event)

    def results(self) -> tuple[Found, ...]:
        """Return where each search ended, in order: the first ones, then those from the best."""
        firsts = [self._fitted(start) for start in self.starts[: self.restarts]]
        tasks = [
            partial(self._annealed, firsts[k % len(firsts)], k, self.temperature, self.steps)
            for k in range(self.restarts)
        ]
        annealed = self._all(tasks, 0)
        if not self.ascent or len(self.free) < 2:
            return tuple(map(_found, annealed))
        picked = _distinct(annealed)[: self._ascents]
        ends = dict(
            zip(
                map(_key, picked),
                self._all([partial(self._ascended, each) for each in picked], self.restarts),
                strict=True,
            )
        )
        again: list[Place] = []
        for done in range(0, self._again_from_best, _TOGETHER):
            tops = _distinct([*ends.values(), *again])
            known = frozenset(map(_key, tops))
            numbers = range(done, min(done + _TOGETHER, self._again_from_best))
            tasks = [partial(self._again, tops[0], k, known) for k in numbers]
            again += self._all(tasks, self.restarts + self._ascents + done)
        tops = _distinct([*ends.values(), *again])
        near = [each for each in tops if each.log_likelihood > tops[0].log_likelihood - _NEAR]
        near = near[: self._thorough]
        done = self.restarts + self._ascents + self._again_from_best
        finished = self._all([partial(self._ascended, each, thorough=True) for each in near], done)
        higher = dict(zip(map(_key, near), finished, strict=True))
        ended = [*(ends.get(_key(each), each) for each in annealed), *again]
        return tuple(_found(higher.get(_key(each), each)) for each in ended)

    def expected_seconds(self) -> float:
        """Return about how long the searches take on this machine, from the time of a few steps.

        The time of a step depends on the poset: the start should be such as the searches pass.
        """
        if len(self.free) < 2:
            return 0.0
        trial = self._search(self._fitted(self.starts[0]), 0)
        warm = np.array([self.temperature])
        start, steps = perf_counter(), 0
        while steps < _TRIAL_STEPS and perf_counter() - start < _TRIAL_SECONDS:
            anneal(trial, warm, _ROUGH)
            steps += 1
        step = (perf_counter() - start) / steps
        total = self.steps * self._rounds(self.restarts)
        if self.ascent:
            again = self._again_from_best // _TOGETHER * self._rounds(_TOGETHER)
            total += again * self.steps // 2
            ascents = _ASCENT * (self._rounds(self._ascents) + again)
            ascents += _THOROUGH * self._rounds(self._thorough)
            total += int(ascents * number_of_moves(len(self.free)))
        return step * total

    @property
    def _ascents(self) -> int:
        """How many of the distinct posets that annealing found are ascended from."""
        return (self.restarts + 1) // 2

    @property
    def _again_from_best(self) -> int:
        """How often the best end is annealed again."""
        return self.restarts - self.restarts % _TOGETHER

    @property
    def _thorough(self) -> int:
        """How many ends are ascended thoroughly."""
        return min(_MOST_NEAR, self._ascents)

    def _rounds(self, tasks: int) -> int:
        """Return how many tasks there are one after another."""
        return -(-tasks // cores())

    def _all(self, tasks: Sequence[_Task], done: int) -> list[Place]:
        """Run tasks, as many at a time as there are cores, and return their results in order.

        A few steps with many events take half a minute and cannot be interrupted. So the threads
        are daemons: an interrupted program does not wait for them, as it would for a pool.
        """
        running: list[Future[Place]] = [Future() for _ in tasks]
        waiting: SimpleQueue[int] = SimpleQueue()
        for number in range(len(tasks)):
            waiting.put(number)

        def work_on() -> None:
            while not self._stop.is_set():
                try:
                    number = waiting.get_nowait()
                except Empty:
                    return
                try:
                    running[number].set_result(tasks[number]())
                except BaseException as error:
                    running[number].set_exception(error)

        for _ in range(min(len(tasks), cores())):
            Thread(target=work_on, daemon=True).start()
        try:
            self._watch(running, done)
        except BaseException:
            self._stop.set()
            wait(running, timeout=_GRACE)
            raise
        return [each.result() for each in running]

    def _watch(self, running: list[Future[Place]], done: int) -> None:
        """Wait for tasks, and tell how many have ended of all that there are."""
        total = self.restarts
        if self.ascent:
            total += self._ascents + self._again_from_best + self._thorough
        ended = 0
        while ended < len(running):
            tell("searches", done + ended, total)
            ended = len(wait(running, timeout=_WATCH).done)

    def _search(self, place: Place, stream: int) -> Search:
        return Search(place, self.free, self.data, stream_of(self.seed, stream))

    def _fitted(self, start: BoolArray) -> Place:
        """Return a start with its likeliest rates and error rate."""
        point = np.append(np.ones(len(start)), START_ERROR)
        search = self._search(Place(as_sets(start.T), point, -np.inf), 0)
        fit_best(search, _ROUGH)
        return search.best

    def _annealed(self, place: Place, stream: int, temperature: float, steps: int) -> Place:
        """Return the best poset that annealing passes."""
        return self._cooled(place, stream, temperature, steps).best

    def _again(self, place: Place, number: int, known: frozenset[bytes]) -> Place:
        """Anneal from warmer, and ascend from where that ends."""
        stream, temperature = self.restarts + number, _WARMER * self.temperature
        cooled = self._cooled(place, stream, temperature, self.steps // 2)
        return self._ascended(cooled.current, known)

    def _cooled(self, place: Place, stream: int, temperature: float, steps: int) -> Search:
        search = self._search(place, stream)
        if len(self.free) < 2:
            return search
        some = max(1, _AT_ONCE >> len(place.parents))
        for first in range(0, steps, some):
            if self._stop.is_set():
                break
            share = np.arange(first, min(first + some, steps)) / max(1, steps - 1)
            anneal(search, temperature * exp(share * log(_COLDEST)), _ROUGH)
        return search

    def _ascended(
        self, place: Place, known: frozenset[bytes] = frozenset(), *, thorough: bool = False
    ) -> Place:
        """Return where so many moves have failed, all if thorough, or an end that is known."""
        search = self._search(place, 0)
        fit_best(search, _FINE)
        moves = number_of_moves(len(self.free))
        enough = moves if thorough else min(_ENOUGH, moves)
        key, failed = _key(search.current), 0
        while key not in known and failed < enough and not self._stop.is_set():
            climb(search, 1, _FINE, thorough)
            before, key = key, _key(search.current)
            failed = failed + 1 if key == before else 0
        return search.best


def _distinct(places: Iterable[Place]) -> list[Place]:
    """Return distinct posets, the likeliest first."""
    distinct: dict[bytes, Place] = {}
    for place in sorted(places, key=attrgetter("log_likelihood"), reverse=True):
        distinct.setdefault(_key(place), place)
    return list(distinct.values())


def _key(place: Place) -> bytes:
    return np.asarray(place.parents).tobytes()


def _found(place: Place) -> Found:
    parents = np.asarray(place.parents)
    adjacency = from_sets(parents, len(parents)).T
    return Found(adjacency, np.asarray(place.point)[:-1], place.log_likelihood)
