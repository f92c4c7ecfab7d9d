"""A study of cBioPortal or a GENIE release: mutations, copy number, fusions, panels, patients."""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import chain
from math import nan
from pathlib import Path, PurePosixPath
from typing import Any

import numpy as np

from caprese._core.arrays import BoolArray, sealed
from caprese._core.checks import one_of
from caprese._core.files import FilePath, format_error, shown
from caprese._core.words import listing, number_of, visible
from caprese.data.dataset import Dataset
from caprese.data.genes import gene_book
from caprese.data.patients import Patients
from caprese.data.sample_names import places_in_names
from caprese.errors import FormatError, Remedy
from caprese.io.data.barcodes import one_per_owner
from caprese.io.data.copy_number import copy_number_reading
from caprese.io.data.folders import Folder, study_in
from caprese.io.data.loci import REGIONS, TOGETHER, by_gene, by_region
from caprese.io.data.maf import EVENTS, maf_reading
from caprese.io.data.panels import WHOLE, Panel, assays, panel_named, properties, read_panel
from caprese.io.data.patients import sites_of
from caprese.io.data.reading import Note, Reading, check_cells, named
from caprese.io.data.structural import structural_reading
from caprese.io.text.delimited import Names, tabbed

ROWS = ("sample", "patient")
UNKNOWN_PANELS = ("seen", "refuse", "exclude")
_KINDS = ("SAMPLE_TYPE", "SAMPLE_CLASS", "SPECIMEN_TYPE")
_AGES = (
    *("AGE_AT_SAMPLING", "AGE_AT_COLLECTION", "AGE_AT_BIOPSY", "AGE_AT_PROCUREMENT"),
    *("AGE_AT_SEQUENCING", "AGE_AT_SEQ_REPORT", "AGE_AT_SEQ_REPORTED_YEARS"),
)
_NUMBERS = ("SAMPLE_NUMBER", "SAMPLE_ORDER", "SAMPLE_TIMEPOINT", "TIMEPOINT", "TIME_POINT")
_ENOUGH = 100  # samples on a panel, whose calls show which genes it has
_ON_NO_PANEL = frozenset({"", "na", "n/a"})


@dataclass(frozen=True)
class _Content:
    """A part of a study: what its meta file says, and its usual file names without one."""

    noun: str
    alterations: tuple[str, ...]
    datatypes: tuple[str, ...]
    usual: tuple[str, ...]
    profiles: tuple[str, ...] = ()  # possible names of its column in the panel matrix
    lists: tuple[str, ...] = ()  # and of the case lists of its samples


_MUTATIONS = _Content(
    "mutations",
    ("MUTATION_EXTENDED",),
    ("MAF",),
    ("data_mutations.txt", "data_mutations_extended.txt", "data_mutations_mskcc.txt"),
    ("mutations",),
    ("sequenced",),
)
_COPY_NUMBER = _Content(
    "copy number",
    ("COPY_NUMBER_ALTERATION",),
    ("DISCRETE", "DISCRETE_LONG"),
    ("data_cna.txt", "data_CNA.txt"),
    ("gistic", "cna", "cna_rae", "cna_consensus"),
    ("cna",),
)
_FUSIONS = _Content(
    "structural variants",
    ("STRUCTURAL_VARIANT", "FUSION"),
    ("SV", "FUSION"),
    ("data_sv.txt", "data_structural_variants.txt", "data_fusions.txt"),
    ("structural_variants", "sv", "fusion", "fusions"),
    ("sv", "fusion", "fusions"),
)
_MATRIX = _Content(
    "gene panels",
    ("GENE_PANEL_MATRIX",),
    ("GENE_PANEL_MATRIX",),
    ("data_gene_panel_matrix.txt", "data_gene_matrix.txt"),
)
_CLINICAL = _Content(
    "clinical samples",
    ("CLINICAL",),
    ("SAMPLE_ATTRIBUTES",),
    ("data_clinical_sample.txt", "data_clinical_samples.txt", "data_clinical.txt"),
)


