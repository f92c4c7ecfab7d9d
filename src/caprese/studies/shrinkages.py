"""Figures "Optimal shrinkage-like coefficient": the surface over lambda and noise."""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from caprese.methods.caprese import Caprese
from caprese.models.noise import Noise
from caprese.plots.curves import draw_surface
from caprese.simulation.random_models import ForestRecipe
from caprese.studies.base import Condition, Drawing, Row, Simulations, Table, summary
from caprese.studies.panels import row_of_panels

_SAMPLES = (50, 150, 250)
_LEVELS = tuple(np.arange(0, 0.2001, 0.025).round(3).tolist())
_GRID = (0.0, 0.01, *np.arange(0.05, 1.0001, 0.05).round(2).tolist())


@dataclass(frozen=True, kw_only=True)
class Shrinkages(Simulations):
    """Mean tree edit distance of CAPRESE over shrinkage and noise, for three numbers of samples."""

    about: ClassVar[str] = "which shrinkage is best, against noise and the number of samples"
    grid: ClassVar[dict[str, Any]] = {"samples": _SAMPLES, "nu": _LEVELS}

    def run(self, condition: Condition) -> list[Row]:
        """Return the mean distance for each shrinkage, and its difference from the best."""
        noise = Noise.uniform(condition["nu"])
        methods = {str(value): Caprese(shrinkage=value) for value in _GRID}
        found = self.distances(ForestRecipe(), noise, condition["samples"], methods)
        best = min(found.values(), key=lambda distances: distances.mean())
        rows = []
        for name, distances in found.items():
            difference = summary(distances - best)
            behind = {"behind": difference["mean"], "behind_error": difference["error"]}
            rows.append({**condition, "shrinkage": float(name), **summary(distances), **behind})
        return rows

    def draw(self, table: Table) -> Drawing:
        """Return the figure: a surface per number of samples, with a star at the best shrinkage."""
        figure, panels = row_of_panels(len(_SAMPLES), width=11, height=3.6)
        for axes, samples in zip(panels, _SAMPLES, strict=True):
            part = table[table["samples"] == samples]
            surface = part.pivot(index="nu", columns="shrinkage", values="mean")
            grid = surface.columns.to_numpy(), surface.index.to_numpy(), surface.to_numpy()
            labels = {"xlabel": "shrinkage", "ylabel": "noise", "title": f"{samples} samples"}
            image = draw_surface(axes, *grid, **labels)
            figure.colorbar(image, ax=axes, label="tree edit distance")
        return figure
