"""What every study has: conditions that are run independently, a table, a figure of panels."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING, Any, ClassVar, TypeAlias

import numpy as np

from caprese._core.arrays import IntArray
from caprese.data.dataset import Dataset
from caprese.methods.caprese import Caprese
from caprese.methods.oncotree import Oncotree
from caprese.methods.protocols import CountsMethod
from caprese.models.forest import NoisyForest
from caprese.models.metrics import tree_edit_distances
from caprese.models.noise import Noise
from caprese.plots.canvas.figures import Axes, Figure
from caprese.plots.curves import draw_curves, share_legend
from caprese.simulation.random_models import ForestRecipe
from caprese.simulation.replicates import CountedDraws

if TYPE_CHECKING:
    import pandas as pd

Table: TypeAlias = "pd.DataFrame"
Condition = Mapping[str, Any]
Row = dict[str, Any]

Methods = Mapping[str, CountsMethod]

METHODS: Methods = {
    "CAPRESE 0.5": Caprese(shrinkage=0.5),
    "CAPRESE 0.01": Caprese(shrinkage=0.01),
    "oncotree": Oncotree(),
}


@dataclass(frozen=True, kw_only=True)
class Study(ABC):
    """A study of random progressions: their number, data sets for each, and the seed of both.

    The trees are the same under every condition, so that curves are comparable.
    """

    about: ClassVar[str]  # one line: the question of the experiment
    grid: ClassVar[Mapping[str, Iterable[Any]]]  # the values of each part of a condition
    trees: int = 100
    replicates: int = 10
    seed: int = 1

    def conditions(self) -> list[Condition]:
        """Return the conditions, which can be run independently: all combinations of the values."""
        return [
            dict(zip(self.grid, values, strict=True)) for values in product(*self.grid.values())
        ]

    def run(self, condition: Condition) -> list[Row]:
        """Return the rows of the table for a condition, which start with it."""
        return [{**condition, **row} for row in self.rows(**condition)]

    @abstractmethod
    def rows(self, *args: Any, **condition: Any) -> Iterable[Row]:
        """Return what is found under a condition."""

    @abstractmethod
    def draw(self, table: Table) -> Figure:
        """Return the figure of the complete table."""

    def simulated(
        self, recipe: ForestRecipe, noise: Noise, samples: int, tree: int
    ) -> tuple[IntArray, CountedDraws]:
        """Return the parents of a random forest, and data sets simulated from it."""
        forest = recipe.draw(np.random.default_rng([self.seed, tree]))
        stream = (self.seed, tree, samples, round(1e6 * noise.false_positive))
        return forest.parents, CountedDraws(NoisyForest(forest, noise), samples, stream)

    def datasets(self, recipe: Any, *, nu: float, samples: int) -> Iterator[tuple[Any, Dataset]]:
        """Yield each random progression with each data set simulated from it."""
        noise = Noise.uniform(nu)
        for tree in range(self.trees):
            truth = recipe.draw(np.random.default_rng([self.seed, tree]))
            rng = np.random.default_rng([self.seed, tree, samples, round(1e6 * nu)])
            for _ in range(self.replicates):
                yield truth, noise.corrupt(truth.sample(samples, rng), rng)

    def inferred(self, draws: CountedDraws, methods: Methods) -> dict[str, IntArray]:
        """Return the parents that each method infers, replicates x events."""
        counts = draws.counts(0, self.replicates)
        return {name: method.infer_parents(counts) for name, method in methods.items()}

    def distances(
        self, recipe: ForestRecipe, noise: Noise, samples: int, methods: Methods = METHODS
    ) -> dict[str, IntArray]:
        """Return the tree edit distances of each method, trees x replicates."""
        found: dict[str, list[IntArray]] = {}
        for tree in range(self.trees):
            truth, draws = self.simulated(recipe, noise, samples, tree)
            for name, parents in self.inferred(draws, methods).items():
                found.setdefault(name, []).append(tree_edit_distances(parents, truth))
        return {name: np.array(rows) for name, rows in found.items()}


def summary(distances: IntArray, mean: str = "mean", error: str = "error") -> Row:
    """Return the mean over all data sets, and its standard error between trees."""
    by_tree = distances.mean(axis=1)
    spread = by_tree.std(ddof=1) / np.sqrt(len(by_tree)) if len(by_tree) > 1 else 0.0
    return {mean: float(by_tree.mean()), error: float(spread)}


def wins(distances: Mapping[str, IntArray]) -> dict[str, float]:
    """Return the proportion of data sets on which each method is best; ties are shared."""
    table = np.array(list(distances.values()))
    best = table == table.min(axis=0)
    share = (best / best.sum(axis=0)).mean(axis=(1, 2))
    return dict(zip(distances, share.tolist(), strict=True))


def new_panels(
    columns: int, width: float, height: float = 3.5, *, rows: int = 1, **options: Any
) -> tuple[Figure, Any]:
    """Return a figure and its panels, one row after the other."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width, height), layout="constrained")
    return figure, figure.subplots(rows, columns, **options).ravel()


def draw_means(
    panels: Iterable[Axes],
    table: Table,
    by: tuple[str | list[str], str, str],
    *,
    title: str,
    **options: Any,
) -> None:
    """Draw means with their errors; `by` are the columns for the panels, the curves and x."""
    panel, curve, x = by
    for axes, (value, part) in zip(panels, table.groupby(panel, sort=False), strict=False):
        curves = [
            (name, rows[x], rows["mean"], rows["error"])
            for name, rows in part.groupby(curve, sort=False)
        ]
        draw_curves(axes, curves, **options)
        axes.set_title(title.format(*(value if isinstance(panel, list) else [value])))


def means_against_samples(
    table: Table,
    panels: str | list[str],
    curves: str,
    *,
    size: tuple[float, float],
    xscale: str = "linear",
    **options: Any,
) -> Figure:
    """Return a figure of means against the number of samples, with one legend for all panels."""
    figure, each = new_panels(table.groupby(panels).ngroups, *size, sharey=True)
    by = (panels, curves, "samples")
    draw_means(each, table, by, xlabel="samples", legend=False, **options)
    for axes in each:
        axes.set_xscale(xscale)
    share_legend(each)
    return figure
