"""Reading: the data set read from a file, and notes on what the reader decided."""

from collections.abc import Mapping
from dataclasses import dataclass

from caprese._core.words import listing
from caprese.data.dataset import Dataset


@dataclass(frozen=True)
class Reading:
    """A data set read from a file, and notes on how it was read.

    Parameters
    ----------
    data
        The data set.
    notes
        One sentence for each thing that the reader excluded, merged or decided; kept in the log.

    Examples
    --------
    >>> data = Dataset.from_rows([[1, 0]], events=["TP53", "KRAS"])
    >>> Reading(data, ("excluded 3 silent variants of 5 (Silent 3)",)).data
    <Dataset: 1 sample x 2 events>
    """

    data: Dataset
    notes: tuple[str, ...] = ()


def tallied(times: Mapping[str, int]) -> str:
    """Return names with their counts, the most frequent first."""
    ordered = sorted(times.items(), key=lambda item: (-item[1], item[0]))
    return listing(f"{name} {number}" for name, number in ordered)
