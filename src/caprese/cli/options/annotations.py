"""--annotation FILE[:COLUMN]: a category for each sample."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from caprese.io.data.annotations import Annotation


def read_track(text: str, samples: Sequence[str]) -> "Annotation":
    """Return the categories in a file, or in a column of it; refuse those of other samples."""
    from caprese.io.data.annotations import read_annotation
    from caprese.recipe.parts import split_column

    track = read_annotation(*split_column(text))
    if not track.categories.keys() & set(samples):
        raise click.UsageError(f"--annotation {text} names none of the samples")
    return track
