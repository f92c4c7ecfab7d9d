"""The experiments of the paper on forests: which shrinkage is best, and CAPRESE against others.

Figures "Optimal shrinkage-like coefficient", "Comparison on noise-free synthetic data",
"Reconstruction with noisy synthetic data" and "Reconstruction with CAPRESE compared to oncotrees
and h-CBN"; Theorem 3 and its corollary for more and more samples; figure "Example of reconstructed
trees", a tree that CAPRESE finds and oncotrees do not.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache, partial
from typing import Any, ClassVar

import numpy as np

from caprese.assessment.noise_bounds import corollary_noise_bound
from caprese.data import scores
from caprese.data.counts import Counts
from caprese.data.dataset import Dataset
from caprese.errors import ModelError
from caprese.fitting.estimated import Estimate
from caprese.fitting.poset_em import fit_poset
from caprese.methods.caprese import Caprese
from caprese.methods.fit import Method
from caprese.methods.hcbn import HCBN
from caprese.methods.oncotree import Oncotree
from caprese.models.forest import ROOT, Forest
from caprese.models.metrics import hamming_distance
from caprese.models.noise import Noise
from caprese.models.poset import NoisyPoset, Poset
from caprese.plots.canvas.figures import Figure
from caprese.plots.curves import draw_bars, draw_curves, draw_surface, share_legend
from caprese.simulation.random_models import ForestRecipe
from caprese.studies.base import (
    METHODS,
    Row,
    Study,
    Table,
    draw_means,
    means_against_samples,
    new_panels,
    summary,
    wins,
)

_FEW_SAMPLES = (50, 150, 250)
_SAMPLES = (50, 100, 150, 200, 250)
_LEVELS = tuple(np.arange(0, 0.2001, 0.025).round(3).tolist())
_SHRINKAGES = (0.0, 0.01, *np.arange(0.05, 1.0001, 0.05).round(2).tolist())
_KINDS = {"tree": 1, "forest of three": 3}
_COMPARED = ("CAPRESE 0.01", "oncotree")
_ALSO_NETWORKS: dict[str, Method] = {
    "CAPRESE 0.5": METHODS["CAPRESE 0.5"],
    "oncotree": METHODS["oncotree"],
    "h-CBN as the paper ran it": HCBN(steps=50, temperature=1, restarts=1, ascent=False),
    "h-CBN": HCBN(),
}
_RAREST = 0.05  # probability of an event, in the study of convergence


class Shrinkages(Study):
    """Mean tree edit distance of CAPRESE over shrinkage and noise, for three numbers of samples."""

    about: ClassVar[str] = "which shrinkage is best, against noise and the number of samples"
    grid: ClassVar[dict[str, Any]] = {"samples": _FEW_SAMPLES, "nu": _LEVELS}

    def rows(self, samples: int, nu: float) -> Iterator[Row]:
        """Yield the mean distance for each shrinkage, and its difference from the best."""
        methods = {str(value): Caprese(shrinkage=value) for value in _SHRINKAGES}
        found = self.distances(ForestRecipe(), Noise.uniform(nu), samples, methods)
        best = min(found.values(), key=lambda distances: distances.mean())
        for name, distances in found.items():
            behind = summary(distances - best, "behind", "behind_error")
            yield {"shrinkage": float(name), **summary(distances), **behind}

    def draw(self, table: Table) -> Figure:
        """Return the figure: a surface per number of samples, with a star at the best shrinkage."""
        figure, panels = new_panels(len(_FEW_SAMPLES), width=11, height=3.6, sharey=True)
        for axes, samples in zip(panels, _FEW_SAMPLES, strict=True):
            part = table[table["samples"] == samples]
            surface = part.pivot(index="nu", columns="shrinkage", values="mean")
            grid = surface.columns.to_numpy(), surface.index.to_numpy(), surface.to_numpy()
            labels = {"xlabel": "shrinkage", "ylabel": "noise", "title": f"{samples} samples"}
            image = draw_surface(axes, *grid, **labels)
            figure.colorbar(image, ax=axes, label="tree edit distance")
        return figure


class NoiseFree(Study):
    """Mean tree edit distance against the number of samples, for trees and forests of three."""

    about: ClassVar[str] = "CAPRESE and oncotrees without noise, against the number of samples"
    grid: ClassVar[dict[str, Any]] = {"kind": _KINDS, "samples": _SAMPLES}

    def rows(self, kind: str, samples: int) -> list[Row]:
        """Return the mean distance of each method."""
        methods = {name: METHODS[name] for name in _COMPARED}
        found = self.distances(ForestRecipe(trees=_KINDS[kind]), Noise(), samples, methods)
        return [{"method": name, **summary(distances)} for name, distances in found.items()]

    def draw(self, table: Table) -> Figure:
        """Return the figure: trees on the left, forests on the right."""
        figure, panels = new_panels(len(_KINDS), width=8, sharey=True)
        labels = {"xlabel": "samples", "ylabel": "tree edit distance"}
        draw_means(panels, table, ("kind", "method", "samples"), title="{}", **labels)
        return figure


class Noisy(Study):
    """Mean tree edit distance against noise, and how often each method is best."""

    about: ClassVar[str] = "CAPRESE (shrinkage 1/2 and 0.01) and oncotrees against noise"
    grid: ClassVar[dict[str, Any]] = {"nu": _LEVELS, "samples": _SAMPLES}

    def rows(self, nu: float, samples: int) -> list[Row]:
        """Return the mean distance of each method, and how often it is best."""
        found = self.distances(ForestRecipe(), Noise.uniform(nu), samples)
        share = wins(found)
        return [
            {"method": name, **summary(distances), "best": share[name]}
            for name, distances in found.items()
        ]

    def draw(self, table: Table) -> Figure:
        """Return the figure: a panel per number of samples, and how often each is best at 150."""
        figure, panels = new_panels(3, width=11, height=6.5, rows=2)
        labels = {"xlabel": "noise", "ylabel": "tree edit distance"}
        draw_means(panels, table, ("samples", "method", "nu"), title="{} samples", **labels)
        part = table[table["samples"] == 150].pivot(index="nu", columns="method", values="best")
        names = list(METHODS)
        groups = [f"{nu:g}" for nu in part.index]
        draw_bars(panels[-1], names, groups, part[names].to_numpy(), ylabel="share of best answers")
        panels[-1].set_title("150 samples: who is best, by noise")
        panels[-1].tick_params(axis="x", labelsize=7)
        return figure


@dataclass(frozen=True, kw_only=True)
class HiddenNetworks(Study):
    """Hamming distance of three methods from random trees of 10 events."""

    about: ClassVar[str] = "CAPRESE and oncotrees against hidden conjunctive Bayesian networks"
    grid: ClassVar[dict[str, Any]] = {
        "nu": (0.0, 0.05, 0.1, 0.2),
        "samples": (50, 100, 150, 200),
    }

    replicates: int = 1

    def rows(self, **condition: Any) -> Iterator[Row]:
        """Yield the mean distance of each method, its number of edges, and `likelier`.

        That is the proportion of data sets that are more likely under its order than under the
        true one, both as an h-CBN: if it is high, a better search would not be closer to the truth.
        """
        found: dict[str, list[tuple[int, int, bool]]] = {name: [] for name in _ALSO_NETWORKS}
        for truth, data in self.datasets(ForestRecipe(events=10), **condition):
            estimate = cache(partial(fit_poset, data=data))  # several may find the same order
            likelihood = estimate(Poset.of(truth)).log_likelihood
            for name, method in _ALSO_NETWORKS.items():
                order = likeliest(method, data, estimate)
                poset, likelier = order.model.poset, order.log_likelihood > likelihood
                found[name].append((hamming_distance(truth, poset), len(poset.edges), likelier))
        for name, numbers in found.items():
            distances, edges, likelier = np.array(numbers).T
            means = {"edges": float(edges.mean()), "likelier": float(likelier.mean())}
            by_tree = distances.reshape(self.trees, self.replicates)
            yield {"method": name, **summary(by_tree), **means}

    def draw(self, table: Table) -> Figure:
        """Return the figure: a panel for each noise."""
        labels = {"title": "noise {:g}", "ylabel": "Hamming distance"}
        return means_against_samples(table, "nu", "method", size=(11, 3.6), **labels)


def likeliest(
    method: Method, data: Dataset, estimate: Callable[[Poset], Estimate[NoisyPoset]]
) -> Estimate[NoisyPoset]:
    """Return the order that a method finds, as the h-CBN under which the data is most likely."""
    if isinstance(method, HCBN):
        return method.likeliest(data)
    return estimate(Poset.of(method.fit(data).model))


class Convergence(Study):
    """Proportion of forests found exactly, at fractions of the noise bound of the paper."""

    about: ClassVar[str] = "is the true forest found as samples increase, with and without noise"
    grid: ClassVar[dict[str, Any]] = {
        "share": (0.0, 0.1, 0.3, 0.6),  # of the bound
        "samples": (50, 100, 250, 500, 1000, 2500, 5000, 10_000, 25_000),
    }

    def rows(self, share: float, samples: int) -> list[Row]:
        """Return how often the whole forest is found, from plain and from recovered counts.

        Plain counts use the small shrinkage of the theorem. Recovered counts, whose alpha is
        rarely exactly 1 for an ancestor, use one half, which the theorem allows too.
        """
        noise = Noise.uniform(share * corollary_noise_bound(_RAREST))
        methods = {"plain": Caprese(shrinkage=0.01)}
        if share > 0:
            methods["recovered"] = Caprese(shrinkage=0.5, noise=noise)
        found = self.distances(ForestRecipe(rarest=_RAREST), noise, samples, methods)
        exact = {name: (distances == 0).mean(axis=1) for name, distances in found.items()}
        return [
            {
                "counts": name,
                "exact": float(np.mean(shares)),
                "error": float(np.std(shares) / np.sqrt(len(shares))),
            }
            for name, shares in exact.items()
        ]

    def draw(self, table: Table) -> Figure:
        """Return the figure: plain counts on the left, recovered counts on the right."""
        figure, panels = new_panels(2, width=8.5, sharey=True)
        for axes, kind in zip(panels, ("plain", "recovered"), strict=True):
            part = table[table["counts"] == kind]
            curves = [  # empty ones too, so that colours are the same in both panels
                (f"{share:g} of the bound", rows["samples"], rows["exact"], rows["error"])
                for share in table["share"].unique()
                for rows in [part[part["share"] == share]]
            ]
            up = "share of trees found exactly"
            draw_curves(axes, curves, xlabel="samples", ylabel=up, legend=False)
            axes.set_xscale("log")
            axes.set_title(f"{kind} counts")
        share_legend(panels)
        return figure


@dataclass(frozen=True, kw_only=True)
class Example(Study):
    """The first simulated data set of a small tree on which only CAPRESE finds the truth."""

    about: ClassVar[str] = "a small tree that CAPRESE finds and oncotrees do not, with the scores"
    grid: ClassVar[dict[str, Any]] = {"samples": (100,)}

    events: int = 6
    trees: int = 1000
    replicates: int = 1

    def rows(self, samples: int) -> list[Row]:
        """Return a row per event: true and inferred parents, with both scores of each."""
        for tree in range(self.trees):
            rng = np.random.default_rng([self.seed, tree])
            truth = ForestRecipe(events=self.events).draw(rng)
            counts = Counts.of(truth.sample(samples, rng))
            caprese, oncotree = Caprese().infer_parents(counts), Oncotree().infer_parents(counts)
            if (caprese == truth.parents).all() and (oncotree != truth.parents).sum() == 1:
                return _example_rows(truth, counts, oncotree)
        raise ModelError(f"no such tree among {self.trees}; try more trees or another seed")

    def draw(self, table: Table) -> Figure:
        """Return the figure: a table of true and inferred parents, with the wrong one in colour."""
        from matplotlib.figure import Figure
        from matplotlib.transforms import Bbox

        shown = table.drop(columns=["samples"])
        cells = [[_cell(value) for value in row] for row in shown.itertuples(index=False)]
        figure = Figure(figsize=(8, 0.3 * len(table) + 0.7))
        axes = figure.add_axes((0.01, 0.02, 0.98, 0.96))
        axes.axis("off")
        drawn = axes.table(
            cellText=cells, colLabels=list(shown.columns), cellLoc="center", bbox=Bbox.unit()
        )
        drawn.auto_set_font_size(False)
        drawn.set_fontsize(7)
        for line, row in enumerate(shown.itertuples(index=False), start=1):
            if row[2] != row[3]:
                for column in range(len(shown.columns)):
                    drawn[line, column].set_facecolor("#F6D5A8")
        return figure


def _cell(value: Any) -> str:
    if isinstance(value, str):
        return value
    return "" if value is None or np.isnan(value) else f"{value:.3f}"


def _example_rows(truth: Forest, counts: Counts, oncotree: Any) -> list[Row]:
    names = [*truth.events, "root"]
    m, w = scores.shrinkage(counts, 0.5), scores.desper(counts)
    root = scores.desper_root(counts)
    marginals = truth.marginals()
    rows = []
    for event, (parent, other) in enumerate(zip(truth.parents, oncotree, strict=True)):
        row: Row = {"event": truth.events[event]}
        row["probability"] = float(marginals[event])
        row["true parent"], row["oncotree's"] = names[parent], names[other]
        for title, chosen in (("true", parent), ("oncotree's", other)):
            row[f"m of {title}"] = None if chosen == ROOT else float(m[chosen, event])
            weight = root[event] if chosen == ROOT else w[chosen, event]
            row[f"w of {title}"] = float(np.log(weight))
        rows.append(row)
    return rows
