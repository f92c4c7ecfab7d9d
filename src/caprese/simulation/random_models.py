"""Recipes: random progressions, simulated as in the supplement of the paper.

What the supplement does not specify is a named parameter here. The defaults reproduce the figures
of the paper.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from caprese._core.arrays import IntArray
from caprese._core.checks import instance, number, whole
from caprese._core.names import event_names
from caprese.errors import ParameterError
from caprese.models.dag import ConjunctiveDag
from caprese.models.forest import ROOT, Forest


@dataclass(frozen=True, kw_only=True)
class ForestRecipe:
    """A distribution of random forests.

    Parameters
    ----------
    events
        Number of events.
    trees
        Number of trees, of nearly equal size.
    levels
        Events on the longest path of each tree; by default the rounded logarithm of `events`.
    top
        Probability of the first event of each tree.
    least, most
        Bounds of all other edge probabilities.
    rarest
        Least probability of an event; edges are made probable enough for it, as far as `most`
        allows.

    Examples
    --------
    >>> forest = ForestRecipe(events=20).draw(np.random.default_rng(1))
    >>> int((forest.parents == ROOT).sum()), bool(forest.marginals().min() >= 0.05)
    (1, True)
    """

    events: int = 20
    trees: int = 1
    levels: int | None = None
    top: float = 0.95
    least: float = 0.05
    most: float = 0.95
    rarest: float = 0.05

    def __post_init__(self) -> None:
        whole("events", self.events, 1)
        whole("trees", self.trees, 1, self.events)
        if self.levels is not None:
            whole("levels", self.levels, 2 if self.trees < self.events else 1)
        _check_probabilities(self)

    def draw(self, rng: np.random.Generator) -> Forest:
        """Return a random forest; its events are shuffled, so that positions have no meaning."""
        instance("rng", rng, np.random.Generator, "a generator of random numbers")
        parents = np.full(self.events, ROOT)
        probabilities = np.full(self.events, self.top)
        marginals = np.full(self.events, self.top)
        for tree in np.array_split(rng.permutation(self.events), self.trees):
            for above, level in self._levels(tree, rng):
                parents[level] = above[rng.integers(0, len(above), len(level))]
                before = marginals[parents[level]]
                low = np.minimum(np.maximum(self.least, self.rarest / before), self.most)
                probabilities[level] = rng.uniform(low, self.most)
                marginals[level] = before * probabilities[level]
        return Forest(event_names(self.events), parents, probabilities)

    def _levels(
        self, tree: IntArray, rng: np.random.Generator
    ) -> Iterator[tuple[IntArray, IntArray]]:
        """Return each level after that of its parents; one event at the top, no level empty."""
        levels = max(2, round(math.log(self.events))) if self.levels is None else self.levels
        below = min(levels, len(tree)) - 1
        rest = tree[1:]
        assigned = np.concatenate(
            [np.arange(below), rng.integers(0, max(1, below), len(rest) - below)]
        )
        return pairwise([tree[:1], *(rest[assigned == level] for level in range(below))])


@dataclass(frozen=True, kw_only=True)
class DagRecipe:
    """A distribution of random conjunctive DAGs.

    Parameters
    ----------
    events
        Number of events.
    max_parents
        Largest number of parents. The number of an event is uniform from 1 to this, but at most
        the number of events before it; the first event has no parents.
    top
        Probability of the first event.
    least, most, rarest
        As in `ForestRecipe`.

    Examples
    --------
    >>> dag = DagRecipe(events=10).draw(np.random.default_rng(1))
    >>> max(map(len, dag.parent_sets)) <= 3
    True
    """

    events: int = 10
    max_parents: int = 3
    top: float = 0.95
    least: float = 0.05
    most: float = 0.95
    rarest: float = 0.05

    def __post_init__(self) -> None:
        whole("events", self.events, 1)
        whole("max_parents", self.max_parents, 1)
        _check_probabilities(self)

    def draw(self, rng: np.random.Generator) -> ConjunctiveDag:
        """Return a random DAG; its events are shuffled, so that positions have no meaning."""
        instance("rng", rng, np.random.Generator, "a generator of random numbers")
        order = rng.permutation(self.events)
        parents: list[tuple[int, ...]] = [()] * self.events
        probabilities = np.full(self.events, self.top)
        needed = np.zeros((self.events, self.events), dtype=bool)  # an event and its ancestors
        for position, event in enumerate(order):
            needed[event, event] = True
            if position == 0:
                continue
            parents_wanted = min(position, int(rng.integers(1, self.max_parents + 1)))
            above = rng.choice(order[:position], size=parents_wanted, replace=False)
            parents[event] = tuple(above.tolist())
            needed[event] |= needed[above].any(axis=0)
            before = probabilities[needed[event] & (np.arange(self.events) != event)].prod()
            low = min(max(self.least, self.rarest / before), self.most)
            probabilities[event] = rng.uniform(low, self.most)
        return ConjunctiveDag(event_names(self.events), tuple(parents), probabilities)


def _check_probabilities(recipe: Any) -> None:
    for name in ("top", "least", "most", "rarest"):
        number(name, getattr(recipe, name), 0, 1)
    if recipe.least > recipe.most:
        raise ParameterError("least", f"at most most, {recipe.most}", recipe.least)
