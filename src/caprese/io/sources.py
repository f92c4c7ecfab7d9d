"""Sources: whatever a user may name as data."""

from difflib import get_close_matches
from pathlib import Path

from caprese.dataset import Dataset
from caprese.datasets import EMBEDDED
from caprese.io.files import STDIN, FilePath, format_error
from caprese.io.tables import read_table


def read_dataset(
    source: FilePath,
    *,
    delimiter: str | None = None,
    sample_names: bool | None = None,
) -> Dataset:
    """Read a data set from a file, from standard input (``-``), or embedded data by its name.

    Parameters
    ----------
    source
        A name such as ``ovarian``, or a path. Write ``./ovarian`` for a file of that name.
    delimiter, sample_names
        As for `read_table`; found if left out.

    Examples
    --------
    >>> read_dataset("ovarian")
    <Dataset: 87 samples x 7 events>
    """
    if source in EMBEDDED:
        return EMBEDDED[str(source)]()
    close = get_close_matches(str(source), EMBEDDED, n=1)
    if close and source != STDIN and not Path(source).exists():
        raise format_error(source, f"no such file; did you mean the embedded {close[0]!r}?")
    return read_table(source, delimiter=delimiter, sample_names=sample_names)
