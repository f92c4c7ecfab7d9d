"""Seen orders from read counts: a MAF, or another table with one row per variant."""

from array import array
from collections import Counter, defaultdict
from dataclasses import dataclass
from functools import cache
from itertools import count
from math import inf, isnan, nan

import numpy as np

from caprese._core.budget import share
from caprese._core.files import FilePath, over_budget
from caprese._core.words import number_of
from caprese.data.allele_fractions import LEAST_DEPTH, Variants, orders_of_fractions
from caprese.errors import Remedy
from caprese.io.data.maf import MafEvents, Sort, cause_of, event_naming
from caprese.io.data.order_tables import (
    SAMPLE,
    SeenReading,
    name_of,
    refuse_header_alone,
    source_in,
)
from caprese.io.data.reading import Note
from caprese.io.text.delimited import Titled

OPTIONS = ("pairs", "depth", "events")
"""What may be chosen where orders come from read counts."""

_EVENT = ("event", "hugo_symbol", "gene")
_CHROMOSOME = ("chromosome", "chrom", "chr")
_COPIES = ("copy_number", "total_copy_number", "total_cn", "tcn", "cn")
_PURITY = ("purity", "tumor_purity", "tumour_purity")
_READS = ("t_alt_count", "alt_count", "alt_reads")
_OTHER_READS = ("t_ref_count", "ref_count", "ref_reads")
_DEPTH = ("t_depth", "depth", "coverage")
_VAF = ("vaf", "t_vaf", "tumor_f", "allele_fraction")
_CCF = ("ccf", "cancer_cell_fraction")
_NOT_AUTOSOMES = frozenset({"x", "y", "23", "24", "m", "mt", "25"})
_MISSING = frozenset({"", "na", "n/a", "nan", ".", "null", "none"})
_PER_PAIR = 300  # bytes of memory, with copies


def has_counts(table: Titled) -> bool:
    """Whether a table has a column of reads with a variant, or of a fraction."""
    return not {*_READS, *_VAF, *_CCF}.isdisjoint(table.titles)


def counts_in(
    table: Titled, *, events: MafEvents = "gene", pairs: str = "all", depth: int = LEAST_DEPTH
) -> SeenReading:
    """Read variants with read counts.

    They are those of the reads with the variant, and of the others or of all; or of all, with the
    fraction of reads or of cells. Of a MAF, the same variants give no event as in `read_maf`.

    Parameters
    ----------
    table
        The columns sample, event or Hugo_Symbol, t_alt_count and t_ref_count or t_depth, or VAF or
        CCF and depth; and if they are there Chromosome, copy_number, purity,
        Variant_Classification, Mutation_Status.
    events
        As for `read_maf`.
    pairs, depth
        As for `orders_of_fractions`.
    """
    naming, _ = event_naming(events)
    sample, gene = table.column(*SAMPLE), table.column(*_EVENT)
    kind = (table.find if events == "gene" else table.column)("variant_classification")
    status, counts = table.find("mutation_status"), _Counts.of(table)
    samples, names = (defaultdict[str, int](count().__next__) for _ in range(2))
    rows, columns, numbers = array("q"), array("q"), array("d")
    excluded, lines = Counter[str](), dict[tuple[str, str], int]()
    sort_of = cache(Sort.of)
    total = 0
    for line, fields in table.rows:
        total += 1
        name = name_of(table, line, fields, sample)
        lines.setdefault(("sample", name), line)
        words = ("" if place is None else fields[place].strip() for place in (gene, kind, status))
        sort = sort_of(*words)
        if cause := cause_of(sort, silent=False, germline=False):
            excluded[cause[0]] += 1
            continue
        found = counts.numbers(line, fields)
        events_of = tuple(naming(sort.gene, sort.kind))
        excluded["not in the mapping"] += not events_of
        for event in events_of:
            lines.setdefault(("event", event), line)
            rows.append(samples[name])
            columns.append(names[event])
            numbers.extend(found)
    refuse_header_alone(table, total, "variant")
    reads, all_reads, purity, copies, autosomal = np.array(numbers).reshape(-1, 5).T
    variants = Variants(
        tuple(samples),
        tuple(names),
        sample=np.array(rows, dtype=np.int64),
        event=np.array(columns, dtype=np.int64),
        reads=reads,
        depth=all_reads,
        purity=purity,
        copies=copies,
        autosomal=autosomal == 1,
    )
    if pairs == "all":
        _check_pairs(table.path, variants)
    seen, left_out = orders_of_fractions(
        variants, pairs=pairs, depth=depth, source=source_in(table.path, "allele fractions")
    )
    ordered = sorted(set(seen.pairs[:, 1:].ravel().tolist()))
    seen = seen.within(  # other names need not be in the data
        [seen.samples[k] for k in seen.ordered_samples()], [seen.events[k] for k in ordered]
    )
    notes = (*_left_out_note(excluded + left_out, total), *counts.assumed())
    return SeenReading(seen, notes, lines)


