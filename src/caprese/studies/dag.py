"""Figure "Performance of CAPRESE to reconstruct models with conjunctive parents"."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from caprese._core.arrays import BoolArray, IntArray
from caprese.data.counts import Counts
from caprese.methods.caprese import Caprese
from caprese.models.noise import Noise
from caprese.plots.curves import draw_curves, share_legend
from caprese.simulation.recipes import DagRecipe
from caprese.studies.base import Condition, Row

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure

_SAMPLES = (50, 100, 200, 500, 1000, 2000)
_LEVELS = (0.0, 0.05, 0.1)


@dataclass(frozen=True, kw_only=True)
class Dag:
    """False positive and false negative edges of CAPRESE when the truth is a DAG."""

    about: ClassVar[str] = "false positives and negatives when events have up to 3 parents"

    trees: int = 100
    replicates: int = 10
    seed: int = 1

    def conditions(self) -> Iterable[Condition]:
        """Return the conditions."""
        return [{"nu": nu, "samples": samples} for nu in _LEVELS for samples in _SAMPLES]

    def run(self, condition: Condition) -> list[Row]:
        """Return the mean numbers of false positive and false negative edges."""
        noise, method = Noise.uniform(condition["nu"]), Caprese(shrinkage=0.5)
        errors = []
        for number in range(self.trees):
            dag = DagRecipe().draw(np.random.default_rng([self.seed, number]))
            rng = np.random.default_rng(
                [self.seed, number, condition["samples"], round(1e6 * condition["nu"])]
            )
            for _ in range(self.replicates):
                data = noise.corrupt(dag.sample(condition["samples"], rng), rng)
                parents = method.infer_parents(Counts.of(data))
                errors.append(_errors(parents, dag.adjacency(), dag.ancestors()))
        table = np.array(errors).reshape(self.trees, self.replicates, 3).mean(axis=1)
        names = ("false positives", "not even ancestors", "false negatives")
        spread = table.std(axis=0) / np.sqrt(self.trees)
        return [
            {**condition, "edges": name, "mean": float(mean), "error": float(error)}
            for name, mean, error in zip(names, table.mean(axis=0), spread, strict=True)
        ]

    def draw(self, table: "pd.DataFrame") -> "Figure":
        """Return the figure: a panel for each noise."""
        from matplotlib.figure import Figure

        figure = Figure(figsize=(10, 3.5), layout="constrained")
        panels = figure.subplots(1, len(_LEVELS), sharey=True)
        for axes, nu in zip(panels, _LEVELS, strict=True):
            part = table[table["nu"] == nu]
            curves = [
                (name, rows["samples"], rows["mean"], rows["error"])
                for name, rows in part.groupby("edges", sort=False)
            ]
            draw_curves(axes, curves, xlabel="samples", ylabel="edges", legend=False)
            axes.set_xscale("log")
            axes.set_title(f"noise {nu:g}")
        share_legend(panels)
        return figure


def _errors(parents: IntArray, truth: BoolArray, ancestors: BoolArray) -> tuple[int, int, int]:
    children = np.flatnonzero(parents >= 0)
    inferred = np.zeros_like(truth)
    inferred[parents[children], children] = True
    wrong = inferred & ~truth
    return int(wrong.sum()), int((wrong & ~ancestors).sum()), int((truth & ~inferred).sum())