def read_study(
    folder: FilePath,
    *,
    study: str | None = None,
    genes: Collection[str] | None = None,
    events: str = "gene",
    silent: bool = False,
    germline: bool = False,
    copy_number: bool = True,
    gain: int | None = None,
    loss: int | None = None,
    regions: str = "merged",
    fusions: bool = True,
    together: str = "nothing",
    panels: FilePath | None = None,
    unknown_panels: str = "seen",
    per: str = "patient",
    several: str = "primary first",
) -> Reading:
    """Read a study as downloaded from cBioPortal: what was found, and what was profiled.

    Events are made from mutations, discrete copy number and structural variants. An entry is
    *unknown*, not absent, if its sample was not profiled, or on a gene panel without that gene. The
    samples that were sequenced, with or without a mutation, are those in
    ``case_lists/cases_sequenced.txt``, in the gene panel matrix, and in the mutations themselves;
    the genes of each panel are in files ``data_gene_panel_*.txt`` or in the folder ``gene_panels``,
    or those of a public panel of that name. A sample with ``NA`` in the matrix is on no panel: all
    its genes were profiled if a case list has it, none otherwise. In a GENIE release the assay of a
    sample, SEQ_ASSAY_ID, is its panel, whose genes are in ``genomic_information.txt``.

    The folder, which may be in a zip or tar archive, has meta files, or data files of the usual
    names (``data_mutations.txt``). Genes have today's symbols: they are found by their Entrez
    number, else by an earlier symbol.

    Parameters
    ----------
    folder
        A folder or an archive.
    study
        The name of a folder in the archive, if it has several studies.
    genes
        Those to read; by default all.
    events, silent, germline
        As for `read_maf`, but `events` not from a mapping.
    copy_number, fusions
        Whether to read copy number, and structural variants, if there are any.
    gain, loss
        As for `read_copy_number`.
    regions
        Gains and losses are ``merged`` into one event where neighbours on an arm coincide, named
        after the best known gene; of single ``genes``; or of chromosome ``arms``.
    together
        Which events of one gene are one: ``nothing``, its mutations and ``losses``, or
        ``all kinds``.
    panels
        Another folder with definitions of gene panels.
    unknown_panels
        If a panel is not defined: take the genes that are ``seen``, in which its samples have
        calls, where it has at least 100 samples; ``refuse`` the study, as with fewer; or
        ``exclude`` what its samples had.
    per, several
        One row per ``patient`` of the clinical table, chosen by a rule of
        `caprese.io.data.barcodes.RULES`, or per ``sample``.
    """
    one_of("events", events, EVENTS)
    one_of("per", per, ROWS)
    one_of("regions", regions, REGIONS)
    one_of("together", together, TOGETHER)
    one_of("unknown_panels", unknown_panels, UNKNOWN_PANELS)
    symbols = _Symbols({})
    read = _study(study_in(folder, study), panels, unknown_panels)
    parts = []
    mutations, levels = read.find(_MUTATIONS), read.find(_COPY_NUMBER)
    variants = read.find(_FUSIONS) if fusions else None
    if mutations is not None:
        found = maf_reading(
            mutations.path, events, silent=silent, germline=germline, symbol=symbols
        )
        parts.append(_profiled_mutations(read, mutations, found))
    if copy_number and levels is not None:
        found = copy_number_reading(levels.path, gain, loss, symbol=symbols)
        parts.append(by_region(_profiled_levels(read, levels, found), regions))
    if not parts and levels is not None:
        remedy = Remedy("copy_number", True, "reads its copy number")
        raise format_error(folder, "no mutations", remedy=remedy)
    if not parts:
        raise read.lacks(_MUTATIONS, _COPY_NUMBER)
    if variants is not None:
        found = structural_reading(variants.path, symbols, germline=germline)
        parts.append(_profiled_variants(read, variants, mutations, found))
    joined = _of_genes(read, by_gene(_joined(folder, parts), together), genes)
    if mutations is None:
        note = Note("this study has no mutations, only copy number")
        joined = joined.changed(joined.data, [note])
    joined = joined.changed(joined.data, symbols.notes())
    joined = replace(joined, variants=parts[0].variants)
    return _per(read, joined, per, several)


