"""What a report says, apart from how it is shown: sections of sentences, tables and pictures."""

from collections.abc import Iterator
from dataclasses import dataclass, fields, is_dataclass
from typing import Any

from caprese.text.sentences import Cell, Sentence, Term


@dataclass(frozen=True)
class Paragraph:
    """A few sentences that belong together."""

    text: Sentence


@dataclass(frozen=True)
class Bullets:
    """Things that stand side by side, a sentence each."""

    items: tuple[Sentence, ...]


@dataclass(frozen=True)
class Notice:
    """Something that must not be overlooked."""

    text: Sentence


@dataclass(frozen=True)
class Column:
    """What a column of a table holds, and the key of the term that explains it, if any."""

    title: str
    term: str = ""


@dataclass(frozen=True)
class Table:
    """Rows of cells under columns; the first cell of a row names it."""

    caption: Sentence
    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]


@dataclass(frozen=True)
class Facts:
    """Things and their values, such as the number of samples."""

    items: tuple[tuple[Sentence, Sentence], ...]


@dataclass(frozen=True)
class Picture:
    """A picture: what it is of, for who cannot see it, and what is written below."""

    key: str
    description: str
    caption: Sentence


@dataclass(frozen=True)
class Reference:
    """A publication, and where it can be found."""

    text: str
    address: str = ""


@dataclass(frozen=True)
class Code:
    """Text that is to be copied letter by letter."""

    text: str


@dataclass(frozen=True)
class Heading:
    """The title of what follows within a section."""

    text: str


Block = Paragraph | Bullets | Notice | Table | Facts | Picture | Reference | Code | Heading


@dataclass(frozen=True)
class Section:
    """A part of the report that answers one question."""

    key: str
    title: str
    blocks: tuple[Block, ...]


@dataclass(frozen=True)
class Report:
    """A whole report.

    Parameters
    ----------
    title
        Its title.
    summary
        In a line: which method, on what.
    sections
        What is said, in the order in which it is read.

    Examples
    --------
    >>> Report("Ovarian", "7 events", (Section("question", "The question", ()),)).keys
    ('question',)
    """

    title: str
    summary: str
    sections: tuple[Section, ...]

    @property
    def keys(self) -> tuple[str, ...]:
        """What the sections are found by."""
        return tuple(section.key for section in self.sections)

    def section(self, key: str) -> Section:
        """Return the section of this key."""
        return self.sections[self.keys.index(key)]


def terms_in(content: Any) -> Iterator[str]:
    """Yield the keys of all terms in a report or a part of it, as they come.

    Examples
    --------
    >>> from caprese.text.sentences import told
    >>> list(terms_in(Paragraph(told("the [root] and its [support]"))))
    ['root', 'support']
    """
    if isinstance(content, Term):
        yield content.key
    elif isinstance(content, Column):
        yield from [content.term] if content.term else []
    elif isinstance(content, tuple):
        for part in content:
            yield from terms_in(part)
    elif is_dataclass(content):
        for field in fields(content):
            yield from terms_in(getattr(content, field.name))
