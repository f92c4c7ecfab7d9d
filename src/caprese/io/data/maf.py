"""MAF: one mutation per line, as the GDC and cBioPortal write them."""

import fnmatch
import re
from array import array
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from itertools import count
from os import PathLike
from pathlib import Path
from types import MappingProxyType

import numpy as np

from caprese._core.arrays import BoolArray, IntArray, sealed
from caprese._core.files import STDIN, FilePath, format_error, shown
from caprese._core.words import number_of
from caprese.data.dataset import Dataset
from caprese.data.suggestion import GeneVariants
from caprese.errors import ParameterError
from caprese.io.data.barcodes import shortened
from caprese.io.data.reading import Note, Reading, check_cells, named, tallied
from caprese.io.text.delimited import delimited, nameless, ragged, tabbed

_CLASSIFICATIONS = {
    "missense": "missense_mutation",
    "nonsense": "nonsense_mutation",
    "frameshift": "frame_shift_del frame_shift_ins",
    "in-frame indel": "in_frame_del in_frame_ins",
    "splice": "splice_site splice_region",
    "nonstop": "nonstop_mutation stop_codon_del stop_codon_ins",
    "start": "translation_start_site start_codon_del start_codon_ins start_codon_snp "
    "de_novo_start_inframe de_novo_start_outofframe",
    "fusion": "fusion structural_variant",
}
KINDS: Mapping[str, str] = MappingProxyType(
    {each: kind for kind, listed in _CLASSIFICATIONS.items() for each in listed.split()}
)
"""The kind of variant of each Variant_Classification, in lower case.

A classification that is not listed here or in `SILENT` is a separate kind, with a note.
"""

SILENT = frozenset(
    {
        *("silent", "synonymous", "synonymous_variant", "synonymous_mutation"),
        *("intron", "3'utr", "5'utr", "3'flank", "5'flank", "igr", "rna", "lincrna"),
        *("targeted_region", "non-coding_exon", "non_coding_transcript_exon_variant"),
    }
)
"""Every Variant_Classification, in lower case, that changes no protein.

The one exception is a 5'Flank variant of TERT: it is in the promoter, a driver, and kept.
"""

EVENTS = ("gene", "gene and kind")

_PROTEIN = ("HGVSp_Short", "Protein_Change", "Amino_Acid_Change")  # titles of a column
_POSITION = re.compile(r"(?:p\.)?[A-Za-z*]+(\d+)")
_SYNONYMOUS = frozenset({"silent", *(f"synonymous{end}" for end in ("", "_variant", "_mutation"))})
_SUBSTITUTIONS = frozenset({"missense", "nonsense"})
_TRUNCATING = frozenset({"nonsense", "frameshift", "splice"})

_PROMOTER = ("tert", "5'flank")
_NO_GENE = frozenset({"", ".", "unknown", "na"})
_NOT_SOMATIC = frozenset({"none", "loh", "wildtype"})

MafEvents = str | PathLike[str] | Mapping[str, str]
"""How variants become events: `EVENTS`, a mapping, or a file with one."""

Symbol = Callable[[str, str], str]
"""The symbol by which a gene goes, from the one in a file and its Entrez number."""

_Naming = tuple[Callable[[str, str], Iterable[str]], tuple[str, ...]]
"""The events of a gene and a kind of variant, and all events of a mapping, observed or not."""


def read_maf(
    path: FilePath,
    *,
    events: MafEvents = "gene",
    silent: bool = False,
    germline: bool = False,
    barcode: str | None = None,
    several: str = "primary first",
) -> Reading:
    """Read a mutation annotation file: which samples have a variant of which gene.

    The columns Hugo_Symbol, Variant_Classification and Tumor_Sample_Barcode are required;
    Mutation_Status is used if present. A sample whose variants are all excluded is kept, with every
    event absent; a sample without any variant is not in such a file. Notes list all that was
    excluded.

    Parameters
    ----------
    path
        A tab-separated UTF-8 file, packed or not, or ``-`` for standard input.
    events
        ``gene`` for one event per gene; ``gene and kind`` for one per gene and kind of variant
        (`KINDS`); or a mapping, in memory or as a file: see `read_mapping`.
    silent, germline
        Whether to include variants that change no protein (`SILENT`), and those with
        Mutation_Status Germline.
    barcode, several
        Shorten TCGA barcodes to the ``sample`` or the ``patient``; None keeps them. If several
        samples then have the same name, the rule is one of `caprese.io.data.barcodes.RULES`.
    """
    reading = maf_reading(path, events, silent=silent, germline=germline)
    return shortened(path, reading, barcode, several)


