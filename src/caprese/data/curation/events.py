"""Rules that choose events."""

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
    tallies,
    without_events,
)
from caprese.data.curation.log import Curated
from caprese.data.dataset import Dataset


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
        return without_events(
            data,
            (self.never & (known == 0), "never known"),
            (self.never & (known > 0) & (present == 0), "never seen"),
            (self.always & (known > 0) & (present == known), "always seen"),
        )


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
        check_share("frequency", self.frequency)
        check_count("count", self.count, least=0)

    def apply(self, data: Dataset) -> Curated:
        """Return the data without rarer events."""
        rare = _frequency(data) < self.frequency
        few = tallies(data)[0] < self.count
        return without_events(
            data,
            (rare, f"in less than {percent(self.frequency)} of samples"),
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
        object.__setattr__(self, "names", checked_names("names", self.names, least=1))

    def apply(self, data: Dataset) -> Curated:
        """Return the data without other events."""
        listed, skipped = in_list(data, self.names, self.must_exist)
        kept = without_events(data, (~listed, "not in the list"))
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
        object.__setattr__(self, "names", checked_names("names", self.names, least=1))

    def apply(self, data: Dataset) -> Curated:
        """Return the data without these events."""
        listed, skipped = in_list(data, self.names, self.must_exist)
        kept = without_events(data, (listed, "in the list"))
        return Curated(kept.data, skipped + kept.log)


def _frequency(data: Dataset) -> FloatArray:
    """Return the share of samples that carry each event, of those that know it; 0 if none does.

    One correctly rounded division: equal shares are equal numbers, and 7 of 100 is 0.07.
    """
    present, known = tallies(data)
    return np.asarray(present / np.maximum(known, 1))