@dataclass(frozen=True)
class _Symbols:
    """Today's symbols of the genes of a study, and which ones it has under another symbol."""

    renamed: dict[str, str]

    def __call__(self, symbol: str, entrez: str = "") -> str:
        today = gene_book().symbol(symbol, entrez)
        if symbol and today != symbol:
            self.renamed[symbol] = today
        return today

    def notes(self) -> tuple[Note, ...]:
        """Return the note on genes with another symbol today."""
        pairs = [f"{earlier} is {today}" for earlier, today in sorted(self.renamed.items())]
        return named("renamed", "gene", pairs, "to today's symbols")


@dataclass(frozen=True)
class _Part:
    """A file of a study, and what its meta file says about it."""

    path: FilePath
    meta: Mapping[str, str]
    meta_path: FilePath | None = None


@dataclass(frozen=True)
class _SeenPanels:
    """The panels that nobody defines, with the genes in which their samples have calls."""

    genes: dict[str, frozenset[str]]

    def of(self, data: Dataset, panel_of: Mapping[str, Panel]) -> dict[str, Panel]:
        """Return the panels of samples; what was seen first, of mutations, is kept."""
        for panel in {each for each in panel_of.values() if not each.defined}:
            if panel.name not in self.genes:
                rows = [row for row, s in enumerate(data.samples) if panel_of.get(s) == panel]
                called = np.flatnonzero(data.values[rows].any(axis=0)).tolist()
                self.genes[panel.name] = frozenset(_gene(data.events[place]) for place in called)
        return {
            sample: panel if panel.defined else replace(panel, genes=self.genes[panel.name])
            for sample, panel in panel_of.items()
        }


