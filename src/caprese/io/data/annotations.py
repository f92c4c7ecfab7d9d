"""Annotations of samples: a category for each, from a table of two columns."""

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


def read_annotation(path: FilePath) -> Annotation:
    """Read categories of samples from a table with a header: sample, category.

    Samples with an empty category are omitted.
    """
    given: dict[str, str] = {}
    with closing(delimited_rows(path)) as rows:
        first, header = next(rows)
        _check_two(path, first, header)
        for line, fields in rows:
            _check_two(path, line, fields)
            sample, category = (field.strip() for field in fields)
            if sample in given:
                raise format_error(path, f"sample {shown(sample)} occurs twice", line=line)
            given[sample] = category
    categories = {sample: category for sample, category in given.items() if category}
    return Annotation(header[1].strip(), categories)


def _check_two(path: FilePath, line: int, fields: list[str]) -> None:
    if len(fields) != 2:
        problem = f"{number_of(len(fields), 'column')}, expected 2: sample, category"
        raise format_error(path, problem, line=line)
