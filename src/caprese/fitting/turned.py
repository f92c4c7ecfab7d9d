"""Turned: a structure in which two events have changed places, and what the data lose by it."""

from dataclasses import replace
from typing import Any

import numpy as np

from caprese.data.dataset import Dataset
from caprese.data.seen_orders import SeenOrders
from caprese.errors import ModelError
from caprese.fitting.estimate import estimate
from caprese.fitting.hazards_ascent import Objective, Observations, log_chances
from caprese.models.base import ParentSets
from caprese.models.dag import ConditionalDag
from caprese.models.forest import Forest

_MOST_STATES = 20_000  # of all genotypes together
_MOST_EFFECTS = 4_000  # of events on each other, times the edges
_ROUGH = 1e-9  # relative gain at which an ascent ends


def turned(model: Any, parent: int, child: int) -> Any:
    """Return the structure in which the child comes first: it takes over what its parent waits for.

    None where that closes a cycle, or for a kind of model that is not known here.

    Examples
    --------
    >>> forest = Forest(("a", "b", "c"), parents=(-1, 0, 0), probabilities=(0.5, 0.5, 0.5))
    >>> turned(forest, 0, 1).edges
    (('b', 'a'), ('a', 'c'))
    """
    if isinstance(model, Forest):
        above = model.parents.copy()
        above[child], above[parent] = above[parent], child
        return replace(model, parents=above)
    if not isinstance(model, ParentSets | ConditionalDag):
        return None
    if isinstance(model, ConditionalDag) and model.formulas:
        return None
    sets = list(model.all_parents())
    sets[child] = tuple(sorted({*sets[child], *sets[parent]} - {parent}))
    sets[parent] = (child,)
    changes: dict[str, Any] = {"parent_sets": tuple(sets)}
    if isinstance(model, ConditionalDag):
        changes["tables"] = tuple((0.0,) * 2 ** len(own) for own in sets)
    try:
        return replace(model, **changes)
    except ModelError:  # another way leads from the parent to the child
        return None


def lost_by_turning(
    model: Any, parent: int, child: int, data: Dataset, stated: float | None = None
) -> float | None:
    """Return how much less probable the data is if an edge is turned round, in nats.

    Both structures have the numbers under which the data is most likely. None if the structure
    cannot be turned.

    Parameters
    ----------
    stated
        The log-likelihood of the structure as it is, if it is known; else it is computed.
    """
    other = turned(model, parent, child)
    if other is None:
        return None
    if stated is None:
        stated = estimate(model, data).log_likelihood
    return stated - estimate(other, data).log_likelihood


def lost_by_hazards(one: int, other: int, data: Dataset) -> float:
    """Return what a hazard network loses by the reverse order of two events, in nats.

    A model that allows both orders is fitted twice, told that all samples with both events had them
    in the one order, and in the other. The loss is the difference between the log-probabilities
    of the genotypes alone.
    """
    told = (_genotypes_if_told(data, *pair) for pair in ((one, other), (other, one)))
    stated, reverse = told
    return stated - reverse


def can_be_told(data: Dataset, edges: int) -> bool:
    """Whether hazard networks are fitted in about a second, two for each edge; decided by size."""
    if edges * len(data.events) ** 2 > _MOST_EFFECTS:
        return False
    distinct, _ = data.genotypes()
    present = distinct.codes().astype(bool).sum(axis=1)
    return float((2.0**present).sum()) <= _MOST_STATES


def _genotypes_if_told(data: Dataset, earlier: int, later: int) -> float:
    rows = np.flatnonzero(data.values[:, earlier] & data.values[:, later])
    pairs = np.column_stack([rows, np.full(len(rows), earlier), np.full(len(rows), later)])
    orders = SeenOrders(data.samples, data.events, pairs, *np.ones((2, len(rows))))
    told = Observations.of(data.with_orders(orders))
    objective = Objective("l1", 1 / len(data.samples), observation=False)
    found = objective.maximum(told, told.times, tolerance=_ROUGH).parameters
    plain = Observations.of(data.without_orders())
    return float(log_chances(found, plain) @ plain.times)
