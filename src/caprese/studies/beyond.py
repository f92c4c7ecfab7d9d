"""The paper's noisy experiment with forests by likelihood, and how reliable their posterior is."""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from caprese._core.arrays import FloatArray, IntArray
from caprese.data.dataset import Dataset
from caprese.fitting.forest_ascent import most_probable_forest, pairwise_starts
from caprese.fitting.forest_sampler import Chains, RunningChains
from caprese.models.forest import ROOT
from caprese.models.noise import Noise
from caprese.plots.canvas.figures import Axes, Figure
from caprese.plots.canvas.palette import SOFT
from caprese.plots.curves import draw_curves, share_legend
from caprese.simulation.random_models import ForestRecipe
from caprese.simulation.replicates import CountedDraws
from caprese.studies.base import METHODS, Methods, Row, Table, draw_means, new_panels
from caprese.studies.forests import Noisy

_SAMPLES = (50, 150, 250)
_BINS = (0.05, 0.25, 0.5, 0.75, 0.95)  # lower ends, of the posterior probabilities of edges
_BRIEF = Chains(chains=2, draws=250, thin=1, warm_up=150)
_TREES_SAMPLED = 4  # of so many trees, one is sampled by chains, which take much longer
LIKELIEST, MOST_PROBABLE = "likelihood", "bayes"


@dataclass(frozen=True, kw_only=True)
class Beyond(Noisy):
    """Distances of likeliest and most probable forests, and edges that came true."""

    about: ClassVar[str] = "forests by likelihood against noise, and the edges of their posterior"
    grid: ClassVar[dict[str, Any]] = {
        "part": ("distance", "posterior"),
        "nu": (0.0, 0.05, 0.1, 0.15, 0.2),
        "samples": _SAMPLES,
    }

    replicates: int = 1

    def rows(self, nu: float, samples: int, part: str = "distance") -> list[Row]:
        """Return the mean distance of each method; or by tree and bin how many edges are true."""
        if part == "posterior":
            return self._edges(Noise.uniform(nu), samples)
        rows = super().rows(nu, samples)
        least = max(min(row["mean"] for row in rows if row["method"] in METHODS), 1e-9)
        return [{**row, "remains": row["mean"] / least} for row in rows]

    def draw(self, table: Table) -> Figure:
        """Return the figure: a panel per number of samples, and the reliability diagram."""
        figure, (*panels, last) = new_panels(len(_SAMPLES) + 1, width=12, height=3.6)
        part = table[table["part"] == "distance"]
        labels = {"title": "{} samples", "xlabel": "noise", "ylabel": "tree edit distance"}
        draw_means(panels, part, ("samples", "method", "nu"), legend=False, **labels)
        share_legend(panels)
        _draw_reliability(last, table[table["part"] == "posterior"])
        return figure

    def inferred(self, draws: CountedDraws, methods: Methods) -> dict[str, IntArray]:
        """Return the parents that each method infers, and those of forests by likelihood."""
        found = [_by_likelihood(draws.dataset(number)) for number in range(self.replicates)]
        likeliest, most_probable = map(np.array, zip(*found, strict=True))
        more = {LIKELIEST: likeliest, MOST_PROBABLE: most_probable}
        return {**super().inferred(draws, methods), **more}

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


def _by_likelihood(data: Dataset) -> tuple[IntArray, IntArray]:
    """Return the parents of the likeliest and of the most probable forest."""
    starts = pairwise_starts(data)
    likeliest = most_probable_forest(data, prior=None, starts=starts)
    return likeliest.forest.parents, most_probable_forest(data, starts=starts).forest.parents


def _draw_reliability(axes: Axes, table: Table) -> None:
    stated, true, error = zip(*reliability(table), strict=True)
    axes.plot([0, 1], [0, 1], color=SOFT, linewidth=1)
    curve = [("edges", stated, true, error)]
    draw_curves(axes, curve, xlabel="posterior probability", ylabel="came true", legend=False)
    axes.set_title("edges of the posterior")
