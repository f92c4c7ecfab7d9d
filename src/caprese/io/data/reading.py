"""What the readers have in common: their result, its notes, and optional packages."""

from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from caprese._core.extras import install_command
from caprese._core.files import FilePath, format_error
from caprese._core.words import listing
from caprese.data.dataset import Dataset


@dataclass(frozen=True)
class Reading:
    """A data set read from a file, and notes on how it was read.

    Parameters
    ----------
    data
        The data set.
    notes
        One sentence for each thing that the reader excluded, merged or decided; kept in the log.
    """

    data: Dataset
    notes: tuple[str, ...] = ()


def tallied(times: Mapping[str, int]) -> str:
    """Return names with their counts, the most frequent first."""
    ordered = sorted(times.items(), key=lambda item: (-item[1], item[0]))
    return listing(f"{name} {number}" for name, number in ordered)


def extra(path: FilePath, module: str, name: str) -> Any:
    """Return an optional module; if it is not installed, the error names the extra to install."""
    try:
        return import_module(module)
    except ImportError as error:
        package = module.partition(".")[0]
        problem = f"this needs {package}: {install_command(name)}"
        raise format_error(path, problem) from error
