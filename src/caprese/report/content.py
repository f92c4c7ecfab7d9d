"""The content of a report, apart from its layout: sections of sentences, tables and pictures."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, fields, is_dataclass
from functools import wraps
from typing import TYPE_CHECKING, Any, ParamSpec

from caprese.text.sentences import Cell, Sentence, Term, phrase

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_P = ParamSpec("_P")


@dataclass(frozen=True)
class Paragraph:
    """A few sentences."""

    text: Sentence


@dataclass(frozen=True)
class Bullets:
    """A list with a sentence for each item."""

    items: tuple[Sentence, ...]


@dataclass(frozen=True)
class Notice:
    """A sentence that must not be overlooked."""

    text: Sentence


@dataclass(frozen=True)
class Column:
    """The title of a column of a table, and the key of its definition in the glossary, if any."""

    title: str
    term: str = ""


def columns(*titles: str) -> tuple[Column, ...]:
    """Return columns with these titles; ``[term]`` and ``[term|title]`` are in the glossary."""
    pieces = [phrase(title)[0] for title in titles]
    return tuple(
        Column(piece.text, piece.key) if isinstance(piece, Term) else Column(str(piece))
        for piece in pieces
    )


@dataclass(frozen=True)
class Table:
    """A table; the first cell of a row names it.

    Parameters
    ----------
    folded
        If given, the table is shown on request, under this title.
    searched
        If given, rows can be searched for text, under this label; the table has a height of its
        own and is scrolled.
    bars
        Positions of columns whose numbers are shares and are also shown as bars.
    opens
        For each row the key of the card that it opens, or an empty text; none for no cards.
    plain
        Whether the table is too small to be sorted.
    name
        If given, the table can be downloaded as a file of this name.
    """

    caption: Sentence
    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]
    folded: str = ""
    searched: str = ""
    bars: tuple[int, ...] = ()
    opens: tuple[str, ...] = ()
    plain: bool = False
    name: str = ""


@dataclass(frozen=True)
class Properties:
    """Names and their values, such as the number of samples."""

    items: tuple[tuple[Sentence, Sentence], ...]


@dataclass(frozen=True)
class Picture:
    """A picture, with a description for readers who cannot see it, a caption, and how to draw it.

    `figure` is called only when the page is written.
    """

    key: str
    description: str
    caption: Sentence
    figure: "Callable[[], Figure]" = field(compare=False, repr=False)


@dataclass(frozen=True)
class Reference:
    """A publication and its address."""

    text: str
    address: str = ""


@dataclass(frozen=True)
class Code:
    """Text to be copied as it is."""

    text: str


@dataclass(frozen=True)
class Download:
    """A file that the page contains, and what it is."""

    name: str
    text: str
    about: Sentence


@dataclass(frozen=True)
class Card:
    """What is shown when the row of a table is chosen, with the key by which it is linked."""

    key: str
    title: Sentence
    blocks: "tuple[Block, ...]"


@dataclass(frozen=True)
class Section:
    """A section of the report, or a part of one, with the key by which it is linked and found."""

    key: str
    title: str
    blocks: "tuple[Block, ...]"

    def part(self, key: str) -> "Section":
        """Return the part of the section with this key."""
        return next(part for part in self.parts if part.key == key)

    @property
    def parts(self) -> "tuple[Section, ...]":
        """The parts of the section, which have titles of their own."""
        return tuple(block for block in self.blocks if isinstance(block, Section))


Block = (
    Paragraph
    | Bullets
    | Notice
    | Table
    | Properties
    | Picture
    | Reference
    | Code
    | Download
    | Card
    | Section
)


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
    elif isinstance(content, Column):
        yield from [content.term] if content.term else []
    elif isinstance(content, tuple):
        for part in content:
            yield from terms_in(part)
    elif is_dataclass(content):
        for each in fields(content):
            yield from terms_in(getattr(content, each.name))
