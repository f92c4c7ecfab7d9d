"""A cBioPortal study folder: mutations, copy number, gene panels and clinical tables."""

import os.path
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np

from caprese._core.arrays import BoolArray, sealed
from caprese._core.checks import one_of
from caprese._core.files import FilePath, format_error, shown, text_lines
from caprese._core.words import listing, number_of, visible
from caprese.data.dataset import Dataset
from caprese.errors import FormatError, Remedy
from caprese.io.data.barcodes import one_per_owner
from caprese.io.data.copy_number import read_copy_number
from caprese.io.data.maf import EVENTS, read_maf
from caprese.io.data.reading import Note, Reading, check_cells, named
from caprese.io.text.delimited import Names, tabbed

ROWS = ("sample", "patient")
_ON_NO_PANEL = frozenset({"", "na", "n/a"})
_WHOLE = re.compile(r"w[egx]s|whole.?(exome|genome).*", re.IGNORECASE)


@dataclass(frozen=True)
class _Content:
    """A part of a study: what its meta file says, and its usual file names without one."""

    noun: str
    alteration: str
    datatypes: tuple[str, ...]
    usual: tuple[str, ...]
    profiles: tuple[str, ...] = ()  # possible names of its column in the panel matrix


_MUTATIONS = _Content(
    "mutations",
    "MUTATION_EXTENDED",
    ("MAF",),
    ("data_mutations.txt", "data_mutations_extended.txt", "data_mutations_mskcc.txt"),
    ("mutations",),
)
_COPY_NUMBER = _Content(
    "copy number",
    "COPY_NUMBER_ALTERATION",
    ("DISCRETE", "DISCRETE_LONG"),
    ("data_cna.txt", "data_CNA.txt"),
    ("gistic", "cna", "cna_rae", "cna_consensus"),
)
_MATRIX = _Content(
    "gene panels",
    "GENE_PANEL_MATRIX",
    ("GENE_PANEL_MATRIX",),
    ("data_gene_panel_matrix.txt", "data_gene_matrix.txt"),
)
_CLINICAL = _Content(
    "clinical samples",
    "CLINICAL",
    ("SAMPLE_ATTRIBUTES",),
    ("data_clinical_sample.txt", "data_clinical.txt"),
)


def read_study(
    folder: FilePath,
    *,
    genes: Collection[str] | None = None,
    events: str = "gene",
    silent: bool = False,
    germline: bool = False,
    copy_number: bool = True,
    gain: int | None = None,
    loss: int | None = None,
    panels: FilePath | None = None,
    per: str = "sample",
    several: str = "primary first",
) -> Reading:
    """Read a study as downloaded from cBioPortal: what was found, and what was profiled.

    Events are made from mutations and discrete copy number. An entry is *unknown*, not absent, if
    its sample was not profiled, or on a gene panel without that gene. The samples that were
    sequenced, with or without a mutation, are those in ``case_lists/cases_sequenced.txt``, in the
    gene panel matrix, and in the mutations themselves; the genes of each panel are in the files
    ``data_gene_panel_*.txt`` or in the folder ``gene_panels``. A sample with ``NA`` in the matrix
    is on no panel: all its genes were profiled if a case list has it, none otherwise.

    The folder has meta files, or data files of the usual names (``data_mutations.txt``); `panels`
    is another one with definitions of gene panels. `genes` are those to read, by default all;
    `copy_number` is whether to read copy number, if there is any. There is one row `per`
    ``sample``, or per ``patient`` of the clinical table. The others are as for `read_maf`, but
    `events` not from a mapping, and as for `read_copy_number`.
    """
    one_of("events", events, EVENTS)
    one_of("per", per, ROWS)
    study = _study(Path(folder), panels)
    part, other = study.find(_MUTATIONS), study.find(_COPY_NUMBER)
    parts = []
    if part is not None:
        mutations = read_maf(part.path, events=events, silent=silent, germline=germline)
        parts.append(_profiled_mutations(study, part, mutations))
    if copy_number and other is not None:
        levels = read_copy_number(other.path, gain=gain, loss=loss)
        parts.append(_profiled_levels(study, other, levels))
    if not parts and other is not None:
        remedy = Remedy("copy_number", True, "reads its copy number")
        raise format_error(study.folder, "no mutations", remedy=remedy)
    if not parts:
        raise study.lacks(_MUTATIONS, _COPY_NUMBER)
    joined = _of_genes(study, _joined(study.folder, parts), genes)
    if part is None:
        note = Note("this study has no mutations, only copy number")
        joined = joined.changed(joined.data, [note])
    table = study.find(_CLINICAL)
    if table is None and per == "patient":
        raise study.lacks(_CLINICAL)
    return joined if table is None else _per(table.path, joined, per, several)


