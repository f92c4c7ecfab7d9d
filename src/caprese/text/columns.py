"""Aligned columns of text, whatever the width of their characters."""

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Styled:
    """A cell with emphasis: its plain text, which has the same width, and what is printed."""

    text: str
    shown: str


TextCell = str | Styled


def aligned(rows: Sequence[Sequence[TextCell]], *, numbers: bool = True) -> list[str]:
    """Return rows of cells as lines, all columns but the first and the last aligned to the right.

    Unless these hold numbers, all columns are aligned to the left.
    """
    from rich.cells import cell_len

    table = [
        [Styled(cell, cell) if isinstance(cell, str) else cell for cell in row] for row in rows
    ]
    taken = [[cell_len(cell.text) for cell in row] for row in table]
    widths = [max(column) for column in zip(*taken, strict=True)]
    lines = []
    for row, lengths in zip(table, taken, strict=True):
        gaps = [" " * (width - length) for width, length in zip(widths, lengths, strict=True)]
        middle = range(1, len(row) - 1) if numbers else ()
        cells = [
            gap + cell.shown if column in middle else cell.shown + gap
            for column, (cell, gap) in enumerate(zip(row, gaps, strict=True))
        ]
        lines.append("  ".join(cells).rstrip())
    return lines
