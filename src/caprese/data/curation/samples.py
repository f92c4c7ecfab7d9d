"""Rules that select samples."""

from dataclasses import dataclass

import numpy as np

from caprese._core.words import percent
from caprese.data.curation.dropping import check_count, check_share, known_entries, without_samples
from caprese.data.curation.log import Curated
from caprese.data.dataset import Dataset


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
        known = known_entries(data).sum(axis=1)
        nothing = known == 0
        return without_samples(
            data,
            (nothing, "no event known"),
            (
                (known / len(data.events) < self.least) & ~nothing,
                f"less than {percent(self.least)} of events known",
            ),
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
            counted=(present, known_entries(data).sum(axis=1)),
        )
