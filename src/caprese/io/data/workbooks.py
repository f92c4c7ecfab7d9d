"""Excel workbooks (.xlsx): the cells of a sheet as rows of text, read by calamine.

What calamine does not check is checked here, before it opens a file: the true sizes of its parts,
the area that the cells take, whatever size the sheet states, where formulas have no value or an
error, which calamine takes for empty cells, and which numbers Excel shows as something else.
"""

import io
import re
import zipfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any
from xml.etree import ElementTree
from xml.parsers import expat

from caprese._core.budget import share, size_words
from caprese._core.files import FilePath, format_error, over_budget, shown, unpacked_bytes
from caprese._core.words import listing, number_of
from caprese.data.dataset import Dataset
from caprese.io.data.reading import Note, extra, understood
from caprese.io.text.cells import name_in
from caprese.io.text.delimited import Row

UNKNOWN_ERROR = "#N/A"
"""What a formula gives where a value is not available; read as unknown."""

_PER_BYTE = 8  # bytes of memory for each byte of a part: twice itself, and as cells
_PER_CELL = 80  # bytes of memory for a cell of the area, empty or not
_REFERENCE = re.compile(r"([A-Z]{1,3})([1-9]\d{0,6})")
_RELATIONS = re.compile(r"/?(?:xl/)?")
_WORKBOOK, _LINKS = "xl/workbook.xml", "xl/_rels/workbook.xml.rels"
_TEXTS, _STYLES = "xl/sharedStrings.xml", "xl/styles.xml"

_TEXT = frozenset({"s", "inlineStr"})  # types of cells with text that is no formula's
_DATES = frozenset({*range(14, 23), *range(27, 37), *range(45, 48), *range(50, 59)})
# The formats of dates and times that have a number, but are not declared.
_WITHOUT_TEXT = re.compile(r"\[(?!(?:h+|m+|s+)\])[^]]*\]|[_*].|General", re.IGNORECASE)
_TEXT_IN_FORMAT = re.compile(r'"[^"]+"|\\.')

# A workbook of one sheet, in which calamine finds the parts that were checked and no others.
_SCHEMAS = "http://schemas.openxmlformats.org"
_KINDS = f"{_SCHEMAS}/officeDocument/2006/relationships"
_LINK = (
    f'<Relationships xmlns="{_SCHEMAS}/package/2006/relationships">'
    f'<Relationship Id="i" Type="{_KINDS}/%s" Target="%s"/></Relationships>'
)
_FRAME = {
    "_rels/.rels": _LINK % ("officeDocument", _WORKBOOK),
    _WORKBOOK: f'<workbook xmlns="{_SCHEMAS}/spreadsheetml/2006/main" xmlns:r="{_KINDS}">'
    '<sheets><sheet name="s" r:id="i"/></sheets></workbook>',
    _LINKS: _LINK % ("worksheet", "worksheets/s.xml"),
}


@dataclass
class Sheet:
    """A sheet in the list of a workbook, the part that holds it, and what its XML says of cells."""

    name: str
    part: str
    hidden: bool
    others: tuple["Sheet", ...] = ()
    height: int = 0
    width: int = 0
    formulas: set[tuple[int, int]] = field(default_factory=set)
    errors: dict[tuple[int, int], str] = field(default_factory=dict)
    valueless: list[str] = field(default_factory=list)  # cells whose formula has no value
    shown: dict[tuple[int, int], str] = field(default_factory=dict)  # numbers, and as what
    odd: dict[str, tuple[int, int]] = field(default_factory=dict)  # their texts in the margins
    top: int = 0  # the line of the header
    texts: tuple[int, int] = (0, 0)  # the first line with text, and the last column of it with some

    def text(self, line: int, column: int, value: Any) -> str:
        """Return a value of calamine as text; errors and formulas without a value are noted."""
        if value == "" and (line, column) in self.errors:
            error = self.errors[line, column]
            return "" if error == UNKNOWN_ERROR else error
        if value == "" and (line, column) in self.formulas:
            self.valueless.append(f"{_letters(column)}{line}")
        if isinstance(value, float) and value.is_integer():
            value = int(value)
        if (line, column) in self.shown and (column == 1 or line == self.top):
            self.odd[name_in(str(value))] = line, column
        return str(value)

    def check_names(self, path: FilePath, data: Dataset) -> None:
        """Refuse a name of an event or a sample that is a number and shown as something else."""
        names = {*data.events, *data.samples}
        for name, (line, column) in self.odd.items():
            if name in names:
                what = (
                    f"this name is stored as a number that Excel shows {self.shown[line, column]}"
                )
                problem = f"{what}; format the cells as text, and type the names once more"
                raise format_error(path, problem, line=line, column=column, name=name)

    def notes(self) -> Iterator[Note]:
        """Yield what a user should know; complete when all rows have been read."""
        if self.hidden:
            yield Note(f"the sheet {shown(self.name)} is hidden in Excel")
        if self.others:
            names = [each.name for each in self.others if each.hidden]
            hidden = f" (hidden: {listing(names)})" if names else ""
            others = listing(each.name for each in self.others)
            yield Note(f"read the sheet {shown(self.name)}, not the others: {others}{hidden}")
        if self.valueless:
            what = f"{number_of(len(self.valueless), 'cell')} with a formula but no value"
            yield Note(f"{what}, read as unknown: {listing(self.valueless)}")
        if total := list(self.errors.values()).count(UNKNOWN_ERROR):
            yield Note(f"{number_of(total, 'cell')} with {UNKNOWN_ERROR}, read as unknown")