@dataclass(frozen=True)
class _Study:
    """A study whose small files have been read."""

    folder: Folder
    metas: Mapping[FilePath, Mapping[str, str]]
    panels: Mapping[str, Panel]
    lists: Mapping[str, tuple[str, ...]]  # samples by the last word of the name of the case list
    unknown_panels: str
    seen: _SeenPanels = field(default_factory=lambda: _SeenPanels({}))

    def find(self, content: _Content) -> _Part | None:
        for path, meta in self.metas.items():
            kind = meta.get("genetic_alteration_type"), meta.get("datatype")
            if kind[0] in content.alterations and kind[1] in content.datatypes:
                return _Part(self._data_file(path, meta), meta, path)
        for name in chain(content.usual, (f"{name}.gz" for name in content.usual)):
            if name in self.folder.files:
                return _Part(self.folder.files[name], {})
        return None

    def lacks(self, *contents: _Content) -> FormatError:
        nouns = " and ".join(f"no {each.noun}" for each in contents)
        files = ", ".join(each.usual[0] for each in contents)
        kinds = " or ".join(each.alterations[0] for each in contents)
        expected = f"expected {files}, or a meta file with {kinds}"
        return format_error(self.folder.path, f"{nouns}; {expected}")

    def _data_file(self, path: FilePath, meta: Mapping[str, str]) -> FilePath:
        name = meta.get("data_filename", "")
        if not name or PurePosixPath(name).name != name:
            problem = f"data_filename is {shown(name)}; expected a file in the same folder"
            raise format_error(path, problem)
        if name not in self.folder.files:
            raise format_error(path, f"there is no {visible(name)} in the same folder")
        return self.folder.files[name]

    def listed(self, content: _Content) -> tuple[str, ...]:
        """Return the samples of the case list of a content; none without one."""
        return next((self.lists[name] for name in content.lists if name in self.lists), ())

    def panels_of(self, content: _Content, part: _Part | None) -> dict[str, Panel] | None:
        """Read the panel of each sample that is on one; None without a matrix or its column."""
        matrix = self.find(_MATRIX)
        if matrix is None:
            return self._assays()
        stable = None if part is None else part.meta.get("stable_id")
        names = filter(None, (stable, *content.profiles))
        with tabbed(matrix.path) as table:
            profile = next((name for name in names if table.find(name) is not None), None)
        return None if profile is None else self._panels_in(matrix.path, profile)

    def _assays(self) -> dict[str, Panel] | None:
        """Return the assay of each sample in the clinical table, as in GENIE releases."""
        table = self.find(_CLINICAL)
        if table is None:
            return None
        with tabbed(table.path) as rows:
            told = rows.find("SEQ_ASSAY_ID") is not None
        return self._panels_in(table.path, "SEQ_ASSAY_ID") if told else None

    def _panels_in(self, path: FilePath, column: str) -> dict[str, Panel]:
        """Return the panels that a column of a table names for its samples."""
        samples, names, first = Names(path, "sample", "line"), dict[str, str](), dict[str, int]()
        with tabbed(path) as table:
            sampled, place = table.column("SAMPLE_ID"), table.column(column)
            for line, fields in table.rows():
                sample, name = fields[sampled].strip(), fields[place].strip()
                samples.add(sample, line=line, column=sampled + 1)
                if name.lower() not in _ON_NO_PANEL:
                    names[sample] = name
                    first.setdefault(name, line)
        often = Counter(names.values())
        known = {
            name: self._panel(name, path, samples=often[name], line=line, name=column)
            for name, line in first.items()
        }
        return {sample: known[name] for sample, name in names.items()}

    def default(self, part: _Part) -> Panel:
        """Return the panel of the samples for which the matrix names none."""
        name = part.meta.get("gene_panel")
        return self._panel(name, part.meta_path or part.path) if name else WHOLE

    def _panel(self, panel: str, path: FilePath, samples: int = 0, **place: Any) -> Panel:
        """Return the panel that a file names, for so many samples."""
        found = panel_named(panel, self.panels)
        if found is not None:
            return found
        if self.unknown_panels == "exclude":
            return Panel(panel, frozenset())
        if self.unknown_panels == "seen" and samples >= _ENOUGH:
            return Panel(panel, frozenset(), defined=False)
        file = f"data_gene_panel_{visible(panel)}.txt"
        problem = f"gene panel {shown(panel)} is not defined; expected {file} in the folder"
        leaves = "unknown_panels=exclude leaves out what was seen with it"
        remedy = Remedy("panels", None, f"names another folder, {leaves}")
        raise format_error(path, problem, remedy=remedy, **place)


def _study(folder: Folder, panels: FilePath | None, unknown_panels: str) -> _Study:
    metas = {path: properties(path) for path in folder.matching("meta_*.txt")}
    matrices = {name for usual in _MATRIX.usual for name in (usual, f"{usual}.gz")}
    own = Folder(folder.path, {n: f for n, f in folder.files.items() if n not in matrices})
    defined = own.matching("data_gene_panel_*.txt", "gene_panels/*.txt")
    defined += () if panels is None else _panel_files(Path(panels), matrices)
    book = _Symbols({})  # what is renamed in definitions of panels is not told
    found = [read_panel(path, book) for path in defined]
    for path in folder.matching("genomic_information*", "genie_combined.bed"):
        found += assays(path, book)
    lists = _case_lists(folder)
    return _Study(folder, metas, {panel.name: panel for panel in found}, lists, unknown_panels)


def _panel_files(panels: Path, matrices: Collection[str]) -> list[FilePath]:
    """Return the definitions of gene panels in a folder of their own."""
    if not panels.is_dir():
        raise format_error(panels, "no such folder; expected one with definitions of gene panels")
    return [path for path in sorted(panels.glob("*.txt")) if path.name not in matrices]


def _case_lists(folder: Folder) -> dict[str, tuple[str, ...]]:
    """Return the samples of each case list, by the last word of its name (``sequenced``)."""
    lists = {}
    for path in folder.matching("case_lists/*.txt"):
        content = properties(path)
        if "case_list_ids" not in content:
            problem = "case_list_ids is missing; expected a line 'case_list_ids: ...'"
            raise format_error(path, problem)
        stem = PurePosixPath(path).stem
        name = content.get("stable_id", stem).rpartition("_")[2]
        lists[name] = tuple(content["case_list_ids"].split())
    return lists


