"""Excel workbooks (.xlsx): the cells of a sheet as rows of text, read as a stream of XML.

Only what a table needs is read: values, text, and whether a cell holds a formula or an error. The
size that a sheet states is not trusted, and nothing is kept but the text of the workbook and one
row.
"""

import re
import zipfile
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import IO, Any
from xml.parsers import expat

from caprese._core.budget import share, size_words
from caprese._core.files import FilePath, format_error, over_budget, shown, unpacked_bytes
from caprese._core.words import listing, number_of
from caprese.errors import FormatError
from caprese.io.data.reading import Note
from caprese.io.text.delimited import Row

UNKNOWN_ERROR = "#N/A"
"""What a formula gives where a value is not available; read as unknown."""

_MOST_COLUMNS = 16_384  # of a sheet, by the limits of Excel
_LONGEST_CELL = 2**20  # characters; Excel allows 32,767
_PER_TEXT = 8  # bytes of memory for each byte of the shared text, split into cells
_CHUNK = 2**16
_REFERENCE = re.compile(r"([A-Z]{1,3})([1-9]\d{0,6})")
_RELATIONS = re.compile(r"/?(?:xl/)?")


@dataclass
class Sheet:
    """A sheet that is being read: its rows, and what was noticed on the way."""

    name: str
    rows: Iterator[Row]
    formulas: list[str] = field(default_factory=list)  # cells whose formula has no value
    unavailable: Counter[str] = field(default_factory=Counter)
    others: tuple[str, ...] = ()  # sheets that were not read
    hidden: tuple[str, ...] = ()  # those of them that Excel does not show
    is_hidden: bool = False

    def notes(self) -> Iterator[Note]:
        """Yield what a user should know; complete when all rows have been read."""
        if self.is_hidden:
            yield Note(f"the sheet {shown(self.name)} is hidden in Excel")
        if self.others:
            hidden = f" (hidden: {listing(self.hidden)})" if self.hidden else ""
            read = f"read the sheet {shown(self.name)}, not the others"
            yield Note(f"{read}: {listing(self.others)}{hidden}")
        if self.formulas:
            what = f"{number_of(len(self.formulas), 'cell')} with a formula but no value"
            yield Note(f"{what}, read as unknown: {listing(self.formulas)}")
        if total := self.unavailable.total():
            yield Note(f"{number_of(total, 'cell')} with {UNKNOWN_ERROR}, read as unknown")


@contextmanager
def opened_sheet(path: FilePath, name: str | None) -> Iterator[Sheet]:
    """Open a sheet of a workbook, by default the first one that is not hidden."""
    with _understood(path), _zip(path) as packed:
        sheets = _sheets(path, packed)
        visible = [each for each in sheets if not each.hidden]
        if name is not None and name not in [each.name for each in sheets]:
            names = ", ".join(shown(each.name) for each in sheets)
            raise format_error(path, f"no sheet {shown(name)}; expected one of {names}")
        chosen = next((each for each in sheets if each.name == name), (visible or sheets)[0])
        others = [each for each in sheets if each is not chosen]
        texts = _shared_texts(path, packed)
        with packed.open(chosen.part) as source:
            sheet = Sheet(
                chosen.name,
                iter(()),
                others=tuple(each.name for each in others),
                hidden=tuple(each.name for each in others if each.hidden),
                is_hidden=chosen.hidden,
            )
            sheet.rows = _rows(path, source, texts, sheet)
            yield sheet


@dataclass(frozen=True)
class _Listed:
    """A sheet in the list of a workbook, and the part of the file that holds it."""

    name: str
    part: str
    hidden: bool


@contextmanager
def _understood(path: FilePath) -> Iterator[None]:
    """Report what damaged archives and XML raise as errors about the file."""
    try:
        yield
    except FormatError:
        raise
    except expat.ExpatError as error:
        problem = f"the XML in this .xlsx file is damaged: {expat.ErrorString(error.code)}"
        raise format_error(path, problem) from error
    except KeyError as error:
        problem = f"not an .xlsx file: {shown(str(error.args[0]))}"
        raise format_error(path, problem) from error
    except (zipfile.BadZipFile, OSError, EOFError, RuntimeError, ValueError) as error:
        raise format_error(path, f"not an .xlsx file: {shown(str(error))}") from error
    except Exception as error:  # zipfile does not document what its decompressors raise
        if type(error).__module__ not in ("zlib", "_lzma", "lzma", "struct", "builtins"):
            raise
        raise format_error(path, f"not an .xlsx file: {shown(str(error))}") from error


