"""Figures "Reconstruction with noisy synthetic data": against noise and samples."""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from caprese.models.noise import Noise
from caprese.plots.curves import draw_bars
from caprese.simulation.random_models import ForestRecipe
from caprese.studies.base import METHODS, Condition, Drawing, Row, Simulations, Table, summary, wins
from caprese.studies.panels import draw_means

_SAMPLES = (50, 100, 150, 200, 250)
_LEVELS = tuple(np.arange(0, 0.2001, 0.025).round(3).tolist())


@dataclass(frozen=True, kw_only=True)
class Noisy(Simulations):
    """Mean tree edit distance against noise, and how often each method is best."""

    about: ClassVar[str] = "CAPRESE (shrinkage 1/2 and 0.01) and oncotrees against noise"
    grid: ClassVar[dict[str, Any]] = {"nu": _LEVELS, "samples": _SAMPLES}

    def run(self, condition: Condition) -> list[Row]:
        """Return the mean distance of each method, and how often it is best."""
        noise = Noise.uniform(condition["nu"])
        found = self.distances(ForestRecipe(), noise, condition["samples"])
        share = wins(found)
        return [
            {**condition, "method": name, **summary(distances), "best": share[name]}
            for name, distances in found.items()
        ]

    def draw(self, table: Table) -> Drawing:
        """Return the figure: a panel per number of samples, and how often each is best at 150."""
        from matplotlib.figure import Figure

        figure = Figure(figsize=(11, 6.5), layout="constrained")
        panels = figure.subplots(2, 3).ravel()
        labels = {"xlabel": "noise", "ylabel": "tree edit distance"}
        draw_means(panels, table, ("samples", "method", "nu"), title="{} samples", **labels)
        part = table[table["samples"] == 150].pivot(index="nu", columns="method", values="best")
        names = list(METHODS)
        groups = [f"{nu:g}" for nu in part.index]
        draw_bars(panels[-1], names, groups, part[names].to_numpy(), ylabel="share of best answers")
        panels[-1].set_title("150 samples: who is best, by noise")
        panels[-1].tick_params(axis="x", labelsize=7)
        return figure
