"""The log of a curation: every change of the data, and functions by which rules change it."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import compress
from typing import Any, Literal, Protocol, runtime_checkable

import numpy as np

from caprese._core.arrays import BoolArray, IntArray
from caprese._core.words import did_you_mean, listing
from caprese.data.dataset import Dataset
from caprese.errors import DatasetError, ParameterError, Remedy

LEAST_COVERAGE = 0.2
"""The least proportion of samples in which an event is known, unless another one is given."""


class Why(StrEnum):
    """The reasons of rules; where there are braces, the limit that a rule was given is put in."""

    NEVER_KNOWN = "never known"
    NEVER_SEEN = "never seen"
    ALWAYS_SEEN = "always seen"
    LITTLE_COVERED = "known in less than {} of samples"
    RARE = "in less than {} of samples"
    FEW_SAMPLES = "in fewer than {} samples"
    LESS_FREQUENT = "less frequent than the first {}"
    OF_MANY = "less frequent than the {} that are kept of more than 50 events"
    TIED = "tied for place {}"
    LISTED = "in the list"
    NOT_LISTED = "not in the list"
    NO_EVENT = "not among the events"
    NOTHING_KNOWN = "no event known"
    LITTLE_KNOWN = "less than {} of events known"
    MANY_EVENTS = "more than {} events present"
    IDENTICAL = "identical"
    UNION = "present where any is"
    OTHER_SAMPLE = "another sample of the patient is kept: the {}"
    NOT_IN_SERIES = "of a patient with other samples, and of unknown time"
    ANCESTOR = "reconstructed ancestors of isolates, which are no samples"
    LOST = "without an event of an earlier sample of the patient"
    IN_ANY_SAMPLE = "present where any sample of the patient has it"
    NOTES_OMITTED = "notes on reading are omitted: they may name samples"


@dataclass(frozen=True)
class Step:
    """One change of the data, with the names of all events or samples concerned.

    Parameters
    ----------
    what
        ``drop`` events or samples; ``merge`` events into a composite; ``add`` a composite beside
        its members; ``split`` a composite into its members; ``skip`` names the data does not have;
        ``read`` for a note of the reader of the file.
    why
        The reason: one of `Why`, with its limit; or the note of the reader.
    events, samples
        Those dropped, merged, split or skipped, in alphabetical order.
    composite
        The event that was merged, added or split.
    counts
        For each event, the number of samples with it, and in which it was known. For each dropped
        sample, what its rule counted, and out of how many.
    """

    what: Literal["read", "drop", "merge", "add", "split", "skip"]
    why: str
    events: tuple[str, ...] = ()
    samples: tuple[str, ...] = ()
    composite: str = ""
    counts: tuple[tuple[int, int], ...] = ()

    def __post_init__(self) -> None:
        names = len(self.samples or self.events)
        if self.counts and len(self.counts) != names:
            raise DatasetError(f"counts must be one pair per name, {names}, got {len(self.counts)}")


@dataclass(frozen=True)
class Curated:
    """A data set and the log of its curation."""

    data: Dataset
    log: tuple[Step, ...] = ()

    def numbers(self) -> dict[str, str]:
        """Return a number for each sample: those of the data first, then dropped ones."""
        dropped = (sample for step in self.log for sample in step.samples)
        names = dict.fromkeys((*self.data.samples, *dropped))
        return {name: str(place) for place, name in enumerate(names, start=1)}

    def without_names(self) -> "Curated":
        """Return the same with samples named by their `numbers`.

        Notes of the reader are omitted, because they may name samples.

        Examples
        --------
        >>> data = Dataset.from_rows([[1, 0], [0, 1]], "ab", samples=["Ada", "Bob"])
        >>> Curated(data).without_names().data.samples
        ('1', '2')
        """
        numbers = self.numbers()
        patients = None if self.data.patients is None else self.data.patients.without_names()
        samples = tuple(numbers[name] for name in self.data.samples)
        data = replace(self.data, samples=samples, patients=patients)
        steps = [
            replace(step, samples=tuple(numbers[name] for name in step.samples))
            for step in self.log
            if step.what != "read"
        ]
        if len(steps) < len(self.log):
            steps.insert(0, Step("read", Why.NOTES_OMITTED))
        return Curated(data, tuple(steps))


@runtime_checkable
class Rule(Protocol):
    """One way to change a data set."""

    def apply(self, data: Dataset) -> Curated:
        """Return the changed data, with a step for every change."""


Case = tuple[BoolArray, str]
"""Which events or samples to drop, and why."""

_KEEPS_EVENTS = Remedy("keep_constant", True, "keeps events that do not vary")
_REMEDIES = {
    Why.NEVER_KNOWN: _KEEPS_EVENTS,
    Why.NEVER_SEEN: _KEEPS_EVENTS,
    Why.ALWAYS_SEEN: _KEEPS_EVENTS,
    Why.LITTLE_COVERED.partition("{}")[0]: Remedy(
        "coverage", 0, "keeps events that are seldom known"
    ),
    Why.NOTHING_KNOWN: Remedy("keep_unknown", True, "keeps samples without any known entry"),
}


def without_events(data: Dataset, *cases: Case) -> Curated:
    """Drop the events of all cases; no event is in two cases."""
    stays, log = _cases("events", data.events, cases, data.tallies())
    return Curated(data.take_events(list(compress(data.events, stays))) if log else data, log)


def without_samples(data: Dataset, *cases: Case, counted: tuple[IntArray, IntArray]) -> Curated:
    """Drop the samples of all cases, as `without_events` does events."""
    stays, log = _cases("samples", data.samples, cases, counted)
    return Curated(data.take_samples(np.flatnonzero(stays)) if log else data, log)


def _cases(
    kind: Literal["events", "samples"],
    names: Sequence[str],
    cases: Sequence[Case],
    counted: tuple[IntArray, IntArray],
) -> tuple[BoolArray, tuple[Step, ...]]:
    """Return what is left after all cases, and a step for each case that applies."""
    met = [(mask, why) for mask, why in cases if mask.any()]
    stays = ~np.any([np.zeros(len(names), dtype=bool), *(mask for mask, _ in met)], axis=0)
    if not stays.any():
        whys = [why for _, why in met]
        all_of = f"none of the {len(names)} {kind}" if len(names) > 1 else f"no {kind[:-1]}"
        given = [each.startswith for each in whys]
        remedy = next((r for why, r in _REMEDIES.items() if any(at(why) for at in given)), None)
        raise DatasetError(f"{all_of} would be left: {'; '.join(whys)}", remedy=remedy)
    counts_of, log = counts_by_name(names, counted), []
    for mask, why in met:
        gone = tuple(sorted(compress(names, mask)))
        counts = tuple(map(counts_of, gone))
        events, samples = (gone, ()) if kind == "events" else ((), gone)
        log.append(Step("drop", why, events, samples, counts=counts))
    return stays, tuple(log)


def counts_by_name(
    names: Sequence[str], counted: tuple[IntArray, IntArray]
) -> Callable[[str], tuple[int, int]]:
    """Return a function that gives the two counts of a name."""
    numbers = zip(counted[0].tolist(), counted[1].tolist(), strict=True)
    return dict(zip(names, numbers, strict=True)).__getitem__


def in_list(
    data: Dataset, names: Sequence[str], must_exist: bool
) -> tuple[BoolArray, tuple[Step, ...]]:
    """Return which events are in the list; unknown names are an error, or a step of the log."""
    wanted = set(names)
    absent = tuple(sorted(wanted - set(data.events)))
    if absent and must_exist:
        meant = did_you_mean(absent[0], data.events)
        raise DatasetError(f"{Why.NO_EVENT}: {listing(map(repr, absent))}{meant}")
    listed = np.array([event in wanted for event in data.events])
    return listed, (Step("skip", Why.NO_EVENT, absent),) if absent else ()


def checked_names(parameter: str, names: Any, least: int) -> tuple[str, ...]:
    """Return the distinct names in alphabetical order; refuse too few."""
    listed = isinstance(names, Iterable) and not isinstance(names, str | bytes)
    distinct = tuple(sorted(set(map(str, names)))) if listed else ()
    if len(distinct) < least:
        raise ParameterError(parameter, f"a list of {least} or more names", names)
    return distinct