def maf_reading(
    path: FilePath,
    events: MafEvents = "gene",
    *,
    silent: bool = False,
    germline: bool = False,
    symbol: Symbol | None = None,
) -> Reading:
    """Read a file as `read_maf` does, its samples as they are and its genes by other symbols."""
    naming, requested = event_naming(events)
    variants = _variants(path, symbol)
    causes = [cause_of(sort, silent, germline) for sort in variants.sorts]
    names = [
        tuple(naming(sort.gene, sort.kind)) if cause is None else ()
        for sort, cause in zip(variants.sorts, causes, strict=True)
    ]
    data = _dataset(path, variants, names, requested)
    found = Reading(data, (*_notes(variants, causes, names), *_empty(data)))
    told = partial(gene_variants, path, germline=germline, symbol=symbol)
    return found if path == STDIN else replace(found, variants=told)


def read_mapping(path: FilePath) -> tuple[tuple[str, str], ...]:
    """Read a mapping from genes, or genes and kinds of variants, to events.

    The file has two columns, comma- or tab-separated, with an optional header whose second column
    is ``event``. The first is a pattern: a gene (``TP53``), a gene and a kind (``TP53 missense``),
    or either with ``*`` and ``?`` (``KMT2*``, ``* frameshift``). The second is the event of
    variants that match the pattern; a variant that matches several is counted for each event.
    """
    pairs: list[tuple[str, str]] = []
    with delimited(path) as (_, rows):
        for line, fields in rows:
            if len(fields) != 2:
                raise ragged(path, line, len(fields), 2, ": a pattern and an event")
            pattern, event = (field.strip() for field in fields)
            if not pattern or not event:
                problem = "the pattern or the event is empty; expected some text"
                raise format_error(path, problem, line=line)
            if pairs or event.lower() != "event":
                pairs.append((pattern, event))
    return tuple(pairs)


@dataclass(frozen=True)
class Sort:
    """What the variants of one sort have in common."""

    gene: str
    classification: str
    status: str
    kind: str
    silent: bool
    known: bool  # the classification is listed

    @classmethod
    def of(cls, gene: str, classification: str, status: str) -> "Sort":
        """Return the sort of variants with these words in the file."""
        lowered = classification.lower()
        promoter = (gene.lower(), lowered) == _PROMOTER
        kind = "promoter" if promoter else KINDS.get(lowered, lowered.replace("_", " "))
        silent = lowered in SILENT and not promoter
        known = promoter or silent or lowered in KINDS
        return cls(gene, classification, status, kind, silent, known)


@dataclass(frozen=True)
class _Variants:
    """All variants of a file: there are many, but of few sorts and few samples."""

    samples: tuple[str, ...]
    sorts: tuple[Sort, ...]
    rows: IntArray  # the sample of each variant
    columns: IntArray  # and its sort
    changes: IntArray  # and its change of the protein, a number
    positions: tuple[str, ...]  # of each such change, empty if it is not known