def _zip(path: FilePath) -> zipfile.ZipFile:
    try:
        return zipfile.ZipFile(path)
    except OSError:
        unpacked_bytes(path)  # raises the error that names the problem
        raise


def _sheets(path: FilePath, packed: zipfile.ZipFile) -> Sequence[_Listed]:
    targets: dict[str, str] = {}
    found: list[_Listed] = []

    def relation(tag: str, attributes: Mapping[str, str]) -> None:
        if tag == "Relationship":
            target = _RELATIONS.sub("xl/", attributes.get("Target", ""), count=1)
            targets[attributes.get("Id", "")] = target

    def sheet(tag: str, attributes: Mapping[str, str]) -> None:
        if tag == "sheet":
            part = targets.get(attributes.get("id", ""), "")
            hidden = attributes.get("state", "visible") != "visible"
            if "worksheets/" in part:  # not a sheet of macros or a chart
                found.append(_Listed(attributes.get("name", ""), part, hidden))

    _parse(path, packed, "xl/_rels/workbook.xml.rels", relation)
    _parse(path, packed, "xl/workbook.xml", sheet)
    if not found:
        raise format_error(path, "the workbook has no sheet with cells")
    return found


def _shared_texts(path: FilePath, packed: zipfile.ZipFile) -> list[str]:
    """Return the texts that cells refer to by number."""
    part = "xl/sharedStrings.xml"
    if part not in packed.namelist():
        return []
    size = packed.getinfo(part).file_size
    if size > share(_PER_TEXT):
        raise over_budget(path, f"{size_words(size)} of text in cells")
    texts: list[str] = []
    pieces: list[str] = []
    depth = {"t": 0, "rPh": 0}  # rPh: how a Japanese word is pronounced

    def start(tag: str, _attributes: Mapping[str, str]) -> None:
        if tag in depth:
            depth[tag] += 1

    def end(tag: str) -> None:
        if tag in depth:
            depth[tag] -= 1
        if tag == "si":
            texts.append("".join(pieces))
            pieces.clear()

    def text(data: str) -> None:
        if depth["t"] and not depth["rPh"]:
            pieces.append(data)

    _parse(path, packed, part, start, end, text)
    return texts


def _parse(
    path: FilePath,
    packed: zipfile.ZipFile,
    part: str,
    start: Callable[[str, Mapping[str, str]], None],
    end: Callable[[str], None] = lambda _tag: None,
    text: Callable[[str], None] = lambda _data: None,
) -> None:
    parser = _parser(path, start, end, text)
    with packed.open(part) as source:
        for _ in _fed(parser, source):
            pass


def _parser(
    path: FilePath,
    start: Callable[[str, Mapping[str, str]], None],
    end: Callable[[str], None],
    text: Callable[[str], None],
) -> Any:
    """Return a parser of XML that calls these with names without their prefixes."""

    def no_types(*_args: object) -> None:
        raise format_error(path, "the XML in this .xlsx file declares types; refused")

    parser = expat.ParserCreate()
    parser.buffer_text = True
    parser.StartDoctypeDeclHandler = no_types
    parser.StartElementHandler = lambda tag, given: start(
        tag.rpartition(":")[2], {name.rpartition(":")[2]: value for name, value in given.items()}
    )
    parser.EndElementHandler = lambda tag: end(tag.rpartition(":")[2])
    parser.CharacterDataHandler = text
    return parser


def _fed(parser: Any, source: IO[bytes]) -> Iterator[None]:
    """Feed a parser; pause after each chunk."""
    while chunk := source.read(_CHUNK):
        parser.Parse(chunk, False)
        yield
    parser.Parse(b"", True)
    yield