@dataclass(frozen=True)
class Panel:
    """The genes that a panel covers; all genes if `genes` is None."""

    name: str
    genes: frozenset[str] | None

    def covers(self, genes: Sequence[str]) -> BoolArray:
        """Return which of these genes the panel covers."""
        covered = [self.genes is None or gene in self.genes for gene in genes]
        return np.array(covered, dtype=bool)


WHOLE = Panel("all genes", None)


def properties(path: FilePath) -> dict[str, str]:
    """Read lines of ``name: value``, as in the meta files, panels and case lists of cBioPortal."""
    found: dict[str, str] = {}
    with closing(text_lines(path)) as lines:
        for number, line in enumerate(lines, start=1):
            name, colon, value = line.partition(":")
            if not colon and line.strip():
                problem = f"{shown(line.strip())} has no colon; expected a name, a colon, a value"
                raise format_error(path, problem, line=number)
            if colon:
                found[name.strip()] = value.strip()
    return found


def read_panel(path: FilePath) -> Panel:
    """Read the definition of a gene panel."""
    content = properties(path)
    for name in ("stable_id", "gene_list"):
        if not content.get(name):
            raise format_error(path, f"{name} is missing; expected a line '{name}: ...'")
    genes = frozenset(content["gene_list"].split())
    if all(gene.isdecimal() for gene in genes):
        raise format_error(path, "gene_list holds Entrez numbers; expected gene symbols")
    return Panel(content["stable_id"], genes)


@dataclass(frozen=True)
class _Part:
    """A file of a study, and what its meta file says about it."""

    path: Path
    meta: Mapping[str, str]
    meta_path: Path | None = None


@dataclass(frozen=True)
class _Study:
    """A study folder whose small files have been read."""

    folder: Path
    metas: Mapping[Path, Mapping[str, str]]
    panels: Mapping[str, Panel]
    lists: Mapping[str, tuple[str, ...]]  # samples by the last word of the name of the case list

    def find(self, content: _Content) -> _Part | None:
        for path, meta in self.metas.items():
            kind = meta.get("genetic_alteration_type"), meta.get("datatype")
            if kind[0] == content.alteration and kind[1] in content.datatypes:
                return _Part(self._data_file(path, meta), meta, path)
        for name in chain(content.usual, (f"{name}.gz" for name in content.usual)):
            if (self.folder / name).exists():
                return _Part(self.folder / name, {})
        return None

    def lacks(self, *contents: _Content) -> FormatError:
        nouns = " and ".join(f"no {each.noun}" for each in contents)
        files = ", ".join(each.usual[0] for each in contents)
        kinds = " or ".join(each.alteration for each in contents)
        return format_error(self.folder, f"{nouns}; expected {files}, or a meta file with {kinds}")

    def _data_file(self, path: Path, meta: Mapping[str, str]) -> Path:
        name = meta.get("data_filename", "")
        if not name or Path(name).name != name:
            problem = f"data_filename is {shown(name)}; expected a file in the same folder"
            raise format_error(path, problem)
        if not os.path.exists(self.folder / name):  # not an error if no file can have it
            raise format_error(path, f"there is no {visible(name)} in the same folder")
        return self.folder / name

    def panels_of(self, content: _Content, part: _Part) -> dict[str, Panel] | None:
        """Read the panel of each sample that is on one; None without a matrix or its column."""
        matrix = self.find(_MATRIX)
        if matrix is None:
            return None
        names = filter(None, (part.meta.get("stable_id"), *content.profiles))
        samples, found = Names(matrix.path, "sample", "line"), dict[str, Panel]()
        with tabbed(matrix.path) as table:
            first = table.column("SAMPLE_ID")
            profile = next((name for name in names if table.find(name) is not None), None)
            place = first if profile is None else table.column(profile)
            for line, fields in table.rows():
                sample, name = fields[first].strip(), fields[place].strip()
                samples.add(sample, line=line, column=first + 1)
                if profile is not None and name.lower() not in _ON_NO_PANEL:
                    found[sample] = self._panel(name, matrix.path, line=line, name=profile)
        return None if profile is None else found

    def default(self, part: _Part) -> Panel:
        """Return the panel of the samples for which the matrix names none."""
        name = part.meta.get("gene_panel")
        return self._panel(name, part.meta_path or part.path) if name else WHOLE

    def _panel(self, panel: str, path: Path, **place: Any) -> Panel:
        """Return the panel that a file names; WES, WXS, WGS and the like are all genes."""
        if panel in self.panels:
            return self.panels[panel]
        if _WHOLE.fullmatch(panel):
            return WHOLE
        file = f"data_gene_panel_{visible(panel)}.txt"
        problem = f"gene panel {shown(panel)} is not defined; expected {file} in the folder"
        remedy = Remedy("panels", None, "names another folder")
        raise format_error(path, problem, remedy=remedy, **place)


