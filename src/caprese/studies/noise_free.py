"""Figure "Comparison on noise-free synthetic data": CAPRESE and oncotrees against samples."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from caprese.models.noise import Noise
from caprese.plots.curves import draw_curves
from caprese.simulation.recipes import ForestRecipe
from caprese.studies.base import METHODS, Condition, Row, distances_by_method, summary

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure

_SAMPLES = (50, 100, 150, 200, 250)
_KINDS = {"tree": 1, "forest of three": 3}
_COMPARED = ("CAPRESE 0.01", "oncotree")


@dataclass(frozen=True, kw_only=True)
class NoiseFree:
    """Mean tree edit distance against the number of samples, for trees and forests of three."""

    about: ClassVar[str] = "CAPRESE and oncotrees without noise, against the number of samples"

    trees: int = 100
    replicates: int = 10
    seed: int = 1

    def conditions(self) -> Iterable[Condition]:
        """Return the conditions."""
        return [{"kind": kind, "samples": samples} for kind in _KINDS for samples in _SAMPLES]

    def run(self, condition: Condition) -> list[Row]:
        """Return the mean distance of each method."""
        found = distances_by_method(
            ForestRecipe(trees=_KINDS[condition["kind"]]),
            Noise(),
            condition["samples"],
            trees=self.trees,
            replicates=self.replicates,
            seed=self.seed,
            methods={name: METHODS[name] for name in _COMPARED},
        )
        return [
            {**condition, "method": name, **summary(distances)} for name, distances in found.items()
        ]

    def draw(self, table: "pd.DataFrame") -> "Figure":
        """Return the figure: trees on the left, forests on the right."""
        from matplotlib.figure import Figure

        figure = Figure(figsize=(8, 3.5), layout="constrained")
        panels = figure.subplots(1, len(_KINDS), sharey=True)
        for axes, kind in zip(panels, _KINDS, strict=True):
            part = table[table["kind"] == kind]
            curves = [
                (name, rows["samples"], rows["mean"], rows["error"])
                for name, rows in part.groupby("method", sort=False)
            ]
            draw_curves(axes, curves, xlabel="samples", ylabel="tree edit distance")
            axes.set_title(kind)
        return figure
