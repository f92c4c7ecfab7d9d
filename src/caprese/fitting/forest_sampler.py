"""Samples from the posterior over forests, edge probabilities, error rates and subtypes."""

from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import repeat
from time import perf_counter
from typing import Any

import numpy as np

from caprese._core.arrays import FloatArray, IntArray
from caprese._core.environment import cores
from caprese._core.progress import tell
from caprese.data.dataset import Dataset
from caprese.data.seen_orders import SeenOrders
from caprese.fitting.diagnostics import diagnostics
from caprese.fitting.forest_ascent import ForestPrior, perturbation, start_rates
from caprese.fitting.genotype_table import GenotypeTable
from caprese.kernels.forest_messages import Table, forest_log_likelihood
from caprese.kernels.forest_sampler import Records, draw_weights, run, state_log_likelihood
from caprese.kernels.functions import exp, log, log1p, product
from caprese.kernels.sweep_room import Settings, State, draw_component
from caprese.kernels.words import stream_of
from caprese.models.forest import ROOT
from caprese.models.noise import Noise
from caprese.models.posterior import Posterior

_CHUNK = 0.2  # seconds between two checks for an interruption, about

TEMPERED = 0.4  # share of the warm-up in which the ladder is in use, or mixtures are cooled
_CROWD = 4  # mixtures that are cooled for each chain
_UNEVEN = 2.0  # mean square of their weights, relative to equal ones, that is too much
_FREE = 60.0  # samples that are so few that plain moves reach every forest
_STEP = 1.1  # between the logarithms of two powers, if one number were to be estimated
_RUNGS = 12  # at most
_STREAMS = 1 << 32  # of random numbers, those of chains, before those of the next rung
# A sweep of the ladder, and of a mixture with memberships summed over, counts as so many.
_SHORTER = 3
_APART = 0.35  # deviation of a parent's probability between stretches of chains that disagree
_WORTH = 0.4  # of a draw of a mixture, in independent ones, if that does not take too long
_SHORTEST = 40  # sweeps of the warm-up by which the others can be planned
# Sweeps of a mixture between two draws are at most as many as either of these says, over the number
# of distinct genotypes: times samples, and over the square of the number of events.
_PER_SAMPLE, _AT_LEAST = 0.9, 0.6e5
_ROUNDS = 30  # of EM for the clusters that chains start from
_KINDS = 7  # of moves
_SPARSE = 0.5  # a Dirichlet prior below this leaves components empty

AUTO_COMPONENTS = 6
_FIRST_DIRICHLET = 0.01  # where chains start that learn it


@dataclass(frozen=True, kw_only=True)
class Chains:
    """How long and how to sample."""

    chains: int = 4  # each has its own random stream and its own start
    draws: int = 250  # that are kept of each chain
    thin: int = 6  # sweeps between two draws that are kept
    warm_up: int = 250  # sweeps before the first draw
    # Of labels in a sweep, and as often reversals of paths; if None, one for every two events, or
    # for every four in mixtures.
    swaps: int | None = None
    slices: int = 1  # moves in a sweep of each error rate by itself
    joints: int = 8  # moves in a sweep of both rates together with the edge probabilities
    #: Whether a ladder of tempered chains is in use after warm-up; None: where plain ones disagree.
    tempered: bool | None = None

    @property
    def sweeps(self) -> int:
        """Sweeps of each chain."""
        return self.warm_up + self.draws * self.thin


