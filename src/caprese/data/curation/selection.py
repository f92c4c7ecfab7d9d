"""Rules that select events or samples."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from caprese._core.checks import number, one_of, whole
from caprese._core.words import percent
from caprese.data.curation.log import (
    Curated,
    Why,
    checked_names,
    in_list,
    without_events,
    without_samples,
)
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
        whole("number", self.number, 1)

    def apply(self, data: Dataset) -> Curated:
        """Return the data without less frequent events."""
        if self.number >= len(data.events):
            return Curated(data)
        frequency = data.frequency
        border = np.sort(frequency)[-self.number]
        room_for_all = np.count_nonzero(frequency >= border) == self.number
        return without_events(
            data,
            (frequency < border, Why.LESS_FREQUENT.format(self.number)),
            ((frequency == border) & (not room_for_all), Why.TIED.format(self.number)),
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
