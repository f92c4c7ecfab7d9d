"""--annotation FILE[:COLUMN]: a category for each sample."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from caprese.io.data.annotations import Annotation


def read_track(text: str, samples: Sequence[str]) -> "Annotation":
    """Return the categories in a file, or in a column of it; refuse those of other samples.

    What follows a colon is the title of a column, unless there is a file of the whole name.
    """
    from caprese.io.data.annotations import read_annotation

    path, colon, column = text.rpartition(":")
    track = read_annotation(path, column) if colon and not _exists(text) else read_annotation(text)
    if not track.categories.keys() & set(samples):
        raise click.UsageError(f"--annotation {text} names none of the samples")
    return track


def _exists(text: str) -> bool:
    try:
        return Path(text).exists()
    except OSError:  # such as a name that is too long
        return False
