"""Copy number: the thresholded calls of GISTIC2, in its own files and in those of cBioPortal."""

from collections.abc import Collection, Iterator

import numpy as np
from numpy.typing import NDArray

from caprese._core.arrays import BoolArray, sealed
from caprese._core.checks import one_of
from caprese._core.files import FilePath, format_error, shown
from caprese._core.names import numbered
from caprese.data.columns import ENTRIES
from caprese.data.dataset import Dataset
from caprese.errors import FormatError, Remedy
from caprese.io.data.barcodes import shortened
from caprese.io.data.maf import Symbol
from caprese.io.data.reading import Note, Reading, check_cells, named
from caprese.io.text.cells import Codes
from caprese.io.text.delimited import Tabbed, nameless, tabbed

_HALVES = {"-2": -4, "-1.5": -3, "-1": -2, "0": 0, "1": 2, "2": 4}  # of a level
_WRONG, _UNKNOWN = 126, 127
_CODES = {text: _UNKNOWN for text, meaning in ENTRIES.items() if meaning is None}
_CODES |= {text: halves % 256 for text, halves in _HALVES.items()}  # as bytes
_NO_ROWS = "there is only a header, or no row of the requested genes; expected some rows"
_EXPECTED = "expected -2, -1, 0, 1, 2, or NA where unknown"

_ANNOTATIONS = frozenset(
    {"gene symbol", "hugo_symbol", "entrez_gene_id", "locus id", "gene id", "cytoband"}
)
_CONTINUOUS = "CN values"  # ends the name of a row that holds ratios, not levels
_SUFFIXES = {"Amplification": "+", "Deletion": "-"}

