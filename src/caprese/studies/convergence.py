"""Theorem 3 and its corollary for increasing numbers of samples."""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from caprese.assessment.noise_bounds import corollary_noise_bound
from caprese.methods.caprese import Caprese
from caprese.models.noise import Noise
from caprese.plots.curves import draw_curves, share_legend
from caprese.simulation.random_models import ForestRecipe
from caprese.studies.base import Condition, Drawing, Row, Simulations, Table
from caprese.studies.panels import row_of_panels

_SAMPLES = (50, 100, 250, 500, 1000, 2500, 5000, 10_000, 25_000)
_SHARES = (0.0, 0.1, 0.3, 0.6)  # of the paper's bound on noise
_RAREST = 0.05


@dataclass(frozen=True, kw_only=True)
class Convergence(Simulations):
    """Proportion of forests found exactly, at fractions of the noise bound of the paper."""

    about: ClassVar[str] = "is the true forest found as samples increase, with and without noise"
    grid: ClassVar[dict[str, Any]] = {"share": _SHARES, "samples": _SAMPLES}

    def run(self, condition: Condition) -> list[Row]:
        """Return how often the whole forest is found, from plain and from recovered counts.

        Plain counts use the small shrinkage of the theorem. Recovered counts, whose alpha is
        rarely exactly 1 for an ancestor, use one half, which the theorem allows too.
        """
        noise = Noise.uniform(condition["share"] * corollary_noise_bound(_RAREST))
        methods = {"plain": Caprese(shrinkage=0.01)}
        if condition["share"] > 0:
            methods["recovered"] = Caprese(shrinkage=0.5, noise=noise)
        exact: dict[str, list[float]] = {name: [] for name in methods}
        recipe = ForestRecipe(rarest=_RAREST)
        for tree in range(self.trees):
            truth, counts = self.simulated(recipe, noise, condition["samples"], tree)
            for name, method in methods.items():
                right = (method.infer_parents(counts) == truth).all(axis=1)
                exact[name].append(float(right.mean()))
        return [
            {
                **condition,
                "counts": name,
                "exact": float(np.mean(shares)),
                "error": float(np.std(shares) / np.sqrt(len(shares))),
            }
            for name, shares in exact.items()
        ]

    def draw(self, table: Table) -> Drawing:
        """Return the figure: plain counts on the left, recovered counts on the right."""
        figure, panels = row_of_panels(2, width=8.5)
        for axes, kind in zip(panels, ("plain", "recovered"), strict=True):
            part = table[table["counts"] == kind]
            curves = [  # empty ones too, so that colours are the same in both panels
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
