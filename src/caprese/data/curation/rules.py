"""Rules of a curation: those that select events or samples, and those that merge events."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import compress
from typing import Literal

import numpy as np

from caprese._core.arrays import BoolArray
from caprese._core.checks import instance, number, one_of, whole
from caprese._core.names import numbered
from caprese._core.words import percent
from caprese.data.curation.log import (
    LEAST_COVERAGE,
    Curated,
    Step,
    Why,
    checked_names,
    counts_by_name,
    in_list,
    without_events,
    without_samples,
)
from caprese.data.dataset import Dataset
from caprese.data.grouping import equal_columns
from caprese.data.seen_orders import SeenOrders
from caprese.errors import DatasetError

Groups = tuple[tuple[str, ...], ...]

_SEPARATOR = " / "  # of the members of a composite
_LONGEST_NAME = 60  # characters


@dataclass(frozen=True, kw_only=True)
class DropConstant:
    """Drop events that do not vary, because they have no order with other events.

    Parameters
    ----------
    never
        Drop events in no sample, and events unknown in all samples.
    always
        Drop events in every sample in which they are known.

    Examples
    --------
    >>> data = Dataset.from_rows([[1, 1, 0], [1, 0, 0]], events="abc")
    >>> DropConstant(never=False).apply(data).data.events
    ('b', 'c')
    """

    never: bool = True
    always: bool = True

    def __post_init__(self) -> None:
        one_of("never", self.never, (True, False))
        one_of("always", self.always, (True, False))

    def apply(self, data: Dataset) -> Curated:
        """Return the data without these events."""
        present, known = data.tallies()
        return without_events(
            data,
            (self.never & (known == 0), Why.NEVER_KNOWN),
            (self.never & (known > 0) & (present == 0), Why.NEVER_SEEN),
            (self.always & (known > 0) & (present == known), Why.ALWAYS_SEEN),
        )


@dataclass(frozen=True, kw_only=True)
class DropSeldomKnown:
    """Drop events that are known in too few samples: their frequency says little.

    A gene of a small panel, found in one of nine samples that were examined, would otherwise count
    as frequent.

    Parameters
    ----------
    least
        Least proportion of samples in which the event is known, in [0, 1]. An event that is never
        known is left to `DropConstant`.

    Examples
    --------
    >>> data = Dataset.from_rows([[1, 1], [1, None], [0, None]], events="ab")
    >>> DropSeldomKnown(least=0.5).apply(data).data.events
    ('a',)
    """

    least: float = LEAST_COVERAGE

    def __post_init__(self) -> None:
        number("least", self.least, 0, 1)

    def apply(self, data: Dataset) -> Curated:
        """Return the data without these events."""
        known = data.tallies()[1]
        seldom = (known > 0) & (known < self.least * len(data.samples))
        return without_events(data, (seldom, Why.LITTLE_COVERED.format(percent(self.least))))


@dataclass(frozen=True, kw_only=True)
class KeepFrequent:
    """Keep frequent events, by proportion of samples, by number of samples, or both.

    Parameters
    ----------
    frequency
        Least proportion, in [0, 1], of the samples in which the event is known.
    count
        Least number of samples with the event.

    Examples
    --------
    >>> data = Dataset.from_rows([[1, 0], [1, 1], [1, 0]], events="ab")
    >>> KeepFrequent(frequency=0.5).apply(data).data.events
    ('a',)
    """

    frequency: float = 0.0
    count: int = 0

    def __post_init__(self) -> None:
        number("frequency", self.frequency, 0, 1)
        whole("count", self.count)

    def apply(self, data: Dataset) -> Curated:
        """Return the data without rare events."""
        rare = data.frequency < self.frequency
        few = data.tallies()[0] < self.count
        return without_events(
            data,
            (rare, Why.RARE.format(percent(self.frequency))),
            (few & ~rare, Why.FEW_SAMPLES.format(self.count)),
        )


@dataclass(frozen=True)
class KeepMostFrequent:
    """Keep the events that most samples have, at most a given number.

    Of events that equally many samples have, those known in more samples come first. Of equal
    events that do not all fit, none is kept, so that the order of columns does not matter. With
    `above`, data of at most so many events is kept as it is, and so is one in which more than the
    number are equally the most frequent.

    Examples
    --------
    >>> data = Dataset.from_rows([[1, 1, 0], [1, 0, 1], [1, 0, 0]], events="abc")
    >>> KeepMostFrequent(2).apply(data).data.events
    ('a',)
    """

    number: int
    above: int = 0

    def __post_init__(self) -> None:
        whole("number", self.number, 1)
        whole("above", self.above, 0)

    def apply(self, data: Dataset) -> Curated:
        """Return the data without less frequent events."""
        if max(self.number, self.above) >= len(data.events):
            return Curated(data)
        present, known = data.tallies()
        rank = present * (len(data.samples) + 1) + known
        border = np.sort(rank)[-self.number]
        why = Why.OF_MANY if self.above else Why.LESS_FREQUENT
        room_for_all = np.count_nonzero(rank >= border) == self.number
        if self.above and border == rank.max() and not room_for_all:
            return Curated(data)
        return without_events(
            data,
            (rank < border, why.format(self.number)),
            ((rank == border) & (not room_for_all), Why.TIED.format(self.number)),
        )


@dataclass(frozen=True)
class _Listed:
    names: Sequence[str]
    must_exist: bool = True

    def __post_init__(self) -> None:
        object.__setattr__(self, "names", checked_names("names", self.names, least=1))
        one_of("must_exist", self.must_exist, (True, False))

    def _apply(self, data: Dataset, *, keep: bool, why: Why) -> Curated:
        listed, skipped = in_list(data, self.names, self.must_exist)
        kept = without_events(data, (listed != keep, why))
        return Curated(kept.data, skipped + kept.log)


@dataclass(frozen=True)
class KeepEvents(_Listed):
    """Keep the listed events; `names_in` reads a list from a file.

    Parameters
    ----------
    names
        Names of events.
    must_exist
        Whether a name that is not in the data is an error; otherwise it is logged and skipped.

    Examples
    --------
    >>> data = Dataset.from_rows([[1, 0]], events=["TP53", "TTN"])
    >>> KeepEvents(["TP53", "KRAS"], must_exist=False).apply(data).data.events
    ('TP53',)
    """

    def apply(self, data: Dataset) -> Curated:
        """Return the data without other events."""
        return self._apply(data, keep=True, why=Why.NOT_LISTED)


@dataclass(frozen=True)
class DropEvents(_Listed):
    """Drop the listed events; `names_in` reads a list from a file.

    Parameters
    ----------
    names, must_exist
        As in `KeepEvents`.

    Examples
    --------
    >>> data = Dataset.from_rows([[1, 0]], events=["TP53", "TTN"])
    >>> DropEvents(["TTN"]).apply(data).data.events
    ('TP53',)
    """

    def apply(self, data: Dataset) -> Curated:
        """Return the data without these events."""
        return self._apply(data, keep=False, why=Why.LISTED)


@dataclass(frozen=True, kw_only=True)
class DropUnknownSamples:
    """Drop samples with too few known entries.

    Parameters
    ----------
    least
        Least proportion of known events, in [0, 1]. Samples without any are always dropped.

    Examples
    --------
    >>> data = Dataset.from_rows([[1, None], [None, None], [0, 1]], events="ab", samples="pqr")
    >>> DropUnknownSamples().apply(data).data.samples
    ('p', 'r')
    >>> DropUnknownSamples(least=0.6).apply(data).data.samples
    ('r',)
    """

    least: float = 0.0

    def __post_init__(self) -> None:
        number("least", self.least, 0, 1)

    def apply(self, data: Dataset) -> Curated:
        """Return the data without these samples."""
        known = data.known_mask.sum(axis=1)
        nothing, few = known == 0, known / len(data.events) < self.least
        return without_samples(
            data,
            (nothing, Why.NOTHING_KNOWN),
            (few & ~nothing, Why.LITTLE_KNOWN.format(percent(self.least))),
            counted=(known, np.full(len(known), len(data.events))),
        )


@dataclass(frozen=True)
class DropHypermutated:
    """Drop samples with more than a given number of events.

    Examples
    --------
    >>> data = Dataset.from_rows([[1, 1, 1], [0, 1, 0]], events="abc", samples="pq")
    >>> DropHypermutated(2).apply(data).data.samples
    ('q',)
    """

    most: int

    def __post_init__(self) -> None:
        whole("most", self.most)

    def apply(self, data: Dataset) -> Curated:
        """Return the data without these samples."""
        present = data.values.sum(axis=1)
        return without_samples(
            data,
            (present > self.most, Why.MANY_EVENTS.format(self.most)),
            counted=(present, data.known_mask.sum(axis=1)),
        )


@dataclass(frozen=True, kw_only=True)
class MergeIdentical:
    """Merge events that are present, absent and unknown in the same samples.

    The composite is named after its members, ``A / B``.

    Parameters
    ----------
    longest
        Characters in the name of a composite; members that do not fit are counted:
        ``A / B / +12 more``.

    Examples
    --------
    >>> data = Dataset.from_rows([[1, 0, 1], [0, 0, 0]], events=["MDM2", "TP53", "CDK4"])
    >>> MergeIdentical().apply(data).data.events
    ('CDK4 / MDM2', 'TP53')
    """

    longest: int = _LONGEST_NAME

    def __post_init__(self) -> None:
        whole("longest", self.longest, 1)

    def apply(self, data: Dataset) -> Curated:
        """Return the data with one event for each group of identical events."""
        groups = identical_events(data)
        if not groups:
            return Curated(data)
        merged = list(zip(groups, self._names(data, groups), strict=True))
        name_of = {event: name for members, name in merged for event in members}
        places: dict[str, int] = {}
        for place, event in enumerate(data.events):
            places.setdefault(name_of.get(event, event), place)
        counts_of = counts_by_name(data.events, data.tallies())
        log = tuple(
            Step("merge", Why.IDENTICAL, members, (), name, tuple(map(counts_of, members)))
            for members, name in merged
        )
        found = _columns(data, list(places.values()), places)
        orders = (
            None if data.orders is None else data.orders.renamed(found.events, name_of, data.values)
        )
        return Curated(replace(found, orders=orders), log)

    def _names(self, data: Dataset, groups: Groups) -> tuple[str, ...]:
        """Return names of the composites, different from each other and from all other events."""
        merged = {event for members in groups for event in members}
        alone = [event for event in data.events if event not in merged]
        wanted = [composite_name(members, self.longest) for members in groups]
        return numbered([*alone, *wanted])[len(alone) :]


@dataclass(frozen=True)
class MergeEvents:
    """Merge events into one that is present where any of them is.

    Where none is present and any is unknown, the composite is unknown. The members cannot be
    recovered from it; with `keep_members` they stay in the table.

    Parameters
    ----------
    members
        Names of two or more events.
    into
        The name of the composite; by default ``A / B``.
    keep_members
        Whether the members stay in the table.

    Examples
    --------
    >>> from caprese.data.datasets import acml
    >>> rule = MergeEvents(["ASXL1 indel", "ASXL1 nonsense"], into="ASXL1")
    >>> rule.apply(acml()).data.events
    ('SETBP1 missense', 'ASXL1')
    """

    members: Sequence[str]
    into: str = ""
    keep_members: bool = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "members", checked_names("members", self.members, least=2))
        one_of("keep_members", self.keep_members, (True, False))
        instance("into", self.into, str, "the name of an event")

    def apply(self, data: Dataset) -> Curated:
        """Return the data with the composite."""
        chosen, _ = in_list(data, self.members, must_exist=True)
        composite = self.into or composite_name(self.members)
        if composite in (data.events if self.keep_members else compress(data.events, ~chosen)):
            problem = f"there is already an event {composite!r}"
            raise DatasetError(f"{problem}; choose another name for the union")
        what: Literal["add", "merge"] = "add" if self.keep_members else "merge"
        counts = tuple(map(counts_by_name(data.events, data.tallies()), self.members))
        step = Step(what, Why.UNION, tuple(self.members), (), composite, counts)
        return Curated(self._table(data, chosen, composite), (step,))

    def _table(self, data: Dataset, chosen: BoolArray, composite: str) -> Dataset:
        """Return the table with the composite: last, or in the place of its first member."""
        present = data.values[:, chosen].any(axis=1)
        known = present | data.known_mask[:, chosen].all(axis=1)
        stays = ~chosen | self.keep_members
        place = len(chosen) if self.keep_members else int(np.argmax(chosen))
        names = list(compress(data.events, stays))
        names.insert(place, composite)
        values = np.insert(data.values[:, stays], place, present, axis=1)
        mask = np.insert(data.known_mask[:, stays], place, known, axis=1)
        orders = None if data.orders is None else self._orders(data, data.orders, names, composite)
        return Dataset(values, tuple(names), data.samples, mask, orders, data.patients)

    def _orders(
        self, data: Dataset, orders: SeenOrders, names: Sequence[str], composite: str
    ) -> SeenOrders:
        merged = orders.renamed(names, dict.fromkeys(self.members, composite), data.values)
        return merged.joined(orders.within(data.samples, names)) if self.keep_members else merged


def split(curated: Curated, composite: str) -> Curated:
    """Return the data with a composite of identical events replaced by its members.

    The members are taken from the log; each has the values of the composite. A union of events
    that differ cannot be split, because its values do not tell which member was present.
    """
    data = curated.data
    in_list(data, [composite], must_exist=True)
    made = [step for step in curated.log if step.composite == composite]
    if not made or made[-1].what != "merge":
        raise DatasetError(f"event {composite!r} was not merged from others")
    members = made[-1].events
    if made[-1].why != Why.IDENTICAL:
        raise DatasetError(
            f"event {composite!r} is a union of events that differ, so its members cannot be "
            "recovered; curate the original data with keep_members"
        )
    parts = [members if event == composite else (event,) for event in data.events]
    places = [place for place, names in enumerate(parts) for _ in names]
    found = _columns(data, places, [name for names in parts for name in names])
    counts = tuple(map(counts_by_name(found.events, found.tallies()), members))
    step = Step("split", Why.IDENTICAL, members, (), composite, counts)
    return Curated(found, (*curated.log, step))


def identical_events(data: Dataset) -> Groups:
    """Return the groups of events that are present, absent and unknown in the same samples."""
    tables = (data.values,) if data.known is None else (data.values, data.known)
    groups = [[data.events[column] for column in group] for group in equal_columns(*tables)]
    return tuple(sorted(tuple(sorted(group)) for group in groups))


def composite_name(members: Sequence[str], longest: int = _LONGEST_NAME) -> str:
    """Return the name of a composite: as many members as fit, and how many more."""
    ordered = sorted(members)
    for shown in range(len(ordered), 0, -1):
        rest = [f"+{len(ordered) - shown} more"] if shown < len(ordered) else []
        name = _SEPARATOR.join([*ordered[:shown], *rest])
        if len(name) <= longest:
            break
    return name


def _columns(data: Dataset, places: Sequence[int], names: Iterable[str]) -> Dataset:
    """Return the columns at these positions, with these names."""
    known = None if data.known is None else data.known[:, places]
    found = Dataset(data.values[:, places], tuple(names), data.samples, known, None, data.patients)
    orders = None if data.orders is None else data.orders.within(data.samples, found.events)
    return replace(found, orders=orders)
