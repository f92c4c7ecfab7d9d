"""A DAG that nothing in the package knows: an event needs one of its parents, whichever."""

from dataclasses import dataclass, replace

import numpy as np

from caprese import Counts, Dataset, Noise, OrderedFit
from caprese.extend import (
    BoolArray,
    Codes,
    Estimate,
    FloatArray,
    ModelKind,
    Noisy,
    ParentSets,
    Reason,
    ReasonedEvidence,
    SeenWithoutErrors,
    completions,
    freeze_arrays,
    searched_reasons,
    waiting_rates,
)


@dataclass(frozen=True, eq=False)
class DisjunctiveDag(ParentSets, SeenWithoutErrors):
    """An event occurs with its probability once any of its parents is there."""

    probabilities: FloatArray

    def __post_init__(self) -> None:
        super().__post_init__()
        freeze_arrays(self, probabilities=(len(self.events),))

    def parameters(self) -> dict[str, FloatArray]:
        return {"probability": self.probabilities}

    def open_to(self, genotypes: BoolArray) -> BoolArray:
        """Whether each event may occur in each genotype."""
        return np.stack(
            [
                genotypes[:, above].any(axis=1) if above else np.ones(len(genotypes), dtype=bool)
                for above in map(list, self.parent_sets)
            ],
            axis=1,
        )

    def next_rates(self, genotypes: BoolArray) -> FloatArray:
        free = self.open_to(genotypes) & ~genotypes
        return np.where(free, waiting_rates(self.probabilities), 0.0)

    def states(self, seen: Codes | None = None) -> tuple[BoolArray, FloatArray]:
        present = completions(np.full(len(self.events), 2) if seen is None else seen)
        chances = np.where(self.open_to(present), self.probabilities, 0.0)
        return present, np.where(present, chances, 1 - chances).prod(axis=1)

    def sample(self, samples: int, rng: np.random.Generator) -> Dataset:
        occurs = np.empty((samples, len(self.events)), dtype=bool)
        for event in np.argsort(self.events):
            occurs[:, event] = rng.random(samples) < self.probabilities[event]
        for event in self.order:
            occurs[:, event] &= self.open_to(occurs)[:, event]
        return Dataset(occurs, self.events)


@dataclass(frozen=True)
class NoisyDisjunctiveDag(Noisy):
    """A disjunctive DAG whose genotypes are observed with errors."""

    dag: DisjunctiveDag
    noise: Noise

    @property
    def truth(self) -> DisjunctiveDag:
        return self.dag


def estimate(model: DisjunctiveDag, data: Dataset) -> Estimate:
    """Return the frequency of each event where it may occur, and errors in one entry of fifty."""
    free = model.open_to(data.values)
    likely = ((data.values & free).sum(axis=0) + 1) / (free.sum(axis=0) + 2)
    best = NoisyDisjunctiveDag(replace(model, probabilities=likely), Noise(0.02, 0.02))
    return Estimate.of(best, data, len(data.events))


KINDS = (
    ModelKind(name="disjunctive dag", type=DisjunctiveDag, estimate=estimate),
    ModelKind(name="noisy disjunctive dag", type=NoisyDisjunctiveDag),
)


@dataclass(frozen=True, eq=False)
class DisjunctiveEvidence(ReasonedEvidence):
    reasons: tuple[Reason, ...]


@dataclass(frozen=True, kw_only=True)
class Disjunctive:
    """Each event follows one of the two most frequent ones."""

    def fit(self, data: Dataset) -> OrderedFit[DisjunctiveDag, DisjunctiveEvidence]:
        data = Dataset.of(data)
        counts = Counts.of(data)
        first = sorted(np.lexsort((data.events, -counts.frequency))[:2].tolist())
        parents = [() if event in first else tuple(first) for event in range(len(data.events))]
        dag = DisjunctiveDag(data.events, tuple(parents), np.full(len(parents), 0.5))
        evidence = DisjunctiveEvidence(searched_reasons(counts, dag))
        return OrderedFit.of(self, estimate(dag, data).model.dag, evidence, data)