def _of_genes(study: _Study, reading: Reading, genes: Collection[str] | None) -> Reading:
    if genes is None:
        return reading
    wanted = frozenset(map(gene_book().symbol, genes))
    events = [event for event in reading.data.events if _gene(event) in wanted]
    if not events:
        problem = f"no event of the requested genes ({listing(sorted(wanted))})"
        raise format_error(study.folder.path, f"{problem}; expected at least one")
    absent = sorted(wanted.difference(map(_gene, events)))
    data = reading.data.take_events(events)
    return reading.changed(data, named("no event of", "requested gene", absent))


def _gene(event: str) -> str:
    """Return the gene of an event: its first word, since a gene symbol has no space."""
    return event.split(" ", 1)[0]


def _profiled_mutations(study: _Study, part: _Part, reading: Reading) -> Reading:
    """Add the sequenced samples without a mutation; set what was not profiled to unknown."""
    data, on_panel = reading.data, study.panels_of(_MUTATIONS, part)
    sequenced = dict.fromkeys((*data.samples, *study.listed(_MUTATIONS)))
    samples = (*sequenced, *(on_panel or ()))
    panel_of = dict.fromkeys(sequenced, study.default(part)) | (on_panel or {})
    whole = _with_samples(study, data, samples)
    added = len(whole.samples) - len(data.samples)
    number = number_of(added, "sequenced sample")
    note = Note(f"{number} without variants: profiled events are absent")
    return _profiled(study, reading.changed(whole, (note,) * bool(added)), panel_of, "mutations")


def _with_samples(study: _Study, data: Dataset, samples: Sequence[str]) -> Dataset:
    """Return the data with further samples that have no event."""
    names = tuple(dict.fromkeys((*data.samples, *samples)))
    check_cells(study.folder.path, len(names), len(data.events))
    values = np.zeros((len(names), len(data.events)), dtype=bool)
    values[: len(data.samples)] = data.values
    return Dataset(sealed(values), data.events, names)


def _profiled_variants(
    study: _Study, part: _Part, mutations: _Part | None, reading: Reading
) -> Reading:
    """Add the samples without a structural variant; set what was not profiled to unknown.

    Without a list of those that were profiled, they are those that were sequenced.
    """
    listed = study.listed(_FUSIONS)
    on_panel = study.panels_of(_FUSIONS, part)
    notes = []
    if on_panel is None and not listed:
        on_panel, listed = study.panels_of(_MUTATIONS, mutations), study.listed(_MUTATIONS)
        notes = [Note("structural variants: profiled samples are taken to be those sequenced")]
    samples = dict.fromkeys((*reading.data.samples, *listed))
    panel_of = dict.fromkeys(samples, study.default(part)) | (on_panel or {})
    whole = _with_samples(study, reading.data, tuple(panel_of))
    return _profiled(study, reading.changed(whole, notes), panel_of, "structural variants")


def _profiled_levels(study: _Study, part: _Part, reading: Reading) -> Reading:
    """Set the levels of genes and samples that were not profiled to unknown."""
    on_panel = study.panels_of(_COPY_NUMBER, part)
    listed_samples = reading.data.samples if on_panel is None else study.listed(_COPY_NUMBER)
    panel_of = dict.fromkeys(listed_samples, study.default(part)) | (on_panel or {})
    return _profiled(study, reading, panel_of, "copy number")


