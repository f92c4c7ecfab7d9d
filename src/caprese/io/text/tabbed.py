"""Tab-separated text as genome centres write it: comments, a header, no quoting."""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass

from caprese._core.files import FilePath, format_error, shown, text_lines
from caprese._core.words import number_of
from caprese.io.text.delimited import Row


@dataclass(frozen=True)
class Tabbed:
    """An open file: its header, and the lines below it that are still to be read."""

    path: FilePath
    line: int
    header: tuple[str, ...]
    lines: Iterator[str]

    def find(self, name: str) -> int | None:
        """Return the position of the column with this name, ignoring case; None without one."""
        lowered = [each.lower() for each in self.header]
        return lowered.index(name.lower()) if name.lower() in lowered else None

    def column(self, name: str) -> int:
        """Return the position of the column with this name; a file without it is refused."""
        found = self.find(name)
        if found is None:
            problem = f"no column {name}; is this file tab-separated and of this format?"
            raise format_error(self.path, problem, line=self.line)
        return found

    def rows(self, through: int | None = None) -> Iterator[Row]:
        """Yield the line and the fields of each row; columns after `through` are not split."""
        tabs, cuts = len(self.header) - 1, -1 if through is None else through + 1
        for number, line in enumerate(self.lines, self.line + 1):
            if not line.strip(" \r\n"):
                continue
            if line.count("\t") != tabs:
                fields = number_of(line.count("\t") + 1, "field")
                problem = f"{fields}, expected {tabs + 1}, as in the header"
                raise format_error(self.path, problem, line=number)
            split = line.rstrip("\r\n").split("\t", cuts)
            yield number, [unquoted(each) for each in split] if '"' in line else split


def unquoted(text: str) -> str:
    """Return a field without the quotes around it; some programs quote every value."""
    bare = text.strip()
    return bare[1:-1] if len(bare) > 1 and bare[0] == bare[-1] == '"' else text


@contextmanager
def tabbed(path: FilePath) -> Iterator[Tabbed]:
    """Open a tab-separated file; comments (``#``) and blank lines before the header are skipped."""
    with closing(text_lines(path)) as lines:
        for number, line in enumerate(lines, start=1):
            if line.strip() and not line.startswith("#"):
                header = tuple(unquoted(name).strip() for name in line.rstrip("\r\n").split("\t"))
                yield Tabbed(path, number, header, lines)
                return
    raise format_error(path, "the file is empty; expected a header and rows below it")


def check_samples(table: Tabbed, start: int) -> tuple[str, ...]:
    """Return the sample names in the header from column `start` on: distinct, none empty."""
    seen: dict[str, int] = {}
    for column, name in enumerate(table.header[start:], start + 1):
        if not name:
            problem = "the sample name is empty; expected some text"
            raise format_error(table.path, problem, line=table.line, column=column)
        if name in seen:
            problem = f"sample {shown(name)} is also column {seen[name]}; names must differ"
            raise format_error(table.path, problem, line=table.line, column=column)
        seen[name] = column
    if not seen:
        raise format_error(table.path, "the header names no sample", line=table.line)
    return tuple(seen)
