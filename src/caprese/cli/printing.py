"""What is printed: text, set off on a terminal, or a JSON document for machines."""

import os
import sys
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from caprese.text.style import Style

Command = Callable[..., Any]


def prints_json(command: Command) -> Command:
    """Give a command the switch --json; it is called with `as_json`."""
    about = "Print one JSON document for machines instead of the text."
    return click.option("--json", "as_json", is_flag=True, help=about)(command)


def terminal_style() -> "Style":
    """Return how text is set off: in colours on a terminal, elsewhere not at all."""
    from caprese.text.style import coloured, plain

    return coloured if _colours() else plain


def say(text: str | Iterable[str]) -> None:
    """Print lines, or a text that ends its last line itself."""
    if isinstance(text, str):
        click.echo(text, nl=not text.endswith("\n"), color=_colours())
    else:
        click.echo("\n".join(text), color=_colours())


def _colours() -> bool:
    """Whether colours are wanted, as https://no-color.org and https://force-color.org have it."""
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR"):
        return True
    if sys.stdout is None:  # closed by whoever called
        return False
    return sys.stdout.isatty() and os.environ.get("TERM") != "dumb"
