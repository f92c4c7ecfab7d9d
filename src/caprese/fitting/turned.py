"""Turned: a structure in which two events have changed places, and what the data lose by it."""

from dataclasses import replace
from typing import Any

from caprese.data.dataset import Dataset
from caprese.errors import ModelError
from caprese.fitting.estimate import estimate
from caprese.models.base import ParentSets
from caprese.models.dag import ConditionalDag
from caprese.models.forest import Forest


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


def lost_by_turning(model: Any, parent: int, child: int, data: Dataset) -> float | None:
    """Return how much less probable the data is if an edge is turned round, in nats.

    Both structures have the numbers under which the data is most likely. None if the structure
    cannot be turned.
    """
    other = turned(model, parent, child)
    if other is None:
        return None
    stated, reverse = (estimate(each, data).log_likelihood for each in (model, other))
    return stated - reverse
