"""The log of a curation: every change of the data."""

from dataclasses import dataclass, replace
from typing import Literal, Protocol

from caprese.data.dataset import Dataset
from caprese.errors import DatasetError


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
        The reason.
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
        data = replace(self.data, samples=tuple(numbers[name] for name in self.data.samples))
        steps = [
            replace(step, samples=tuple(numbers[name] for name in step.samples))
            for step in self.log
            if step.what != "read"
        ]
        if len(steps) < len(self.log):
            steps.insert(0, Step("read", "notes on reading are omitted: they may name samples"))
        return Curated(data, tuple(steps))


class Rule(Protocol):
    """One way to change a data set."""

    def apply(self, data: Dataset) -> Curated:
        """Return the changed data, with a step for every change."""
