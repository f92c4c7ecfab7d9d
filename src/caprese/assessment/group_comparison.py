"""Groups of samples compared: whether the order of events differs by more than chance."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import TYPE_CHECKING, Any
from zlib import crc32

import numpy as np

from caprese._core.arrays import ArrayValue, FloatArray, IntArray, sealed, shaped
from caprese._core.checks import SEEDS, whole
from caprese._core.environment import worker_count
from caprese._core.names import by_name, distinct_names
from caprese._core.progress import silent, tell
from caprese._core.words import number_of
from caprese._core.workers import in_order
from caprese.assessment.bootstrap import ancestor_shares, spans
from caprese.assessment.known import order_matrix, states_one_order
from caprese.data.contingency import adjusted
from caprese.data.dataset import Dataset
from caprese.errors import DatasetError, ModelError, ParameterError
from caprese.methods.fit import Fit, Method, new_fit
from caprese.methods.protocols import is_quick

if TYPE_CHECKING:
    import pandas as pd

MOST_GROUPS = 6
FEWEST = 5  # samples of a group: of fewer hardly any division says that they differ
_AT_ONCE = 25  # permutations of a task
_RESAMPLES = 100  # of each part, for methods that state one order
_EQUAL = 1e-9  # distances that are closer differ by rounding


@dataclass(frozen=True, eq=False)
class GroupComparison(ArrayValue):
    """The order of events in groups of samples, and how often chance makes it differ as much.

    Parameters
    ----------
    events, groups
        The events; the groups, by name.
    sizes
        How many samples each group has.
    left_out
        How many samples have no group.
    before
        ``[group, i, j]``: how probably i comes before j, by the fit to the group; of a method that
        states one order, the share of 100 resamples of the group in which i is an ancestor of j.
    pairs
        Each two groups, by position.
    reached
        ``[pair, i, j]``: in how many permutations the order of i and j differs as much.
    reached_overall
        For each two groups, in how many permutations all orders together differ as much.
    permutations, seed
        How many permutations, and the seed of the random numbers.

    Examples
    --------
    >>> before = [[[0, 1], [0, 0]], [[0, 0.25], [0.5, 0]]]
    >>> found = GroupComparison(("a", "b"), ("old", "young"), (40, 50), 0, before, ((0, 1),),
    ...                         [[[0, 3], [3, 0]]], [3], 99)
    >>> found.distances[0, 0, 1], found.p_values[0, 0, 1]
    (np.float64(0.75), np.float64(0.04))
    """

    events: tuple[str, ...]
    groups: tuple[str, ...]
    sizes: tuple[int, ...]
    left_out: int
    before: FloatArray
    pairs: tuple[tuple[int, int], ...]
    reached: IntArray
    reached_overall: IntArray
    permutations: int
    seed: int = 1

    def __post_init__(self) -> None:
        n, pairs = len(self.events), len(self.pairs)
        object.__setattr__(self, "groups", distinct_names("group", self.groups, ModelError))
        before = shaped(self, "before", (len(self.groups), n, n))
        for name, shape in (("reached", (pairs, n, n)), ("reached_overall", (pairs,))):
            counts = shaped(self, name, shape, np.int64)
            if not ((counts >= 0) & (counts <= self.permutations)).all():
                raise ModelError(f"{name} must be at most the number of permutations")
        if not ((before >= 0) & (before <= 1)).all():
            raise ModelError("before must be probabilities")

    def __repr__(self) -> str:
        sizes = zip(self.groups, self.sizes, strict=True)
        told = ", ".join(f"{name} ({size})" for name, size in sizes)
        return f"<GroupComparison: {told}; {number_of(len(self.events), 'event')}>"

    @cached_property
    def distances(self) -> FloatArray:
        """How differently two groups order i and j, from 0 to 1: ``[pair, i, j]``."""
        found = [distances(self.before[one], self.before[other]) for one, other in self.pairs]
        return sealed(np.array(found))

    @property
    def p_values(self) -> FloatArray:
        """How probably chance makes the order of i and j differ as much: ``[pair, i, j]``."""
        return np.asarray((1 + self.reached) / (1 + self.permutations))

    @property
    def overall(self) -> FloatArray:
        """How probably chance makes all orders together differ as much, for each two groups."""
        return np.asarray((1 + self.reached_overall) / (1 + self.permutations))

    @cached_property
    def adjusted(self) -> FloatArray:
        """The p-values, adjusted for all pairs of events and of groups by Benjamini and Hochberg.

        Of the orders below 0.05 about one in twenty is due to chance.
        """
        one, other = np.triu_indices(len(self.events), 1)
        found = np.ones(self.reached.shape)
        values = adjusted(self.p_values[:, one, other].ravel()).reshape(len(self.pairs), -1)
        found[:, one, other] = found[:, other, one] = values
        return sealed(found)

    def table(self) -> "pd.DataFrame":
        """Return a row for each two groups and each two events, the least probable by chance first.

        Each row has the order in which the two groups differ most.
        """
        import pandas as pd

        rows = []
        for place, (one, other) in enumerate(self.pairs):
            for first, second in combinations(range(len(self.events)), 2):
                changes = self.before[other] - self.before[one]
                swapped = abs(changes[second, first]) > abs(changes[first, second])
                i, j = (second, first) if swapped else (first, second)
                rows.append(
                    {
                        "group": self.groups[one],
                        "other_group": self.groups[other],
                        "earlier": self.events[i],
                        "later": self.events[j],
                        "probability": self.before[one, i, j],
                        "other_probability": self.before[other, i, j],
                        "distance": self.distances[place, i, j],
                        "p_value": self.p_values[place, i, j],
                        "adjusted": self.adjusted[place, i, j],
                    }
                )
        ranks = sorted(rows, key=lambda row: (row["p_value"], -row["distance"]))
        return pd.DataFrame(ranks, columns=list(rows[0]) if rows else None)


def distances(one: FloatArray, other: FloatArray) -> FloatArray:
    """Return how differently two models order each two events, from 0 to 1.

    Each says with three probabilities that i comes before j, that j comes before i, or neither. The
    distance is the largest difference of the probability of one of these or of two (total
    variation).
    """
    change = other - one
    both = np.abs(np.array([change, change.T, change + change.T]))
    found = both.max(axis=0)
    np.fill_diagonal(found, 0.0)
    return np.asarray(found)


def compare_groups(
    method: Method,
    data: Dataset,
    groups: Mapping[str, str],
    *,
    permutations: int | None = None,
    seed: int = 1,
    jobs: int | None = None,
) -> GroupComparison:
    """Fit a method to each group of samples, and test whether the order of events differs.

    For each two groups, their samples are divided at random into two of the same sizes, many times,
    and the method is fitted to both. The p-value of a difference is (k + 1) / (n + 1) if k of n
    permutations have one at least as large: if both groups follow the same distribution, whatever
    that is, it is at most p with a probability of at most p.

    Parameters
    ----------
    method
        The method.
    data
        The samples, one of each patient.
    groups
        The group of each sample, by its name; samples without a group are left out.
    permutations
        How many. By default 999, or 99 for a method that needs more than counts of pairs.
    seed
        A whole number; the same seed gives the same answer, whatever the order of rows and columns
        and the number of workers.
    jobs
        How many workers; by default as many as there are cores.

    Raises
    ------
    DatasetError
        If there are not two to six groups of at least five samples, or several of a patient.

    Examples
    --------
    >>> from caprese import Caprese, datasets
    >>> data = datasets.ovarian()
    >>> groups = {name: "AB"[k % 2] for k, name in enumerate(data.samples)}
    >>> found = compare_groups(Caprese(), data, groups, permutations=99)
    >>> found
    <GroupComparison: A (44), B (43); 7 events>
    >>> found.overall
    array([0.7])
    """
    whole("seed", seed, *SEEDS)
    number = default_permutations(method) if permutations is None else permutations
    whole("permutations", number, 1)
    workers = worker_count(jobs)
    data = Dataset.of(data)
    rows = _rows_of_groups(data, groups)
    names = tuple(rows)
    events, before = _orders(method, [data.take_samples(each) for each in rows.values()], [seed, 0])
    pairs = tuple(combinations(range(len(names)), 2))
    tasks = [
        (method, data, rows[names[one]], rows[names[other]], span, seed)
        for one, other in pairs
        for span in spans(number, _AT_ONCE)
    ]
    observed = [_with_mean(distances(before[one], before[other])) for one, other in pairs]
    reached = np.zeros((len(pairs), len(events) ** 2 + 1), dtype=np.int64)
    done, each = 0, -(-number // _AT_ONCE)
    for place, found in enumerate(in_order(_permuted, tasks, workers)):
        pair = place // each
        reached[pair] += (found >= observed[pair] - _EQUAL).sum(axis=0)
        done += len(found)
        tell("permutations", done, number * len(pairs))
    sizes = tuple(len(each) for each in rows.values())
    counts = reached[:, :-1].reshape(len(pairs), len(events), len(events))
    left_out = len(data.samples) - sum(sizes)
    return GroupComparison(
        events, names, sizes, left_out, before, pairs, counts, reached[:, -1], number, seed
    )


def default_permutations(method: Method) -> int:
    """Return how many permutations are usual: fewer for methods that take long."""
    return 999 if is_quick(method) else 99


def fits_needed(fit: Fit[Any, Any], permutations: int) -> int:
    """Return how many fits like this one the comparison of two groups takes."""
    return 2 * (permutations + 1) * (_RESAMPLES if states_one_order(fit) else 1)


def parts_of(data: Dataset, groups: Mapping[str, str]) -> dict[str, Dataset]:
    """Return the samples of each group."""
    return {name: data.take_samples(rows) for name, rows in _rows_of_groups(data, groups).items()}


def _rows_of_groups(data: Dataset, groups: Mapping[str, str]) -> dict[str, IntArray]:
    """Return the rows of each group, in the order of `Dataset.sample_order`."""
    if not isinstance(groups, Mapping):
        raise ParameterError("groups", "the group of each sample by its name", groups)
    if data.patients is not None and data.patients.several:
        raise DatasetError(
            "some patients have several samples, which cannot be permuted; keep one of each"
        )
    own = [groups.get(data.samples[row]) for row in data.sample_order.tolist()]
    names = sorted({name for name in own if name})
    if not 2 <= len(names) <= MOST_GROUPS:
        told = number_of(len(names), "group") if names else "none"
        raise DatasetError(f"two to {MOST_GROUPS} groups of samples are compared, there are {told}")
    small = next((name for name in names if own.count(name) < FEWEST), None)
    if small is not None:
        told = f"{small!r} has {number_of(own.count(small), 'sample')}"
        raise DatasetError(f"groups of at least {FEWEST} samples are compared, {told}")
    return {
        name: data.sample_order[[k for k, each in enumerate(own) if each == name]] for name in names
    }


def _orders(
    method: Method, parts: list[Dataset], seed: list[int]
) -> tuple[tuple[str, ...], FloatArray]:
    """Return the events of the fits to parts of the data, and how probably each orders them.

    Of a method that states one order as if it were sure, the share of resamples that have it.
    """
    events: tuple[str, ...] = ()
    found = []
    for part in parts:
        with silent():
            fit = new_fit(method, part)
            events = fit.model.events
            if states_one_order(fit):
                # The same draws for all parts, so that they differ by their samples alone.
                draws = int(np.random.default_rng(seed).integers(2**31))
                found.append(ancestor_shares(fit, part, replicates=_RESAMPLES, seed=draws))
            else:
                found.append(order_matrix(fit))
    return events, np.array(found)


def _permuted(
    method: Method, data: Dataset, one: IntArray, other: IntArray, span: range, seed: int
) -> FloatArray:
    """Return the distances of each two events and their mean, permutations x (events^2 + 1)."""
    rows = np.concatenate([one, other])
    rows = data.sample_order[np.isin(data.sample_order, rows)]
    content = crc32(np.packbits(data.values[np.ix_(rows, by_name(data.events))]).tobytes())
    found = []
    for number in span:
        own = [seed, number + 1, content]  # other data of the same size is divided in other ways
        drawn = np.random.default_rng(own).permutation(rows)
        parts = [data.take_samples(part) for part in (drawn[: len(one)], drawn[len(one) :])]
        found.append(_with_mean(distances(*_orders(method, parts, own)[1])))
    return np.array(found)


def _with_mean(found: FloatArray) -> FloatArray:
    return np.append(found.ravel(), found.mean())