@contextmanager
def opened_sheet(path: FilePath, name: str | None) -> Iterator[tuple[Sheet, Iterator[Row]]]:
    """Open a sheet of a workbook, by default the first one that is not hidden."""
    calamine = extra(path, "python_calamine", "excel")
    with _understood(path):
        with _zip(path) as packed:
            sheet = _chosen(path, _sheets(path, packed), name)
            _check_sizes(path, packed, _TEXTS, _STYLES, sheet.part)
            _survey(path, packed, sheet, _shown_styles(packed))
            content = _repacked(packed, sheet.part)
        book = calamine.CalamineWorkbook.from_filelike(content)
        yield sheet, _rows(path, book.get_sheet_by_index(0), sheet)


@contextmanager
def _understood(path: FilePath) -> Iterator[None]:
    """Report what damaged archives and XML raise as errors about the file."""
    with understood(path, "not an .xlsx file"):
        try:
            yield
        except (expat.ExpatError, ElementTree.ParseError) as error:
            problem = f"the XML in this .xlsx file is damaged: {expat.ErrorString(error.code)}"
            raise format_error(path, problem) from error


def _zip(path: FilePath) -> zipfile.ZipFile:
    try:
        return zipfile.ZipFile(path)
    except OSError:
        unpacked_bytes(path)  # raises the error that names the problem
        raise


def _sheets(path: FilePath, packed: zipfile.ZipFile) -> list[Sheet]:
    _check_sizes(path, packed, _WORKBOOK, _LINKS)
    links = ElementTree.fromstring(packed.read(_LINKS))
    targets = {each.get("Id"): each.get("Target", "") for each in links}
    found = []
    for sheet in ElementTree.fromstring(packed.read(_WORKBOOK)).iterfind(".//{*}sheet"):
        link = next((value for key, value in sheet.items() if key.endswith("}id")), None)
        part = _RELATIONS.sub("xl/", targets.get(link, ""), count=1)
        if "worksheets/" in part:  # not a sheet of macros or a chart
            hidden = sheet.get("state", "visible") != "visible"
            found.append(Sheet(sheet.get("name", ""), part, hidden))
    if not found:
        raise format_error(path, "the workbook has no sheet with cells")
    return found


def _chosen(path: FilePath, sheets: list[Sheet], name: str | None) -> Sheet:
    if name is not None and name not in [each.name for each in sheets]:
        names = ", ".join(shown(each.name) for each in sheets)
        raise format_error(path, f"no sheet {shown(name)}; expected one of {names}")
    visible = [each for each in sheets if not each.hidden]
    chosen = next((each for each in sheets if each.name == name), (visible or sheets)[0])
    chosen.others = tuple(each for each in sheets if each is not chosen)
    return chosen


def _check_sizes(path: FilePath, packed: zipfile.ZipFile, *parts: str) -> None:
    size = sum(each.file_size for each in packed.infolist() if each.filename in parts)
    if size > share(_PER_BYTE):
        raise over_budget(path, f"{size_words(size)} of XML")


def _repacked(packed: zipfile.ZipFile, part: str) -> io.BytesIO:
    """Return a workbook of one sheet that is not packed, so that its sizes are those checked."""
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as plain:
        for name, text in _FRAME.items():
            plain.writestr(name, text)
        for name in {_TEXTS, _STYLES}.intersection(packed.namelist()):
            plain.writestr(name, packed.read(name))
        plain.writestr("xl/worksheets/s.xml", packed.read(part))
    content.seek(0)
    return content


