"""Figures "Optimal shrinkage-like coefficient": the surface over lambda and noise."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from caprese.methods.caprese import Caprese
from caprese.models.noise import Noise
from caprese.plots.curves import draw_surface
from caprese.simulation.recipes import ForestRecipe
from caprese.studies.base import Condition, Row, distances_by_method, summary

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure

_SAMPLES = (50, 150, 250)
_LEVELS = tuple(np.arange(0, 0.2001, 0.025).round(3).tolist())
_GRID = (0.0, 0.01, *np.arange(0.05, 1.0001, 0.05).round(2).tolist())


@dataclass(frozen=True, kw_only=True)
class Shrinkages:
    """Mean tree edit distance of CAPRESE over shrinkage and noise, for three numbers of samples."""

    about: ClassVar[str] = "which shrinkage is best, against noise and the number of samples"

    trees: int = 100
    replicates: int = 10
    seed: int = 1

    def conditions(self) -> Iterable[Condition]:
        """Return the conditions."""
        return [{"samples": samples, "nu": nu} for samples in _SAMPLES for nu in _LEVELS]

    def run(self, condition: Condition) -> list[Row]:
        """Return the mean distance for each shrinkage, and its difference from the best."""
        found = distances_by_method(
            ForestRecipe(),
            Noise.uniform(condition["nu"]),
            condition["samples"],
            trees=self.trees,
            replicates=self.replicates,
            seed=self.seed,
            methods={str(value): Caprese(shrinkage=value) for value in _GRID},
        )
        best = min(found.values(), key=lambda distances: distances.mean())
        rows = []
        for name, distances in found.items():
            behind = summary(distances - best)
            rows.append(
                {
                    **condition,
                    "shrinkage": float(name),
                    **summary(distances),
                    "behind": behind["mean"],
                    "behind_error": behind["error"],
                }
            )
        return rows

    def draw(self, table: "pd.DataFrame") -> "Figure":
        """Return the figure: a surface per number of samples, with a star at the best shrinkage."""
        from matplotlib.figure import Figure

        figure = Figure(figsize=(11, 3.6), layout="constrained")
        panels = figure.subplots(1, len(_SAMPLES), sharey=True)
        for axes, samples in zip(panels, _SAMPLES, strict=True):
            part = table[table["samples"] == samples]
            surface = part.pivot(index="nu", columns="shrinkage", values="mean")
            image = draw_surface(
                axes,
                surface.columns.to_numpy(),
                surface.index.to_numpy(),
                surface.to_numpy(),
                xlabel="shrinkage",
                ylabel="noise",
                title=f"{samples} samples",
            )
            figure.colorbar(image, ax=axes, label="tree edit distance")
        return figure
