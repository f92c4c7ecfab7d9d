"""Arrangement: which blocks of a section stand side by side where the screen is wide."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

from caprese.report.content import Block, Bullets, Paragraph, Picture, Properties, Table

_WORDS = (Paragraph, Bullets, Properties)
_FEW = 4  # columns of a table that does not need the whole width


@dataclass(frozen=True)
class Row:
    """Words, and what stands beside them; or any one other block, alone."""

    words: tuple[Block, ...] = ()
    beside: tuple[Block, ...] = ()
    alone: Block | None = None


def rows_of(blocks: Sequence[Block]) -> list[Row]:
    """Return the rows of a section: words with pictures and small tables after them.

    Examples
    --------
    >>> from caprese.report.content import Code
    >>> said = Paragraph.of("What is drawn.")
    >>> drawn = Picture("tree", "A tree.", (), lambda: None)
    >>> [len(row.beside) for row in rows_of([said, drawn, Code("x"), said])]
    [1, 0, 0]
    """
    found: list[Row] = []
    for kind, group in groupby(blocks, _kind):
        own = tuple(group)
        if kind == "words":
            found.append(Row(words=own))
        elif kind == "small":
            words = found.pop().words if found and found[-1].words else ()
            found.append(Row(words, own))
        else:
            found += [Row(alone=each) for each in own]
    return found


def _kind(block: Block) -> str:
    small = isinstance(block, Table) and len(block.columns) <= _FEW and not block.searched
    if small or isinstance(block, Picture):
        return "small"
    return "words" if isinstance(block, _WORDS) else "other"
