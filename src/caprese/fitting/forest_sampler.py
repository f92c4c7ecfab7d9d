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
from caprese.fitting.forest_ascent import ForestPrior, perturbation, start_rates
from caprese.fitting.genotype_table import GenotypeTable
from caprese.kernels.forest_messages import Table, forest_log_likelihood
from caprese.kernels.forest_sampler import (
    Records,
    Settings,
    State,
    draw_component,
    draw_weights,
    run,
    state_log_likelihood,
)
from caprese.kernels.functions import exp, log, log1p, product
from caprese.kernels.words import stream_of
from caprese.models.forest import ROOT
from caprese.models.noise import Noise
from caprese.models.posterior import Posterior

_CHUNK = 0.2  # seconds between two checks for an interruption, about

_TRIAL_SWEEPS = 20  # by which chains are compared in mid warm-up
_FAR_BEHIND = 4.0  # nats
_IN_USE = 0.02  # a component of less weight is not counted as one
_ROUNDS = 30  # of EM for the clusters that chains start from
_SPARSE = 0.5  # a Dirichlet prior below this leaves components empty

AUTO_COMPONENTS = 6
AUTO_DIRICHLET = 0.002


@dataclass(frozen=True, kw_only=True)
class Chains:
    """How long and how to sample."""

    chains: int = 4  # each has its own random stream and its own start
    draws: int = 250  # that are kept of each chain
    thin: int = 6  # sweeps between two draws that are kept
    warm_up: int = 250  # sweeps before the first draw
    swaps: int | None = None  # of labels in a sweep; one for every two events if None
    slices: int = 1  # moves in a sweep of each error rate by itself
    joints: int = 8  # moves in a sweep of both rates together with the edge probabilities

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
    Dirichlet prior of their weights leave those empty that are not needed. One chain starts from
    each of the given forests, the next from independent events, all others from perturbations.

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
        dirichlet: float = 1.0,
        chains: Chains = Chains(),
        starts: Iterable[IntArray] = (),
        orders: SeenOrders | None = None,
        jobs: int | None = None,
    ) -> None:
        n = len(data.events)
        swaps = (n + 1) // 2 if chains.swaps is None else chains.swaps
        self._events, self._chains, self._seed, self._noise = data.events, chains, seed, noise
        self._genotypes = GenotypeTable.of(data, orders=orders, apart=components > 1)
        # Samples are given to the components of a mixture in the order of the table.
        self._table = self._genotypes.kernel_table(grouped=components == 1)
        self._settings = Settings(
            prior.kernel_prior(n), noise is None, dirichlet, swaps, chains.slices, chains.joints
        )
        first = [self._genotypes.inward(np.asarray(start, dtype=np.int64)) for start in starts]
        self._running = [
            self._chain(number, components, [*first, np.full(n, ROOT)])
            for number in range(chains.chains)
        ]
        self._threads = min(jobs or cores(), chains.chains)
        self.draws = 0  # of each chain that are done
        self._acceptance = np.zeros(3)  # by then

    def __iter__(self) -> Iterator[int]:
        warm_up, draws, thin = self._chains.warm_up, self._chains.draws, self._chains.thin
        if self._running[0].components > 1:
            yield from self._drive(warm_up // 2)
            self._rejoin()
        yield from self._drive(warm_up)
        yield from self._drive(warm_up + draws * thin)

    def finished(self) -> Posterior:
        """Run the chains to the end, and return all their draws."""
        for _ in self:
            pass
        return self.posterior

    @property
    def posterior(self) -> Posterior:
        """The draws that are done; there must be at least one."""
        back = np.argsort(self._genotypes.positions)

        def done(name: str) -> Any:
            return np.array([getattr(chain.records, name)[: self.draws] for chain in self._running])

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

    def _drive(self, sweeps: int) -> Iterator[int]:
        """Run all chains to a sweep, in pieces short enough to be interrupted between them."""
        piece = 1
        with ThreadPoolExecutor(self._threads) as pool:
            while (swept := self._running[0].done) < sweeps:
                start = perf_counter()
                piece = self._whole(min(piece, sweeps - swept))
                list(pool.map(_Chain.advance, self._running, repeat(piece)))
                self._count()
                spent = perf_counter() - start
                piece = max(1, min(2 * piece, int(piece * _CHUNK / max(spent, 1e-6))))
                total = self._chains.sweeps * len(self._running)
                tell("sweeps", sum(chain.done for chain in self._running), total)
                yield self.draws

    def _whole(self, piece: int) -> int:
        """Return a piece that ends with a draw, or before the next one."""
        after = self._running[0].done - self._chains.warm_up
        if after < 0:
            return piece
        left = -after % self._chains.thin or self._chains.thin  # sweeps to the next draw
        return piece if piece < left else piece - (piece - left) % self._chains.thin

    def _count(self) -> None:
        """Count the draws that all chains have, as soon as one is done."""
        after = self._running[0].done - self._chains.warm_up
        if after <= 0 or after % self._chains.thin:
            return
        tried = np.array([chain.state.tried for chain in self._running]).sum(axis=0)
        accepted = np.array([chain.state.accepted for chain in self._running]).sum(axis=0)
        self._acceptance = accepted / np.maximum(tried, 1)
        self.draws = after // self._chains.thin

    def _rejoin(self) -> None:
        """Let chains that are far behind another go on from where that one is, in mid warm-up.

        Subtypes are hard to split and to join for a chain that moves one sample or event at a time,
        so that a chain may still be where it started. Chains are compared by their likelihood, less
        what an additional component of a few parameters would gain by chance.
        """
        cost = 0.5 * (len(self._events) + 1) * float(log(self._genotypes.times.sum()))
        scores = [chain.score(cost) for chain in self._running]
        best = self._running[int(np.argmax(scores))]
        for chain, score in zip(self._running, scores, strict=True):
            if score < max(scores) - _FAR_BEHIND:
                chain.follow(best)

    def _chain(self, number: int, components: int, forests: list[IntArray]) -> "_Chain":
        """Return a chain at its start, one of the forests or a perturbation of one."""
        n, k, times = len(self._events), components, self._genotypes.times
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
            rates,
            np.full(k, -log(k)),
            np.zeros((k, len(times))),
            np.array([stream_of(self._seed, number)], dtype=np.uint64),
            np.array([0.0, _point(rates[0]), _point(rates[1]), 0.3, 0.0, 0.3, 0.0]),
            np.zeros(3, dtype=np.int64),
            np.zeros(3, dtype=np.int64),
        )
        state.parents[0], state.theta[0], state.members[0] = forest, theta, times
        for component in range(1, k):
            draw_component(state, component, self._settings.prior)
        if k > 1:
            draw_weights(state, self._settings.dirichlet)
            self._share_out(state, number, rng)
        return _Chain(self._table, self._settings, state, self._chains)

    def _share_out(self, state: State, number: int, rng: np.random.Generator) -> None:
        """Let a chain start from clusters of samples, each a star with its own frequencies.

        Under a sparse prior the first chain starts from one component, the next from two, and so
        on: chains that agree in the end have come from both sides.
        """
        clusters = len(state.log_weights)
        if self._settings.dirichlet < _SPARSE:
            clusters = min(clusters, 1 + number)
        if clusters > 1:
            shares, frequencies = bernoulli_clusters(self._genotypes, clusters, rng)
            state.parents[:clusters] = ROOT
            state.theta[:clusters] = frequencies
            state.log_weights[:] = log(1e-6)
            state.log_weights[:clusters] = log(shares)


