"""Sources of data: files of any known format, folders, standard input and embedded data."""

import inspect
import os
import re
from collections.abc import Callable, Collection, Mapping
from contextlib import closing
from itertools import islice
from pathlib import Path
from types import MappingProxyType
from typing import Any

from caprese._core.checks import one_of
from caprese._core.files import STDIN, FilePath, format_error, text_lines
from caprese._core.words import nearest
from caprese.data.dataset import Dataset
from caprese.data.datasets import EMBEDDED
from caprese.errors import ParameterError
from caprese.io.data.cbioportal import read_study
from caprese.io.data.copy_number import read_copy_number
from caprese.io.data.folders import is_archive, studies_in
from caprese.io.data.frames import read_excel, read_parquet
from caprese.io.data.genotypes import read_genotypes
from caprese.io.data.maf import read_maf
from caprese.io.data.options import check_options
from caprese.io.data.reading import Reading
from caprese.io.data.rfiles import read_r
from caprese.io.data.tables import read_table

READERS: Mapping[str, Callable[..., Reading]] = MappingProxyType(
    {
        "table": read_table,
        "maf": read_maf,
        "copy-number": read_copy_number,
        "study": read_study,
        "genotypes": read_genotypes,
        "r": read_r,
        "parquet": read_parquet,
        "excel": read_excel,
    }
)
"""The reader of each format; its keyword parameters are the options of that format."""

_SUFFIXES = {".parquet": "parquet", ".xlsx": "excel", ".xlsm": "excel", ".maf": "maf"}
_SUFFIXES |= dict.fromkeys((".rda", ".rdata", ".rds"), "r")
_OTHER_WORKBOOKS = (".xls", ".xlsb", ".ods")
_GENOTYPE_LINE = re.compile(r"#\s*events\s*:.*|[01?]{2,}\s+\d+", re.IGNORECASE)
_COPY_NUMBER = ("hugo_symbol", "gene symbol", "unique name")  # titles of the first column
_LOOK_AHEAD = 1000
_SELECTING = frozenset({"only", "exclude"})


def read(
    source: FilePath,
    *,
    format: str | None = None,  # noqa: A002
    only: Collection[str] | None = None,
    exclude: Collection[str] | None = None,
    **options: Any,
) -> Reading:
    """Read data of any known format, or embedded data by its name.

    Parameters
    ----------
    source
        A name such as ``ovarian``, a path, or ``-`` for standard input. Write ``./ovarian`` for a
        file of that name.
    format
        One of `READERS`. By default it is detected: from the suffix if the file is not text, from
        the header if it is text; a folder or an archive is a cBioPortal study, standard input is a
        table.
    only, exclude
        Events to keep, and to exclude: in formats with columns of any kind, those of other events
        are left out if they do not hold entries. All that can be read is returned.
    options
        Keyword parameters of the reader of that format.

    Returns
    -------
    Reading
        The data, and notes on what was excluded or decided.

    Examples
    --------
    >>> read("ovarian").data
    <Dataset: 87 samples x 7 events>
    """
    if format is not None:
        one_of("format", format, READERS)
    if source in EMBEDDED and format is None:
        if options:
            problem = f"embedded data has no options, got {', '.join(options)}"
            raise format_error(source, f"{problem}; write ./{source} for a file of that name")
        return Reading(EMBEDDED[str(source)]())
    name = format or format_of(source)
    reader = READERS[name]
    accepted = inspect.signature(reader).parameters
    known = [option for option in [*accepted][1:] if option not in _SELECTING]
    selection = {"only": only, "exclude": exclude} if accepted.keys() >= _SELECTING else {}
    for option in options:
        one_of(f"the options of format {name!r}", option, known)
    check_options(options)
    return reader(source, **selection, **options)


def check_option(name: str) -> None:
    """Refuse a name that a user types as an option of a format if it is a parameter of `read`."""
    if name in inspect.signature(read).parameters:
        raise ParameterError("option", "one of a format", name)


def read_dataset(
    source: FilePath, *, delimiter: str | None = None, sample_names: bool | None = None
) -> Dataset:
    """Read a data set from a file, from standard input (``-``), or embedded data by its name.

    Parameters
    ----------
    source
        As for `read`, which also returns notes on what was excluded.
    delimiter, sample_names
        As for `read_table`; by default they are detected.

    Examples
    --------
    >>> read_dataset("ovarian")
    <Dataset: 87 samples x 7 events>
    """
    if source in EMBEDDED or (delimiter is None and sample_names is None):
        return read(source).data
    _check_spelling(source)
    return read_table(source, delimiter=delimiter, sample_names=sample_names).data


def format_of(source: FilePath) -> str:
    """Return the format of a file or folder, one of `READERS`."""
    path = Path(source)
    if source == STDIN or path.is_fifo() or path.is_char_device():
        return "table"  # a stream can be read only once
    if path.is_dir() and not os.access(path, os.R_OK | os.X_OK):
        raise format_error(source, "no permission to read this folder")
    if is_archive(source):
        return "study"
    if path.is_dir():
        if studies_in(source):
            return "study"
        problem = "this folder is not a cBioPortal study: it has no meta_study.txt and no mutations"
        raise format_error(source, f"{problem}; expected a file or such a folder")
    suffixes = [suffix.lower() for suffix in path.suffixes if suffix.lower() != ".gz"]
    if suffixes and suffixes[-1] in _SUFFIXES:
        return _SUFFIXES[suffixes[-1]]
    _check_spelling(source)
    if suffixes and suffixes[-1] in _OTHER_WORKBOOKS:
        raise format_error(source, f"{suffixes[-1]} cannot be read; save it as .xlsx or .csv")
    return _text_format(source)


def _check_spelling(source: FilePath) -> None:
    meant = nearest(str(source), EMBEDDED)
    if meant and not Path(source).exists():
        raise format_error(source, f"no such file; did you mean the embedded {meant!r}?")


def _text_format(path: FilePath) -> str:
    """Detect the format of a text file from its header and the comments before it."""
    with closing(text_lines(path)) as lines:
        for line in islice(lines, _LOOK_AHEAD):
            if _GENOTYPE_LINE.fullmatch(line.strip()):
                return "genotypes"
            if line.lstrip().startswith("{"):
                hint = f"if caprese wrote it, display it with: caprese show {path}"
                raise format_error(path, f"this is JSON, not a table of data; {hint}")
            if line.strip() and not line.startswith("#"):
                names = [name.strip().lower() for name in line.split("\t")]
                if {"hugo_symbol", "tumor_sample_barcode"} <= set(names):
                    return "maf"
                return "copy-number" if names[0] in _COPY_NUMBER else "table"
    return "table"
