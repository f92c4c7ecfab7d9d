"""Printing: text, with colours on a terminal, or one JSON document."""

import os
import re
import shutil
import sys
from collections.abc import Iterable
from typing import TYPE_CHECKING

import click

from caprese._core.words import visible

if TYPE_CHECKING:
    from caprese.text.style import Style

_COLOUR = re.compile(r"(\x1b\[[0-9;]*m)")
_NARROWEST, _WIDEST = 40, 200  # columns of a terminal that tables are fitted to

prints_json = click.option(
    "--json", "as_json", is_flag=True, help="Print one JSON document instead of text."
)


def terminal_style() -> "Style":
    """Return how text is emphasised: with colours on a terminal, elsewhere not at all."""
    from caprese.text.style import coloured, plain

    return coloured if _colours() else plain


def terminal_width() -> int | None:
    """Return the width of the terminal, within limits; None elsewhere: a file gets whole lines."""
    if sys.stdout is None or not sys.stdout.isatty():  # None if closed
        return None
    return min(max(_NARROWEST, shutil.get_terminal_size().columns), _WIDEST)


def say(text: str | Iterable[str]) -> None:
    """Print lines that fit the terminal, or a text as it is, which may end with a line break."""
    if isinstance(text, str):
        click.echo(text, nl=not text.endswith("\n"), color=_colours())
        return
    from caprese.text.columns import within

    lines = within(terminal_width(), map(printable, text))
    click.echo("\n".join(lines), color=_colours())


def remark(text: str) -> None:
    """Print a line to standard error: what a user should know beside the answer. None if empty."""
    if text:
        click.echo(f"caprese: {printable(text)}", err=True)


def printable(line: str) -> str:
    """Return a line without characters that a terminal would obey, but for our own colours."""
    if line.isprintable():
        return line
    pieces = _COLOUR.split(line)  # every other piece is a colour
    pieces[::2] = [visible(piece, longest=sys.maxsize) for piece in pieces[::2]]
    return "".join(pieces)


def _colours() -> bool:
    """Whether to print colours, by the rules of https://no-color.org and https://force-color.org."""
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR"):
        return True
    if sys.stdout is None:  # standard output is closed
        return False
    return sys.stdout.isatty() and os.environ.get("TERM") != "dumb"