@dataclass(frozen=True)
class _Counts:
    """Where the numbers of a variant stand."""

    table: Titled
    of_cells: bool  # what is counted is the fraction of cells
    reads: int | None  # with the variant
    fraction: int | None  # in place of these
    others: int | None  # reads without the variant
    depth: int | None  # in place of these
    chromosome: int | None
    copies: int | None
    purity: int | None

    @classmethod
    def of(cls, table: Titled) -> "_Counts":
        """Find the columns; refuse a table without the number of reads."""
        reads, fraction = table.find(*_READS), table.find(*_VAF)
        of_cells = reads is None and fraction is None
        fraction = table.find(*_CCF) if of_cells else fraction
        others = None if reads is None else table.find(*_OTHER_READS)
        depth = table.column(*_DEPTH) if others is None else None
        more = (table.find(*names) for names in (_CHROMOSOME, _COPIES, _PURITY))
        return cls(table, of_cells, reads, fraction, others, depth, *more)

    def numbers(self, line: int, fields: list[str]) -> tuple[float, ...]:
        """Return reads with the variant, all reads, purity, copies, and whether it is autosomal."""

        def number(place: int | None, what: str, high: float = inf) -> float:
            if place is None or fields[place].strip().lower() in _MISSING:
                return nan
            return self.table.number(line, fields, place, high, what)

        purity = number(self.purity, "a proportion", 1)
        purity = 1 if isnan(purity) or purity == 0 else purity
        others = number(self.others, "a number of reads")
        depth = number(self.depth, "a number of reads")
        if self.reads is not None:
            reads = number(self.reads, "a number of reads")
            if reads > depth:
                problem = f"more reads with the variant, {reads:g}, than the depth, {depth:g}"
                raise self.table.wrong(line, self.reads, problem)
        elif self.of_cells:
            reads = depth * purity / 2 * number(self.fraction, "a fraction of cells", 2)
        else:
            reads = depth * number(self.fraction, "a fraction of reads", 1)
        depth = depth if self.others is None else reads + others
        chromosome = "" if self.chromosome is None else fields[self.chromosome].strip().lower()
        autosomal = chromosome.removeprefix("chr") not in _NOT_AUTOSOMES
        return reads, depth, purity, number(self.copies, "a number of copies"), autosomal

    def assumed(self) -> tuple[Note, ...]:
        """Return the note on what the table does not say of its variants."""
        columns = (
            (self.chromosome, "an autosome"),
            (self.copies, "2 copies"),
            (self.purity, "a purity of 1"),
        )
        assumed = ", ".join(what for place, what in columns if place is None)
        note = Note(f"orders: assumed, as there is no column of it: {assumed}")
        return (note,) * bool(assumed)


def _check_pairs(path: FilePath, variants: Variants) -> None:
    """Refuse more pairs than fit into the budget."""
    places = np.unique(variants.sample * len(variants.events) + variants.event)
    sizes = np.bincount(places // max(1, len(variants.events)))
    number = int((sizes * (sizes - 1) // 2).sum())
    if number > share(_PER_PAIR):
        remedy = Remedy("pairs", "neighbours", "takes one pair for each event")
        raise over_budget(path, f"{number:,} pairs of events", remedy=remedy)


def _left_out_note(left_out: Counter[str], total: int) -> tuple[Note, ...]:
    reasons = sorted(((number, why) for why, number in left_out.items() if number), reverse=True)
    number = sum(number for number, _ in reasons)
    causes = ", ".join(f"{number} {why}" for number, why in reasons)
    note = Note(f"orders: left out {number} of {number_of(total, 'variant')}: {causes}")
    return (note,) * bool(number)