def _profiled(study: _Study, reading: Reading, panel_of: Mapping[str, Panel], noun: str) -> Reading:
    """Set what the panel of each sample does not cover to unknown."""
    data = reading.data
    panel_of = study.seen.of(data, panel_of)
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
        named_panel = f"panel {visible(panel.name)} ({samples})"
        if not panel.defined:
            named_panel += ", which nobody defines, is taken to have the genes with calls: it"
        yield Note(f"{noun}: {named_panel} covers {of_all}{rest}")
    without = [sample for sample in data.samples if sample not in panel_of]
    yield from named(f"{noun}:", "sample", without, "not profiled")
    outside = np.argwhere(data.values & ~covered)
    calls = [f"{data.events[j]} in {data.samples[i]}" for i, j in outside]
    yield from named(f"{noun}:", "call", calls, "not profiled, set to unknown")


def _joined(folder: FilePath, parts: Sequence[Reading]) -> Reading:
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


@dataclass(frozen=True)
class _Clinical:
    """What the table of clinical samples says of each sample."""

    patients: dict[str, str]
    kinds: dict[str, str]  # of tumour, and what it was taken from, in words
    times: tuple[dict[str, float], ...]  # an age, the number of the sample

    def of(self, samples: Sequence[str]) -> tuple[Patients, tuple[Note, ...]]:
        """Return the patients of samples, in the order that ages or numbers give them."""
        known = Patients(tuple(self.patients.get(name, "") for name in samples))
        known = sites_of(known, [self.kinds.get(name, "") for name in samples])
        times = [np.array([each.get(name, np.nan) for name in samples]) for each in self.times]
        found, wrong = known.dated(*times, places_in_names(samples, known))
        names = [samples[row] for row in wrong.tolist()]
        return found, named(
            "patients:", "sample", names, "whose ages and numbers disagree: no order"
        )


def _clinical(path: FilePath) -> _Clinical:
    """Read the patient of each sample, and what is said of the sample."""
    found = _Clinical({}, {}, ({}, {}))
    with tabbed(path) as table:
        sample, patient = table.column("SAMPLE_ID"), table.column("PATIENT_ID")
        kinds = [place for name in _KINDS if (place := table.find(name)) is not None]
        ages, numbers = ([*map(table.find, each), None] for each in (_AGES, _NUMBERS))
        times = [next((p for p in each if p is not None), None) for each in (ages, numbers)]
        for _, fields in table.rows():
            name = fields[sample].strip()
            found.patients[name] = fields[patient].strip()
            found.kinds[name] = " ".join(fields[place] for place in kinds)
            for own, place in zip(found.times, times, strict=True):
                with suppress(ValueError):  # such as >89
                    own[name] = nan if place is None else float(fields[place])
    return found


def _per(study: _Study, reading: Reading, per: str, several: str) -> Reading:
    """Return one row per patient or per sample; samples that have no patient stand for one."""
    table = study.find(_CLINICAL)
    if table is None:
        note = Note("no clinical samples: each sample is taken for a patient of its own")
        return reading.changed(reading.data, (note,) * (per == "patient"))
    data, clinical = reading.data, _clinical(table.path)
    there, patients = frozenset(data.samples), clinical.patients
    only = [name for name in patients if name not in there]
    where = PurePosixPath(table.path).name
    reading = reading.changed(data, named("excluded", "sample", only, f"only in {where}"))
    reading = replace(reading, patients=patients)
    owners = [patients.get(sample) or sample for sample in data.samples]
    people = f"{number_of(len(data.samples), 'sample')} of {number_of(len({*owners}), 'patient')}"
    counted = Note(f"{people}; per=patient keeps one of each")
    if per == "sample":
        more = len({*owners}) < len(owners)
        found, unsure = clinical.of(data.samples)
        return reading.changed(data.with_patients(found), (*unsure, *(counted,) * more))
    without = [sample for sample in data.samples if not patients.get(sample)]
    alone = named("taken for a patient of its own:", "sample", without, "without a PATIENT_ID")
    first = ["primary" in clinical.kinds.get(sample, "").lower() for sample in data.samples]
    merged = one_per_owner(table.path, data, owners, first, several, renamed=several == "union")
    kept = Note(f"{people}: {number_of(len(merged.data.samples), 'sample')} kept, one of each")
    notes = (*alone, *merged.notes, *((kept,) * bool(merged.notes)))
    return reading.changed(merged.data, notes)
