"""Curation: make a data set fit to be fitted, and log everything done to it.

A *rule* is a frozen dataclass of options with one verb, ``apply(data) -> Curated``; `curate`
applies several in turn. A rule that has nothing to do leaves no step in the log. No answer depends
on the order of rows or columns: names in the log stand in alphabetical order, events keep their
place in the table, and a composite takes the place of its first member.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import compress
from typing import Literal, Protocol

import numpy as np

from caprese.arrays import BoolArray, FloatArray, IntArray
from caprese.dataset import Dataset
from caprese.errors import DatasetError
from caprese.names import numbered

Groups = tuple[tuple[str, ...], ...]

_BETWEEN = " / "  # the members of a composite
_LONGEST = 60  # signs of a name in a list or in a composite


@dataclass(frozen=True)
class Step:
    """One thing done to the data, with the names of all it was done to.

    Parameters
    ----------
    what
        ``drop`` events or samples; ``merge`` events into a composite; ``add`` a composite beside
        its members; ``split`` a composite into its members; ``skip`` names the data does not have;
        ``read`` for what the reader of the file has to say.
    why
        The rule that asked for it.
    events, samples
        Those dropped, merged, split or skipped, in alphabetical order.
    composite
        The event made by a merge or an addition, or taken apart by a split.
    counts
        For each event, in how many samples it was present and in how many known. For each sample
        dropped, what its rule counted and out of how many.

    Examples
    --------
    >>> data = Dataset.from_rows([[1, 0], [0, 0]], events=["8q+", "Xp-"])
    >>> DropConstant().apply(data).log
    (Step(what='drop', why='never seen', events=('Xp-',), samples=(), composite='',
          counts=((0, 2),)),)
    """

    what: Literal["read", "drop", "merge", "add", "split", "skip"]
    why: str
    events: tuple[str, ...] = ()
    samples: tuple[str, ...] = ()
    composite: str = ""
    counts: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True)
class Curated:
    """A data set, and the steps that led to it.

    Examples
    --------
    >>> from caprese.datasets import acml
    >>> curate(acml()).log
    ()
    """

    data: Dataset
    log: tuple[Step, ...] = ()


class Rule(Protocol):
    """One way to change a data set."""

    def apply(self, data: Dataset) -> Curated:
        """Return the data after the change, with a step for everything done."""


def curate(data: Dataset, rules: Iterable[Rule] | None = None) -> Curated:
    """Return the data after these rules in turn, with the log of all; else after `standard`.

    Examples
    --------
    >>> data = Dataset.from_rows([[1, 1, 0, 1], [0, 0, 0, 1], [1, 1, 0, 0]], events="abcd")
    >>> curated = curate(data)
    >>> curated.data.events
    ('a / b', 'd')
    >>> [(step.what, step.events) for step in curated.log]
    [('drop', ('c',)), ('merge', ('a', 'b'))]
    """
    curated = Curated(data)
    for rule in standard() if rules is None else rules:
        after = rule.apply(curated.data)
        curated = Curated(after.data, curated.log + after.log)
    return curated


def standard(
    *, constant: bool = True, identical: bool = True, unknown_samples: bool = True
) -> tuple[Rule, ...]:
    """Return the rules that cost no information about the order of events.

    Parameters
    ----------
    constant
        Drop events that are never or always seen.
    identical
        Merge events that cannot be told apart.
    unknown_samples
        Drop samples with no known entry.

    Examples
    --------
    >>> standard(identical=False)
    (DropConstant(never=True, always=True), DropUnknownSamples(least=0.0))
    """
    rules: tuple[tuple[bool, Rule], ...] = (
        (constant, DropConstant()),
        (identical, MergeIdentical()),
        (unknown_samples, DropUnknownSamples()),
    )
    return tuple(rule for wanted, rule in rules if wanted)


@dataclass(frozen=True, kw_only=True)
class DropConstant:
    """Drop events that do not vary, for nothing can be said of what they precede.

    Parameters
    ----------
    never
        Drop those that no sample carries, or that no sample knows.
    always
        Drop those that every sample carries in which they are known.

    Examples
    --------
    >>> data = Dataset.from_rows([[1, 1, 0], [1, 0, 0]], events="abc")
    >>> DropConstant(never=False).apply(data).data.events
    ('b', 'c')
    """

    never: bool = True
    always: bool = True

    def apply(self, data: Dataset) -> Curated:
        """Return the data without these events."""
        present, known = tallies(data)
        return _without_events(
            data,
            (self.never & (known == 0), "never known"),
            (self.never & (known > 0) & (present == 0), "never seen"),
            (self.always & (known > 0) & (present == known), "always seen"),
        )


@dataclass(frozen=True, kw_only=True)
class MergeIdentical:
    """Merge events that are present, absent and unknown in the same samples.

    The composite is named after its members, ``A / B``.

    Parameters
    ----------
    longest
        Signs a composite's name may have before members are only counted: ``A / B / +12 more``.

    Examples
    --------
    >>> data = Dataset.from_rows([[1, 0, 1], [0, 0, 0]], events=["MDM2", "TP53", "CDK4"])
    >>> MergeIdentical().apply(data).data.events
    ('CDK4 / MDM2', 'TP53')
    """

    longest: int = _LONGEST

    def __post_init__(self) -> None:
        _check_count("longest", self.longest, least=1)

    def apply(self, data: Dataset) -> Curated:
        """Return the data with one event for each group of identical ones."""
        groups = identical_events(data)
        if not groups:
            return Curated(data)
        composites = self._names(data, groups)
        name_of = {
            event: name
            for members, name in zip(groups, composites, strict=True)
            for event in members
        }
        places: dict[str, int] = {}
        for place, event in enumerate(data.events):
            places.setdefault(name_of.get(event, event), place)
        pairs = _pairs(data.events, tallies(data))
        log = tuple(
            Step("merge", "identical", members, (), name, tuple(pairs[event] for event in members))
            for members, name in zip(groups, composites, strict=True)
        )
        return Curated(_columns(data, list(places.values()), places), log)

    def _names(self, data: Dataset, groups: Groups) -> tuple[str, ...]:
        """Name the composites so that they differ from each other and from all other events."""
        merged = {event for members in groups for event in members}
        alone = [event for event in data.events if event not in merged]
        wanted = [composite_name(members, self.longest) for members in groups]
        return numbered([*alone, *wanted])[len(alone) :]


@dataclass(frozen=True, kw_only=True)
class KeepFrequent:
    """Keep events that are frequent enough, by share of samples, by number of samples, or both.

    Parameters
    ----------
    frequency
        The least share, in [0, 1], of those samples in which the event is known.
    count
        The least number of samples that carry it.

    Examples
    --------
    >>> data = Dataset.from_rows([[1, 0], [1, 1], [1, 0]], events="ab")
    >>> KeepFrequent(frequency=0.5).apply(data).data.events
    ('a',)
    """

    frequency: float = 0.0
    count: int = 0

    def __post_init__(self) -> None:
        _check_share("frequency", self.frequency)
        _check_count("count", self.count, least=0)

    def apply(self, data: Dataset) -> Curated:
        """Return the data without rarer events."""
        rare = _frequency(data) < self.frequency
        few = tallies(data)[0] < self.count
        return _without_events(
            data,
            (rare, f"in less than {_percent(self.frequency)} of samples"),
            (few & ~rare, f"in fewer than {self.count} samples"),
        )


@dataclass(frozen=True)
class KeepMostFrequent:
    """Keep at most so many events, the most frequent.

    If several are equally frequent and there is no room for all of them, none of them is kept:
    which one came first in the file must not decide.

    Examples
    --------
    >>> data = Dataset.from_rows([[1, 1, 0], [1, 0, 1], [1, 0, 0]], events="abc")
    >>> KeepMostFrequent(2).apply(data).data.events
    ('a',)
    """

    number: int

    def __post_init__(self) -> None:
        _check_count("number", self.number, least=1)

    def apply(self, data: Dataset) -> Curated:
        """Return the data without less frequent events."""
        if self.number >= len(data.events):
            return Curated(data)
        frequency = _frequency(data)
        border = np.sort(frequency)[-self.number]
        room_for_all = np.count_nonzero(frequency >= border) == self.number
        return _without_events(
            data,
            (frequency < border, f"less frequent than the first {self.number}"),
            ((frequency == border) & (not room_for_all), f"tied for place {self.number}"),
        )


@dataclass(frozen=True)
class KeepEvents:
    """Keep the events of a list; see `names_in` for lists from a file.

    Parameters
    ----------
    names
        Their names.
    must_exist
        Whether a name the data does not have is refused, or skipped and logged.

    Examples
    --------
    >>> data = Dataset.from_rows([[1, 0]], events=["TP53", "TTN"])
    >>> KeepEvents(["TP53", "KRAS"], must_exist=False).apply(data).data.events
    ('TP53',)
    """

    names: Sequence[str]
    must_exist: bool = True

    def __post_init__(self) -> None:
        object.__setattr__(self, "names", _checked_names("names", self.names, least=1))

    def apply(self, data: Dataset) -> Curated:
        """Return the data without other events."""
        listed, skipped = _listed(data, self.names, self.must_exist)
        kept = _without_events(data, (~listed, "not in the list"))
        return Curated(kept.data, skipped + kept.log)


@dataclass(frozen=True)
class DropEvents:
    """Drop the events of a list; see `names_in` for lists from a file.

    Parameters
    ----------
    names
        Their names.
    must_exist
        Whether a name the data does not have is refused, or skipped and logged.

    Examples
    --------
    >>> data = Dataset.from_rows([[1, 0]], events=["TP53", "TTN"])
    >>> DropEvents(["TTN"]).apply(data).data.events
    ('TP53',)
    """

    names: Sequence[str]
    must_exist: bool = True

    def __post_init__(self) -> None:
        object.__setattr__(self, "names", _checked_names("names", self.names, least=1))

    def apply(self, data: Dataset) -> Curated:
        """Return the data without these events."""
        listed, skipped = _listed(data, self.names, self.must_exist)
        kept = _without_events(data, (listed, "in the list"))
        return Curated(kept.data, skipped + kept.log)


@dataclass(frozen=True)
class MergeEvents:
    """Merge events into one that is present where any of them is.

    Where none is present and any is unknown, so is the composite. The members cannot be told from
    it afterwards; `keep_members` leaves them in the table beside it.

    Parameters
    ----------
    members
        Names of two or more events.
    into
        The name of the composite; ``A / B`` if left out.
    keep_members
        Whether the members stay.

    Examples
    --------
    >>> from caprese.datasets import acml
    >>> rule = MergeEvents(["ASXL1 indel", "ASXL1 nonsense"], into="ASXL1")
    >>> rule.apply(acml()).data.events
    ('SETBP1 missense', 'ASXL1')
    """

    members: Sequence[str]
    into: str = ""
    keep_members: bool = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "members", _checked_names("members", self.members, least=2))

    def apply(self, data: Dataset) -> Curated:
        """Return the data with the composite."""
        chosen, _ = _listed(data, self.members, must_exist=True)
        composite = self.into or composite_name(self.members)
        if composite in (data.events if self.keep_members else compress(data.events, ~chosen)):
            raise DatasetError(f"there is an event {composite!r} already; name the union otherwise")
        what: Literal["add", "merge"] = "add" if self.keep_members else "merge"
        members, pairs = tuple(self.members), _pairs(data.events, tallies(data))
        counts = tuple(pairs[event] for event in members)
        step = Step(what, "present where any is", members, (), composite, counts)
        return Curated(self._table(data, chosen, composite), (step,))

    def _table(self, data: Dataset, chosen: BoolArray, composite: str) -> Dataset:
        present, known = _union(data, chosen)
        values = np.column_stack([data.values, present])
        mask = np.column_stack([known_entries(data), known])
        names, order = [*data.events, composite], self._order(chosen)
        events = tuple(names[place] for place in order)
        return Dataset(values[:, order], events, data.samples, mask[:, order])

    def _order(self, chosen: BoolArray) -> list[int]:
        """Return which columns stay, in their order; the composite's is the last of all."""
        columns, composite = range(len(chosen)), len(chosen)
        if self.keep_members:
            return [*columns, composite]
        first = int(np.argmax(chosen))
        return [composite if k == first else k for k in columns if k == first or not chosen[k]]


