"""Annotations of samples: one category for each, or a whole clinical table."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from caprese._core.files import FilePath, format_error, shown
from caprese._core.words import listing, number_of
from caprese.errors import Remedy
from caprese.io.text.cells import name_in
from caprese.io.text.delimited import Names, Row, delimited, nameless, place_of, ragged, usual
from caprese.patients.clinical import Clinical

_NAME_COLUMNS = ("SAMPLE_ID", "Tumor_Sample_Barcode", "sample", "PATIENT_ID", "patient")
_OF_SAMPLES = 3  # of these
_BRACKETED = "not available|not applicable|not evaluated|unknown|discrepancy|completed|pending"
_MISSING = frozenset(
    {
        *("", "na", "n/a", "nan", "null", ".", "-inf", "inf"),
        *(f"[{word}]" for word in _BRACKETED.split("|")),  # as TCGA writes them
    }
)


class Entry(NamedTuple):
    """What a table says of a sample, and in which line."""

    line: int
    sample: str
    text: str  # empty if it is missing


@dataclass(frozen=True)
class Annotation:
    """A category for some of the samples, and the title of the categories."""

    title: str
    categories: dict[str, str]

    def renamed(self, names: Mapping[str, str]) -> "Annotation":
        """Return the categories of these samples under other names."""
        given = self.categories.items()
        return Annotation(self.title, {names[old]: each for old, each in given if old in names})


def read_annotation(path: FilePath, column: str | None = None) -> Annotation:
    """Read categories of samples from a table with a header: sample, category.

    Samples with an empty category are omitted. A table with more columns needs the title of the
    column of categories; the first column holds the names of the samples.
    """
    samples, given = Names(path, "sample", "line"), []
    with delimited(path) as (_, rows):
        first, header = next(rows)
        place = _place(path, first, header, column)
        for line, fields in rows:
            _check_width(path, line, fields, header)
            samples.add(name_in(fields[0]), line=line, column=1)
            given.append(fields[place].strip())
    categories = {sample: each for sample, each in zip(samples, given, strict=True) if each}
    return Annotation(header[place].strip(), categories)


def read_clinical(path: FilePath, names: str | None = None) -> Clinical:
    r"""Read a clinical table: a header, and one row per sample.

    Comma, semicolon or tab separated, gzip or plain; ``-`` is standard input. The lines starting
    with ``#`` above the header of a cBioPortal file are skipped. What is written for a missing
    entry (NA, [Not Available], ...) becomes empty; so does an infinite number.

    Parameters
    ----------
    names
        The title of the column with the names of the samples. By default SAMPLE_ID,
        Tumor_Sample_Barcode, sample, PATIENT_ID or patient, if there is one, else the first.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "clinical.tsv")
    ...     _ = path.write_text("#a cBioPortal file\nPATIENT_ID\tSTAGE\np1\tII\np2\tNA\n")
    ...     read_clinical(path).columns
    {'STAGE': ('II', '')}
    """
    with delimited(path) as (_, rows):
        (first, header), *body = rows
    titles = _titles(path, first, header, body)
    place = _place_of_names(path, first, titles, names)
    samples = Names(path, "sample", "line")
    for line, fields in body:
        _check_width(path, line, fields, titles)
        samples.add(name_in(fields[place]), line=line, column=place + 1)
    if not samples:
        raise format_error(path, "no row below the header; expected one for each sample")
    columns = {
        title: tuple(_entry(fields[k]) for _, fields in body)
        for k, title in enumerate(titles)
        if k != place
    }
    return Clinical(tuple(samples), columns)


def read_entries(path: FilePath, column: str | None = None) -> tuple[str, list[Entry]]:
    """Read a column of a table of samples, each of which may have several rows; also its title.

    The names of the samples are in the column SAMPLE_ID, Tumor_Sample_Barcode or sample, if there
    is one, else in the first. A table with more than one other column needs the title of the one
    that is meant.
    """
    with delimited(path) as (_, rows):
        (first, header), *body = rows
    titles = _titles(path, first, header, body)
    lowered = [title.lower() for title in titles]
    of_samples = (name.lower() for name in _NAME_COLUMNS[:_OF_SAMPLES])
    names = next((lowered.index(name) for name in of_samples if name in lowered), 0)
    others = [title for k, title in enumerate(titles) if k != names]
    if column is None and len(others) == 1:
        column = others[0]
    if column is None:
        _place(path, first, ["sample", *others], None)  # says which ones there are
    place = place_of(path, first, titles, str(column))
    found = []
    for line, fields in body:
        _check_width(path, line, fields, titles)
        if not (name := name_in(fields[names])):
            raise nameless(path, "sample", line=line, column=names + 1)
        found.append(Entry(line, name, _entry(fields[place])))
    return titles[place], found


def read_groups(path: FilePath, column: str | None = None) -> Annotation:
    """Read the group of each sample from a column of a table, as `read_entries` reads it.

    Samples without an entry have no group.
    """
    title, entries = read_entries(path, column)
    categories: dict[str, str] = {}
    for line, sample, text in entries:
        if text and categories.setdefault(sample, text) != text:
            both = f"{shown(categories[sample])} and {shown(text)}"
            problem = f"{shown(sample)} is in two groups, {both}; expected one"
            raise format_error(path, problem, line=line)
    return Annotation(title, categories)


def _titles(path: FilePath, line: int, header: list[str], body: Sequence[Row]) -> list[str]:
    """Return distinct titles; R writes none above the names of the rows."""
    titles = [title.strip() for title in header]
    if body and len(titles) + 1 == usual(len(fields) for _, fields in body):
        titles.insert(0, "sample")
    for k, title in enumerate(titles):
        if title in titles[:k]:
            problem = f"column {shown(title)} is also column {titles.index(title) + 1}"
            raise format_error(path, f"{problem}; titles must differ", line=line, column=k + 1)
    return titles


def _place_of_names(path: FilePath, line: int, titles: list[str], names: str | None) -> int:
    if names is not None:
        return place_of(path, line, titles, names)
    lowered = [title.lower() for title in titles]
    usual_names = (name.lower() for name in _NAME_COLUMNS)
    return next((lowered.index(name) for name in usual_names if name in lowered), 0)


def _entry(text: str) -> str:
    """Return an entry without blanks around it; empty if it stands for a missing one."""
    entry = text.strip()
    return "" if entry.lower() in _MISSING else entry


def _place(path: FilePath, line: int, header: list[str], column: str | None) -> int:
    """Return the position of the column of categories."""
    titles = [title.strip() for title in header[1:]]
    if column is None and len(titles) > 1:
        several = f"{number_of(len(header), 'column')}: {listing(map(shown, titles))}"
        remedy = Remedy("column", titles[0], "reads the first of them")
        raise format_error(path, several, line=line, remedy=remedy)
    if column is None:
        _check_width(path, line, header, ["sample", "category"])
        return 1
    return 1 + place_of(path, line, titles, column)


def _check_width(path: FilePath, line: int, fields: list[str], header: list[str]) -> None:
    if len(fields) != len(header):
        what = ": sample, category" if len(header) == 2 else ", as in the header"
        raise ragged(path, line, len(fields), len(header), what)
