"""Figure "Example of reconstructed trees": a tree that CAPRESE finds and oncotrees do not."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from caprese.data import scores
from caprese.data.counts import Counts
from caprese.errors import ModelError
from caprese.methods.caprese import Caprese
from caprese.methods.oncotree import Oncotree
from caprese.models.forest import ROOT, Forest
from caprese.simulation.random_models import ForestRecipe
from caprese.studies.base import Condition, Drawing, Row, Table

_SAMPLES = 100


@dataclass(frozen=True, kw_only=True)
class Example:
    """The first simulated data set of a small tree on which only CAPRESE finds the truth."""

    about: ClassVar[str] = "a small tree that CAPRESE finds and oncotrees do not, with the scores"

    events: int = 6
    trees: int = 1000
    replicates: int = 1
    seed: int = 1

    def conditions(self) -> Iterable[Condition]:
        """Return the one condition."""
        return [{"samples": _SAMPLES}]

    def run(self, condition: Condition) -> list[Row]:
        """Return a row per event: true and inferred parents, with both scores of each."""
        for tree in range(self.trees):
            rng = np.random.default_rng([self.seed, tree])
            truth = ForestRecipe(events=self.events).draw(rng)
            counts = Counts.of(truth.sample(condition["samples"], rng))
            caprese, oncotree = Caprese().infer_parents(counts), Oncotree().infer_parents(counts)
            if (caprese == truth.parents).all() and (oncotree != truth.parents).sum() == 1:
                return _rows(truth, counts, oncotree)
        raise ModelError(f"no such tree among {self.trees}; try more trees or another seed")

    def draw(self, table: Table) -> Drawing:
        """Return the figure: a table of true and inferred parents, with the wrong one in colour."""
        from matplotlib.figure import Figure
        from matplotlib.transforms import Bbox

        shown = table.drop(columns=["samples"])
        cells = [[_shown(value) for value in row] for row in shown.itertuples(index=False)]
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


def _shown(value: Any) -> str:
    if isinstance(value, str):
        return value
    return "" if value is None or np.isnan(value) else f"{value:.3f}"


def _rows(truth: Forest, counts: Counts, oncotree: Any) -> list[Row]:
    names = [*truth.events, "root"]
    m, w = scores.shrinkage(counts, 0.5), scores.desper(counts)
    root = scores.desper_root(counts)
    marginals = truth.marginals()
    rows = []
    for event, (parent, other) in enumerate(zip(truth.parents, oncotree, strict=True)):
        row: Row = {"samples": _SAMPLES, "event": truth.events[event]}
        row["probability"] = float(marginals[event])
        row["true parent"], row["oncotree's"] = names[parent], names[other]
        for title, chosen in (("true", parent), ("oncotree's", other)):
            row[f"m of {title}"] = None if chosen == ROOT else float(m[chosen, event])
            weight = root[event] if chosen == ROOT else w[chosen, event]
            row[f"w of {title}"] = float(np.log(weight))
        rows.append(row)
    return rows
