"""Rules that select events or samples."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from caprese._core.arrays import FloatArray
from caprese._core.words import percent
from caprese.data.curation.dropping import (
    check_count,
    check_share,
    checked_names,
    in_list,
    without_events,
    without_samples,
)
from caprese.data.curation.log import Curated
from caprese.data.dataset import Dataset


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

    def apply(self, data: Dataset) -> Curated:
        """Return the data without these events."""
        present, known = data.tallies()
        return without_events(
            data,
            (self.never & (known == 0), "never known"),
            (self.never & (known > 0) & (present == 0), "never seen"),
            (self.always & (known > 0) & (present == known), "always seen"),
        )


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
        check_share("frequency", self.frequency)
        check_count("count", self.count, least=0)

    def apply(self, data: Dataset) -> Curated:
        """Return the data without rare events."""
        rare = _frequency(data) < self.frequency
        few = data.tallies()[0] < self.count
        return without_events(
            data,
            (rare, f"in less than {percent(self.frequency)} of samples"),
            (few & ~rare, f"in fewer than {self.count} samples"),
        )


@dataclass(frozen=True)
class KeepMostFrequent:
    """Keep the most frequent events, at most a given number.

    Of equally frequent events that do not all fit, none is kept, so that the order of columns does
    not matter.

    Examples
    --------
    >>> data = Dataset.from_rows([[1, 1, 0], [1, 0, 1], [1, 0, 0]], events="abc")
    >>> KeepMostFrequent(2).apply(data).data.events
    ('a',)
    """

    number: int

    def __post_init__(self) -> None:
        check_count("number", self.number, least=1)

    def apply(self, data: Dataset) -> Curated:
        """Return the data without less frequent events."""
        if self.number >= len(data.events):
            return Curated(data)
        frequency = _frequency(data)
        border = np.sort(frequency)[-self.number]
        room_for_all = np.count_nonzero(frequency >= border) == self.number
        return without_events(
            data,
            (frequency < border, f"less frequent than the first {self.number}"),
            ((frequency == border) & (not room_for_all), f"tied for place {self.number}"),
        )


@dataclass(frozen=True)
class _Listed:
    names: Sequence[str]
    must_exist: bool = True

    def __post_init__(self) -> None:
        object.__setattr__(self, "names", checked_names("names", self.names, least=1))

    def _apply(self, data: Dataset, *, keep: bool, why: str) -> Curated:
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
        return self._apply(data, keep=True, why="not in the list")


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
        return self._apply(data, keep=False, why="in the list")


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
        check_share("least", self.least)

    def apply(self, data: Dataset) -> Curated:
        """Return the data without these samples."""
        known = data.known_mask.sum(axis=1)
        nothing, few = known == 0, known / len(data.events) < self.least
        return without_samples(
            data,
            (nothing, "no event known"),
            (few & ~nothing, f"less than {percent(self.least)} of events known"),
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
        check_count("most", self.most, least=0)

    def apply(self, data: Dataset) -> Curated:
        """Return the data without these samples."""
        present = data.values.sum(axis=1)
        return without_samples(
            data,
            (present > self.most, f"more than {self.most} events present"),
            counted=(present, data.known_mask.sum(axis=1)),
        )


def _frequency(data: Dataset) -> FloatArray:
    """Return the frequency of each event where it is known; 0 if it is never known.

    A single division, correctly rounded: equal frequencies are equal, and 7 of 100 is 0.07.
    """
    present, known = data.tallies()
    return np.asarray(present / np.maximum(known, 1))
