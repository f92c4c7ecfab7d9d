"""A DAG that nothing in the package knows: an event needs one of its parents, whichever."""

from dataclasses import dataclass, replace

import numpy as np

from caprese import Counts, Dataset, Noise, OrderedFit
from caprese.extend import (
    BoolArray,
    FloatArray,
    GivenNumbers,
    ModelKind,
    ParentSets,
    PlacedByStates,
    Reason,
    ReasonedEvidence,
    States,
    as_in,
    freeze_arrays,
    observation_chances,
    searched_reasons,
    waiting_rates,
)

ERRORS = Noise(0.02, 0.02)


@dataclass(frozen=True, eq=False)
class DisjunctiveDag(ParentSets, PlacedByStates):
    """An event occurs with its probability once any of its parents is there; seen with errors."""

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

    def true_states(self) -> States:
        n = len(self.events)
        present = (np.arange(2**n)[:, None] >> np.arange(n) & 1).astype(bool)
        chances = np.where(self.open_to(present), self.probabilities, 0.0)
        likely = np.where(present, chances, 1 - chances).prod(axis=1)
        return States(self.events, present, likely, self.next_rates(present), ERRORS)

    def log_probabilities(self, data: Dataset) -> FloatArray:
        states = self.true_states()
        seen = observation_chances(data, self.events, states.present, states.noise)
        return np.log(seen @ states.probabilities)

    def event_probabilities(self, data: Dataset) -> FloatArray:
        states = self.true_states()
        return as_in(data, self.events, states.averages(data, states.present.astype(float)))

    def sample(self, samples: int, rng: np.random.Generator) -> Dataset:
        occurs = np.empty((samples, len(self.events)), dtype=bool)
        for event in np.argsort(self.events):
            occurs[:, event] = rng.random(samples) < self.probabilities[event]
        for event in self.order:
            occurs[:, event] &= self.open_to(occurs)[:, event]
        return ERRORS.corrupt(Dataset(occurs, self.events), rng)


def estimate(model: DisjunctiveDag, data: Dataset) -> GivenNumbers:
    """Return the DAG with the frequency of each event among the samples in which it may occur."""
    free = model.open_to(data.values)
    likely = ((data.values & free).sum(axis=0) + 1) / (free.sum(axis=0) + 2)
    return GivenNumbers.of(replace(model, probabilities=likely), data, len(data.events))


KIND = ModelKind(name="disjunctive dag", type=DisjunctiveDag, estimate=estimate)


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
        return OrderedFit.of(self, estimate(dag, data).model, evidence, data)