_Matrix = NDArray[np.int8]
_NamedRow = tuple[int, str, list[str]]  # its line, the name of its gene or peak, and its fields


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
    as ``8q24.21+`` or ``10q23.31-``; its rows of ratios are ignored.

    Parameters
    ----------
    path, barcode, several
        As for `read_maf`.
    gain, loss
        The lowest level that is a gain, 1 or 2, and the highest that is a loss, -1 or -2. By
        default 1 and -1 for peaks, where every call above GISTIC's noise threshold marks a sample
        that has the lesion, and 2 and -2 for genes, as cBioPortal shows them. The level -1.5 of
        some cBioPortal studies is a loss only if `loss` is -1.
    genes
        The genes to read; by default all. It does not apply to lesions.
    """
    reading = copy_number_reading(path, gain, loss, genes)
    return shortened(path, reading, barcode, several)


def copy_number_reading(
    path: FilePath,
    gain: int | None = None,
    loss: int | None = None,
    genes: Collection[str] | None = None,
    symbol: Symbol | None = None,
) -> Reading:
    """Read a file as `read_copy_number` does, its genes by other symbols."""
    if gain is not None:
        one_of("gain", gain, (1, 2))
    if loss is not None:
        one_of("loss", loss, (-1, -2))
    with tabbed(path) as table:
        lesions = table.find("Unique Name") == 0
        usual = 1 if lesions else 2
        gain, loss = usual if gain is None else gain, -usual if loss is None else loss
        if lesions:
            return _lesions(table, gain, loss)
        return _genes(table, gain, loss, genes, symbol or _as_it_is)


def _as_it_is(symbol: str, _entrez: str) -> str:
    return symbol


def _genes(
    table: Tabbed, gain: int, loss: int, genes: Collection[str] | None, symbol: Symbol
) -> Reading:
    wanted = None if genes is None else frozenset(genes)
    repeated: list[str] = []
    if table.find("Sample_Id") is not None:
        names, samples, calls = _long_calls(table, wanted, repeated, symbol)
    else:
        start = _first_sample(table)
        samples = table.samples(start)
        names, calls = _calls(table, start, _gene_rows(table, wanted, repeated, symbol))
    levels, known = _levels(table, names, calls)
    present = np.stack([levels >= 2 * gain, levels <= 2 * loss], axis=1)
    events = tuple(f"{name} {kind}" for name in names for kind in ("gain", "loss"))
    data = _dataset(present, np.repeat(known, 2, axis=0), events, samples)
    notes = named("kept the first row of", "gene", repeated, "with several rows")
    return Reading(data, (*_counted(gain, loss, levels, levels), *notes))


def _long_calls(
    table: Tabbed, wanted: Collection[str] | None, repeated: list[str], symbol: Symbol
) -> tuple[list[str], tuple[str, ...], bytes]:
    """Return genes, samples and calls of a file with a row for each pair; others are unknown."""
    places = [table.column(name) for name in ("Hugo_Symbol", "Sample_Id", "Value")]
    number = table.find("Entrez_Gene_Id")
    codes, found = Codes(_CODES, _WRONG, suffix=".0"), dict[str, dict[str, int]]()
    samples: dict[str, None] = {}
    for line, fields in table.rows():
        gene, sample, value = (fields[place].strip() for place in places)
        entrez = "" if number is None else fields[number].strip()
        gene = symbol(gene, entrez) or entrez
        for name, noun, place in ((gene, "gene", places[0]), (sample, "sample", places[1])):
            if not name:
                raise nameless(table.path, noun, line=line, column=place + 1)
        samples[sample] = None
        if wanted is not None and gene not in wanted:
            continue
        levels = found.setdefault(gene, {})
        if sample in levels:
            repeated += [gene] * (gene not in repeated)
            continue
        levels[sample] = codes[value]
        if levels[sample] == _WRONG:
            raise _not_a_level(table, line, places[2], value)
        check_cells(table.path, len(samples), 2 * len(found))
    rows = [bytes(levels.get(sample, _UNKNOWN) for sample in samples) for levels in found.values()]
    return list(found), tuple(samples), b"".join(rows)


def _first_sample(table: Tabbed) -> int:
    lowered = [name.lower() for name in table.header]
    if lowered[0] not in _ANNOTATIONS or lowered[0] == "cytoband":
        problem = f"the first column is {shown(table.header[0])}"
        expected = "expected Gene Symbol, Hugo_Symbol or Unique Name"
        raise format_error(table.path, f"{problem}; {expected}", line=table.line, column=1)
    return next((i for i, n in enumerate(lowered) if n not in _ANNOTATIONS), len(lowered))


def _gene_rows(
    table: Tabbed, wanted: Collection[str] | None, repeated: list[str], symbol: Symbol
) -> Iterator[_NamedRow]:
    seen, number = set[str](), table.find("Entrez_Gene_Id")
    for line, fields in table.rows():
        name = symbol(fields[0].strip(), fields[number].strip() if number else "")
        if not name:
            raise nameless(table.path, "gene", line=line, column=1)
        if wanted is not None and name not in wanted:
            continue
        if name in seen:
            repeated.append(name)
            continue
        seen.add(name)
        yield line, name, fields


def _lesions(table: Tabbed, gain: int, loss: int) -> Reading:
    start = table.column("Amplitude Threshold") + 1
    if not table.header[-1]:  # GISTIC2 ends each line with a tab
        table = Tabbed(table.path, table.line, table.header[:-1], _without_last_tab(table.lines))
    samples = table.samples(start)
    names, calls = _calls(table, start, _peak_rows(table))
    levels, known = _levels(table, names, calls)
    amplified = np.array([name.endswith("+") for name in names])
    present = levels >= 2 * np.where(amplified, gain, -loss)[:, None]
    events = numbered(names)
    same = [event for event, name in zip(events, names, strict=True) if event != name]
    notes = named("numbered", "peak", same, "in the same band as another")
    counted = _counted(gain, loss, levels[amplified], -levels[~amplified])
    return Reading(_dataset(present, known, events, samples), (*counted, *notes))


def _without_last_tab(lines: Iterator[str]) -> Iterator[str]:
    for line in lines:
        bare = line.rstrip("\r\n")
        yield bare[:-1] if bare.endswith("\t") else bare


def _peak_rows(table: Tabbed) -> Iterator[_NamedRow]:
    descriptor = table.column("Descriptor")
    for line, fields in table.rows():
        name, suffix = fields[0].strip(), _SUFFIXES.get(fields[0].split(" ")[0])
        if suffix is None:
            problem = f"{shown(name)} is not a peak; expected Amplification Peak or Deletion Peak"
            raise format_error(table.path, problem, line=line, column=1)
        if not name.endswith(_CONTINUOUS):
            yield line, fields[descriptor].strip() + suffix, fields


def _calls(table: Tabbed, start: int, rows: Iterator[_NamedRow]) -> tuple[list[str], bytes]:
    """Return the names of rows, and their calls from column `start` on."""
    code = Codes(_CODES, _WRONG, suffix=".0").__getitem__
    names, calls = list[str](), bytearray()
    for line, name, fields in rows:
        names.append(name)
        check_cells(table.path, len(fields) - start, 2 * len(names))
        codes = bytes(map(code, fields[start:]))
        if _WRONG in codes:
            column = start + codes.index(_WRONG)
            raise _not_a_level(table, line, column, fields[column])
        calls += codes
    return names, bytes(calls)


def _levels(table: Tabbed, names: list[str], calls: bytes) -> tuple[_Matrix, BoolArray]:
    """Return levels in halves, 0 where they are unknown, and whether they are known."""
    if not names:
        raise format_error(table.path, _NO_ROWS, line=table.line)
    levels = np.frombuffer(calls, dtype=np.int8).reshape(len(names), -1)
    known = levels != _UNKNOWN
    return np.where(known, levels, 0), known


def _counted(gain: int, loss: int, gains: _Matrix, losses: _Matrix) -> Iterator[Note]:
    """Yield which levels are counted and which are not."""
    high, low = (gains == 4).sum(), (gains == 2).sum()
    deep, shallow = (losses == -4).sum(), ((losses < 0) & (losses > -4)).sum()
    for name, noun, strong, weak, level, lowest in (
        ("gain", "gains", f"{high} high", f"{low} low-level", gain, 1),
        ("loss", "losses", f"{deep} deep", f"{shallow} shallow", loss, -1),
    ):
        if level == lowest:
            yield Note(f"{noun} counted: {strong}, {weak}")
        else:
            remedy = Remedy(name, lowest, "counts them")
            yield Note(f"{noun} counted: {strong}; not counted: {weak}", remedy)


def _not_a_level(table: Tabbed, line: int, column: int, text: str) -> FormatError:
    problem = f"{shown(text)} is not a copy number level; {_EXPECTED}"
    name = table.header[column]
    return format_error(table.path, problem, line=line, column=column + 1, name=name)


def _dataset(
    present: BoolArray, known: BoolArray, events: tuple[str, ...], samples: tuple[str, ...]
) -> Dataset:
    values = np.ascontiguousarray(present.reshape(-1, len(samples)).T)
    return Dataset(sealed(values), events, samples, sealed(np.ascontiguousarray(known.T)))
