"""Columns of text that stay straight whatever is in them."""

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Styled:
    """What takes the room of one text, and is printed as another: the same, set off."""

    text: str
    shown: str


TextCell = str | Styled


def aligned(rows: Sequence[Sequence[TextCell]], *, numbers: bool = True) -> list[str]:
    """Return rows as lines; cells to the left, those between the first and last to the right.

    Parameters
    ----------
    numbers
        Whether what stands between the first and the last column are numbers.

    Examples
    --------
    >>> aligned([["event", "n", "reason"], ["8q+", "12", "edge"]])
    ['event   n  reason', '8q+    12  edge']
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
