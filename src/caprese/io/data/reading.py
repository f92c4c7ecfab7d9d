"""Reading: the data set a file gave, and what was done to the content on the way."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from caprese.data.dataset import Dataset

_LISTED = 5


@dataclass(frozen=True)
class Reading:
    """A data set as read from a file, and what a careful reader should know of it.

    Parameters
    ----------
    data
        What was read.
    notes
        One sentence for each thing that was left out, merged or decided, for the log.

    Examples
    --------
    >>> data = Dataset.from_rows([[1, 0]], events=["TP53", "KRAS"])
    >>> Reading(data, ("left out 3 silent variants of 5 (Silent 3)",)).data
    <Dataset: 1 sample x 2 events>
    """

    data: Dataset
    notes: tuple[str, ...] = ()


def counted(number: int, noun: str, plural: str | None = None) -> str:
    """Return how many there are of something, in words a note can use.

    Examples
    --------
    >>> counted(1, "sample"), counted(1234, "sample"), counted(2, "entry", "entries")
    ('1 sample', '1,234 samples', '2 entries')
    """
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"


def listed(names: Iterable[str]) -> str:
    """Return the first few names and how many more there are.

    Examples
    --------
    >>> listed(["a", "b"]), listed("abcdefgh")
    ('a, b', 'a, b, c, d, e and 3 more')
    """
    given = list(names)
    rest = len(given) - _LISTED
    return ", ".join(given[:_LISTED]) + (f" and {rest:,} more" if rest > 0 else "")


def tallied(times: Mapping[str, int]) -> str:
    """Return how often each name came up, the most frequent first.

    Examples
    --------
    >>> tallied({"Intron": 2, "Silent": 1000})
    'Silent 1,000, Intron 2'
    """
    ordered = sorted(times.items(), key=lambda item: (-item[1], item[0]))
    return listed(f"{name} {number:,}" for name, number in ordered)
