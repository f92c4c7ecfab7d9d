"""Posterior: many forests with errors, or mixtures of them, drawn from their posterior."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from caprese._core.arrays import ArrayValue, BoolArray, FloatArray, IntArray, frozen, sealed, shaped
from caprese._core.checks import whole
from caprese._core.environment import install_command
from caprese._core.names import places
from caprese.data.dataset import Dataset
from caprese.errors import ModelError
from caprese.kernels import forest_predictions
from caprese.kernels.functions import exp, log
from caprese.models.base import as_in, in_order_of
from caprese.models.forest import ROOT, Forest, NoisyForest, log_parameters
from caprese.models.noise import Noise
from caprese.models.states import mixture_median

if TYPE_CHECKING:
    from arviz import InferenceData

_AXES = {
    "parents": ("component", "event"),
    "probabilities": ("component", "event"),
    "rates": ("component", "rate"),
    "weights": ("component",),
    "root_probability": ("component",),
    "log_likelihood": (),
}
_FEW = 200  # draws that say enough about genotypes and times
_EQUAL = 1e-9  # relative difference of probabilities that counts for nothing
_SLOWEST = 1e-12  # rate of an event that no draw expects
_AT_ONCE = 2_000  # genotypes whose shares of all forests are kept


@dataclass(frozen=True, eq=False)
class Posterior(ArrayValue):
    """Draws from a posterior over forests with error rates, or over mixtures of forests.

    As a model it predicts by averaging over its draws. The first two axes of all arrays are chain
    and draw; events are in the order of `events`.

    Parameters
    ----------
    events
        Distinct names.
    parents
        ``[chain, draw, component, event]``: positions of parents, or ``ROOT``.
    probabilities
        Of each event given its parent, in the same shape.
    rates
        ``[chain, draw, component, 2]``: false positive and false negative rate; without the axis of
        components they are those of all.
    weights
        ``[chain, draw, component]``: share of each component.
    root_probability
        ``[chain, draw, component]``: the parameter r of the prior.
    log_likelihood
        ``[chain, draw]``: log-probability of the data; of seen orders, what they add to that of
        forests that leave them open.
    acceptance
        Share of accepted moves: of events, of swapped labels, of rates with probabilities, of
        reversed paths, of inserted events, of subtypes that get rates of their own or lose them.
    """

    untimed: ClassVar[bool] = True
    events: tuple[str, ...]
    parents: IntArray
    probabilities: FloatArray
    rates: FloatArray
    weights: FloatArray
    root_probability: FloatArray
    log_likelihood: FloatArray
    acceptance: FloatArray

    def __post_init__(self) -> None:
        n = len(self.events)
        chains, draws, components = np.shape(self.parents)[:3]
        sizes = {"component": components, "event": n, "rate": 2}
        if np.ndim(self.rates) == 3:
            same = np.repeat(np.asarray(self.rates)[:, :, None], components, axis=2)
            object.__setattr__(self, "rates", same)
        for name, axes in _AXES.items():
            shape = (chains, draws, *(sizes[axis] for axis in axes))
            shaped(self, name, shape, np.int64 if name == "parents" else np.float64)
        object.__setattr__(self, "acceptance", frozen(self.acceptance, np.float64))
        if not ((self.parents >= ROOT) & (self.parents < n)).all():
            raise ModelError("parents must be positions of events or the root")

    def __repr__(self) -> str:
        chains, draws = self.parents.shape[:2]
        return f"<Posterior: {chains} chains x {draws} draws, {len(self.events)} events>"

    @property
    def components(self) -> int:
        """How many components each draw has."""
        return int(self.parents.shape[2])

    @property
    def draws(self) -> int:
        """How many draws there are, all chains together."""
        return int(self.log_likelihood.size)

    def parent_probabilities(self) -> FloatArray:
        """Return the posterior probability of each parent: parent row, child column, root last."""
        n = len(self.events)
        weights = np.broadcast_to(self.weights[..., None], self.parents.shape)
        cell = np.where(self.parents == ROOT, n, self.parents) * n + np.arange(n)
        total = np.bincount(cell.ravel(), weights.ravel(), minlength=(n + 1) * n)
        return sealed(total.reshape(n + 1, n) / self.draws)

    def ancestor_probabilities(self) -> FloatArray:
        """Return the posterior probability that i comes before j, for every pair i, j."""
        n = len(self.events)
        total, weights = np.zeros((n, n)), self.weights.ravel()
        for forest, above, event in self._generations():
            np.add.at(total, (above, event), weights[forest])
        return sealed(total / self.draws)

    def log_probabilities(self, data: Dataset) -> FloatArray:
        """Return the log-probability of each sample, averaged over all draws."""
        found = self.draw_log_probabilities(data)
        most = found.max(axis=0)
        shift = np.where(np.isfinite(most), most, 0.0)
        return np.asarray(shift + log(exp(found - shift).mean(axis=0)))

    def draw_log_probabilities(self, data: Dataset) -> FloatArray:
        """Return the log-probability of each sample under each draw, draws x samples."""
        codes, inverse = self._genotypes(data)
        found = forest_predictions.draw_log_probabilities(codes, *self._arrays())
        return np.asarray(found[:, inverse])

    def event_probabilities(self, data: Dataset) -> FloatArray:
        """Return how probably each event is truly there; a draw counts by how well it predicts."""
        codes, inverse = self._genotypes(data)
        draws = self._arrays()
        shares = _shares(forest_predictions.draw_log_probabilities(codes, *draws))
        arguments = (*draws, shares)
        found = forest_predictions.event_probabilities(codes, *arguments)
        return as_in(data, self.events, found.T[inverse])

    def parts(self, data: Dataset) -> Iterator[tuple[NoisyForest, FloatArray]]:
        """Yield each forest of each draw, and how much it counts for each sample.

        A draw counts by how well it predicts the sample; shares sum to 1 over all forests.
        """
        forests = (noisy for noisy, _ in self._forests())
        yield from zip(forests, self._forest_shares(data), strict=True)

    def group_probabilities(self, data: Dataset) -> FloatArray:
        """Return the probability of each component, samples x components; all draws count alike."""
        return np.asarray(self.component_probabilities(data).mean(axis=0).T)

    def component_probabilities(self, data: Dataset) -> FloatArray:
        """Return the probability of each component, draws x components x samples."""
        codes, inverse = self._genotypes(data)
        found = forest_predictions.draw_component_probabilities(codes, *self._arrays())
        return np.asarray(found[..., inverse])

    def together(self, data: Dataset, pairs: IntArray) -> FloatArray:
        """Return how probably the two samples of each pair belong to the same component.

        It does not matter how components are numbered. Of 200 evenly spaced draws; only pairs that
        are asked for take memory.

        Parameters
        ----------
        pairs
            Positions of two different samples, pairs x 2.
        """
        few = self.thinned(_FEW)
        codes, inverse = few._genotypes(data)
        one, other = inverse[np.asarray(pairs)].T
        found = np.zeros(len(one))
        for shares in forest_predictions.draw_component_probabilities(codes, *few._arrays()):
            for share in shares:
                found += share[one] * share[other]
        return found / few.draws

    def next_rates(self, genotypes: BoolArray) -> FloatArray:
        """Return the mean rate at which each event comes next in each true genotype.

        Each forest counts by how probable it makes the genotype. To predict, use
        `next_probabilities`, which averages probabilities instead of rates.
        """
        total, rates = np.zeros(len(genotypes)), np.zeros(genotypes.shape)
        for noisy, share in self._forests():
            weight = share * noisy.forest.genotype_probabilities(genotypes)
            total += weight
            rates += weight[:, None] * noisy.next_rates(genotypes)
        return np.asarray(rates / np.where(total > 0, total, 1.0)[:, None])

    def likeliest_genotypes(self, data: Dataset) -> BoolArray:
        """Return the most probable true genotype of each sample, samples x events as in the data.

        From the best of those that are most probable in single draws, single events are changed
        as long as that makes the genotype more probable.
        """
        distinct, inverse = self._distinct(data)
        few = self.thinned(_FEW)
        best, likely = few._best(distinct, *few._candidates(distinct))
        while True:
            row = np.repeat(np.arange(len(best)), len(self.events))
            changed = best[row] ^ np.tile(np.eye(len(self.events), dtype=bool), (len(best), 1))
            other, more = few._best(distinct, row, changed)
            better = more > likely * (1 + _EQUAL)
            if not better.any():
                return as_in(data, self.events, best[inverse])
            best = np.where(better[:, None], other, best)
            likely = np.where(better, more, likely)

    def count_probabilities(self, data: Dataset) -> FloatArray:
        """Return the probability that 0, 1, ... events are truly there, for each sample."""
        distinct, inverse = self._distinct(data)
        return self._average(distinct, NoisyForest.count_probabilities)[inverse]

    def next_probabilities(self, data: Dataset) -> FloatArray:
        """Return the probability that each event is the next one; draws count as in `parts`."""
        distinct, inverse = self._distinct(data)
        found = self._average(distinct, NoisyForest.next_probabilities)
        return as_in(data, self.events, found[inverse])

    def waiting_medians(self, data: Dataset) -> FloatArray:
        """Return the median time until each event comes, of 200 evenly spaced draws together."""
        few = self.thinned(_FEW)
        distinct, inverse = few._distinct(data)
        weights, rates = [], []
        for noisy, share in few.parts(distinct):
            there = noisy.event_probabilities(distinct)
            above = np.column_stack([there, np.ones(len(there))])[:, noisy.forest.parents]
            weights.append(share[:, None] * (above - there))
            rates.append(noisy.forest.edge_rates())
        shares, speeds = np.array(weights), np.maximum(np.array(rates), _SLOWEST)
        columns = range(len(self.events))
        medians = [mixture_median(speeds[:, event], shares[:, :, event].T) for event in columns]
        return as_in(data, self.events, np.array(medians).T[inverse])

    def order_probabilities(self, data: Dataset, pairs: IntArray) -> FloatArray:
        """Return the probability that the first event of each pair came before the second.

        Averaged over all forests, each of which says 1, 0, or 1/2 of a pair that it leaves open;
        they count as in `parts`.
        """
        n, found = len(self.events), np.empty(len(pairs))
        before = np.zeros((self.parents.size // n, n, n), dtype=bool)
        for forest, above, event in self._generations():
            before[forest, above, event] = True
        distinct, inverse = self._distinct(data)
        place = places(self.events, data.events, "model and data")
        genotype, one, other = inverse[pairs[:, 0]], *place[pairs[:, 1:]].T
        for start in range(0, len(distinct.samples), _AT_ONCE):
            own = np.flatnonzero((genotype >= start) & (genotype < start + _AT_ONCE))
            asked, which = np.unique(genotype[own], return_inverse=True)
            if not own.size:
                continue
            said = np.zeros(own.size)
            shares = self._forest_shares(distinct.take_samples(asked))
            for share, stated in zip(shares, before, strict=True):
                first = stated[one[own], other[own]].astype(np.int8)
                said += share[which] * (first - stated[other[own], one[own]])
            found[own] = (1 + said) / 2
        return found

    def sample(self, samples: int, rng: np.random.Generator) -> Dataset:
        """Draw samples as they would be observed, each from a draw of its own."""
        whole("samples", samples)
        parents, probabilities, rates, weights = self._arrays()
        chosen = rng.integers(self.draws, size=samples)
        component = (rng.random((samples, 1)) > weights[chosen].cumsum(axis=1)).sum(axis=1)
        component = np.minimum(component, self.components - 1)
        values = np.zeros((samples, len(self.events)), dtype=bool)
        for draw, part in {*zip(chosen.tolist(), component.tolist(), strict=True)}:
            rows = np.flatnonzero((chosen == draw) & (component == part))
            forest = Forest(self.events, parents[draw, part], probabilities[draw, part])
            noisy = NoisyForest(forest, Noise(*rates[draw, part].tolist()))
            values[rows] = noisy.sample(len(rows), rng).values
        return Dataset(sealed(values), self.events)

    @property
    def noise(self) -> Noise:
        """The error rates, averaged over all draws."""
        return Noise(*self.mean_rates.mean(axis=(0, 1)).tolist())

    @property
    def mean_rates(self) -> FloatArray:
        """The error rates of each draw, averaged over its components: chains x draws x 2."""
        weights = self.weights / self.weights.sum(axis=-1, keepdims=True)
        return np.asarray((self.rates * weights[..., None]).sum(axis=2))

    def thinned(self, most: int) -> "Posterior":
        """Return evenly spaced draws, at most so many in all."""
        chains, length = self.parents.shape[:2]
        kept = max(1, min(length, most // chains))
        places = np.linspace(0, length - 1, kept).round().astype(int)
        return replace(self, **{name: getattr(self, name)[:, places] for name in _AXES})

    def with_chains(self, chains: Sequence[int]) -> "Posterior":
        """Return only these chains."""
        return replace(self, **{name: getattr(self, name)[list(chains)] for name in _AXES})

    def weighted(self, weights: FloatArray) -> "Posterior":
        """Return as many draws in one chain, of each chain in proportion to its weight."""
        length = self.parents.shape[1]
        ends = np.rint(np.cumsum(weights) * self.draws).astype(int)
        kept = np.diff(ends, prepend=0)
        rows = np.repeat(np.arange(len(kept)), kept)
        places = np.concatenate([np.arange(each) * length // max(each, 1) for each in kept])
        return replace(self, **{name: getattr(self, name)[rows, places][None] for name in _AXES})

    def with_components(self, places: IntArray) -> "Posterior":
        """Return only these components of each draw, in this order: chains x draws x places."""
        chosen: dict[str, Any] = {}
        for name, axes in _AXES.items():
            if "component" in axes:
                own = places[..., None] if len(axes) > 1 else places
                chosen[name] = np.take_along_axis(getattr(self, name), own, axis=2)
        return replace(self, **chosen)

    def to_arviz(self) -> "InferenceData":
        """Return the draws as ArviZ takes them, to look at chains with its plots.

        The log-likelihood is the sample statistic ``lp``. The extra ``chains`` brings arviz.
        """
        try:
            import arviz
        except ImportError:
            raise ModelError(f"to_arviz needs arviz: {install_command('chains')}") from None
        return arviz.from_dict(
            posterior={name: getattr(self, name) for name in _AXES if name != "log_likelihood"},
            sample_stats={"lp": self.log_likelihood},
            dims={name: list(axes) for name, axes in _AXES.items()},
            coords={"event": list(self.events), "rate": ["false_positive", "false_negative"]},
        )

    def _forest_shares(self, data: Dataset) -> FloatArray:
        """Return how much each forest of each draw counts for each sample, forests x samples."""
        shares = _shares(self.draw_log_probabilities(data))
        parts = self.component_probabilities(data) * shares[:, None]
        return np.asarray(parts.reshape(-1, len(data.samples)))

    def _generations(self) -> Iterator[tuple[IntArray, IntArray, IntArray]]:
        """Yield forests, events, and ancestors of these: first all parents, then theirs, ..."""
        above = self.parents.reshape(-1, len(self.events))
        parents = np.pad(above, ((0, 0), (0, 1)), constant_values=ROOT)
        while (above != ROOT).any():
            forest, event = np.nonzero(above != ROOT)
            yield forest, above[forest, event], event
            above = np.take_along_axis(parents, above, axis=1)

    def _forests(self) -> Iterator[tuple[NoisyForest, float]]:
        """Yield each forest of each draw with its error rates, and its share of all draws."""
        parents, probabilities, rates, weights = self._arrays()
        for draw in range(self.draws):
            for part in range(self.components):
                noise = Noise(*rates[draw, part].tolist())
                forest = Forest(self.events, parents[draw, part], probabilities[draw, part])
                yield NoisyForest(forest, noise), float(weights[draw, part]) / self.draws

    def _average(
        self, distinct: Dataset, question: Callable[[NoisyForest, Dataset], FloatArray]
    ) -> FloatArray:
        """Return the answer of each forest, averaged by how much it counts for each sample."""
        parts = self.parts(distinct)
        return np.asarray(sum(share[:, None] * question(noisy, distinct) for noisy, share in parts))

    def _best(
        self, distinct: Dataset, row: IntArray, truths: BoolArray
    ) -> tuple[BoolArray, FloatArray]:
        """Return the most probable of these true genotypes of each row, and its probability."""
        likely = np.zeros(len(truths))
        codes = distinct.codes()[row]
        for noisy, share in self._forests():
            seen = exp(log_parameters(noisy.forest, noisy.noise)[-1])
            chance = seen[truths.astype(int), codes].prod(axis=1)
            likely += share * chance * noisy.forest.genotype_probabilities(truths)
        order = np.lexsort((truths.sum(axis=1), -likely, row))
        first = order[np.unique(row[order], return_index=True)[1]]
        return truths[first], likely[first]

    def _candidates(self, distinct: Dataset) -> tuple[IntArray, BoolArray]:
        """Return the most probable genotypes of single draws, each once for each sample."""
        found = [noisy.likeliest_genotypes(distinct) for noisy, _ in self._forests()]
        rows = np.tile(np.arange(len(distinct.samples)), len(found))
        once = np.unique(np.column_stack([rows, np.concatenate(found)]), axis=0)
        return once[:, 0], once[:, 1:].astype(bool)

    def _distinct(self, data: Dataset) -> tuple[Dataset, IntArray]:
        """Return samples with distinct genotypes, and which of them each sample is like."""
        return in_order_of(self.events, data).distinct()

    def _genotypes(self, data: Dataset) -> tuple[NDArray[np.uint8], IntArray]:
        """Return the distinct genotypes, events x genotypes, and which each sample has."""
        distinct, inverse = self._distinct(data)
        return np.ascontiguousarray(distinct.codes().T), inverse

    def _arrays(self) -> tuple[NDArray[Any], ...]:
        """Return the draws of all chains one after another, as the compiled loops take them."""
        arrays = (self.parents, self.probabilities, self.rates, self.weights)
        return tuple(np.ascontiguousarray(array.reshape(-1, *array.shape[2:])) for array in arrays)


def _shares(log_likely: FloatArray) -> FloatArray:
    """Return how much each draw counts for each sample: by how well it predicts it."""
    shares = exp(log_likely - log_likely.max(axis=0))
    return np.asarray(shares / shares.sum(axis=0))
