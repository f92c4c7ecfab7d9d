"""Draws of timed forests from their posterior distribution, by Markov chains."""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np

from caprese._core.arrays import FloatArray, IntArray
from caprese._core.environment import cores
from caprese._core.progress import tell
from caprese.fitting.forest_ascent import ForestPrior, perturbation
from caprese.fitting.timed_likelihood import Point, TimedLikelihood, TimedPrior
from caprese.fitting.timed_walk import (
    Walk,
    allowed_parents,
    prospects,
    reparented,
    reversed_edge,
    swapped,
)
from caprese.kernels.functions import exp, log
from caprese.models.forest import ROOT
from caprese.models.posterior import Posterior

_KINDS = 5  # of moves: rates, parents, reversed edges and swapped labels, error rates, the pace
_RATE, _PARENT, _SHAPE, _ERROR, _PACE = range(_KINDS)
_WANTED = 0.44  # share of accepted steps of a number
_LEAP = 0.4  # deviation of the logarithm of a rate under another parent
_DOUBT = 2.0  # gain or loss up to which prospects of a forest are believed


@dataclass(frozen=True, kw_only=True)
class TimedChains:
    """How long to sample."""

    chains: int = 4
    draws: int = 100  # that are kept of each chain
    thin: int = 5  # sweeps between two draws
    warm_up: int = 150  # sweeps before the first draw


def sample_timed_forests(
    likelihood: TimedLikelihood,
    events: tuple[str, ...],
    start: Point,
    *,
    prior: TimedPrior,
    forests: ForestPrior,
    chains: TimedChains,
    seed: int,
) -> tuple[Posterior, FloatArray]:
    """Return draws of timed forests, and their paces, chains x draws.

    Probabilities of the draws are those with which an event is there if its parent was when the
    progression began. The first chain begins at a given forest, the others at perturbations of it.
    """
    expected = prospects(Walk(likelihood, prior, forests, start))
    running = [
        _Chain(likelihood, start, prior, forests, expected, [seed, number], perturbed=number > 0)
        for number in range(chains.chains)
    ]
    done = np.zeros(chains.chains, dtype=int)
    length = chains.warm_up + chains.draws * chains.thin

    def run(number: int) -> None:
        for sweep in range(length):
            chain = running[number]
            chain.sweep(learning=sweep < chains.warm_up)
            if sweep >= chains.warm_up and (sweep - chains.warm_up + 1) % chains.thin == 0:
                chain.keep()
            done[number] = sweep + 1
            if number == 0:
                tell("sweeps", int(done.sum()), length * len(running))

    with ThreadPoolExecutor(min(cores(), chains.chains)) as pool:
        list(pool.map(run, range(chains.chains)))
    return _posterior(likelihood, events, running)


def _posterior(
    likelihood: TimedLikelihood, events: tuple[str, ...], running: Sequence["_Chain"]
) -> tuple[Posterior, FloatArray]:
    back = np.argsort(likelihood.table.positions)
    points = [[point for point, _ in chain.kept] for chain in running]
    parents = np.array([[point.parents for point in own] for own in points])
    rates = np.array([[exp(point.logarithms) / point.pace for point in own] for own in points])
    errors = np.array([[point.errors for point in own] for own in points])
    tried = np.array([chain.tried for chain in running]).sum(axis=0)
    accepted = np.array([chain.accepted for chain in running]).sum(axis=0)
    ones = np.ones((*errors.shape[:2], 1))
    posterior = Posterior(
        events,
        likelihood.table.outward(parents)[:, :, None],
        (rates / (1 + rates))[..., back][:, :, None],
        errors,
        ones,
        ones * (parents == ROOT).mean(axis=2, keepdims=True),
        np.array([[likely for _, likely in chain.kept] for chain in running]),
        accepted / np.maximum(tried, 1),
    )
    return posterior, np.array([[point.pace for point in own] for own in points])


