"""The log of a curation: what was done to the data, step by step."""

from dataclasses import dataclass
from typing import Literal, Protocol

from caprese.data.dataset import Dataset


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
    >>> from caprese.data.curation import DropConstant
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
    >>> from caprese.data.curation import curate
    >>> from caprese.data.embedded import acml
    >>> curate(acml()).log
    ()
    """

    data: Dataset
    log: tuple[Step, ...] = ()


class Rule(Protocol):
    """One way to change a data set."""

    def apply(self, data: Dataset) -> Curated:
        """Return the data after the change, with a step for everything done."""
