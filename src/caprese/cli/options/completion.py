"""What the shell offers while a user types: names of data, methods, formats and studies, files."""

import os
import re
from collections.abc import Callable
from importlib import import_module
from pathlib import Path

import click
from click.shell_completion import CompletionItem

Completion = Callable[[click.Context, click.Parameter, str], list[CompletionItem]]

_HARMLESS = re.compile(r"[\w+@%][\w.+@%=-]*/?")  # no shell gives these characters a meaning


def files(_ctx: click.Context, _option: click.Parameter, start: str) -> list[CompletionItem]:
    """Complete the name of a file."""
    return [CompletionItem(start, type="file")]


def among(module: str, names: str) -> Completion:
    """Complete one of the names that a module knows, which is imported only then."""

    def complete(_ctx: click.Context, _option: click.Parameter, start: str) -> list[CompletionItem]:
        known = getattr(import_module(module), names)
        return [CompletionItem(name) for name in known if name.startswith(start)]

    return complete


method_names = among("caprese.methods", "METHODS")
format_names = among("caprese.io.data.sources", "READERS")
study_names = among("caprese.studies", "STUDIES")


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
    """Return the names of the embedded data, without the tenth of a second to import it."""
    return ["acml", "acml_full31", "acml_selected17", "aml_trees", "ovarian"]
