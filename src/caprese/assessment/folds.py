"""Folds: which samples are held out together, the same for any order of rows and columns."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from caprese._core.arrays import IntArray, sealed
from caprese.data.dataset import Dataset

Groups = Sequence[str] | Mapping[str, str]
"""A group for each sample, or for some samples by name; the others are on their own."""


def in_fixed_order(data: Dataset) -> tuple[Dataset, IntArray]:
    """Return the data in an order that does not depend on the given one, and the old positions.

    Events are ordered by name; samples by genotype, and by name where genotypes are equal.
    """
    order = data.sample_order
    return data.take_events(sorted(data.events)).take_samples(order), order


def group_numbers(data: Dataset, groups: Groups | None) -> IntArray:
    """Return the number of the group of each sample, in the order in which they appear."""
    if groups is None:
        return np.arange(len(data.samples))
    if isinstance(groups, Mapping):
        strangers = sorted(set(groups) - set(data.samples))
        if len(strangers) == len(groups):
            raise ValueError("groups must name samples of the data; it names none")
        labels: list[tuple[str, str]] = [
            ("group", groups[name]) if name in groups else ("sample", name) for name in data.samples
        ]
    else:
        if len(groups) != len(data.samples):
            rule = f"one label for each of the {len(data.samples)} samples"
            raise ValueError(f"groups must be {rule}, got {len(groups)}")
        labels = [("group", str(label)) for label in groups]
    return renumbered(labels)


def renumbered(labels: Iterable[Any]) -> IntArray:
    """Return a number for each label: equal ones have the same, in the order of appearance.

    Examples
    --------
    >>> renumbered("bab")
    array([0, 1, 0])
    """
    numbers: dict[Any, int] = {}
    return np.array([numbers.setdefault(label, len(numbers)) for label in labels], dtype=np.int64)


def fold_numbers(
    data: Dataset, groups: IntArray, *, folds: int, repeats: int, seed: int
) -> IntArray:
    """Return the fold of each sample in each repetition, repetitions x samples.

    Parameters
    ----------
    data
        In the order of `in_fixed_order`.
    groups
        Samples of a group are in the same fold.

    Examples
    --------
    >>> data, _ = in_fixed_order(Dataset.from_rows([[1], [0], [0], [1]], events="a"))
    >>> fold_numbers(data, np.array([0, 0, 1, 2]), folds=2, repeats=1, seed=1)
    array([[0, 0, 1, 0]])
    """
    codes = data.codes()
    members: dict[int, list[bytes]] = {}
    for row, group in enumerate(groups.tolist()):
        members.setdefault(group, []).append(codes[row].tobytes())
    distinct = sorted(members, key=lambda group: (sorted(members[group]), group))
    if not 2 <= folds <= len(distinct):
        what = "samples" if len(distinct) == len(groups) else "groups"
        rule = f"from 2 to {len(distinct)}, the number of {what}"
        raise ValueError(f"folds must be {rule}, got {folds}")
    found = np.empty((repeats, len(groups)), dtype=np.int64)
    for repeat in range(repeats):
        rng = np.random.default_rng([seed, repeat])
        fold_of = np.empty(len(distinct), dtype=np.int64)
        fold_of[np.array(distinct)[rng.permutation(len(distinct))]] = (
            np.arange(len(distinct)) % folds
        )
        found[repeat] = fold_of[groups]
    return sealed(found)
