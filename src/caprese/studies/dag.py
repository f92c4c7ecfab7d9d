"""Figure "Performance of CAPRESE to reconstruct models with conjunctive parents"."""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from caprese._core.arrays import BoolArray, IntArray
from caprese.data.counts import Counts
from caprese.methods.caprese import Caprese
from caprese.plots.curves import share_legend
from caprese.simulation.random_models import DagRecipe
from caprese.studies.base import Condition, Drawing, Row, Simulations, Table
from caprese.studies.panels import draw_means, row_of_panels

_SAMPLES = (50, 100, 200, 500, 1000, 2000)
_LEVELS = (0.0, 0.05, 0.1)


@dataclass(frozen=True, kw_only=True)
class Dag(Simulations):
    """False positive and false negative edges of CAPRESE when the truth is a DAG."""

    about: ClassVar[str] = "false positives and negatives when events have up to 3 parents"
    grid: ClassVar[dict[str, Any]] = {"nu": _LEVELS, "samples": _SAMPLES}

    def run(self, condition: Condition) -> list[Row]:
        """Return the mean numbers of false positive and false negative edges."""
        method, errors = Caprese(shrinkage=0.5), []
        for dag, data in self.datasets(DagRecipe(), **condition):
            parents = method.infer_parents(Counts.of(data))
            errors.append(_errors(parents, dag.adjacency(), dag.ancestors()))
        table = np.array(errors).reshape(self.trees, self.replicates, 3).mean(axis=1)
        names = ("false positives", "not even ancestors", "false negatives")
        spread = table.std(axis=0) / np.sqrt(self.trees)
        return [
            {**condition, "edges": name, "mean": float(mean), "error": float(error)}
            for name, mean, error in zip(names, table.mean(axis=0), spread, strict=True)
        ]

    def draw(self, table: Table) -> Drawing:
        """Return the figure: a panel for each noise."""
        figure, panels = row_of_panels(len(_LEVELS), width=10)
        labels, by = {"xlabel": "samples", "ylabel": "edges"}, ("nu", "edges", "samples")
        draw_means(panels, table, by, title="noise {:g}", legend=False, **labels)
        for axes in panels:
            axes.set_xscale("log")
        share_legend(panels)
        return figure


def _errors(parents: IntArray, truth: BoolArray, ancestors: BoolArray) -> tuple[int, int, int]:
    children = np.flatnonzero(parents >= 0)
    inferred = np.zeros_like(truth)
    inferred[parents[children], children] = True
    wrong = inferred & ~truth
    return int(wrong.sum()), int((wrong & ~ancestors).sum()), int((truth & ~inferred).sum())
