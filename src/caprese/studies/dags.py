"""Experiments in which events have several parents: what is found of the edges of DAGs.

The first one is the figure "Performance of CAPRESE to reconstruct models with conjunctive parents".
"""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from caprese._core.arrays import BoolArray, FloatArray, IntArray
from caprese.data.counts import Counts
from caprese.methods.bayes import BayesForest
from caprese.methods.caprese import Caprese
from caprese.methods.capri import Capri
from caprese.methods.fit import Method
from caprese.methods.hcbn import HCBN
from caprese.plots.canvas.figures import Figure
from caprese.simulation.random_models import DagRecipe
from caprese.studies.base import Row, Study, Table, means_against_samples

_EVENTS = (5, 10, 15)
_METHODS: dict[str, Method] = {
    "CAPRI, BIC": Capri(),
    "CAPRI, AIC": Capri(score="aic"),
    "CAPRI, BIC, rank tests": Capri(decide="rank"),
    "CAPRESE": Caprese(),
    "h-CBN": HCBN(steps=60, restarts=1),
    "bayes": BayesForest(chains=2, draws=30, warm_up=100),
}


class Dag(Study):
    """False positive and false negative edges of CAPRESE when the truth is a DAG."""

    about: ClassVar[str] = "false positives and negatives when events have up to 3 parents"
    grid: ClassVar[dict[str, Any]] = {
        "nu": (0.0, 0.05, 0.1),
        "samples": (50, 100, 200, 500, 1000, 2000),
    }

    def rows(self, **condition: Any) -> list[Row]:
        """Return the mean numbers of false positive and false negative edges."""
        method, errors = Caprese(shrinkage=0.5), []
        for dag, data in self.datasets(DagRecipe(), **condition):
            parents = method.infer_parents(Counts.of(data))
            errors.append(_errors(parents, dag.adjacency(), dag.ancestors()))
        table = np.array(errors).reshape(self.trees, self.replicates, 3).mean(axis=1)
        names = ("false positives", "not even ancestors", "false negatives")
        spread = table.std(axis=0) / np.sqrt(self.trees)
        return [
            {"edges": name, "mean": float(mean), "error": float(error)}
            for name, mean, error in zip(names, table.mean(axis=0), spread, strict=True)
        ]

    def draw(self, table: Table) -> Figure:
        """Return the figure: a panel for each noise."""
        labels: dict[str, Any] = {"title": "noise {:g}", "ylabel": "edges", "xscale": "log"}
        return means_against_samples(table, "nu", "edges", size=(10, 3.5), **labels)


@dataclass(frozen=True, kw_only=True)
class DagMethods(Study):
    """Precision and recall of the edges of random conjunctive DAGs."""

    about: ClassVar[str] = "edges of conjunctive DAGs found by CAPRI, CAPRESE, h-CBN and bayes"
    grid: ClassVar[dict[str, Any]] = {
        "events": _EVENTS,
        "nu": (0.0, 0.1, 0.2),
        "samples": (50, 200, 1000),
    }

    trees: int = 20
    replicates: int = 1

    def rows(self, events: int, **condition: Any) -> list[Row]:
        """Return the precision and recall of each method, over all edges of all data sets."""
        found: dict[str, list[list[int]]] = {name: [] for name in _METHODS}
        for truth, data in self.datasets(DagRecipe(events=events), **condition):
            for name, method in _METHODS.items():
                inferred, true = method.fit(data).model.adjacency(), truth.adjacency()
                found[name].append([(inferred & true).sum(), inferred.sum(), true.sum()])
        return [
            {"method": name, "measure": measure, **_ratio(np.array(counts, dtype=float), place)}
            for name, counts in found.items()
            for place, measure in enumerate(("precision", "recall"), start=1)
        ]

    def draw(self, table: Table) -> Figure:
        """Return the figure: precision and recall with 10 events, a panel for each noise."""
        panels = ["measure", "nu"]
        part = table[table["events"] == _EVENTS[1]].sort_values(panels, kind="stable")
        labels: dict[str, Any] = {"title": "{}, noise {:g}", "ylabel": "precision", "xscale": "log"}
        return means_against_samples(part, panels, "method", size=(13, 3.6), **labels)


def _errors(parents: IntArray, truth: BoolArray, ancestors: BoolArray) -> tuple[int, int, int]:
    children = np.flatnonzero(parents >= 0)
    inferred = np.zeros_like(truth)
    inferred[parents[children], children] = True
    wrong = inferred & ~truth
    return int(wrong.sum()), int((wrong & ~ancestors).sum()), int((truth & ~inferred).sum())


def _ratio(counts: FloatArray, of: int) -> Row:
    """Return the share of right edges over all data sets, and its standard error by the jackknife.

    Counts are of right, inferred and true edges; NaN if there are no such edges at all.
    """
    right, total = counts[:, 0], counts[:, of]
    with np.errstate(invalid="ignore", divide="ignore"):
        without = (right.sum() - right) / (total.sum() - total)
        share = right.sum() / total.sum()
    number = len(counts)
    spread = np.sqrt((number - 1) / number * ((without - without.mean()) ** 2).sum())
    return {"mean": float(share), "error": float(spread) if number > 1 else 0.0}
