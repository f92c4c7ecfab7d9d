"""What the shell offers while a user types: names of data, methods, formats and studies, files."""

import os
import re
from pathlib import Path

import click
from click.shell_completion import CompletionItem

_HARMLESS = re.compile(r"[\w+@%][\w.+@%=-]*/?")  # no shell gives these characters a meaning


def files(_ctx: click.Context, _option: click.Parameter, start: str) -> list[CompletionItem]:
    """Complete the name of a file."""
    return [CompletionItem(start, type="file")]


def data_names(_ctx: click.Context, _option: click.Parameter, start: str) -> list[CompletionItem]:
    """Complete the name of embedded data, or of a file or folder.

    Files of the current folder are listed here, because bash shows either names or files; in other
    folders the shell finds them itself. So it does those whose names must be quoted: a name such as
    ``x$(rm)`` would be inserted, and run, as it is.
    """
    here = [f"{path.name}/" if path.is_dir() else path.name for path in sorted(Path().iterdir())]
    plain = [name for name in here if _HARMLESS.fullmatch(name)]
    known = [name for name in (*embedded_names(), *plain) if name.startswith(start)]
    return [CompletionItem(name) for name in known if os.sep not in start] or [
        CompletionItem(start, type="file")
    ]


def embedded_names() -> list[str]:
    """Return the names of the embedded data."""
    from caprese.data.embedded import EMBEDDED

    return sorted(EMBEDDED)


def method_names(_ctx: click.Context, _option: click.Parameter, start: str) -> list[CompletionItem]:
    """Complete the name of a method."""
    from caprese.methods import METHODS

    return [CompletionItem(name) for name in METHODS if name.startswith(start)]


def format_names(_ctx: click.Context, _option: click.Parameter, start: str) -> list[CompletionItem]:
    """Complete the name of a data format."""
    from caprese.io.data.sources import READERS

    return [CompletionItem(name) for name in READERS if name.startswith(start)]


def study_names(_ctx: click.Context, _option: click.Parameter, start: str) -> list[CompletionItem]:
    """Complete the name of a study."""
    from caprese.studies import STUDIES

    return [
        CompletionItem(name, help=study.about)
        for name, study in STUDIES.items()
        if name.startswith(start)
    ]