class _Chain:
    """One chain: what it reads, its state, and the draws that are kept."""

    def __init__(self, table: Table, settings: Settings, state: State, chains: Chains) -> None:
        self.table, self.settings, self.state, self.chains = table, settings, state, chains
        self.done = 0
        self.components, n = np.shape(state.parents)
        kept = (chains.draws, self.components)
        self.records = Records(
            np.zeros((*kept, n), dtype=np.int32),
            np.zeros((*kept, n)),
            np.zeros((chains.draws, 2)),
            np.zeros(kept),
            np.zeros(kept),
            np.zeros(chains.draws),
        )

    def advance(self, sweeps: int) -> None:
        """Run so many more sweeps."""
        stop = self.done + sweeps
        run(
            self.table, self.state, self.settings, self.records, self.done, stop,
            self.chains.warm_up, self.chains.thin,
        )  # fmt: skip
        self.done = stop

    def score(self, cost: float) -> float:
        """Return the log-likelihood over a few more sweeps, less what its components cost."""
        found = []
        for _ in range(min(_TRIAL_SWEEPS, self.chains.warm_up - self.done)):
            self.advance(1)
            used = int((exp(self.state.log_weights) > _IN_USE).sum())
            reached = state_log_likelihood(self.table, self.state, self.settings)
            found.append(reached - cost * used)
        return float(np.mean(found)) if found else 0.0

    def follow(self, other: "_Chain") -> None:
        """Go on from where the other chain is, with random numbers of its own."""
        for name in ("parents", "theta", "rates", "log_weights", "members", "proposal"):
            getattr(self.state, name)[:] = getattr(other.state, name)


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