class _Chain:
    """One chain: where it is, how far its steps are, and its draws."""

    def __init__(
        self,
        likelihood: TimedLikelihood,
        start: Point,
        prior: TimedPrior,
        forests: ForestPrior,
        expected: FloatArray,
        seed: list[int],
        *,
        perturbed: bool,
    ) -> None:
        n = likelihood.events
        self.rng = np.random.default_rng(seed)
        self.walk, self.expected = Walk(likelihood, prior, forests, start), expected
        self.free = likelihood.noise is None
        self.paced = likelihood.free_pace
        self.steps = np.full(n + 3, 0.3)  # of rates, of error rates, of the pace
        self.tried, self.accepted = np.zeros(_KINDS, dtype=int), np.zeros(_KINDS, dtype=int)
        self.kept: list[tuple[Point, float]] = []
        self.learnt = 0
        if perturbed and n > 1:
            point, _ = self.walk.moved(perturbation(start.parents, self.rng))
            self.walk.begin(point)
            if not np.isfinite(self.walk.objective):
                self.walk.begin(start)

    def sweep(self, *, learning: bool) -> None:
        """Try to change each number, and twice as many parents, labels and edges."""
        n = self.walk.likelihood.events
        self.learnt += learning
        for event in range(n):
            self._step_rate(event, learning)
            for _ in range(2 * (n > 1)):
                self._reparent(int(self.rng.integers(n)))
                self._reshape()
        for error in range(2 * self.free):
            self._step_error(error, learning)
        if self.paced:
            self._step_pace(learning)

    def keep(self) -> None:
        """Keep the present state as a draw."""
        self.kept.append((self.walk.point, self.walk.log_likelihood))

    def _decide(self, kind: int, gain: float) -> bool:
        """Accept what the walk looks at, or not, given the logarithm of a ratio of densities."""
        self.tried[kind] += 1
        agreed = bool(float(log(self.rng.random())) < gain)
        self.accepted[kind] += agreed
        if agreed:
            self.walk.accept()
        else:
            self.walk.reject()
        return agreed

    def _learn(self, number: int, learning: bool, agreed: bool) -> None:
        if learning:
            self.steps[number] *= float(exp((agreed - _WANTED) / self.learnt**0.5))

    def _step_rate(self, event: int, learning: bool) -> None:
        point, logarithms = self.walk.point, self.walk.point.logarithms.copy()
        logarithms[event] += self.steps[event] * self.rng.normal()
        gain = self.walk.propose(point._replace(logarithms=logarithms), [event])
        self._learn(event, learning, self._decide(_RATE, gain))

    def _reparent(self, event: int) -> None:
        here = self.walk.point.parents
        allowed = allowed_parents(here, event)
        if not allowed:
            return
        parent = allowed[self.rng.integers(len(allowed))]
        self._move(_PARENT, reparented(here, event, parent), leaping=event)

    def _reshape(self) -> None:
        """Reverse an edge, or swap the labels of two events."""
        here, n = self.walk.point.parents, self.walk.likelihood.events
        one, other = self.rng.choice(n, size=2, replace=False).tolist()
        if self.rng.random() < 0.5:
            parents = swapped(here, one, other)
        elif here[one] != ROOT:
            parents = reversed_edge(here, one)
        else:
            return
        self._move(_SHAPE, parents)

    def _move(self, kind: int, parents: IntArray, leaping: int | None = None) -> None:
        """Try other parents; most that hardly can be better are left without a look at the data.

        By delayed acceptance (Christen and Fox 2005): first by the prospects alone, which are those
        of the likeliest forest, then by what they got wrong.
        """
        events, before = np.arange(len(parents)), self.walk.point.parents
        likely = (self.expected[events, parents] - self.expected[events, before]).sum()
        likely = float(np.clip(likely, -_DOUBT, _DOUBT))
        if float(log(self.rng.random())) >= likely:
            self.tried[kind] += 1
            return
        point, changed = self.walk.moved(parents)
        if leaping is not None:
            point.logarithms[leaping] += _LEAP * self.rng.normal()
        self._decide(kind, self.walk.propose(point, changed) - likely)

    def _step_error(self, error: int, learning: bool) -> None:
        """Move an error rate on the scale of its odds, of which the density is proportional."""
        point, n = self.walk.point, self.walk.likelihood.events
        rate = point.errors[error]
        odds = rate / (0.5 - rate) * float(exp(self.steps[n + error] * self.rng.normal()))
        errors = point.errors.copy()
        errors[error] = 0.5 * odds / (1 + odds)
        if not 0 < errors[error] < 0.5:
            return
        gain = self.walk.propose(point._replace(errors=errors), range(n))
        gain += float(np.diff(log([each * (0.5 - each) for each in (rate, errors[error])]))[0])
        self._learn(n + error, learning, self._decide(_ERROR, gain))

    def _step_pace(self, learning: bool) -> None:
        n, point = self.walk.likelihood.events, self.walk.point
        pace = point.pace * float(exp(self.steps[n + 2] * self.rng.normal()))
        gain = self.walk.propose(point._replace(pace=pace), [])
        self._learn(n + 2, learning, self._decide(_PACE, gain))
