"""The paper's noisy experiment with forests by likelihood, and how reliable their posterior is."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from caprese._core.arrays import FloatArray, IntArray
from caprese.data.counts import Counts
from caprese.data.dataset import Dataset
from caprese.fitting.forest_ascent import most_probable_forest, pairwise_starts
from caprese.fitting.forest_sampler import Chains, RunningChains
from caprese.models.forest import ROOT
from caprese.models.metrics import tree_edit_distances
from caprese.models.noise import Noise
from caprese.plots.canvas.figures import Axes, Figure
from caprese.plots.canvas.palette import SOFT
from caprese.plots.curves import draw_curves, share_legend
from caprese.simulation.random_models import ForestRecipe
from caprese.studies.base import (
    METHODS,
    Row,
    Study,
    Table,
    draw_means,
    new_panels,
    summary,
    wins,
)

_SAMPLES = (50, 150, 250)
_BINS = (0.05, 0.25, 0.5, 0.75, 0.95)  # lower ends, of the posterior probabilities of edges
_BRIEF = Chains(chains=2, draws=250, thin=1, warm_up=150)
_TREES_SAMPLED = 4  # of so many trees, one is sampled by chains, which take much longer
LIKELIEST, MOST_PROBABLE = "likelihood", "bayes"


@dataclass(frozen=True, kw_only=True)
class Beyond(Study):
    """Distances of likeliest and most probable forests, and edges that came true."""

    about: ClassVar[str] = "forests by likelihood against noise, and the edges of their posterior"
    grid: ClassVar[dict[str, Any]] = {
        "part": ("distance", "posterior"),
        "nu": (0.0, 0.05, 0.1, 0.15, 0.2),
        "samples": _SAMPLES,
    }

    replicates: int = 1

    def rows(self, part: str, nu: float, samples: int) -> list[Row]:
        """Return the mean distance of each method; or by tree and bin how many edges are true."""
        rows = self._distances if part == "distance" else self._edges
        return rows(Noise.uniform(nu), samples)

    def draw(self, table: Table) -> Figure:
        """Return the figure: a panel per number of samples, and the reliability diagram."""
        figure, (*panels, last) = new_panels(len(_SAMPLES) + 1, width=12, height=3.6)
        part = table[table["part"] == "distance"]
        by, labels = (
            ("samples", "method", "nu"),
            {"xlabel": "noise", "ylabel": "tree edit distance"},
        )
        draw_means(panels, part, by, title="{} samples", legend=False, **labels)
        share_legend(panels)
        _draw_reliability(last, table[table["part"] == "posterior"])
        return figure

    def _distances(self, noise: Noise, samples: int) -> list[Row]:
        names = [*METHODS, LIKELIEST, MOST_PROBABLE]
        found: dict[str, list[IntArray]] = {name: [] for name in names}
        for tree in range(self.trees):
            truth, draws = self.simulated(ForestRecipe(), noise, samples, tree)
            data = [draws.dataset(number) for number in range(self.replicates)]
            answers = np.array([_answers(each) for each in data])
            for name, parents in zip(names, answers.transpose(1, 0, 2), strict=True):
                found[name].append(tree_edit_distances(parents, truth))
        distances = {name: np.array(rows) for name, rows in found.items()}
        share = wins(distances)
        rows = {name: summary(each) for name, each in distances.items()}
        least = min(rows[name]["mean"] for name in METHODS)
        return [
            {"method": name, **row, "best": share[name], "remains": row["mean"] / max(least, 1e-9)}
            for name, row in rows.items()
        ]

    def _edges(self, noise: Noise, samples: int) -> list[Row]:
        rows = []
        for tree in range(0, self.trees, _TREES_SAMPLED):
            truth, draws = self.simulated(ForestRecipe(), noise, samples, tree)
            found = RunningChains(draws.dataset(0), seed=tree, jobs=1, chains=_BRIEF).finished()
            rows += [
                {"tree": tree, "bin": place, "edges": edges, "stated": stated, "true": true}
                for place, (edges, stated, true) in enumerate(
                    edge_sums(found.parent_probabilities(), truth)
                )
            ]
        return rows


def edge_sums(probabilities: FloatArray, truth: IntArray) -> list[tuple[int, float, int]]:
    """Return for each bin how many edges are in it, their total probability, how many are true.

    Probabilities are those of each parent (row, the last one the root) of each child (column).
    """
    n = len(truth)
    true = np.zeros((n + 1, n), dtype=bool)
    true[np.where(truth == ROOT, n, truth), np.arange(n)] = True
    place = np.digitize(probabilities, _BINS) - 1
    return [
        (int(here.sum()), float(probabilities[here].sum()), int(true[here].sum()))
        for here in (place == k for k in range(len(_BINS)))
    ]


def reliability(table: Table) -> list[tuple[float, float, float]]:
    """Return for each bin what was stated, how often it came true, and the standard error of that.

    The standard error is over data sets, whose edges depend on each other.
    """
    found = []
    for _, rows in table.groupby("bin"):
        edges, true = rows["edges"].to_numpy(), rows["true"].to_numpy()
        total = max(edges.sum(), 1)
        share = true.sum() / total
        error = np.sqrt(((true - share * edges) ** 2).sum()) / total
        found.append((float(rows["stated"].sum() / total), float(share), float(error)))
    return found


def _answers(data: Dataset, methods: Mapping[str, Any] = METHODS) -> IntArray:
    """Return the parents that each method infers."""
    counts = Counts.of(data)
    starts = pairwise_starts(data)
    return np.array(
        [
            *(method.infer_parents(counts) for method in methods.values()),
            most_probable_forest(data, prior=None, starts=starts).forest.parents,
            most_probable_forest(data, starts=starts).forest.parents,
        ]
    )


def _draw_reliability(axes: Axes, table: Table) -> None:
    stated, true, error = zip(*reliability(table), strict=True)
    axes.plot([0, 1], [0, 1], color=SOFT, linewidth=1)
    curve = [("edges", stated, true, error)]
    draw_curves(axes, curve, xlabel="posterior probability", ylabel="came true", legend=False)
    axes.set_title("edges of the posterior")