def _rows(path: FilePath, source: IO[bytes], texts: Sequence[str], sheet: Sheet) -> Iterator[Row]:
    """Yield the rows that have any content, each as wide as the first one or wider."""
    cells = _Cells(path, texts, sheet)
    parser = _parser(path, cells.start, cells.end, cells.text)
    width = 0
    with _understood(path):
        for _ in _fed(parser, source):
            for number, row in cells.take():
                width = width or len(row)
                yield number, [*row, *[""] * (width - len(row))]


class _Cells:
    """The cells of a sheet, gathered from its XML into rows."""

    def __init__(self, path: FilePath, texts: Sequence[str], sheet: Sheet) -> None:
        self._path = path
        self._texts = texts
        self._sheet = sheet
        self._done: list[Row] = []
        self._line = 0
        self._row: list[str] = []
        self._kind = ""
        self._column = 0  # of the current cell, from 0
        self._pieces: list[str] = []
        self._length = 0
        self._reading = False  # inside a value or text of the current cell
        self._formula = False

    def take(self) -> list[Row]:
        """Return the rows that are complete."""
        done, self._done = self._done, []
        return done

    def start(self, tag: str, attributes: Mapping[str, str]) -> None:
        if tag == "row":
            given = attributes.get("r", "")
            self._line = int(given) if given.isascii() and given.isdigit() else self._line + 1
            self._row = []
            self._column = -1
        elif tag == "c":
            self._column = self._place(attributes.get("r", ""))
            self._kind = attributes.get("t", "n")
            self._pieces, self._length, self._formula = [], 0, False
        elif tag == "f":
            self._formula = True
        elif tag in ("v", "t"):
            self._reading = True
        elif tag == "rPh":
            self._reading = False

    def end(self, tag: str) -> None:
        if tag in ("v", "t"):
            self._reading = False
        elif tag == "c":
            self._put(self._value("".join(self._pieces)))
        elif tag == "row" and any(self._row):
            while self._row and not self._row[-1]:
                self._row.pop()
            self._done.append((self._line, self._row))

    def text(self, data: str) -> None:
        if self._reading:
            self._length += len(data)
            if self._length > _LONGEST_CELL:
                problem = f"a cell of more than {_LONGEST_CELL:,} characters"
                raise format_error(self._path, problem, line=self._line, column=self._column + 1)
            self._pieces.append(data)

    def _place(self, reference: str) -> int:
        """Return the column of a cell, from 0; without a reference it follows the one before."""
        match = _REFERENCE.fullmatch(reference)
        column = self._column + 1
        if match is not None:
            column = 0
            for letter in match[1]:
                column = 26 * column + ord(letter) - ord("A") + 1
            column -= 1
        if column >= _MOST_COLUMNS:
            problem = f"more than {_MOST_COLUMNS:,} columns, the most of an Excel sheet"
            raise format_error(self._path, problem, line=self._line)
        return column

    def _value(self, content: str) -> str:
        """Return the text of a cell; formulas and errors without a value are noted."""
        if self._formula and not content:
            self._sheet.formulas.append(self._name())
        if self._kind == "s" and content:
            number = int(content) if content.isascii() and content.isdigit() else -1
            if not 0 <= number < len(self._texts):
                problem = f"the cell refers to text {shown(content)}, which is not in the file"
                raise format_error(self._path, problem, line=self._line, column=self._column + 1)
            return self._texts[number]
        if self._kind == "e" and content == UNKNOWN_ERROR:
            self._sheet.unavailable[UNKNOWN_ERROR] += 1
            return ""
        return content

    def _put(self, value: str) -> None:
        if self._column < len(self._row):  # a cell given twice: the last one counts, as in Excel
            self._row[self._column] = value
            return
        self._row.extend([""] * (self._column - len(self._row)))
        self._row.append(value)

    def _name(self) -> str:
        """Return the name of the current cell, such as C7."""
        letters, column = "", self._column + 1
        while column:
            column, rest = divmod(column - 1, 26)
            letters = chr(ord("A") + rest) + letters
        return f"{letters}{self._line}"
