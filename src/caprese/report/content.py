"""The content of a report, apart from its layout: sections of sentences, tables and pictures."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, fields, is_dataclass, replace
from enum import Enum
from functools import wraps
from typing import Any, ParamSpec, Self

from caprese._core.words import number_of
from caprese.plots.canvas.figures import Figure
from caprese.text.sentences import Cell, Event, Link, Number, Piece, Sentence, Term, phrase

_P = ParamSpec("_P")
_LONG = 12  # rows, above which a list is folded


class Block:
    """A part of a section; the page has a template for each kind."""


@dataclass(frozen=True)
class Paragraph(Block):
    """A few sentences."""

    text: Sentence

    @classmethod
    def of(cls, template: str, **parts: Piece | Sentence) -> Self:
        """Return a paragraph from the template of a sentence; see `phrase`."""
        return cls(phrase(template, **parts))


class Notice(Paragraph):
    """A paragraph that must not be overlooked."""


@dataclass(frozen=True)
class Bullets(Block):
    """A list with a sentence for each item."""

    items: tuple[Sentence, ...]


def columns(*titles: str) -> tuple[Piece, ...]:
    """Return titles of columns; ``[term]`` and ``[term|title]`` are explained by the glossary."""
    return tuple(phrase(title)[0] for title in titles)


@dataclass(frozen=True)
class Table(Block):
    """A table; the first cell of a row names it."""

    caption: Sentence
    columns: tuple[Piece, ...]  # their titles
    rows: tuple[tuple[Cell, ...], ...]
    folded: str = ""  # if given, the table is shown on request, under this title
    searched: str = ""  # if given, rows can be searched for text, under this label, and scrolled
    found_by: tuple[int, ...] = ()  # positions of the columns that are searched; by default all
    bars: tuple[int, ...] = ()  # positions of columns of shares, which are also shown as bars
    opens: tuple[str, ...] = ()  # the key of the card that each row opens, or an empty text
    plain: bool = False  # whether the table is too small to be sorted
    name: str = ""  # if given, the table can be downloaded as a file of this name


def long_list(rows: Sequence[object], noun: str = "row") -> str:
    """Return the title under which a table of so many rows is folded; empty if it is short."""
    return f"Show {number_of(len(rows), noun)}" if len(rows) > _LONG else ""


@dataclass(frozen=True)
class Properties(Block):
    """Names and their values, such as the number of samples."""

    items: tuple[tuple[Sentence, Sentence], ...]


@dataclass(frozen=True)
class Step:
    """A line of a picture that is also a list: what it says, and the lines below it."""

    text: Sentence
    steps: tuple["Step", ...] = ()


@dataclass(frozen=True)
class Picture(Block):
    """A picture, with a description for readers who cannot see it, and how to draw it."""

    key: str
    description: str
    caption: Sentence
    figure: Callable[[], Figure] = field(compare=False, repr=False)  # called by the page
    steps: tuple[Step, ...] = ()  # the same as a list, for small screens


@dataclass(frozen=True)
class Reference(Block):
    """A publication and its address."""

    text: str
    address: str = ""


@dataclass(frozen=True)
class Code(Block):
    """Text to be copied as it is."""

    text: str


@dataclass(frozen=True)
class Download(Block):
    """A file that the page contains, and what it is."""

    name: str
    text: str
    about: Sentence


@dataclass(frozen=True)
class Card(Block):
    """What is shown when the row of a table is chosen, with the key by which it is linked."""

    key: str
    title: Sentence
    blocks: tuple[Block, ...]


class Sure(Enum):
    """How sure it is what a section says."""

    YES = "sure"
    PARTLY = "partly sure"
    NO = "not sure"


@dataclass(frozen=True)
class Inside:
    """What is in a section, in a line that can be read while it is folded."""

    text: Sentence
    sure: Sure | None = None  # None if the section claims nothing that could be unsure
    folded: bool = False  # whether it is folded at first

    @classmethod
    def of(cls, template: str, sure: Sure | None = None, **parts: Piece | Sentence) -> Self:
        """Return it from the template of a sentence; see `phrase`."""
        return cls(phrase(template, **parts), sure)

    @property
    def later(self) -> Self:
        """The same, folded at first."""
        return replace(self, folded=True)


@dataclass(frozen=True)
class Tile:
    """A page of an index in a few lines: its name, what is said of it, and how it is found."""

    title: Link
    question: str
    headline: str  # the answer
    numbers: tuple[tuple[str, Number], ...]  # by which tiles are sorted
    said: tuple[tuple[str, Sentence], ...]
    found_by: tuple[str, ...]  # further words by which it is found


@dataclass(frozen=True)
class Tiles(Block):
    """An index of pages, which can be searched and sorted."""

    items: tuple[Tile, ...]
    searched: str  # the label of the search


@dataclass(frozen=True)
class Section(Block):
    """A section of the report, or a part of one, with the key by which it is linked and found."""

    key: str
    title: str
    blocks: tuple[Block, ...]
    inside: Inside | None = None  # None if it cannot be folded

    def part(self, key: str) -> "Section":
        """Return the part of the section with this key."""
        parts = (block for block in self.blocks if isinstance(block, Section))
        return next(part for part in parts if part.key == key)


def section(
    key: str, title: str
) -> Callable[[Callable[_P, Iterable[Block | Inside]]], Callable[_P, Section]]:
    """Make a section of the blocks that a function yields, and of what it says is inside."""

    def made_of(blocks: Callable[_P, Iterable[Block | Inside]]) -> Callable[_P, Section]:
        @wraps(blocks)
        def made(*given: _P.args, **named: _P.kwargs) -> Section:
            found = tuple(blocks(*given, **named))
            inside = next((each for each in found if isinstance(each, Inside)), None)
            return Section(key, title, tuple(b for b in found if isinstance(b, Block)), inside)

        return made

    return made_of


@dataclass(frozen=True)
class Report:
    """A whole report."""

    title: str
    subtitle: str  # the method and the data, on one line
    sections: tuple[Section, ...]  # in reading order
    kind: str = "Progression report"
    events: tuple[Event, ...] = ()  # which can be searched

    @property
    def keys(self) -> tuple[str, ...]:
        """The keys of the sections."""
        return tuple(section.key for section in self.sections)

    def section(self, key: str) -> Section:
        """Return the section with this key."""
        return self.sections[self.keys.index(key)]


def terms_in(content: Any) -> Iterator[str]:
    """Yield the keys of all terms in a report or a part of it, in reading order."""
    if isinstance(content, Term):
        yield content.key
    elif isinstance(content, tuple):
        for part in content:
            yield from terms_in(part)
    elif is_dataclass(content):
        for each in fields(content):
            yield from terms_in(getattr(content, each.name))
