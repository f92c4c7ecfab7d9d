"""The content of a report, apart from its layout: sections of sentences, tables and pictures."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, fields, is_dataclass
from functools import wraps
from typing import Any, ParamSpec, Self

from caprese.plots.canvas.figures import Figure
from caprese.text.sentences import Cell, Piece, Sentence, Term, phrase

_P = ParamSpec("_P")


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
    bars: tuple[int, ...] = ()  # positions of columns of shares, which are also shown as bars
    opens: tuple[str, ...] = ()  # the key of the card that each row opens, or an empty text
    plain: bool = False  # whether the table is too small to be sorted
    name: str = ""  # if given, the table can be downloaded as a file of this name


@dataclass(frozen=True)
class Properties(Block):
    """Names and their values, such as the number of samples."""

    items: tuple[tuple[Sentence, Sentence], ...]


@dataclass(frozen=True)
class Picture(Block):
    """A picture, with a description for readers who cannot see it, and how to draw it."""

    key: str
    description: str
    caption: Sentence
    figure: Callable[[], Figure] = field(compare=False, repr=False)  # called by the page


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


@dataclass(frozen=True)
class Section(Block):
    """A section of the report, or a part of one, with the key by which it is linked and found."""

    key: str
    title: str
    blocks: tuple[Block, ...]

    def part(self, key: str) -> "Section":
        """Return the part of the section with this key."""
        parts = (block for block in self.blocks if isinstance(block, Section))
        return next(part for part in parts if part.key == key)


def section(
    key: str, title: str
) -> Callable[[Callable[_P, Iterable[Block]]], Callable[_P, Section]]:
    """Make a section of the blocks that a function yields."""

    def made_of(blocks: Callable[_P, Iterable[Block]]) -> Callable[_P, Section]:
        @wraps(blocks)
        def made(*given: _P.args, **named: _P.kwargs) -> Section:
            return Section(key, title, tuple(blocks(*given, **named)))

        return made

    return made_of


@dataclass(frozen=True)
class Report:
    """A whole report."""

    title: str
    subtitle: str  # the method and the data, on one line
    sections: tuple[Section, ...]  # in reading order
    kind: str = "Progression report"

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
