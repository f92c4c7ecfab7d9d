"""Annotations of samples: a category for each, from a table of two or more columns."""

from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass

from caprese._core.files import FilePath, format_error, shown
from caprese._core.words import number_of
from caprese.io.text.delimited import delimited_rows


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
    given: dict[str, str] = {}
    with closing(delimited_rows(path)) as rows:
        first, header = next(rows)
        place = _place(path, first, header, column)
        for line, fields in rows:
            _check_width(path, line, fields, header)
            sample, category = fields[0].strip(), fields[place].strip()
            if sample in given:
                raise format_error(path, f"sample {shown(sample)} occurs twice", line=line)
            given[sample] = category
    categories = {sample: category for sample, category in given.items() if category}
    return Annotation(header[place].strip(), categories)


def _place(path: FilePath, line: int, header: list[str], column: str | None) -> int:
    """Return the position of the column of categories."""
    if column is None:
        _check_width(path, line, header, ["sample", "category"])
        return 1
    titles = [title.strip() for title in header[1:]]
    if column not in titles:
        problem = f"no column {shown(column)}, expected one of {', '.join(map(shown, titles))}"
        raise format_error(path, problem, line=line)
    return 1 + titles.index(column)


def _check_width(path: FilePath, line: int, fields: list[str], header: list[str]) -> None:
    if len(fields) != len(header):
        names = ": sample, category" if len(header) == 2 else ""
        problem = f"{number_of(len(fields), 'column')}, expected {len(header)}{names}"
        raise format_error(path, problem, line=line)
