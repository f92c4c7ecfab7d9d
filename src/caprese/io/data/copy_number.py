"""Copy number: the thresholded calls of GISTIC2, in its own files and in those of cBioPortal."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from caprese._core.arrays import sealed
from caprese._core.checks import one_of
from caprese._core.files import FilePath, format_error, shown
from caprese._core.names import numbered
from caprese.data.dataset import Dataset
from caprese.errors import FormatError, Remedy
from caprese.io.data.barcodes import shortened
from caprese.io.data.reading import Note, Reading, check_cells, named
from caprese.io.data.tables import ENTRIES
from caprese.io.text.delimited import Tabbed, tabbed

_LEVELS = {"-2": -4, "-1.5": -3, "-1": -2, "0": 0, "1": 2, "2": 4}  # in halves of a level
_UNKNOWN = 127
_MISSING = frozenset(text for text, meaning in ENTRIES.items() if meaning is None)
_NO_ROWS = "there is only a header, or no row of the requested genes; expected some rows"
_EXPECTED = "expected -2, -1, 0, 1, 2, or NA where unknown"

_ANNOTATIONS = frozenset(
    {"gene symbol", "hugo_symbol", "entrez_gene_id", "locus id", "gene id", "cytoband"}
)
_CONTINUOUS = "CN values"  # ends the name of a row that holds ratios, not levels
_SUFFIXES = {"Amplification": "+", "Deletion": "-"}


def read_copy_number(
    path: FilePath,
    *,
    gain: int | None = None,
    loss: int | None = None,
    genes: Collection[str] | None = None,
    barcode: str | None = None,
    several: str = "primary first",
) -> Reading:
    """Read discrete copy number calls, with gains and losses as separate events.

    Files are recognised by their headers: ``all_thresholded.by_genes.txt`` of GISTIC2 (Gene
    Symbol, Locus ID, Cytoband, samples), ``data_cna.txt`` of cBioPortal (Hugo_Symbol,
    Entrez_Gene_Id, samples) and its long form (Hugo_Symbol, Sample_Id, Value), and
    ``all_lesions.conf_XX.txt`` of GISTIC2. All but the last give two events per gene, such as
    ``MYC gain`` and ``MYC loss``. In the last, the thresholded rows give one event per peak, such
    as ``8q24.21+`` or ``10q23.31-``; its rows of ratios are ignored. A note says how many calls of
    which level were counted, and how many were not.

    Parameters
    ----------
    path
        A tab-separated UTF-8 file, gzip or not, or ``-`` for standard input.
    gain
        The lowest level that is a gain: 2 for high amplifications, 1 for any gain. By default 1
        for peaks, where every call above GISTIC's noise threshold marks a sample that has the
        lesion, and 2 for genes, as cBioPortal shows them.
    loss
        The highest level that is a loss: -2 for deep deletions, -1 for any loss; by default -1 for
        peaks and -2 for genes. The level -1.5 of some cBioPortal studies is a loss only if this
        is -1.
    genes
        The genes to read; by default all. It does not apply to lesions.
    barcode, several
        As for `read_maf`.
    """
    if gain is not None:
        one_of("gain", gain, (1, 2))
    if loss is not None:
        one_of("loss", loss, (-1, -2))
    with tabbed(path) as table:
        lesions = table.find("Unique Name") == 0
        usual = 1 if lesions else 2
        levels = _Levels(usual if gain is None else gain, -usual if loss is None else loss)
        reading = _lesions(table, levels) if lesions else _genes(table, levels, genes)
    return shortened(path, reading, barcode, several)


@dataclass(frozen=True)
class _Levels:
    """The lowest level that is a gain, and the highest that is a loss."""

    gain: int
    loss: int

    def notes(self, gains: NDArray[np.int8], losses: NDArray[np.int8]) -> tuple[Note, ...]:
        """Return what is counted and what is not; `gains` and `losses` are levels in halves."""
        high, low = int((gains == 4).sum()), int((gains == 2).sum())
        deep, shallow = int((losses == -4).sum()), int(((losses < 0) & (losses > -4)).sum())
        return (
            self._note("gain", "gains", f"{high} high", f"{low} low-level", 1),
            self._note("loss", "losses", f"{deep} deep", f"{shallow} shallow", -1),
        )

    def _note(self, name: str, noun: str, strong: str, weak: str, any_level: int) -> Note:
        if getattr(self, name) == any_level:
            return Note(f"{noun} counted: {strong}, {weak}")
        remedy = Remedy(name, any_level, "counts them")
        return Note(f"{noun} counted: {strong}; not counted: {weak}", remedy)


@dataclass(frozen=True)
class _Calls:
    """Levels of genes or peaks x samples."""

    names: list[str]
    levels: NDArray[np.int8]  # in halves

    @property
    def known(self) -> NDArray[np.bool_]:
        return np.asarray(self.levels != _UNKNOWN)

    def at_least(self, level: int | NDArray[np.int64]) -> NDArray[np.bool_]:
        return np.asarray((self.levels >= 2 * level) & self.known)

    def at_most(self, level: int) -> NDArray[np.bool_]:
        return np.asarray(self.levels <= 2 * level)


class _Codes(dict[str, int]):
    """The byte of each level; other spellings (2.0, na) are added when they first occur."""

    def __missing__(self, text: str) -> int:
        plain = text.strip().lower().removesuffix(".0")
        if plain not in _LEVELS and plain not in _MISSING:
            raise KeyError(text)
        byte = self[text] = _LEVELS.get(plain, _UNKNOWN) % 256
        return byte


def _genes(table: Tabbed, levels: _Levels, genes: Collection[str] | None) -> Reading:
    repeated: list[str] = []
    if table.find("Sample_Id") is not None:
        calls, samples = _long_calls(table, genes, repeated)
    else:
        start = _first_sample(table)
        samples = table.samples(start)
        calls = _calls(table, start, _gene_rows(table, genes, repeated))
    present = np.stack([calls.at_least(levels.gain), calls.at_most(levels.loss)], axis=1)
    events = tuple(f"{name} {kind}" for name in calls.names for kind in ("gain", "loss"))
    data = _dataset(present, np.repeat(calls.known, 2, axis=0), events, samples)
    known = np.where(calls.known, calls.levels, 0)
    notes = named("kept the first row of", "gene", repeated, "with several rows")
    return Reading(data, (*levels.notes(known, known), *notes))


def _long_calls(
    table: Tabbed, genes: Collection[str] | None, repeated: list[str]
) -> tuple[_Calls, tuple[str, ...]]:
    """Return the calls of a file with one row per gene and sample; other pairs are unknown."""
    places = [table.column(name) for name in ("Hugo_Symbol", "Sample_Id", "Value")]
    number = table.find("Entrez_Gene_Id")
    wanted = None if genes is None else frozenset(genes)
    code, found = _Codes().__getitem__, dict[str, dict[str, int]]()
    samples: dict[str, None] = {}
    for line, fields in table.rows():
        gene, sample, value = (fields[place].strip() for place in places)
        gene = gene or (fields[number].strip() if number is not None else "")
        for name, noun, place in ((gene, "gene", places[0]), (sample, "sample", places[1])):
            if not name:
                problem = f"the {noun} name is empty; expected some text"
                raise format_error(table.path, problem, line=line, column=place + 1)
        samples[sample] = None
        if wanted is not None and gene not in wanted:
            continue
        levels = found.setdefault(gene, {})
        if sample in levels:
            repeated += [gene] * (gene not in repeated)
            continue
        try:
            levels[sample] = code(value)
        except KeyError:
            raise _not_a_level(table, line, places[2], value) from None
        check_cells(table.path, len(samples), 2 * len(found))
    if not found:
        raise format_error(table.path, _NO_ROWS, line=table.line)
    rows = [bytes(levels.get(sample, _UNKNOWN) for sample in samples) for levels in found.values()]
    matrix = np.frombuffer(b"".join(rows), dtype=np.int8).reshape(len(found), -1)
    return _Calls(list(found), matrix), tuple(samples)


def _first_sample(table: Tabbed) -> int:
    lowered = [name.lower() for name in table.header]
    if lowered[0] not in _ANNOTATIONS or lowered[0] == "cytoband":
        problem = f"the first column is {shown(table.header[0])}"
        expected = "expected Gene Symbol, Hugo_Symbol or Unique Name"
        raise format_error(table.path, f"{problem}; {expected}", line=table.line, column=1)
    return next((i for i, n in enumerate(lowered) if n not in _ANNOTATIONS), len(lowered))


def _gene_rows(
    table: Tabbed, genes: Collection[str] | None, repeated: list[str]
) -> Iterator[tuple[int, str, list[str]]]:
    wanted = None if genes is None else frozenset(genes)
    seen = set[str]()
    for line, fields in table.rows():
        name = fields[0].strip()
        if not name:
            problem = "the gene name is empty; expected some text"
            raise format_error(table.path, problem, line=line, column=1)
        if wanted is not None and name not in wanted:
            continue
        if name in seen:
            repeated.append(name)
            continue
        seen.add(name)
        yield line, name, fields


def _lesions(table: Tabbed, levels: _Levels) -> Reading:
    start = table.column("Amplitude Threshold") + 1
    if not table.header[-1]:  # GISTIC2 ends each line with a tab
        table = Tabbed(table.path, table.line, table.header[:-1], _without_last_tab(table.lines))
    samples = table.samples(start)
    calls = _calls(table, start, _peak_rows(table))
    amplified = np.array([name.endswith("+") for name in calls.names])
    present = calls.at_least(np.where(amplified, levels.gain, -levels.loss)[:, None])
    events = numbered(calls.names)
    same = [event for event, name in zip(events, calls.names, strict=True) if event != name]
    notes = named("numbered", "peak", same, "in the same band as another")
    known = np.where(calls.known, calls.levels, 0)
    counted = levels.notes(known[amplified], -known[~amplified])
    return Reading(_dataset(present, calls.known, events, samples), (*counted, *notes))


def _without_last_tab(lines: Iterator[str]) -> Iterator[str]:
    for line in lines:
        bare = line.rstrip("\r\n")
        yield bare[:-1] if bare.endswith("\t") else bare


def _peak_rows(table: Tabbed) -> Iterator[tuple[int, str, list[str]]]:
    descriptor = table.column("Descriptor")
    for line, fields in table.rows():
        name, suffix = fields[0].strip(), _SUFFIXES.get(fields[0].split(" ")[0])
        if suffix is None:
            problem = f"{shown(name)} is not a peak; expected Amplification Peak or Deletion Peak"
            raise format_error(table.path, problem, line=line, column=1)
        if not name.endswith(_CONTINUOUS):
            yield line, fields[descriptor].strip() + suffix, fields


def _calls(table: Tabbed, start: int, rows: Iterator[tuple[int, str, list[str]]]) -> _Calls:
    code, names, levels = _Codes().__getitem__, list[str](), bytearray()
    for line, name, fields in rows:
        names.append(name)
        check_cells(table.path, len(fields) - start, 2 * len(names))
        try:
            levels += bytes(map(code, fields[start:]))
        except KeyError as error:
            column = fields.index(error.args[0], start)
            raise _not_a_level(table, line, column, error.args[0]) from None
    if not names:
        raise format_error(table.path, _NO_ROWS, line=table.line)
    return _Calls(names, np.frombuffer(levels, dtype=np.int8).reshape(len(names), -1))


def _not_a_level(table: Tabbed, line: int, column: int, text: str) -> FormatError:
    problem = f"{shown(text)} is not a copy number level; {_EXPECTED}"
    name = table.header[column]
    return format_error(table.path, problem, line=line, column=column + 1, name=name)


def _dataset(
    present: NDArray[np.bool_],
    known: NDArray[np.bool_],
    events: tuple[str, ...],
    samples: tuple[str, ...],
) -> Dataset:
    values = np.ascontiguousarray(present.reshape(-1, len(samples)).T)
    return Dataset(sealed(values), events, samples, sealed(np.ascontiguousarray(known.T)))
