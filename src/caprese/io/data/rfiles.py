"""R files: matrices, data frames and TRONCO objects from .rda, .RData and .rds."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from itertools import islice
from typing import Any

import numpy as np

from caprese._core.files import FilePath, format_error, shown
from caprese._core.names import distinct_names, numbered
from caprese._core.words import did_you_mean, number_of
from caprese.data.columns import ENTRIES
from caprese.data.dataset import Dataset
from caprese.errors import DatasetError, Remedy
from caprese.io.data.annotations import Annotation
from caprese.io.data.reading import Note, Reading, check_cells, left_out_notes, named, tallied
from caprese.io.data.robjects import RObject, inside, r_objects, understood
from caprese.io.data.tables import EXPECTED_ENTRIES, WantedColumns
from caprese.io.text.cells import name_in

_COPY_NUMBERS = (-2, -1, 0, 1, 2)
_READABLE = ("TRONCO object", "data frame", "matrix")


def read_r(
    path: FilePath,
    *,
    name: str | None = None,
    only: Collection[str] | None = None,
    exclude: Collection[str] | None = None,
) -> Reading:
    """Read samples x events from an R file: .rda, .RData or .rds. This needs the extra ``r``.

    A matrix or data frame holds 0, 1, TRUE, FALSE and NA, or text as in a table, and needs column
    names; row names, if present, are the names of the samples. Of a TRONCO object the genotypes
    are read; its events are named by gene and type, ``ASXL1 (Nonsense point)``, or by gene alone if
    there is only one type; its stages become an annotation of the samples.

    `name` is the object to read, ``LIST$ELEMENT`` for one inside a list; it is needed only if
    several objects in the file can be read. `only` and `exclude` are as for `read_table`.
    """
    objects = r_objects(path)
    found = {key: item for key, item in objects.items() if item.kind in _READABLE}
    if name is None and len(found) > 1:
        names = ", ".join(map(shown, found))
        remedy = Remedy("name", next(iter(found)), "reads the first")
        raise format_error(path, f"several objects can be read: {names}", remedy=remedy)
    if not found or (name is not None and name not in found):
        wanted = "matrix, data frame or TRONCO object" if name is None else f"object {shown(name)}"
        meant = "" if name is None else did_you_mean(name, found)
        problem = f"no {wanted} to read; the file holds {inside(objects)}{meant}"
        raise format_error(path, problem)
    chosen, item = (name, found[name]) if name is not None else next(iter(found.items()))
    try:
        with understood(path):
            _refuse_other_tables(path, chosen, item)
            if item.kind == "TRONCO object":
                return _tronco(path, item)
            return _table(path, item, WantedColumns(only, exclude))
    except DatasetError as error:
        problem = f"{shown(chosen)}: {error.what()}; the file holds {inside(objects)}"
        raise format_error(path, problem, remedy=error.remedy) from error


def _table(
    path: FilePath, item: RObject, columns: WantedColumns, names: Mapping[str, str] | None = None
) -> Reading:
    """Return the data set in a matrix or data frame; `names` are those of the events by column."""
    given, samples = _content(path, item)
    entries, left_out = dict[str, list[Any]](), list[str]()
    if names is None:
        distinct_names("event", map(name_in, given), DatasetError)
    for key, column in given.items():
        event = name_in(key) if names is None else names[key]
        try:
            entries[event] = _entries(event, column)
        except DatasetError as error:
            left_out.append(event)
            columns.leave_out(event, str(error))
    columns.check([*entries, *left_out])
    if not entries:
        raise DatasetError("no column with entries would be left")
    table = np.array(list(entries.values()), dtype=object).T
    data = Dataset.from_rows(table, list(entries), [name_in(sample) for sample in samples])
    return Reading(data, left_out_notes(left_out), left_out=tuple(left_out))


def _refuse_other_tables(path: FilePath, name: str, item: RObject) -> None:
    """Refuse a table of another kind than samples x events, and say how to read it."""
    what = None
    if item.kind == "data frame" and {"Hugo_Symbol", "Tumor_Sample_Barcode"} <= item.parts.keys():
        what, frame, file = "a MAF", name, f"{name}.maf"
    elif item.kind == "matrix" and item.parsed.info.type.name in ("INT", "REAL"):
        levels = np.ma.compressed(item.parsed.value)
        if np.isin(levels, _COPY_NUMBERS).all() and (levels < 0).any():
            what, file = "copy number levels of samples x genes", f"{name}.txt"
            frame = f"data.frame(Hugo_Symbol = colnames({name}), t({name}), check.names = FALSE)"
    if what is not None:
        call = f'write.table({frame}, "{file}", sep = "\\t", quote = FALSE, row.names = FALSE)'
        problem = f"{shown(name)} holds {what}, not 0 and 1"
        raise format_error(path, f"{problem}; write it from R with {call} and read {file}")


def _content(path: FilePath, item: RObject) -> tuple[dict[str, list[Any]], tuple[str, ...]]:
    """Return the columns of a matrix or data frame by name, and the names of its rows."""
    samples, names = item.names()
    of_matrix = item.kind == "matrix"
    if not names:
        raise DatasetError(f"the {item.kind} has no column names; expected one for each event")
    width = int(item.attributes["dim"][1]) if of_matrix else len(item.parsed.value)
    if len(names) != width:
        number = number_of(width, "column")
        raise DatasetError(f"the {item.kind} has {number}, but {len(names)} different names")
    distinct_names("event", names, DatasetError)
    columns = dict(zip(names, item.columns(), strict=True))
    height = len(columns[names[0]])
    check_cells(path, height, len(columns))
    if any(len(column) != height for column in columns.values()):
        raise DatasetError("the columns of the data frame differ in length")
    if not (of_matrix or samples or len(columns) == 1 or _are_entries(columns[names[0]])):
        return columns, tuple(map(str, columns.pop(names[0])))
    return columns, samples


def _are_entries(column: Sequence[Any]) -> bool:
    return not any(isinstance(e, str) and e.strip().lower() not in ENTRIES for e in column)


def _entries(event: str, column: list[Any]) -> list[Any]:
    """Return the entries of a column; text is understood as in tables."""
    found = [ENTRIES.get(e.strip().lower(), e) if isinstance(e, str) else e for e in column]
    for row, entry in enumerate(found, start=1):
        missing = entry is None or entry != entry  # NaN differs from itself
        if not missing and (isinstance(entry, str) or entry not in (0, 1)):
            problem = f"{shown(str(entry))} is not an entry; {EXPECTED_ENTRIES}"
            raise DatasetError(f"column {shown(event)}, row {row}: {problem}")
    return found


def _tronco(path: FilePath, item: RObject) -> Reading:
    genotypes, annotations = item.parts["genotypes"], item.parts["annotations"]
    if {genotypes.kind, annotations.kind} - {"matrix", "data frame"}:
        raise DatasetError("the genotypes and annotations of a TRONCO object must be tables")
    _, keys = genotypes.names()
    types, genes = _described(annotations, "type"), _described(annotations, "event")
    if not set(keys) <= types.keys() & genes.keys():
        raise DatasetError("the annotations of this TRONCO object do not name its events")
    one_type = len({types[key] for key in keys}) == 1
    names = [genes[key] if one_type else f"{genes[key]} ({types[key]})" for key in keys]
    events = numbered(names)
    data = _table(path, genotypes, WantedColumns(), dict(zip(keys, events, strict=True))).data
    same = [event for event, name in zip(events, names, strict=True) if event != name]
    notes = named("numbered", "event", same, "with the same name as another")
    stages = _stages(item, data)
    if not stages:
        return Reading(data, notes)
    told = f"stages of {number_of(len(stages), 'sample')}: {tallied(Counter(stages.values()))}"
    return Reading(data, (*notes, Note(told)), annotations=(Annotation("stage", stages),))


def _described(annotations: RObject, column: str) -> dict[str, str]:
    """Return what the annotations of a TRONCO object say of each event, by its key."""
    rows, names = annotations.names()
    if column not in names:
        return {}
    (given,) = islice(annotations.columns(), names.index(column), names.index(column) + 1)
    return dict(zip(rows, map(str, given), strict=False))


def _stages(item: RObject, data: Dataset) -> dict[str, str]:
    """Return the stages of samples in a TRONCO object, if it has any."""
    part = item.parts.get("stages")
    if part is None or part.kind not in ("data frame", "matrix"):
        return {}
    samples, _ = part.names()
    pairs = zip(samples or data.samples, next(part.columns(), []), strict=False)
    stages = {name_in(sample): str(stage) for sample, stage in pairs if stage is not None}
    return {sample: stages[sample] for sample in data.samples if sample in stages}
