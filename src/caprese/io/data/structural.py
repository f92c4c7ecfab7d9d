"""Structural variants and fusions, in the current and the older tables of cBioPortal."""

from collections import Counter
from collections.abc import Iterator

import numpy as np

from caprese._core.arrays import sealed
from caprese._core.files import FilePath, format_error
from caprese._core.words import number_of
from caprese.data.dataset import Dataset
from caprese.io.data.maf import Symbol
from caprese.io.data.reading import Note, Reading, check_cells, tallied
from caprese.io.text.delimited import Tabbed, nameless, tabbed

FUSION, REARRANGEMENT = "fusion", "rearrangement"

_NO_GENE = frozenset({"", "na", "."})


def structural_reading(path: FilePath, symbol: Symbol, *, germline: bool = False) -> Reading:
    """Read which samples have a fusion or a rearrangement of which gene.

    A variant between two genes gives an event of each, such as ``ALK fusion``; one that concerns a
    single gene gives ``EGFR rearrangement``. Variants with SV_Status Germline are excluded unless
    they are asked for. Older tables have a row for each gene of a fusion.
    """
    found: dict[str, dict[str, None]] = {}
    samples: dict[str, None] = {}
    excluded, total = Counter[str](), 0
    with tabbed(path) as table:
        for line, sample, genes, kind, status in _rows(table, symbol):
            if not sample:
                raise nameless(path, "sample", line=line, column=1)
            samples[sample], total = None, total + 1
            if status.lower() == "germline" and not germline:
                excluded["germline"] += 1
            elif not genes:
                excluded["without a gene"] += 1
            for gene in genes if status.lower() != "germline" or germline else ():
                found.setdefault(f"{gene} {kind}", {})[sample] = None
    if not found:
        problem = f"none of its {number_of(total, 'variant')} gives an event; expected at least one"
        raise format_error(path, problem)
    events, names = sorted(found), tuple(samples)
    check_cells(path, len(names), len(events))
    row = {sample: place for place, sample in enumerate(names)}
    values = np.zeros((len(names), len(events)), dtype=bool)
    for column, event in enumerate(events):
        values[[row[sample] for sample in found[event]], column] = True
    what = number_of(excluded.total(), "structural variant")
    note = Note(f"excluded {what} of {total} ({tallied(excluded)})")
    return Reading(Dataset(sealed(values), tuple(events), names), (note,) * bool(excluded))


_Row = tuple[int, str, tuple[str, ...], str, str]
"""The line of a variant, its sample, its genes, their kind of event and the status."""


def _rows(table: Tabbed, symbol: Symbol) -> Iterator[_Row]:
    if table.find("Site1_Hugo_Symbol") is None:
        sample, gene = table.column("Tumor_Sample_Barcode"), table.column("Hugo_Symbol")
        sites = [(gene, table.find("Entrez_Gene_Id"))]
    else:
        sample = table.column("Sample_Id")
        sites = [
            (table.column(f"Site{k}_Hugo_Symbol"), table.find(f"Site{k}_Entrez_Gene_Id"))
            for k in (1, 2)
        ]
    status = table.find("SV_Status")
    for line, fields in table.rows():
        named = (
            symbol(fields[gene].strip(), "" if entrez is None else fields[entrez].strip())
            for gene, entrez in sites
        )
        genes = tuple(dict.fromkeys(name for name in named if name.lower() not in _NO_GENE))
        single = len(sites) == 2 and len(genes) == 1
        kind = REARRANGEMENT if single else FUSION
        called = "" if status is None else fields[status].strip()
        yield line, fields[sample].strip(), genes, kind, called
