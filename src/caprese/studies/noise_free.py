"""Figure "Comparison on noise-free synthetic data": CAPRESE and oncotrees against samples."""

from dataclasses import dataclass
from typing import Any, ClassVar

from caprese.models.noise import Noise
from caprese.simulation.random_models import ForestRecipe
from caprese.studies.base import METHODS, Condition, Drawing, Row, Simulations, Table, summary
from caprese.studies.panels import draw_means, row_of_panels

_SAMPLES = (50, 100, 150, 200, 250)
_KINDS = {"tree": 1, "forest of three": 3}
_COMPARED = ("CAPRESE 0.01", "oncotree")


@dataclass(frozen=True, kw_only=True)
class NoiseFree(Simulations):
    """Mean tree edit distance against the number of samples, for trees and forests of three."""

    about: ClassVar[str] = "CAPRESE and oncotrees without noise, against the number of samples"
    grid: ClassVar[dict[str, Any]] = {"kind": _KINDS, "samples": _SAMPLES}

    def run(self, condition: Condition) -> list[Row]:
        """Return the mean distance of each method."""
        recipe = ForestRecipe(trees=_KINDS[condition["kind"]])
        methods = {name: METHODS[name] for name in _COMPARED}
        found = self.distances(recipe, Noise(), condition["samples"], methods)
        return [
            {**condition, "method": name, **summary(distances)} for name, distances in found.items()
        ]

    def draw(self, table: Table) -> Drawing:
        """Return the figure: trees on the left, forests on the right."""
        figure, panels = row_of_panels(len(_KINDS), width=8)
        labels = {"xlabel": "samples", "ylabel": "tree edit distance"}
        draw_means(panels, table, ("kind", "method", "samples"), title="{}", **labels)
        return figure