class RunningChains:
    """Draws of forests, edge probabilities and error rates from their posterior distribution.

    Iterating over the chains runs them, and yields how many draws of each are done. Their
    `posterior` is always that of chains of as many draws. The same seed gives the same draws,
    whatever the number of threads (jobs) and the order of samples and events. Given error rates
    (noise) are kept. Each component, or subtype, has its own forest; small values of the symmetric
    Dirichlet prior of their weights leave those empty that are not needed; None: it is learnt. One
    chain starts from each of the given forests, the next from independent events, all others from
    perturbations.

    Given orders count with the samples they were seen in: a forest that states an order of
    confidence c gives it the probability c, one that states the reverse 1 - c, and one that leaves
    it open 1/2. Confidences are clipped to [0.01, 0.99]. The log-likelihood of a draw then has, for
    each of them, the logarithm of this probability relative to 1/2.
    """

    def __init__(
        self,
        data: Dataset,
        *,
        seed: int,
        prior: ForestPrior = ForestPrior(),  # noqa: B008 (frozen)
        noise: Noise | None = None,
        components: int = 1,
        dirichlet: float | None = 1.0,
        chains: Chains = Chains(),
        starts: Iterable[IntArray] = (),
        orders: SeenOrders | None = None,
        jobs: int | None = None,
    ) -> None:
        n = len(data.events)
        swaps = (n + 1) // (2 if components == 1 else 4)
        swaps = swaps if chains.swaps is None else chains.swaps
        self._events, self._chains, self._seed, self._noise = data.events, chains, seed, noise
        self._genotypes = GenotypeTable.of(data, orders=orders, apart=components > 1)
        self._table = self._genotypes.kernel_table(
            grouped=components == 1 or self._genotypes.orders is None
        )
        self._settings = Settings(
            prior.kernel_prior(n),
            noise is None,
            dirichlet or 0.0,
            swaps,
            chains.slices,
            chains.joints,
        )
        self._powers = ladder(float(self._genotypes.times.sum()), n)
        first = [self._genotypes.inward(np.asarray(start, dtype=np.int64)) for start in starts]
        self._running = [
            self._chain(number, components, [*first, np.full(n, ROOT)])
            for number in range(chains.chains * (1 if components == 1 else _CROWD))
        ]
        self._threads = min(jobs or cores(), chains.chains)
        self._work = chains.sweeps  # of each chain
        self._worked = 0
        self.tempered = False  # whether the ladder is in use
        self.draws = 0  # of each chain that are done
        self._acceptance = np.zeros(_KINDS)  # by then

    def __iter__(self) -> Iterator[int]:
        chains = self._chains
        first = round(TEMPERED * chains.warm_up)
        if self._running[0].components == 1:
            yield from self._tempered_start(first)
            thin = max(1, chains.thin // _SHORTER) if self.tempered else chains.thin
        else:
            yield from self._cooled_start(first)
            thin = self._thin_of_mixtures(chains.warm_up - first)
        self._work -= chains.draws * (chains.thin - thin)
        self._begin(chains.draws, thin, tempered=self.tempered, learning=False)
        yield from self._drive()

    def _tempered_start(self, first: int) -> Iterator[int]:
        """Warm up, so many sweeps with the ladder, and find whether it is needed further on."""
        chains = self._chains
        self._begin(first, 1, tempered=chains.tempered is not False)
        yield from self._drive()
        traces = [chain.trace(first // 2) for chain in self._running]
        self._begin(chains.warm_up - first, 1)
        yield from self._drive()
        traces += [chain.trace(first // 2) for chain in self._running]
        wanted = _disagree(traces) if chains.tempered is None else chains.tempered
        self.tempered = wanted and len(self._powers) > 1

    def _cooled_start(self, first: int) -> Iterator[int]:
        """Cool a population of mixtures, let chains start from some of them, and warm up.

        Annealed sequential Monte Carlo: the likelihood is raised to one power after another, up to
        1. Each mixture has a weight, and those of little weight go on from where others are, so
        that modes count by their mass, not by where a chain happened to start. It takes about so
        many sweeps of each chain.
        """
        rng = np.random.default_rng([self._seed])
        crowd, weights = self._running, np.zeros(len(self._running))
        sweeps = -(-first // (_CROWD * len(self._powers)))
        self._work += _CROWD * sweeps * len(self._powers) - first
        before = None
        for power in self._powers[::-1]:
            if before is not None:
                weights += [chain.gain(before, power) for chain in crowd]
                if (_shares(weights) ** 2).sum() * len(crowd) > _UNEVEN:
                    _resampled(crowd, _shares(weights), len(crowd), float(rng.random()))
                    weights[:] = 0.0
            for chain in crowd:
                chain.begin(np.array([power]), sweeps, 1, True)
            yield from self._drive()
            before = power
        chosen = _resampled(crowd, _shares(weights), self._chains.chains, float(rng.random()))
        self._running = chosen
        self._begin(self._chains.warm_up - first, 1)
        yield from self._drive()

    def _thin_of_mixtures(self, warm_up: int) -> int:
        """Return how many sweeps of a mixture are between two draws: a third to twice of `thin`.

        As many as let each draw be worth 0.4 independent ones, by the second half of the warm-up,
        and at most as many as there is time for by default: the more, the fewer distinct genotypes
        there are.
        """
        thin = self._chains.thin
        least = max(1, thin // _SHORTER)
        if self._genotypes.orders is not None or warm_up < _SHORTEST:
            return thin if self._genotypes.orders is not None else least
        pilot = self._drawn(slice(warm_up // 2, None))
        enough = _WORTH * pilot.draws / diagnostics(pilot).effective
        samples, distinct = float(self._genotypes.times.sum()), len(self._genotypes.times)
        most = max(_PER_SAMPLE * samples, _AT_LEAST / len(self._events) ** 2) / distinct
        return max(least, min(2 * thin, int(min(enough, most))))

    def finished(self) -> Posterior:
        """Run the chains to the end, and return all their draws."""
        for _ in self:
            pass
        return self.posterior

    @property
    def posterior(self) -> Posterior:
        """The draws that are done; there must be at least one."""
        return self._drawn(slice(self.draws))

    def _drawn(self, which: slice) -> Posterior:
        """Return some of the draws of each chain."""
        back = np.argsort(self._genotypes.positions)

        def done(name: str) -> Any:
            return np.array([getattr(chain.records, name)[which] for chain in self._running])

        return Posterior(
            self._events,
            self._genotypes.outward(done("parents").astype(np.int64)),
            done("theta")[..., back],
            done("rates"),
            done("weights"),
            done("root_probability"),
            done("log_likelihood"),
            self._acceptance,
        )

    def _begin(
        self, draws: int, thin: int, *, tempered: bool = False, learning: bool = True
    ) -> None:
        """Let all chains begin to draw so many times."""
        powers = self._powers if tempered else self._powers[:1]
        self._work += (len(powers) - 1) * draws * thin
        for chain in self._running:
            chain.begin(powers, draws, thin, learning)

    def _drive(self) -> Iterator[int]:
        """Run all chains to the end, in pieces short enough to be interrupted between them."""
        piece, one, chains = 1, self._running[0], self._chains.chains
        with ThreadPoolExecutor(self._threads) as pool:
            while one.done < one.length:
                start = perf_counter()
                piece = one.whole(piece)
                list(pool.map(_Chain.advance, self._running, repeat(piece)))
                self._worked += piece * len(one.powers) * len(self._running) // chains
                self._count()
                spent = perf_counter() - start
                piece = max(1, min(2 * piece, int(piece * _CHUNK / max(spent, 1e-6))))
                tell("sweeps", self._worked * chains, self._work * chains)
                yield self.draws

    def _count(self) -> None:
        """Count the draws that all chains have, as soon as one is done."""
        one = self._running[0]
        if one.learning or one.done % one.thin:
            return
        tried = np.array([chain.state.tried for chain in self._running]).sum(axis=0)
        accepted = np.array([chain.state.accepted for chain in self._running]).sum(axis=0)
        self._acceptance = accepted / np.maximum(tried, 1)
        self.draws = one.done // one.thin

    def _chain(self, number: int, components: int, forests: list[IntArray]) -> "_Chain":
        """Return a chain at its start, one of the forests or a perturbation of one."""
        n, k, times = len(self._events), components, np.asarray(self._table.times)
        rng = np.random.default_rng([self._seed, number])
        forest = forests[number % len(forests)]
        if number >= len(forests):
            forest = perturbation(forest, rng)
        rates = start_rates(self._noise)
        theta = rng.uniform(0.2, 0.8, n)
        if not np.isfinite(forest_log_likelihood(self._table, forest, theta, rates)):
            forest = np.full(n, ROOT)
        state = State(
            np.full((k, n), ROOT, dtype=np.int64),
            np.full((k, n), 0.5),
            np.tile(rates, (k, 1)),
            np.full(k, -log(k)),
            np.zeros((k, len(times))),
            np.array([stream_of(self._seed, number)], dtype=np.uint64),
            np.tile([0.0, _point(rates[0]), _point(rates[1]), 0.3, 0.0, 0.3, 0.0], (k + 1, 1)),
            np.zeros(_KINDS, dtype=np.int64),
            np.zeros(_KINDS, dtype=np.int64),
            np.array([self._settings.dirichlet or _FIRST_DIRICHLET]),
            np.array(rates),
            np.zeros(k, dtype=np.int64),
        )
        state.parents[0], state.theta[0], state.members[0] = forest, theta, times
        for component in range(1, k):
            draw_component(state, component, self._settings.prior)
        if k > 1:
            draw_weights(state, state.dirichlet[0])
            self._share_out(state, number, rng)
        hotter = [
            _copied(state, stream_of(self._seed, rung * _STREAMS + number))
            for rung in range(1, len(self._powers) if k == 1 else 1)
        ]
        return _Chain(self._table, self._settings, [state, *hotter])

    def _share_out(self, state: State, number: int, rng: np.random.Generator) -> None:
        """Let a chain start from clusters of samples, each a star with its own frequencies.

        Under a sparse prior the first chain starts from one component, the next from two, and so
        on.
        """
        clusters = len(state.log_weights)
        if state.dirichlet[0] < _SPARSE:
            clusters = 1 + number % clusters
        if clusters > 1:
            shares, frequencies = bernoulli_clusters(self._genotypes, clusters, rng)
            state.parents[:clusters] = ROOT
            state.theta[:clusters] = frequencies
            state.log_weights[:] = log(1e-6)
            state.log_weights[:clusters] = log(shares)


class _Chain:
    """One chain with its tempered ones: what they read, their states, and draws of the chain."""

    def __init__(self, table: Table, settings: Settings, rungs: list[State]) -> None:
        self.table, self.settings, self.rungs, self.state = table, settings, rungs, rungs[0]
        self.components = len(self.state.parents)

    def begin(self, powers: FloatArray, draws: int, thin: int, learning: bool) -> None:
        """Go on from here with so many draws, and with as many tempered chains as powers."""
        self.powers, self.length, self.thin, self.learning = powers, draws * thin, thin, learning
        self.done = 0
        kept, n = (draws, self.components), np.shape(self.state.parents)[1]
        self.records = Records(
            np.zeros((*kept, n), dtype=np.int32),
            np.zeros((*kept, n)),
            np.zeros((*kept, 2)),
            np.zeros(kept),
            np.zeros(kept),
            np.zeros(draws),
        )

    def whole(self, piece: int) -> int:
        """Return a number of sweeps, at most so many, that ends with a draw or before the next."""
        piece = min(piece, self.length - self.done)
        left = self.thin - self.done % self.thin  # sweeps to the next draw
        return piece if piece < left else piece - (piece - left) % self.thin

    def advance(self, sweeps: int) -> None:
        """Run so many more sweeps."""
        stop = self.done + sweeps
        run(
            self.table, self.rungs[: len(self.powers)], self.powers, self.settings, self.records,
            self.done, stop, self.thin, self.learning,
        )  # fmt: skip
        self.done = stop

    def trace(self, last: int) -> FloatArray:
        """Return how often each event had each parent in the last draws, parent row, root last."""
        n = np.shape(self.state.parents)[1]
        seen = np.asarray(self.records.parents)[self.length - last :, 0]
        shares = [(seen == parent).sum(axis=0) / max(last, 1) for parent in [*range(n), ROOT]]
        return np.array(shares)

    def gain(self, before: float, power: float) -> float:
        """Return by how much a higher power of the likelihood makes the samples more probable."""
        low, high = (
            state_log_likelihood(self.table, self.state, self.settings, each)
            for each in (before, power)
        )
        return high - low

    def follow(self, other: "_Chain") -> None:
        """Go on from where the other chain is, with random numbers of its own."""
        for name in (
            "parents",
            "theta",
            "rates",
            "log_weights",
            "members",
            "proposal",
            "dirichlet",
            "common",
            "own",
        ):
            getattr(self.state, name)[:] = getattr(other.state, name)


def _shares(log_weights: FloatArray) -> FloatArray:
    shares = exp(log_weights - log_weights.max())
    return np.asarray(shares / shares.sum())


def _resampled(crowd: list[_Chain], shares: FloatArray, number: int, offset: float) -> list[_Chain]:
    """Return so many chains, as often where one of the crowd is as its share of the weight says.

    Systematic resampling: those that are not chosen go on from where others are.
    """
    ends = np.cumsum(shares) * number - offset
    times = np.diff(np.clip(np.ceil(ends), 0, number), prepend=0).astype(int)
    times[int(shares.argmax())] += number - times.sum()  # rounding
    chosen = [chain for chain, count in zip(crowd, times, strict=True) if count]
    free = [chain for chain, count in zip(crowd, times, strict=True) if not count]
    for chain in chosen[:]:
        for _ in range(times[crowd.index(chain)] - 1):
            chosen.append(free.pop())
            chosen[-1].follow(chain)
    return chosen


def ladder(samples: float, events: int) -> FloatArray:
    """Return the powers of the likelihood of tempered chains, from 1 down.

    Down to where the likelihood is worth about that of 60 samples, after which plain moves reach
    every forest. Neighbours exchange where they are in about 40 % if the likelihood is regular:
    its logarithm then varies by half the number of parameters over the square of the power.
    """
    step = _STEP / np.sqrt((events + 2) / 2)
    rungs = 1 + int(np.ceil(max(float(log(samples / _FREE)), 0.0) / step))
    return np.asarray(exp(-step * np.arange(min(rungs, _RUNGS))))


def _disagree(traces: list[FloatArray]) -> bool:
    """Whether stretches of chains disagree so much that they may be stuck."""
    return bool(np.std(traces, axis=0, ddof=1).max(initial=0.0) > _APART)


def _copied(state: State, word: int) -> State:
    """Return a copy of a state, with random numbers of its own."""
    return State(
        np.array(state.parents),
        np.array(state.theta),
        np.array(state.rates),
        np.array(state.log_weights),
        np.array(state.members),
        np.array([word], dtype=np.uint64),
        np.array(state.proposal),
        np.array(state.tried),
        np.array(state.accepted),
        np.array(state.dirichlet),
        np.array(state.common),
        np.array(state.own),
    )


def bernoulli_clusters(
    table: GenotypeTable, clusters: int, rng: np.random.Generator
) -> tuple[FloatArray, FloatArray]:
    """Return shares and frequencies of a mixture of independent events, by EM from random seeds."""
    present = (table.codes == 1).T.astype(float)
    absent = (table.codes == 0).T.astype(float)
    seeds = rng.choice(len(present), size=clusters, p=table.times / table.times.sum())
    frequencies = 0.25 + 0.5 * present[seeds]
    shares = np.full(clusters, 1 / clusters)
    for _ in range(_ROUNDS):
        log_densities = product(present, log(frequencies).T)
        log_densities += product(absent, log1p(-frequencies).T)
        log_densities += log(shares)
        belongs = exp(log_densities - log_densities.max(axis=1, keepdims=True))
        belongs *= (table.times / belongs.sum(axis=1))[:, None]
        shares = (belongs.sum(axis=0) + 1) / (belongs.sum() + clusters)
        seen = product(belongs.T, present)
        frequencies = (seen + 0.5) / (seen + product(belongs.T, absent) + 1)
    return shares, frequencies


def _point(rate: float) -> float:
    return float(log(max(rate, 1e-12)) - log(max(0.5 - rate, 1e-12)))