def _shown_styles(packed: zipfile.ZipFile) -> dict[str, str]:
    """Return how Excel shows numbers of each style that it does not show as they are."""
    if _STYLES not in packed.namelist():
        return {}
    styles = ElementTree.fromstring(packed.read(_STYLES))
    declared = styles.iterfind("{*}numFmts/{*}numFmt")
    codes = {each.get("numFmtId"): each.get("formatCode", "") for each in declared}
    used = [each.get("numFmtId", "0") for each in styles.iterfind("{*}cellXfs/{*}xf")]
    found = {str(k): _shown_as(number, codes.get(number, "")) for k, number in enumerate(used)}
    return {style: shown for style, shown in found.items() if shown is not None}


def _shown_as(number: str, code: str) -> str | None:
    """Return how a format shows numbers; None if as they are."""
    plain = _WITHOUT_TEXT.sub("", code.split(";")[0])
    bare = _TEXT_IN_FORMAT.sub("", plain)
    if (not code and number.isdecimal() and int(number) in _DATES) or re.search(
        "[dmyhs]", bare, re.I
    ):
        return "as a date"
    if re.match(r"[^0.]*00", bare):
        return "with zeros before it"
    return "with more text" if bare != plain else None


def _survey(
    path: FilePath, packed: zipfile.ZipFile, sheet: Sheet, styles: Mapping[str, str]
) -> None:
    """Find the area that cells take, formulas, errors and numbers that are shown differently.

    An area above the budget is refused.
    """
    parser, line, column = expat.ParserCreate(), 0, 0

    def no_types(*_args: object) -> None:
        raise format_error(path, "the XML in this .xlsx file declares types; refused")

    def start(tag: str, given: dict[str, str]) -> None:
        nonlocal line, column
        match tag.rpartition(":")[2]:
            case "row":
                line, column = int(given.get("r", line + 1)), 0
            case "c":
                line, column = _place(given.get("r"), line, column + 1)
                sheet.height, sheet.width = max(sheet.height, line), max(sheet.width, column)
                kind = given.get("t", "n")
                if kind in _TEXT and sheet.texts[0] in (0, line):
                    sheet.texts = line, column
                parser.CharacterDataHandler = error if kind == "e" else None
                if kind == "d" or (kind == "n" and given.get("s") in styles):
                    how = "as a date" if kind == "d" else styles[given["s"]]
                    sheet.shown[line, column] = how
            case "f":
                sheet.formulas.add((line, column))

    def error(text: str) -> None:
        sheet.errors[line, column] = text

    parser.buffer_text = True
    parser.StartDoctypeDeclHandler = no_types
    parser.StartElementHandler = start
    with packed.open(sheet.part) as source:
        parser.ParseFile(source)
    if sheet.height * sheet.width > share(_PER_CELL):
        raise over_budget(path, f"{sheet.height:,} rows x {sheet.width:,} columns of cells")


def _place(reference: str | None, line: int, column: int) -> tuple[int, int]:
    """Return the row and column of a cell; without a reference it follows the one before."""
    if reference is None:
        return line, column
    found = _REFERENCE.fullmatch(reference)
    if found is None:
        raise ValueError(f"there is no cell {shown(reference)}")
    place = 0
    for letter in found[1]:
        place = 26 * place + ord(letter) - ord("A") + 1
    return int(found[2]), place


def _letters(column: int) -> str:
    """Return the letters of a column, such as AB."""
    letters = ""
    while column:
        column, rest = divmod(column - 1, 26)
        letters = chr(ord("A") + rest) + letters
    return letters


def _rows(path: FilePath, cells: Any, sheet: Sheet) -> Iterator[Row]:
    """Yield the rows that have any content, each as wide as the first one or wider."""
    width, empty = 0, 0 if cells.start is None else cells.start[1]  # columns that calamine skips
    with _understood(path):
        for line, values in enumerate(cells.iter_rows(), start=1):
            sheet.top = sheet.top or (line if any(value != "" for value in values) else 0)
            given = enumerate(values, start=empty + 1)
            row = [*[""] * empty, *(sheet.text(line, column, value) for column, value in given)]
            while row and not row[-1]:
                row.pop()
            if row:
                first, last = sheet.texts  # calamine drops text that is white space
                width = width or max(len(row), last if line == first else 0)
                yield line, [*row, *[""] * (width - len(row))]
    if not width:
        raise format_error(path, "the sheet is empty; expected a header and rows below it")