@dataclass(frozen=True, kw_only=True)
class DropUnknownSamples:
    """Drop samples of which too little is known.

    Parameters
    ----------
    least
        The least share of events, in [0, 1], that must be known. A sample without any is dropped
        whatever the share.

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
        _check_share("least", self.least)

    def apply(self, data: Dataset) -> Curated:
        """Return the data without these samples."""
        known = known_entries(data).sum(axis=1)
        nothing = known == 0
        return _without_samples(
            data,
            (nothing, "no event known"),
            (
                (known / len(data.events) < self.least) & ~nothing,
                f"less than {_percent(self.least)} of events known",
            ),
            counted=(known, np.full(len(known), len(data.events))),
        )


@dataclass(frozen=True)
class DropHypermutated:
    """Drop samples that carry more than so many events.

    Examples
    --------
    >>> data = Dataset.from_rows([[1, 1, 1], [0, 1, 0]], events="abc", samples="pq")
    >>> DropHypermutated(2).apply(data).data.samples
    ('q',)
    """

    most: int

    def __post_init__(self) -> None:
        _check_count("most", self.most, least=0)

    def apply(self, data: Dataset) -> Curated:
        """Return the data without these samples."""
        present = data.values.sum(axis=1)
        return _without_samples(
            data,
            (present > self.most, f"more than {self.most} events present"),
            counted=(present, known_entries(data).sum(axis=1)),
        )


def split(curated: Curated, composite: str) -> Curated:
    """Return the data with a composite of identical events replaced by its members.

    The log knows the members, and what is true of the composite is true of each of them. A union
    of events that differ cannot be undone: 0 and 1 do not tell which member was there.

    Examples
    --------
    >>> data = Dataset.from_rows([[1, 0, 1], [0, 1, 0]], events="abc")
    >>> merged = curate(data, [MergeIdentical()])
    >>> split(merged, "a / c").data.events
    ('a', 'c', 'b')
    """
    data = curated.data
    _listed(data, [composite], must_exist=True)
    made = [step for step in curated.log if step.composite == composite]
    if not made or made[-1].what != "merge":
        raise DatasetError(f"event {composite!r} was not merged from others")
    members = made[-1].events
    if made[-1].why != "identical":
        raise DatasetError(
            f"event {composite!r} is a union of events that differ, and its members cannot be told "
            "from it; curate the original data with keep_members"
        )
    parts = [members if event == composite else (event,) for event in data.events]
    places = [place for place, names in enumerate(parts) for _ in names]
    whole = _columns(data, places, [name for names in parts for name in names])
    pairs = _pairs(whole.events, tallies(whole))
    counts = tuple(pairs[event] for event in members)
    step = Step("split", "identical", members, (), composite, counts)
    return Curated(whole, (*curated.log, step))


def names_in(lines: Iterable[str]) -> tuple[str, ...]:
    """Return the names in the lines of a file, one on each; blank lines and ``#`` remarks are none.

    Examples
    --------
    >>> names_in(["# drivers", "TP53", "", "KRAS "])
    ('TP53', 'KRAS')
    """
    stripped = (line.strip() for line in lines)
    return tuple(line for line in stripped if line and not line.startswith("#"))


def identical_events(data: Dataset) -> Groups:
    """Return the groups of events that are present, absent and unknown in the same samples.

    Examples
    --------
    >>> identical_events(Dataset.from_rows([[1, 0, 1], [0, 0, 0]], events="abc"))
    (('a', 'c'),)
    """
    known = None if data.known is None else data.known.T
    return equal_rows(data.events, data.values.T, known)


def equal_rows(names: Sequence[str], values: BoolArray, known: BoolArray | None) -> Groups:
    """Return the names of rows that are equal, and equally known, by twos or more.

    Examples
    --------
    >>> equal_rows("pqr", np.array([[True], [False], [True]]), None)
    (('p', 'r'),)
    """
    table = values if known is None else np.hstack([values, known])
    groups: dict[bytes, list[str]] = {}
    for name, row in zip(names, np.packbits(table, axis=1), strict=True):
        groups.setdefault(row.tobytes(), []).append(name)
    return tuple(sorted(tuple(sorted(group)) for group in groups.values() if len(group) > 1))


def composite_name(members: Sequence[str], longest: int = _LONGEST) -> str:
    """Return the name of a composite: those of its members, as many as fit, and how many more.

    Examples
    --------
    >>> composite_name(["b", "a"])
    'a / b'
    >>> composite_name(["FGF3", "FGF4", "FGF19", "CCND1"], longest=25)
    'CCND1 / FGF19 / +2 more'
    """
    ordered = sorted(members)
    for shown in range(len(ordered), 0, -1):
        rest = [f"+{len(ordered) - shown} more"] if shown < len(ordered) else []
        name = _BETWEEN.join([*ordered[:shown], *rest])
        if len(name) <= longest:
            break
    return name


def listing(names: Iterable[str], most: int = 5) -> str:
    """Return names as a text: the first ones, each at a bearable length, and how many more.

    Examples
    --------
    >>> listing("abcd", most=2)
    'a, b and 2 more'
    """
    given = list(names)
    shown = (name if len(name) <= _LONGEST else name[: _LONGEST - 1] + "…" for name in given[:most])
    rest = f" and {len(given) - most} more" if len(given) > most else ""
    return ", ".join(shown) + rest


def tallies(data: Dataset) -> tuple[IntArray, IntArray]:
    """Return in how many samples each event is present, and in how many it is known.

    Examples
    --------
    >>> tallies(Dataset.from_rows([[1, 0], [1, None]], events="ab"))
    (array([2, 0]), array([2, 1]))
    """
    return data.values.sum(axis=0), known_entries(data).sum(axis=0)


def known_entries(data: Dataset) -> BoolArray:
    """Return the mask of known entries, also of complete data.

    Examples
    --------
    >>> known_entries(Dataset.from_rows([[1, 0]], events="ab"))
    array([[ True,  True]])
    """
    return np.ones_like(data.values) if data.known is None else data.known


def _frequency(data: Dataset) -> FloatArray:
    """Return the share of samples that carry each event, of those that know it; 0 if none does.

    One correctly rounded division: equal shares are equal numbers, and 7 of 100 is 0.07.
    """
    present, known = tallies(data)
    return np.asarray(present / np.maximum(known, 1))


def _union(data: Dataset, chosen: BoolArray) -> tuple[BoolArray, BoolArray]:
    """Return where any of the chosen events is present, and where that is known."""
    present: BoolArray = np.any(data.values[:, chosen], axis=1)
    return present, present | np.all(known_entries(data)[:, chosen], axis=1)


def _columns(data: Dataset, places: Sequence[int] | IntArray, names: Iterable[str]) -> Dataset:
    """Return the columns at these places, under these names."""
    known = None if data.known is None else data.known[:, places]
    return Dataset(data.values[:, places], tuple(names), data.samples, known)


def _without_events(data: Dataset, *cases: tuple[BoolArray, str]) -> Curated:
    """Drop the events of all cases; each case has a reason, and no event is in two of them."""
    stays, log = _cases("events", data.events, cases, tallies(data))
    if not log:
        return Curated(data)
    return Curated(_columns(data, np.flatnonzero(stays), compress(data.events, stays)), log)


def _without_samples(
    data: Dataset, *cases: tuple[BoolArray, str], counted: tuple[IntArray, IntArray]
) -> Curated:
    """Drop the samples of all cases, as `_without_events` does events."""
    stays, log = _cases("samples", data.samples, cases, counted)
    return Curated(data.take_samples(np.flatnonzero(stays)) if log else data, log)


def _cases(
    kind: Literal["events", "samples"],
    names: Sequence[str],
    cases: Sequence[tuple[BoolArray, str]],
    counted: tuple[IntArray, IntArray],
) -> tuple[BoolArray, tuple[Step, ...]]:
    """Return what stays after all cases, and a step for each case there is."""
    met = [(mask, why) for mask, why in cases if mask.any()]
    stays = ~np.any([np.zeros(len(names), dtype=bool), *(mask for mask, _ in met)], axis=0)
    if not stays.any():
        whys = "; ".join(why for _, why in met)
        raise DatasetError(f"none of the {len(names)} {kind} would be left: {whys}")
    pairs, log = _pairs(names, counted), []
    for mask, why in met:
        gone = tuple(sorted(compress(names, mask)))
        counts = tuple(pairs[name] for name in gone)
        events, samples = (gone, ()) if kind == "events" else ((), gone)
        log.append(Step("drop", why, events, samples, counts=counts))
    return stays, tuple(log)


def _pairs(names: Sequence[str], counted: tuple[IntArray, IntArray]) -> dict[str, tuple[int, int]]:
    """Return the two numbers counted for each name."""
    numbers = zip(counted[0].tolist(), counted[1].tolist(), strict=True)
    return dict(zip(names, numbers, strict=True))


def _listed(
    data: Dataset, names: Sequence[str], must_exist: bool
) -> tuple[BoolArray, tuple[Step, ...]]:
    """Return which events are in the list; the names that are none are refused, or skipped."""
    wanted = set(names)
    absent = tuple(sorted(wanted - set(data.events)))
    if absent and must_exist:
        raise DatasetError(f"not among the events: {listing(map(repr, absent))}")
    listed = np.array([event in wanted for event in data.events])
    return listed, (Step("skip", "not among the events", absent),) if absent else ()


def _checked_names(parameter: str, names: Sequence[str], least: int) -> tuple[str, ...]:
    distinct = () if isinstance(names, str) else tuple(sorted(set(map(str, names))))
    if len(distinct) < least:
        raise ValueError(f"{parameter} must be a list of {least} or more names, got {names!r}")
    return distinct


def _check_share(parameter: str, value: float) -> None:
    if not 0 <= value <= 1:
        raise ValueError(f"{parameter} must be in [0, 1], got {value}")


def _check_count(parameter: str, value: int, least: int) -> None:
    if value != int(value) or value < least:
        raise ValueError(f"{parameter} must be a whole number from {least}, got {value}")


def _percent(share: float) -> str:
    return f"{100 * share:g} %"
