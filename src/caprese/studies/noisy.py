"""Figures "Reconstruction with noisy synthetic data": against noise and samples."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from caprese.models.noise import Noise
from caprese.plots.curves import draw_bars, draw_curves
from caprese.simulation.recipes import ForestRecipe
from caprese.studies.base import METHODS, Condition, Row, distances_by_method, summary, wins

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure

_SAMPLES = (50, 100, 150, 200, 250)
_LEVELS = tuple(np.arange(0, 0.2001, 0.025).round(3).tolist())


@dataclass(frozen=True, kw_only=True)
class Noisy:
    """Mean tree edit distance against noise, and how often each method is best."""

    about: ClassVar[str] = "CAPRESE (shrinkage 1/2 and 0.01) and oncotrees against noise"

    trees: int = 100
    replicates: int = 10
    seed: int = 1

    def conditions(self) -> Iterable[Condition]:
        """Return the conditions."""
        return [{"nu": nu, "samples": samples} for nu in _LEVELS for samples in _SAMPLES]

    def run(self, condition: Condition) -> list[Row]:
        """Return the mean distance of each method, and how often it is best."""
        found = distances_by_method(
            ForestRecipe(),
            Noise.uniform(condition["nu"]),
            condition["samples"],
            trees=self.trees,
            replicates=self.replicates,
            seed=self.seed,
        )
        share = wins(found)
        return [
            {**condition, "method": name, **summary(distances), "best": share[name]}
            for name, distances in found.items()
        ]

    def draw(self, table: "pd.DataFrame") -> "Figure":
        """Return the figure: a panel per number of samples, and how often each is best at 150."""
        from matplotlib.figure import Figure

        figure = Figure(figsize=(11, 6.5), layout="constrained")
        panels = figure.subplots(2, 3).ravel()
        for axes, samples in zip(panels, _SAMPLES, strict=False):
            part = table[table["samples"] == samples]
            curves = [
                (name, rows["nu"], rows["mean"], rows["error"])
                for name, rows in part.groupby("method", sort=False)
            ]
            draw_curves(axes, curves, xlabel="noise", ylabel="tree edit distance")
            axes.set_title(f"{samples} samples")
        part = table[table["samples"] == 150].pivot(index="nu", columns="method", values="best")
        names = list(METHODS)
        groups = [f"{nu:g}" for nu in part.index]
        draw_bars(panels[-1], names, groups, part[names].to_numpy(), ylabel="share of best answers")
        panels[-1].set_title("150 samples: who is best, by noise")
        panels[-1].tick_params(axis="x", labelsize=7)
        return figure