def _variants(path: FilePath, symbol: Symbol | None = None, *, proteins: bool = False) -> _Variants:
    """Read all variants, and their changes of `proteins` if these are of use."""
    samples = defaultdict[str, int](count().__next__)  # numbers in the order of first use
    sorts = defaultdict[tuple[str, str, str, str], int](count().__next__)
    changes = defaultdict[str, int](count().__next__)
    rows, columns, altered = array("q"), array("q"), array("q")
    with tabbed(path) as table:
        gene = table.column("Hugo_Symbol")
        classification = table.column("Variant_Classification")
        sample = table.column("Tumor_Sample_Barcode")
        status = table.find("Mutation_Status")
        entrez = None if symbol is None else table.find("Entrez_Gene_Id")
        titles = _PROTEIN if proteins else ()
        protein = next((k for name in titles if (k := table.find(name)) is not None), None)
        optional = (k for k in (status, entrez, protein) if k is not None)
        last = max(gene, classification, sample, *optional)
        for line, fields in table.rows(through=last):
            if not (name := fields[sample].strip()):
                raise nameless(path, "sample", line=line, column=sample + 1)
            rows.append(samples[name])
            called = "" if status is None else fields[status]
            number = "" if entrez is None else fields[entrez]
            columns.append(sorts[fields[gene], number, fields[classification], called])
            if protein is not None:
                altered.append(changes[fields[protein]])
        if not rows:
            problem = "there is only a header; expected one row per variant"
            raise format_error(path, problem, line=table.line)
    found = []
    for sort in sorts:
        name, number, *words = map(str.strip, sort)
        found.append(Sort.of(symbol(name, number) if symbol else name, *words))
    at = (_POSITION.match(change) for change in changes)
    positions = tuple("" if each is None else each[1] for each in at)
    numbers = (np.array(rows), np.array(columns), np.array(altered, dtype=np.int64))
    return _Variants(tuple(samples), tuple(found), *numbers, positions)


def gene_variants(
    path: FilePath, *, germline: bool = False, symbol: Symbol | None = None
) -> dict[str, GeneVariants]:
    """Read what the variants of each gene say of selection; those that are excluded say nothing."""
    variants = _variants(path, symbol, proteins=True)
    causes = [cause_of(sort, silent=False, germline=germline) for sort in variants.sorts]
    genes = {sort.gene: None for sort in variants.sorts}
    place = {gene: k for k, gene in enumerate(genes)}
    of_sort = np.array([place[sort.gene] for sort in variants.sorts])
    somatic = [cause is None or cause[0] == "silent" for cause in causes]
    changing = np.array(
        [ok and not s.silent for ok, s in zip(somatic, variants.sorts, strict=True)]
    )
    gene = of_sort[variants.columns]

    def number(kinds: frozenset[str]) -> list[int]:
        words = [(s.kind, s.classification.lower()) for s in variants.sorts]
        counted = [ok and not kinds.isdisjoint(w) for ok, w in zip(somatic, words, strict=True)]
        chosen = np.array(counted)[variants.columns]
        return np.bincount(gene[chosen], minlength=len(genes)).tolist()  # type: ignore[no-any-return]

    most, where = [0] * len(genes), [""] * len(genes)
    if len(variants.changes):
        _recurrent(variants, gene, changing[variants.columns], most, where)
    changed = np.bincount(gene[changing[variants.columns]], minlength=len(genes)).tolist()
    columns = (
        changed,
        number(_TRUNCATING),
        number(_SUBSTITUTIONS),
        number(_SYNONYMOUS),
        most,
        where,
    )
    return {
        name: GeneVariants(*each)
        for name, *each in zip(genes, *columns, strict=True)
        if each[0] or each[3]
    }


