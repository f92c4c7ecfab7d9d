"""Small methods that are not registered: one for each kind of model."""

from dataclasses import dataclass, replace

import numpy as np

from caprese import ROOT, ConjunctiveDag, Counts, Dataset, Fit, OrderedFit
from caprese.extend import Fact, Reason, forest_from_parents, frequencies


@dataclass(frozen=True)
class Notes:
    """The evidence of a model without edges."""

    def notes(self):
        return (Fact("sum of frequencies", values={"sum": 2.5}),)


@dataclass(frozen=True)
class Reasons(Notes):
    """The evidence of a model with edges."""

    reasons: tuple[Reason, ...]

    def columns(self, model):
        return {"depth": model.ancestors().sum(axis=0).astype(float)}

    def remarks(self, counts, _model):
        return tuple(
            Fact("by frequency", (event,), {"reason": str(reason)})
            for event, reason in zip(counts.events, self.reasons, strict=True)
        )


@dataclass(frozen=True, kw_only=True)
class Frequencies:
    """A model without edges; its fit does not keep the data."""

    def fit(self, data: Dataset):
        return replace(Fit.of(self, frequencies(data), Notes(), data), data=None)


def _ordered(method, model, data):
    reasons = tuple(
        Reason.EDGE if parents.any() else Reason.NO_PARENT for parents in model.adjacency().T
    )
    return OrderedFit.of(method, model, Reasons(reasons), data)


@dataclass(frozen=True, kw_only=True)
class Chain:
    """A forest: each event below the next more frequent one."""

    def fit(self, data: Dataset):
        order = _by_frequency(data)
        parents = np.full(len(order), ROOT)
        parents[order[1:]] = order[:-1]
        return _ordered(self, forest_from_parents(Counts.of(data), parents), data)


@dataclass(frozen=True, kw_only=True)
class TwoParents:
    """A conjunctive DAG: each event below the two most frequent ones."""

    def fit(self, data: Dataset):
        order = _by_frequency(data)
        parents = [() if event in order[:2] else tuple(order[:2]) for event in range(len(order))]
        dag = ConjunctiveDag(data.events, parents, np.full(len(order), 0.5))
        return _ordered(self, dag, data)


def _by_frequency(data):
    """Positions of the events, the most frequent first; equal ones by name."""
    frequency = Counts.of(data).frequency
    return sorted(range(len(data.events)), key=lambda k: (-frequency[k], data.events[k]))


SMALL_METHODS = (Frequencies(), Chain(), TwoParents())