def _study(folder: Path, panels: FilePath | None) -> _Study:
    if not folder.is_dir():
        problem = "this is a file" if folder.exists() else "no such folder"
        raise format_error(folder, f"{problem}; expected the folder of a cBioPortal study")
    if panels is not None and not Path(panels).is_dir():
        raise format_error(panels, "no such folder; expected one with definitions of gene panels")
    metas = {path: properties(path) for path in sorted(folder.glob("meta_*.txt"))}
    matrices = {name for path in _MATRIX.usual for name in (path, f"{path}.gz")}
    defined = [path for path in folder.glob("data_gene_panel_*.txt") if path.name not in matrices]
    defined += (folder / "gene_panels").glob("*.txt")
    defined += () if panels is None else Path(panels).glob("*.txt")
    found = (read_panel(path) for path in sorted(defined))
    return _Study(folder, metas, {panel.name: panel for panel in found}, _case_lists(folder))


def _case_lists(folder: Path) -> dict[str, tuple[str, ...]]:
    """Return the samples of each case list, by the last word of its name (``sequenced``)."""
    lists = {}
    for path in sorted((folder / "case_lists").glob("*.txt")):
        content = properties(path)
        if "case_list_ids" not in content:
            problem = "case_list_ids is missing; expected a line 'case_list_ids: ...'"
            raise format_error(path, problem)
        name = content.get("stable_id", path.stem).rpartition("_")[2]
        lists[name] = tuple(content["case_list_ids"].split())
    return lists


def _of_genes(study: _Study, reading: Reading, genes: Collection[str] | None) -> Reading:
    if genes is None:
        return reading
    wanted = frozenset(genes)
    events = [event for event in reading.data.events if _gene(event) in wanted]
    if not events:
        problem = f"no event of the requested genes ({listing(sorted(wanted))})"
        raise format_error(study.folder, f"{problem}; expected at least one")
    absent = sorted(wanted.difference(map(_gene, events)))
    data = reading.data.take_events(events)
    return reading.changed(data, named("no event of", "requested gene", absent))


def _gene(event: str) -> str:
    """Return the gene of an event: its first word, since a gene symbol has no space."""
    return event.split(" ", 1)[0]


def _profiled_mutations(study: _Study, part: _Part, reading: Reading) -> Reading:
    """Add the sequenced samples without a mutation; set what was not profiled to unknown."""
    data, on_panel = reading.data, study.panels_of(_MUTATIONS, part)
    sequenced = dict.fromkeys((*data.samples, *study.lists.get("sequenced", ())))
    samples = tuple(dict.fromkeys((*sequenced, *(on_panel or ()))))
    check_cells(study.folder, len(samples), len(data.events))
    values = np.zeros((len(samples), len(data.events)), dtype=bool)
    values[: len(data.samples)] = data.values
    panel_of = {sample: study.default(part) for sample in sequenced} | (on_panel or {})
    whole = Dataset(sealed(values), data.events, samples)
    added = len(samples) - len(data.samples)
    number = number_of(added, "sequenced sample")
    note = Note(f"{number} without variants: profiled events are absent")
    return _profiled(reading.changed(whole, (note,) * bool(added)), panel_of, "mutations")


