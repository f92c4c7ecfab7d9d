"""Theorem 3 and its corollary at growing numbers of samples."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from caprese.assessment.noise_bounds import corollary_noise_bound
from caprese.methods.caprese import Caprese
from caprese.models.noise import Noise
from caprese.plots.curves import draw_curves, share_legend
from caprese.simulation.recipes import ForestRecipe
from caprese.studies.base import Cell, Row, simulated

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure

_SAMPLES = (50, 100, 250, 500, 1000, 2500, 5000, 10_000, 25_000)
_SHARES = (0.0, 0.1, 0.3, 0.6)  # of the paper's bound on noise
_RAREST = 0.05


@dataclass(frozen=True, kw_only=True)
class Convergence:
    """Share of true forests found, by the share of the paper's noise bound; plain and recovered."""

    about: ClassVar[str] = "does the true forest come back as samples grow, with and without noise"

    trees: int = 100
    replicates: int = 10
    seed: int = 1

    def cells(self) -> Iterable[Cell]:
        """Return the conditions."""
        return [{"share": share, "samples": samples} for share in _SHARES for samples in _SAMPLES]

    def run(self, cell: Cell) -> list[Row]:
        """Return how often the whole forest is found, plain and from recovered counts.

        Plain counts with the small shrinkage of the theorem; recovered ones, whose alpha is
        hardly ever exactly 1 for an ancestor, with one half, which the theorem allows as well.
        """
        noise = Noise.uniform(cell["share"] * corollary_noise_bound(_RAREST))
        methods = {"plain": Caprese(shrinkage=0.01)}
        if cell["share"] > 0:
            methods["recovered"] = Caprese(shrinkage=0.5, noise=noise)
        exact: dict[str, list[float]] = {name: [] for name in methods}
        recipe = ForestRecipe(rarest=_RAREST)
        for tree in range(self.trees):
            truth, counts = simulated(
                recipe, noise, cell["samples"], tree, self.replicates, self.seed
            )
            for name, method in methods.items():
                right = (method.infer_parents(counts) == truth).all(axis=1)
                exact[name].append(float(right.mean()))
        return [
            {
                **cell,
                "counts": name,
                "exact": float(np.mean(shares)),
                "error": float(np.std(shares) / np.sqrt(len(shares))),
            }
            for name, shares in exact.items()
        ]

    def draw(self, table: "pd.DataFrame") -> "Figure":
        """Return the figure: plain counts to the left, recovered ones to the right."""
        from matplotlib.figure import Figure

        figure = Figure(figsize=(8.5, 3.5), layout="constrained")
        panels = figure.subplots(1, 2, sharey=True)
        for axes, kind in zip(panels, ("plain", "recovered"), strict=True):
            part = table[table["counts"] == kind]
            curves = [  # empty where there is none, so that colours mean the same in both panels
                (f"{share:g} of the bound", rows["samples"], rows["exact"], rows["error"])
                for share in table["share"].unique()
                for rows in [part[part["share"] == share]]
            ]
            up = "share of trees found exactly"
            draw_curves(axes, curves, xlabel="samples", ylabel=up, legend=False)
            axes.set_xscale("log")
            axes.set_title(f"{kind} counts")
        share_legend(panels)
        return figure
