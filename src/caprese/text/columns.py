"""Aligned columns of text, whatever the width of their characters, in the width there is."""

from collections.abc import Sequence
from dataclasses import dataclass

from caprese.text.wrapping import wrapped

_GAP = "  "
_LEAST_TEXT = 20  # characters of a last column of text that are worth a column
_LEAST_FIRST = 10  # characters of the first column that are kept


@dataclass(frozen=True)
class Styled:
    """A cell with emphasis: its plain text, which has the same width, and what is printed.

    `below` is shown below it where another cell of the row takes several lines.
    """

    text: str
    shown: str
    below: str = ""


TextCell = str | Styled


def aligned(
    rows: Sequence[Sequence[TextCell]], *, numbers: bool = True, width: int | None = None
) -> list[str]:
    """Return rows of cells as lines, all columns but the first and the last aligned to the right.

    Unless these hold numbers, all columns are aligned to the left. If the lines would be longer
    than `width`, text in the last column is continued below; columns for which there is still no
    space follow in another block, in which the first column is repeated.
    """
    table = [
        [Styled(cell, cell) if isinstance(cell, str) else cell for cell in row] for row in rows
    ]
    widths = _widths(table)
    if width is None or _total(widths) <= width:
        return _block(table, range(len(widths)), widths, numbers)
    table = [[_cut(first, _first_width(widths, width)), *others] for first, *others in table]
    widths = _widths(table)
    lines: list[str] = []
    for columns in _blocks(widths, width):
        last = columns[-1]
        room = width - _total([widths[column] for column in columns[:-1]]) - len(_GAP)
        fitting = [*widths[:last], min(widths[last], room), *widths[last + 1 :]]
        lines += ["", *_block(table, columns, fitting, numbers)]
    return lines[1:]


def _widths(table: Sequence[Sequence[Styled]]) -> list[int]:
    from rich.cells import cell_len

    return [max(cell_len(cell.text) for cell in column) for column in zip(*table, strict=True)]


def _total(widths: Sequence[int]) -> int:
    return sum(width + len(_GAP) for width in widths if width) - len(_GAP)


def _first_width(widths: Sequence[int], width: int) -> int:
    """Return the width of the first column beside which every other one has space."""
    *others, last = widths[1:]
    widest = max([*others, min(last, _LEAST_TEXT)])
    return max(_LEAST_FIRST, width - widest - len(_GAP))


def _blocks(widths: Sequence[int], width: int) -> list[list[int]]:
    """Return the columns of each block: the first one, and as many others as there is space for."""
    blocks = [[0]]
    for column in range(1, len(widths)):
        taken = [widths[each] for each in blocks[-1]]
        least = widths[column]
        if column == len(widths) - 1:
            least = min(least, _LEAST_TEXT)
        if len(taken) > 1 and _total([*taken, least]) > width:
            blocks.append([0])
        blocks[-1].append(column)
    return blocks


def _block(
    table: Sequence[Sequence[Styled]], columns: Sequence[int], widths: Sequence[int], numbers: bool
) -> list[str]:
    """Return some columns of a table as lines, each in its width."""
    to_the_right = range(1, len(widths) - 1) if numbers else ()
    lines = []
    for row in table:
        parts = [_lines_of(row[column], widths[column]) for column in columns]
        for number in range(max(map(len, parts))):
            cells = [
                _padded(
                    part[number]
                    if number < len(part)
                    else Styled(row[column].below, row[column].below),
                    widths[column],
                    left=column in to_the_right,
                )
                for column, part in zip(columns, parts, strict=True)
            ]
            lines.append(_GAP.join(cells).rstrip())
    return lines


def _lines_of(cell: Styled, width: int) -> list[Styled]:
    from rich.cells import cell_len

    if cell_len(cell.text) <= width:
        return [cell]
    return [Styled(line, line) for line in wrapped(cell.text, width)]


def _padded(cell: Styled, width: int, *, left: bool) -> str:
    from rich.cells import cell_len

    gap = " " * (width - cell_len(cell.text))
    return gap + cell.shown if left else cell.shown + gap


def _cut(cell: Styled, width: int) -> Styled:
    """Return a cell that is not wider than this; an ellipsis marks what is omitted."""
    from rich.cells import cell_len, set_cell_size

    if cell_len(cell.text) <= width:
        return cell
    text = f"{set_cell_size(cell.text, width - 1).rstrip()}…"
    return Styled(text, text, set_cell_size(cell.below, width))