def _recurrent(
    variants: _Variants, gene: IntArray, changing: BoolArray, most: list[int], where: list[str]
) -> None:
    """Find the most samples with a change at one position of each gene, and that position."""
    names = {name: k for k, name in enumerate(dict.fromkeys(variants.positions))}
    position = np.array([names[name] for name in variants.positions])[variants.changes]
    at = gene * len(names) + position
    told = changing & (position != names.get("", -1))
    pairs = np.unique(np.stack([at[told], variants.rows[told]]), axis=1)[0]
    places, times = np.unique(pairs, return_counts=True)
    by_place = tuple(names)
    for place, number in zip(places.tolist(), times.tolist(), strict=True):
        if number > most[place // len(names)]:
            most[place // len(names)] = number
            where[place // len(names)] = by_place[place % len(names)]


def cause_of(sort: Sort, silent: bool, germline: bool) -> tuple[str, str] | None:
    """Return why variants of a sort are excluded, and the word in the file that says so."""
    status = sort.status.lower()
    if sort.gene.lower() in _NO_GENE:
        return "intergenic", sort.classification
    if status in _NOT_SOMATIC:
        return "non-somatic", sort.status
    if status == "germline" and not germline:
        return "germline", sort.classification
    if sort.silent and not silent:
        return "silent", sort.classification
    return None


def event_naming(events: MafEvents) -> _Naming:
    """Return what names the events of a gene and a kind of variant, and those of a mapping."""
    if events == "gene":
        return lambda gene, _: (gene,), ()
    if events == "gene and kind":
        return lambda gene, kind: (f"{gene} {kind}",), ()
    if isinstance(events, Mapping):
        return _mapped(events.items())
    if isinstance(events, str) and not Path(events).exists():
        choices = ", ".join(map(repr, EVENTS))
        raise ParameterError("events", f"{choices} or an existing mapping file", events)
    return _mapped(read_mapping(events))


def _mapped(pairs: Iterable[tuple[str, str]]) -> _Naming:
    exact: dict[str, list[str]] = {}
    wild = []
    for pattern, event in pairs:
        exact.setdefault(pattern, []).append(event)
        if re.search(r"[*?\[]", pattern):
            wild.append((re.compile(fnmatch.translate(pattern)), event))

    def names(gene: str, kind: str) -> Iterable[str]:
        both = f"{gene} {kind}"
        matched = [event for pattern, event in wild if pattern.match(gene) or pattern.match(both)]
        return dict.fromkeys((*exact.get(gene, ()), *exact.get(both, ()), *matched))

    return names, tuple(dict.fromkeys(event for _, event in pairs))


def _dataset(
    path: FilePath, variants: _Variants, names: list[tuple[str, ...]], requested: tuple[str, ...]
) -> Dataset:
    events = requested or tuple(sorted({name for group in names for name in group}))
    if not any(names):
        total = number_of(len(variants.rows), "variant")
        raise format_error(path, f"none of its {total} gives an event; expected at least one")
    column = {event: position for position, event in enumerate(events)}
    check_cells(path, len(variants.samples), len(events))
    values = np.zeros((len(variants.samples), len(events)), dtype=bool)
    for layer in range(max(map(len, names))):
        target = np.array([column[n[layer]] if layer < len(n) else -1 for n in names])
        targets = target[variants.columns]
        values[variants.rows[targets >= 0], targets[targets >= 0]] = True
    return Dataset(sealed(values), events, variants.samples)


def _notes(
    variants: _Variants, causes: list[tuple[str, str] | None], names: list[tuple[str, ...]]
) -> Iterator[Note]:
    """Yield what was excluded, and what was kept though its classification is not known."""
    excluded = defaultdict[str, Counter[str]](Counter)
    unmapped, unlisted = Counter[str](), Counter[str]()
    times = np.bincount(variants.columns, minlength=len(names)).tolist()
    for sort, cause, events, number in zip(variants.sorts, causes, names, times, strict=True):
        if cause is not None:
            excluded[cause[0]][cause[1] or "not given"] += number
            continue
        if not events:
            unmapped[sort.gene] += number
        if not sort.known:
            unlisted[shown(sort.classification)] += number
    for reason, tally in excluded.items():
        what = number_of(tally.total(), f"{reason} variant")
        yield Note(f"excluded {what} of {len(variants.rows)} ({tallied(tally)})")
    if unmapped:
        what, where = number_of(unmapped.total(), "variant"), number_of(len(unmapped), "gene")
        yield Note(f"excluded {what} of {where} not in the mapping ({tallied(unmapped)})")
    if unlisted:
        what = f"{number_of(unlisted.total(), 'variant')} of an unknown classification"
        yield Note(f"kept {what} ({tallied(unlisted)}) as a separate kind")


def _empty(data: Dataset) -> tuple[Note, ...]:
    without = [data.samples[i] for i in np.flatnonzero(~data.values.any(axis=1))]
    verb = "has" if len(without) == 1 else "have"
    return named("", "sample", without, f"{verb} no included variant, so no event is present")
