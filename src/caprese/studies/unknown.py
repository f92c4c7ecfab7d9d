"""The effect of unknown entries: at random, or events that one gene panel does not cover."""

from collections.abc import Iterator
from typing import Any, ClassVar

import numpy as np

from caprese._core.arrays import BoolArray, IntArray
from caprese.data.counts import Counts
from caprese.data.dataset import Dataset
from caprese.methods.caprese import Caprese
from caprese.models.forest import ROOT, Forest
from caprese.models.metrics import tree_edit_distances
from caprese.plots.canvas.figures import Figure
from caprese.plots.curves import draw_bars
from caprese.simulation.random_models import ForestRecipe
from caprese.studies.base import Row, Study, Table, new_panels, summary

_METHOD = Caprese(shrinkage=0.01)
_SAMPLES = 250
_FEWER = 120  # a pair is known together in 49 % of 250 samples if 30 % of entries are unknown
_UNKNOWN = 0.3
_LACKING = 6  # of 20 events, on the panel of half of the samples
_REFERENCE = {"entries": f"complete, {_FEWER} samples", "panel": "complete"}

Measures = dict[tuple[str, str], int]  # by the data and the name of the measure


class Unknown(Study):
    """Distance from the truth with unknown entries, with complete data, and treated as absent.

    For entries unknown at random it is the tree edit distance. For a panel, the measures are of
    the covered events, which are on every panel: how many whose true parent is covered have
    another parent, how many of these have a covered parent or the root, how many pairs of covered
    events are not in their true order, and how many are in the reverse order.
    """

    about: ClassVar[str] = "the effect of unknown entries, and of treating them as absent"
    grid: ClassVar[dict[str, Any]] = {"hidden": _REFERENCE}

    def rows(self, hidden: str) -> Iterator[Row]:
        """Yield the mean of each measure, and its difference from the reference."""
        measures = _entries if hidden == "entries" else _panel
        each = [measures(forest, rng) for forest, rng in self._draws()]
        shape = self.trees, self.replicates
        found = {key: np.array([one[key] for one in each]).reshape(shape) for key in each[0]}
        for (data, measure), values in found.items():
            difference = values - found[_REFERENCE[hidden], measure]
            more = summary(difference, "more", "more_error")
            yield {"data": data, "measure": measure, **summary(values), **more}

    def draw(self, table: Table) -> Figure:
        """Return the figure: entries unknown at random on the left, panels on the right."""
        figure, panels = new_panels(len(_REFERENCE), width=10, width_ratios=(1, 2))
        for axes, hidden in zip(panels, _REFERENCE, strict=True):
            part = table[table["hidden"] == hidden]
            names, groups = (list(dict.fromkeys(part[key])) for key in ("data", "measure"))
            means = part.pivot(index="measure", columns="data", values="mean")
            draw_bars(axes, names, groups, means.loc[groups, names].to_numpy(), ylabel="mean")
            axes.set_title(f"unknown: {hidden}")
            axes.tick_params(axis="x", labelsize=7)
        return figure

    def _draws(self) -> Iterator[tuple[Forest, np.random.Generator]]:
        for tree in range(self.trees):
            forest = ForestRecipe().draw(np.random.default_rng([self.seed, tree]))
            for replicate in range(self.replicates):
                yield forest, np.random.default_rng([self.seed, tree, _SAMPLES, replicate])


def _entries(forest: Forest, rng: np.random.Generator) -> Measures:
    """Make entries unknown at random; return the tree edit distances."""
    values = forest.sample(_SAMPLES, rng).values
    known = rng.random(values.shape) >= _UNKNOWN
    complete = Dataset(values, forest.events)
    data = {
        _REFERENCE["entries"]: complete.take_samples(np.arange(_FEWER)),
        f"complete, {_SAMPLES} samples": complete,
        f"{_UNKNOWN:.0%} unknown": Dataset(values, forest.events, known=known),
        f"{_UNKNOWN:.0%} taken for absent": Dataset(values & known, forest.events),
    }
    parents = [_METHOD.infer_parents(Counts.of(each)) for each in data.values()]
    distances = tree_edit_distances(np.array(parents), forest.parents).tolist()
    return {(name, "tree edit distance"): d for name, d in zip(data, distances, strict=True)}


def _panel(forest: Forest, rng: np.random.Generator) -> Measures:
    """Put half of the samples on a smaller panel; return the errors of the covered events."""
    values = forest.sample(_SAMPLES, rng).values
    covered = np.ones(len(forest.events), dtype=bool)
    covered[rng.permutation(len(covered))[:_LACKING]] = False
    known = np.ones_like(values)
    known[np.ix_(rng.permutation(_SAMPLES)[: _SAMPLES // 2], ~covered)] = False
    complete = Dataset(values, forest.events)
    data = {
        _REFERENCE["panel"]: complete,
        "complete, half the samples": complete.take_samples(np.arange(_SAMPLES // 2)),
        "unknown": Dataset(values, forest.events, known=known),
        "taken for absent": Dataset(values & known, forest.events),
    }
    parents = {name: _METHOD.infer_parents(Counts.of(each)) for name, each in data.items()}
    parents["covered events alone"] = _alone(data["unknown"], covered)
    return {
        (name, measure): value
        for name, each in parents.items()
        for measure, value in _errors(forest, each, covered).items()
    }


def _alone(data: Dataset, covered: BoolArray) -> IntArray:
    """Return the parents inferred from the covered events only; all others are at the root."""
    places = np.flatnonzero(covered)
    alone = data.take_events([data.events[place] for place in places])
    found = _METHOD.infer_parents(Counts.of(alone))
    parents = np.full(len(covered), ROOT)
    parents[places] = np.where(found == ROOT, ROOT, places[found])
    return parents


def _errors(forest: Forest, parents: IntArray, covered: BoolArray) -> dict[str, int]:
    """Return the numbers of errors of the covered events."""
    truth, found = forest.ancestors(), Forest(forest.events, parents, forest.probabilities)
    pairs = np.ix_(covered, covered)
    before, true = found.ancestors()[pairs], truth[pairs]
    wrong = (parents != forest.parents) & covered & _covered_parent(forest.parents, covered)
    return {
        "wrong parent": int(wrong.sum()),
        "of these under covered": int((wrong & _covered_parent(parents, covered)).sum()),
        "pair not in order": int((before != true).sum()),
        "pair turned round": int((before & true.T).sum()),
    }


def _covered_parent(parents: IntArray, covered: BoolArray) -> BoolArray:
    """Return which events have a covered parent or the root."""
    return np.asarray((parents == ROOT) | covered[parents])
