"""What the readers have in common: their result, its notes, and optional packages."""

import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from importlib import import_module
from typing import Any

from caprese._core.budget import budget
from caprese._core.environment import install_command
from caprese._core.files import FilePath, format_error, over_budget, shown
from caprese._core.words import listing, number_of
from caprese.data.dataset import Dataset
from caprese.data.suggestion import GeneVariants
from caprese.errors import CapreseError, Remedy, Setting, in_python
from caprese.io.data.annotations import Annotation

_PER_CELL = 6  # bytes of memory: the code that is read, values, what is known, and copies
_PER_SAMPLE = 300  # bytes of memory for its name


@dataclass(frozen=True)
class Note:
    """What a reader excluded, merged or decided, and a setting that would change it."""

    what: str
    remedy: Remedy | None = None

    def __str__(self) -> str:
        return self.message()

    def message(self, setting: Setting = in_python) -> str:
        """Return the note on one line, parameters written in a given way."""
        advice = "" if self.remedy is None else f"; {self.remedy.message(setting)}"
        return f"{self.what}{advice}"


@dataclass(frozen=True)
class Reading:
    """A data set read from a file, and notes on how it was read."""

    data: Dataset
    notes: tuple[Note, ...] = ()  # what the reader excluded, merged or decided; kept in the log
    annotations: tuple[Annotation, ...] = ()  # categories that the file also holds, such as stages
    left_out: tuple[str, ...] = ()  # columns to be excluded that do not hold entries: not read
    doubts: tuple[Note, ...] = ()  # notes that a user should act on before any result is of use
    patients: Mapping[str, str] = field(default_factory=dict)  # of the samples in the file
    variants: Callable[[], Mapping[str, GeneVariants]] = field(default=dict, compare=False)
    # What the file says of the variants of each gene; it is then read once more.

    def changed(self, data: Dataset, notes: Iterable[Note] = ()) -> "Reading":
        """Return the reading with other data and further notes."""
        return replace(self, data=data, notes=(*self.notes, *notes))


def named(before: str, noun: str, names: Sequence[str], after: str = "") -> tuple[Note, ...]:
    """Return the note on some names, as in "kept 2 genes without ...: A, B"; none without names."""
    words = (before, number_of(len(names), noun), after)
    note = Note(f"{' '.join(filter(None, words))}: {listing(names)}")
    return (note,) * bool(names)


def left_out_notes(columns: Sequence[str]) -> tuple[Note, ...]:
    """Return the note on columns that do not hold entries, if there are any."""
    return named("left out", "column", columns, "whose cells are not entries")


def most_samples(events: int, per_cell: float = _PER_CELL) -> int:
    """Return the most samples in the budget, if an entry takes `per_cell` bytes."""
    return int(budget() / (events * per_cell + _PER_SAMPLE))


def check_cells(path: FilePath, samples: int, events: int, per_cell: float = _PER_CELL) -> None:
    """Refuse a table that exceeds the budget, before it is made."""
    if samples > most_samples(events, per_cell):
        raise over_budget(path, f"{samples:,} samples x {events:,} events")


def tallied(times: Mapping[str, int]) -> str:
    """Return names with their counts, the most frequent first."""
    ordered = sorted(times.items(), key=lambda item: (-item[1], item[0]))
    return listing(f"{name} {number}" for name, number in ordered)


def extra(path: FilePath, module: str, name: str) -> Any:
    """Return an optional module; if it is not installed, the error names the extra to install."""
    try:
        return import_module(module)
    except ImportError as error:
        package = module.partition(".")[0]
        problem = f"this needs {package}: {install_command(name)}"
        raise format_error(path, problem) from error


@contextmanager
def understood(path: FilePath, problem: str) -> Iterator[None]:
    """Report what a library raises on a damaged file as an error about the file."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # about content that the library does not know
            yield
    except CapreseError:
        raise
    except Exception as error:  # libraries do not document all that they raise
        reason = str(error.args[0] if isinstance(error, KeyError) and error.args else error)
        raise format_error(path, f"{problem}: {shown(reason or type(error).__name__)}") from error
