"""Folds: which samples are held out together, the same for any order of rows and columns."""

from collections.abc import Iterable, Mapping, Sequence, Sized
from typing import Any

import numpy as np

from caprese._core.arrays import IntArray, sealed
from caprese.data.dataset import Dataset
from caprese.errors import ParameterError

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
            raise ParameterError("groups", "labels of samples of the data", groups)
        labels: list[tuple[str, str]] = [
            ("group", groups[name]) if name in groups else ("sample", name) for name in data.samples
        ]
    elif isinstance(groups, Sequence | np.ndarray) and len(groups) == len(data.samples):
        labels = [("group", str(label)) for label in groups]
    else:
        rule = f"one label for each of the {len(data.samples)} samples"
        raise ParameterError("groups", rule, len(groups) if isinstance(groups, Sized) else groups)
    return renumbered(labels)


def renumbered(labels: Iterable[Any]) -> IntArray:
    """Return a number for each label: equal ones have the same, in the order of appearance."""
    numbers: dict[Any, int] = {}
    return np.array([numbers.setdefault(label, len(numbers)) for label in labels], dtype=np.int64)


def fold_numbers(
    data: Dataset, groups: IntArray, *, folds: int, repeats: int, seed: int
) -> IntArray:
    """Return the fold of each sample in each repetition, repetitions x samples.

    The data is in the order of `in_fixed_order`; samples of a group are in the same fold.
    """
    codes = data.codes()
    members: dict[int, list[bytes]] = {}
    for row, group in enumerate(groups.tolist()):
        members.setdefault(group, []).append(codes[row].tobytes())
    distinct = sorted(members, key=lambda group: (sorted(members[group]), group))
    if not 2 <= folds <= len(distinct):
        what = "samples" if len(distinct) == len(groups) else "groups"
        raise ParameterError("folds", f"from 2 to {len(distinct)}, the number of {what}", folds)
    found = np.empty((repeats, len(groups)), dtype=np.int64)
    for repeat in range(repeats):
        shuffled = np.random.default_rng([seed, repeat]).permutation(np.array(distinct))
        fold_of = np.empty(len(distinct), dtype=np.int64)
        fold_of[shuffled] = np.arange(len(distinct)) % folds
        found[repeat] = fold_of[groups]
    return sealed(found)
