"""Metrics: distances between progressions, and agreement of a found one with the truth.

Models are compared by the names of their events, so the order of events does not matter. The
functions with plural names take parents as arrays, thousands of forests at a time.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from caprese._core.arrays import BoolArray, IntArray
from caprese._core.names import by_name, distinct_names, places
from caprese.errors import ConvergenceError, ModelError
from caprese.kernels.ordered_distance import edit_distances
from caprese.kernels.threads import over_spans
from caprese.kernels.unordered_distance import first_cyclic, minimum_covers
from caprese.models.base import Order
from caprese.models.forest import ROOT, Forest

SEARCH_NODES = 100_000  # no random pair of up to 500 events that was tried needed more than 1,300
_PAIRS_PER_THREAD = 1_000  # at least


@dataclass(frozen=True)
class Agreement:
    """How well the relations of a found model agree with those of the truth.

    Parameters
    ----------
    true_positives, false_positives, false_negatives
        Number of relations that are found and true, found but not true, true but not found.

    Examples
    --------
    >>> agreement = Agreement(true_positives=3, false_positives=1, false_negatives=0)
    >>> agreement.precision, agreement.recall
    (0.75, 1.0)
    """

    true_positives: int
    false_positives: int
    false_negatives: int

    @property
    def precision(self) -> float:
        """Proportion of the found relations that are true; 1 if none was found."""
        return _share(self.true_positives, self.false_positives)

    @property
    def recall(self) -> float:
        """Proportion of the true relations that were found; 1 if there are none."""
        return _share(self.true_positives, self.false_negatives)


def tree_edit_distance(one: Forest, other: Forest, *, ordered: bool = False) -> int:
    """Return how many edits turn one forest into the other.

    Unordered: an edit deletes or inserts an event, so the distance is twice the number of events
    outside the largest set on which both forests have the same ancestor relation. Ordered:
    siblings are sorted by name, all trees have a common root, and renaming an event is an edit too
    (Zhang and Shasha). Neither distance is always the larger one, but the ordered is at least half
    the unordered.

    Parameters
    ----------
    one, other
        Two forests with the same events.
    ordered
        Whether the order of siblings matters.

    Raises
    ------
    ModelError
        If the forests have different events.
    ConvergenceError
        If the search for the largest set reached its limit; the message has bounds of the distance.

    References
    ----------
    Paper, "Performance measure and synthetic datasets". K. Zhang, D. Shasha (1989). Simple fast
    algorithms for the editing distance between trees and related problems. SIAM Journal on
    Computing 18:1245.

    Examples
    --------
    >>> truth = Forest(("a", "b", "c", "d"), (ROOT, 0, 1, 1), (0.9, 0.8, 0.7, 0.6))
    >>> found = Forest(("a", "b", "c", "d"), (ROOT, 2, 0, 2), (0.9, 0.8, 0.7, 0.6))
    >>> tree_edit_distance(truth, found)
    4
    >>> tree_edit_distance(truth, found, ordered=True)
    2
    """
    if not (isinstance(one, Forest) and isinstance(other, Forest)):
        raise ModelError(
            "the tree edit distance is defined for forests only; use the Hamming distance"
        )
    above = _in_order(other.adjacency(), other, one)
    parents = np.where(above.any(axis=0), above.argmax(axis=0), ROOT)
    return int(tree_edit_distances(parents, one.parents, one.events, ordered=ordered))


def hamming_distance(one: Order, other: Order) -> int:
    """Return the number of entries in which the adjacency matrices of two models differ.

    An event with a parent in one model only counts 1, one with different parents 2.

    Examples
    --------
    >>> truth = Forest(("a", "b", "c"), (ROOT, 0, 1), (0.9, 0.8, 0.7))
    >>> found = Forest(("c", "b", "a"), (2, ROOT, ROOT), (0.7, 0.8, 0.9))
    >>> hamming_distance(truth, found)
    3
    """
    return int((one.adjacency() != _in_order(other.adjacency(), other, one)).sum())


def parent_distance(one: Order, other: Order) -> int:
    """Return the number of events whose parents differ between two models.

    Examples
    --------
    >>> truth = Forest(("a", "b", "c"), (ROOT, 0, 1), (0.9, 0.8, 0.7))
    >>> found = Forest(("c", "b", "a"), (2, ROOT, ROOT), (0.7, 0.8, 0.9))
    >>> parent_distance(truth, found)
    2
    """
    differ = one.adjacency() != _in_order(other.adjacency(), other, one)
    return int(differ.any(axis=0).sum())


def edge_agreement(found: Order, truth: Order) -> Agreement:
    """Return the agreement of the edges of a found model with those of the truth.

    Examples
    --------
    >>> truth = Forest(("a", "b", "c"), (ROOT, 0, 1), (0.9, 0.8, 0.7))
    >>> edge_agreement(Forest(("a", "b", "c"), (ROOT, 0, 0), (0.9, 0.8, 0.7)), truth)
    Agreement(true_positives=1, false_positives=1, false_negatives=1)
    """
    return _agreement(found.adjacency(), _in_order(truth.adjacency(), truth, found))


def ancestor_agreement(found: Order, truth: Order) -> Agreement:
    """Return the agreement of the ancestor relations of a found model with those of the truth.

    Examples
    --------
    >>> truth = Forest(("a", "b", "c"), (ROOT, 0, 1), (0.9, 0.8, 0.7))
    >>> ancestor_agreement(Forest(("a", "b", "c"), (ROOT, 0, 0), (0.9, 0.8, 0.7)), truth)
    Agreement(true_positives=2, false_positives=0, false_negatives=1)
    """
    return _agreement(found.ancestors(), _in_order(truth.ancestors(), truth, found))


def tree_edit_distances(
    parents: ArrayLike,
    truth: ArrayLike,
    names: Sequence[str] | None = None,
    *,
    ordered: bool = False,
) -> IntArray:
    """Return the tree edit distance of each forest from the truth; see `tree_edit_distance`.

    Forests are positions of parents, ``[..., j]``; there is one truth for all, or one for each.
    Siblings are sorted by the names of the events, or by their order.
    """
    found, true, shape = _pairs(parents, truth)
    by_rank = _sibling_order(names, found.shape[1])
    if ordered:
        return np.concatenate(_over_pairs(edit_distances, found, true, by_rank)).reshape(shape)
    lower, upper = distance_bounds(parents, truth)
    for place in np.flatnonzero(lower < upper):
        raise ConvergenceError(
            f"the unordered distance of forest {place + 1} of {lower.size} is at least "
            f"{lower.flat[place]} and at most {upper.flat[place]}; "
            f"{SEARCH_NODES} search nodes were not enough to find it"
        )
    return upper


def distance_bounds(parents: ArrayLike, truth: ArrayLike) -> tuple[IntArray, IntArray]:
    """Return bounds of the unordered distance of each forest from the truth; almost always equal.

    The fewest events to remove until the rest agree, each removed from one and added to the other.
    """
    found, true, shape = _pairs(parents, truth)
    parts = _over_pairs(minimum_covers, found, true, SEARCH_NODES)
    lower, upper = (2 * np.concatenate(bound).reshape(shape) for bound in zip(*parts, strict=True))
    return lower, upper


def _share(true: int, false: int) -> float:
    return true / (true + false) if true + false else 1.0


def _agreement(found: BoolArray, truth: BoolArray) -> Agreement:
    return Agreement(
        true_positives=int((found & truth).sum()),
        false_positives=int((found & ~truth).sum()),
        false_negatives=int((truth & ~found).sum()),
    )


def _in_order(relations: BoolArray, model: Order, like: Order) -> BoolArray:
    """Return relations of a model, with events in the order of the other."""
    order = places(model.events, like.events, "both models")
    return relations[np.ix_(order, order)]


def _batch(name: str, parents: ArrayLike) -> IntArray:
    """Return the parents with one row per forest, after checking that they are forests."""
    given = np.asarray(parents)
    if given.ndim == 0 or given.shape[-1] == 0 or given.dtype.kind not in "iu":
        raise ModelError(
            f"{name} must be whole numbers, one per event and at least one in each forest, "
            f"got {given.dtype} of shape {given.shape}"
        )
    rows = np.ascontiguousarray(given, dtype=np.int64).reshape(-1, given.shape[-1])
    outside = (rows < ROOT) | (rows >= rows.shape[1])
    if outside.any():
        value = rows[outside][0]
        raise ModelError(f"{name} must be positions of events or {ROOT}, got {value}")
    cyclic = first_cyclic(rows)
    if cyclic >= 0:
        raise ModelError(f"{name} must be forests, got a cycle in row {cyclic}")
    return rows


def _pairs(parents: ArrayLike, truth: ArrayLike) -> tuple[IntArray, IntArray, tuple[int, ...]]:
    """Return forests and truths with one row for each, and the shape of an answer for each."""
    found, true = _batch("parents", parents), _batch("truth", truth)
    given, shape = np.shape(parents), np.shape(truth)
    if shape not in (given, given[-1:]):
        raise ModelError(
            f"truth must have the shape of one forest, {given[-1:]}, or of all, {given}, "
            f"got {shape}"
        )
    return found, true, given[:-1]


def _over_pairs(
    distances: Callable[..., Any], parents: IntArray, truth: IntArray, *more: Any
) -> list[Any]:
    """Return what a compiled loop gives for parts of all pairs, each in a thread."""
    return over_spans(
        lambda start, stop: distances(
            parents[start:stop], truth[start:stop] if len(truth) > 1 else truth, *more
        ),
        len(parents),
        least=_PAIRS_PER_THREAD,
    )


def _sibling_order(names: Sequence[str] | None, events: int) -> IntArray:
    """Return the events in the order of siblings."""
    if names is None:
        return np.arange(events)
    if len(names) != events:
        raise ModelError(f"names must be one per event, {events}, got {len(names)}")
    return by_name(distinct_names("event", names, ModelError))
