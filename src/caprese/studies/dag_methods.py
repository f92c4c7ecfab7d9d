"""Edges of conjunctive DAGs: what CAPRI, CAPRESE, h-CBN and posterior forests find of them."""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from caprese._core.arrays import BoolArray, FloatArray
from caprese.methods.bayes import BayesForest
from caprese.methods.caprese import Caprese
from caprese.methods.capri import Capri
from caprese.methods.fit import Method
from caprese.methods.hcbn import HCBN
from caprese.plots.curves import share_legend
from caprese.simulation.random_models import DagRecipe
from caprese.studies.base import Condition, Drawing, Row, Simulations, Table
from caprese.studies.panels import draw_means, row_of_panels

_EVENTS = (5, 10, 15)
_LEVELS = (0.0, 0.1, 0.2)
_SAMPLES = (50, 200, 1000)
_METHODS: dict[str, Method] = {
    "CAPRI, BIC": Capri(),
    "CAPRI, AIC": Capri(score="aic"),
    "CAPRI, BIC, rank tests": Capri(decide="rank"),
    "CAPRESE": Caprese(),
    "h-CBN": HCBN(steps=60, restarts=1),
    "bayes": BayesForest(chains=2, draws=30, warm_up=100),
}
_MEASURES = ("precision", "recall")


@dataclass(frozen=True, kw_only=True)
class DagMethods(Simulations):
    """Precision and recall of the edges of random conjunctive DAGs."""

    about: ClassVar[str] = "edges of conjunctive DAGs found by CAPRI, CAPRESE, h-CBN and bayes"
    grid: ClassVar[dict[str, Any]] = {"events": _EVENTS, "nu": _LEVELS, "samples": _SAMPLES}

    trees: int = 20
    replicates: int = 1

    def run(self, condition: Condition) -> list[Row]:
        """Return the precision and recall of each method, over all edges of all data sets."""
        given = dict(condition)
        recipe = DagRecipe(events=given.pop("events"))
        found: dict[str, list[FloatArray]] = {name: [] for name in _METHODS}
        for truth, data in self.datasets(recipe, **given):
            for name, method in _METHODS.items():
                found[name].append(_counted(method.fit(data).model.adjacency(), truth.adjacency()))
        return [
            {**condition, "method": name, "measure": measure, **_ratio(np.array(counts), place)}
            for name, counts in found.items()
            for place, measure in enumerate(_MEASURES, start=1)
        ]

    def draw(self, table: Table) -> Drawing:
        """Return the figure: precision and recall with 10 events, a panel for each noise."""
        figure, panels = row_of_panels(2 * len(_LEVELS), width=13, height=3.6)
        middle = table[table["events"] == _EVENTS[1]]
        by = ("nu", "method", "samples")
        for place, measure in enumerate(_MEASURES):
            part = middle[middle["measure"] == measure]
            own = panels[place * len(_LEVELS) : (place + 1) * len(_LEVELS)]
            labels = {"xlabel": "samples", "ylabel": measure}
            draw_means(own, part, by, title=measure + ", noise {:g}", legend=False, **labels)
        for axes in panels:
            axes.set_xscale("log")
        share_legend(panels)
        return figure


def _counted(inferred: BoolArray, truth: BoolArray) -> FloatArray:
    """Return how many edges are right, how many were inferred, and how many there are."""
    return np.array([(inferred & truth).sum(), inferred.sum(), truth.sum()], dtype=float)


def _ratio(counts: FloatArray, of: int) -> Row:
    """Return the share of right edges over all data sets, and its standard error by the jackknife.

    NaN if there are no such edges at all.
    """
    right, total = counts[:, 0], counts[:, of]
    with np.errstate(invalid="ignore", divide="ignore"):
        without = (right.sum() - right) / (total.sum() - total)
        share = right.sum() / total.sum()
    number = len(counts)
    spread = np.sqrt((number - 1) / number * ((without - without.mean()) ** 2).sum())
    return {"mean": float(share), "error": float(spread) if number > 1 else 0.0}
