"""Files inside the page: addresses that hold their content, so that nothing is loaded."""

import csv
import io
from base64 import b64encode
from itertools import chain

from caprese.report.content import Table
from caprese.text.sentences import Cell, Event, Number, plain

_TYPES = {"csv": "text/csv", "json": "application/json", "toml": "application/toml"}


def address(name: str, text: str) -> str:
    """Return an address that holds a file of this name."""
    kind = _TYPES[name.rpartition(".")[2]]
    return f"data:{kind};charset=utf-8;base64,{b64encode(text.encode()).decode()}"


def csv_text(table: Table) -> str:
    """Return a table as CSV: numbers with all their digits, their intervals in columns beside."""
    with_interval = {
        column
        for row in table.rows
        for column, cell in enumerate(row)
        if isinstance(cell, Number) and cell.aside
    }
    written = io.StringIO(newline="")
    writer = csv.writer(written, lineterminator="\n")
    titles = [[column.title] for column in table.columns]
    for column in with_interval:
        titles[column].append(f"{titles[column][0]} interval")
    writer.writerow(chain.from_iterable(titles))
    for row in table.rows:
        cells = (_cells(cell, column in with_interval) for column, cell in enumerate(row))
        writer.writerow(chain.from_iterable(cells))
    return written.getvalue()


def _cells(cell: Cell, with_interval: bool) -> list[str]:
    if isinstance(cell, Number):
        value = "" if cell.value is None else repr(cell.value)
        return [value, cell.aside] if with_interval else [value]
    whole = tuple(
        Event(piece.full or piece.shown) if isinstance(piece, Event) else piece for piece in cell
    )
    return [plain(whole), ""] if with_interval else [plain(whole)]
