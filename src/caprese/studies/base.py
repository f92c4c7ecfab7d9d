"""What every study has: conditions that are run independently, a table, a figure."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING, Any, ClassVar, Protocol, TypeAlias

import numpy as np

from caprese._core.arrays import IntArray
from caprese.data.counts import Counts
from caprese.data.dataset import Dataset
from caprese.methods.caprese import Caprese
from caprese.methods.oncotree import Oncotree
from caprese.methods.protocols import CountsMethod
from caprese.models.forest import NoisyForest
from caprese.models.metrics import tree_edit_distances
from caprese.models.noise import Noise
from caprese.simulation.random_models import ForestRecipe
from caprese.simulation.replicates import CountedDraws

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure

Table: TypeAlias = "pd.DataFrame"
Drawing: TypeAlias = "Figure"
Condition = Mapping[str, Any]
Row = dict[str, Any]

METHODS: dict[str, CountsMethod] = {
    "CAPRESE 0.5": Caprese(shrinkage=0.5),
    "CAPRESE 0.01": Caprese(shrinkage=0.01),
    "oncotree": Oncotree(),
}


class Study(Protocol):
    """A frozen dataclass of settings: number of trees, data sets per tree, seed."""

    about: ClassVar[str]
    """One line: the question of the experiment."""

    __dataclass_fields__: ClassVar[dict[str, Any]]

    def conditions(self) -> Iterable[Condition]:
        """Return the conditions, which can be run independently."""

    def run(self, condition: Condition) -> list[Row]:
        """Return the rows of the table for a condition."""

    def draw(self, table: Table) -> Drawing:
        """Return the figure of the complete table."""


@dataclass(frozen=True, kw_only=True)
class Simulations:
    """A study of random progressions: their number, data sets for each, and the seed of both.

    The trees are the same under every condition, so that curves are comparable.
    """

    grid: ClassVar[Mapping[str, Iterable[Any]]]
    """The values of each part of a condition."""

    trees: int = 100
    replicates: int = 10
    seed: int = 1

    def conditions(self) -> Iterable[Condition]:
        """Return the conditions: all combinations of the values."""
        return [
            dict(zip(self.grid, values, strict=True)) for values in product(*self.grid.values())
        ]

    def simulated(
        self, recipe: ForestRecipe, noise: Noise, samples: int, tree: int
    ) -> tuple[IntArray, Counts]:
        """Return the parents of a random forest, and the counts of data sets simulated from it."""
        forest = recipe.draw(np.random.default_rng([self.seed, tree]))
        stream = (self.seed, tree, samples, round(1e6 * noise.false_positive))
        draws = CountedDraws(NoisyForest(forest, noise), samples, stream)
        return forest.parents, draws.counts(0, self.replicates)

    def datasets(self, recipe: Any, *, nu: float, samples: int) -> Iterator[tuple[Any, Dataset]]:
        """Yield each random progression with each data set simulated from it."""
        noise = Noise.uniform(nu)
        for tree in range(self.trees):
            truth = recipe.draw(np.random.default_rng([self.seed, tree]))
            rng = np.random.default_rng([self.seed, tree, samples, round(1e6 * nu)])
            for _ in range(self.replicates):
                yield truth, noise.corrupt(truth.sample(samples, rng), rng)

    def distances(
        self,
        recipe: ForestRecipe,
        noise: Noise,
        samples: int,
        methods: Mapping[str, Any] = METHODS,
    ) -> dict[str, IntArray]:
        """Return the tree edit distances of each method, trees x replicates."""
        found: dict[str, list[IntArray]] = {name: [] for name in methods}
        for tree in range(self.trees):
            truth, counts = self.simulated(recipe, noise, samples, tree)
            for name, method in methods.items():
                found[name].append(tree_edit_distances(method.infer_parents(counts), truth))
        return {name: np.array(rows) for name, rows in found.items()}


def summary(distances: IntArray) -> Row:
    """Return the mean over all data sets, and its standard error between trees."""
    by_tree = distances.mean(axis=1)
    return {
        "mean": float(by_tree.mean()),
        "error": float(by_tree.std(ddof=1) / np.sqrt(len(by_tree))) if len(by_tree) > 1 else 0.0,
    }


def wins(distances: Mapping[str, IntArray]) -> dict[str, float]:
    """Return the proportion of data sets on which each method is best; ties are shared."""
    table = np.array(list(distances.values()))
    best = table == table.min(axis=0)
    share = (best / best.sum(axis=0)).mean(axis=(1, 2))
    return dict(zip(distances, share.tolist(), strict=True))