def _profiled_levels(study: _Study, part: _Part, reading: Reading) -> Reading:
    """Set the levels of genes and samples that were not profiled to unknown."""
    on_panel = study.panels_of(_COPY_NUMBER, part)
    listed_samples = reading.data.samples if on_panel is None else study.lists.get("cna", ())
    panel_of = {sample: study.default(part) for sample in listed_samples} | (on_panel or {})
    return _profiled(reading, panel_of, "copy number")


def _profiled(reading: Reading, panel_of: Mapping[str, Panel], noun: str) -> Reading:
    """Set what the panel of each sample does not cover to unknown."""
    data = reading.data
    genes = [_gene(event) for event in data.events]
    rows = {panel: panel.covers(genes) for panel in set(panel_of.values())}
    nothing = np.zeros(len(genes), dtype=bool)
    covered = np.array(
        [rows[panel_of[s]] if s in panel_of else nothing for s in data.samples], dtype=bool
    )
    result = Dataset(data.values, data.events, data.samples, sealed(covered & data.known_mask))
    return reading.changed(result, _profile_notes(data, covered, panel_of, noun))


def _profile_notes(
    data: Dataset, covered: BoolArray, panel_of: Mapping[str, Panel], noun: str
) -> Iterator[Note]:
    for panel in sorted({p for p in panel_of.values() if p.genes is not None}, key=str):
        samples = number_of(sum(panel_of.get(s) == panel for s in data.samples), "sample")
        events = int(panel.covers([_gene(event) for event in data.events]).sum())
        rest = "; the others are unknown there" if events < len(data.events) else ""
        of_all = f"{events} of {number_of(len(data.events), 'event')}"
        yield Note(f"{noun}: panel {panel.name} ({samples}) covers {of_all}{rest}")
    without = [sample for sample in data.samples if sample not in panel_of]
    yield from named(f"{noun}:", "sample", without, "not profiled")
    outside = np.argwhere(data.values & ~covered)
    calls = [f"{data.events[j]} in {data.samples[i]}" for i, j in outside]
    yield from named(f"{noun}:", "call", calls, "not profiled, set to unknown")


def _joined(folder: Path, parts: Sequence[Reading]) -> Reading:
    samples = tuple(dict.fromkeys(chain.from_iterable(part.data.samples for part in parts)))
    events = tuple(chain.from_iterable(part.data.events for part in parts))
    check_cells(folder, len(samples), len(events))
    values = np.zeros((len(samples), len(events)), dtype=bool)
    known = np.zeros_like(values)
    row = {sample: position for position, sample in enumerate(samples)}
    start = 0
    for part in parts:
        rows = [row[sample] for sample in part.data.samples]
        columns = slice(start, start := start + len(part.data.events))
        values[rows, columns] = part.data.values
        known[rows, columns] = part.data.known_mask
    notes = tuple(chain.from_iterable(part.notes for part in parts))
    return Reading(Dataset(sealed(values), events, samples, sealed(known)), notes)


def _clinical(path: Path) -> tuple[dict[str, str], set[str]]:
    """Read the patient of each sample, and the samples of primary tumours."""
    patients, primary = dict[str, str](), set[str]()
    with tabbed(path) as table:
        sample, patient = table.column("SAMPLE_ID"), table.column("PATIENT_ID")
        kind = table.find("SAMPLE_TYPE")
        for _, fields in table.rows():
            patients[fields[sample].strip()] = fields[patient].strip()
            if kind is not None and "primary" in fields[kind].lower():
                primary.add(fields[sample].strip())
    return patients, primary


def _per(path: Path, reading: Reading, per: str, several: str) -> Reading:
    data, (patients, primary) = reading.data, _clinical(path)
    there = frozenset(data.samples)
    only = [name for name in patients if name not in there]
    reading = reading.changed(data, named("excluded", "sample", only, f"only in {path.name}"))
    if per == "sample":
        return reading
    for sample in data.samples:
        if not patients.get(sample):
            problem = f"sample {shown(sample)} has no PATIENT_ID; expected one for each sample"
            raise format_error(path, problem)
    owners = [patients[sample] for sample in data.samples]
    first = [sample in primary for sample in data.samples]
    merged = one_per_owner(path, data, owners, first, several)
    return reading.changed(merged.data, merged.notes)
