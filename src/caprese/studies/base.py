"""What every study has: conditions that are run independently, a table, a figure."""

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

import numpy as np

from caprese._core.arrays import IntArray
from caprese.data.counts import Counts
from caprese.methods.caprese import Caprese
from caprese.methods.oncotree import Oncotree
from caprese.models.forest import NoisyForest
from caprese.models.metrics import tree_edit_distances
from caprese.models.noise import Noise
from caprese.simulation.recipes import ForestRecipe
from caprese.simulation.replicates import CountedDraws

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure

Condition = Mapping[str, Any]
Row = dict[str, Any]

METHODS = {
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

    def draw(self, table: "pd.DataFrame") -> "Figure":
        """Return the figure of the complete table."""


def distances_by_method(
    recipe: ForestRecipe,
    noise: Noise,
    samples: int,
    *,
    trees: int,
    replicates: int,
    seed: int,
    methods: Mapping[str, Any] = METHODS,
) -> dict[str, IntArray]:
    """Return the tree edit distances of each method, trees x replicates.

    The trees are the same for every noise and number of samples, so that curves are comparable.
    """
    found: dict[str, list[IntArray]] = {name: [] for name in methods}
    for tree in range(trees):
        truth, counts = simulated(recipe, noise, samples, tree, replicates, seed)
        for name, method in methods.items():
            parents = method.infer_parents(counts)
            found[name].append(tree_edit_distances(parents, truth))
    return {name: np.array(rows) for name, rows in found.items()}


def simulated(
    recipe: ForestRecipe, noise: Noise, samples: int, tree: int, replicates: int, seed: int
) -> tuple[IntArray, Counts]:
    """Return the parents of a random forest, and the counts of data sets simulated from it."""
    forest = recipe.draw(np.random.default_rng([seed, tree]))
    rate = round(1e6 * noise.false_positive)
    draws = CountedDraws(NoisyForest(forest, noise), samples, (seed, tree, samples, rate))
    return forest.parents, draws.counts(0, replicates)


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
