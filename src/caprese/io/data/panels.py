"""Gene panels: what each covers, and which of them a study names for its samples."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass

import numpy as np

from caprese._core.arrays import BoolArray
from caprese._core.files import FilePath, format_error, shown, text_lines
from caprese.data.genes import known_panels, plain_name
from caprese.io.data.maf import Symbol
from caprese.io.text.delimited import tabbed

_WHOLE = re.compile(r"w[egx]s|whole.?(exome|genome).*", re.IGNORECASE)
_OUTSIDE = frozenset({"false", "no", "0", "n"})  # of a column of what a panel includes


@dataclass(frozen=True)
class Panel:
    """The genes that a panel covers; all genes if `genes` is None."""

    name: str
    genes: frozenset[str] | None
    defined: bool = True  # or its genes are those in which its samples have calls

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


def read_panel(path: FilePath, symbol: Symbol | None = None) -> Panel:
    """Read the definition of a gene panel."""
    content = properties(path)
    for name in ("stable_id", "gene_list"):
        if not content.get(name):
            raise format_error(path, f"{name} is missing; expected a line '{name}: ...'")
    genes = frozenset(content["gene_list"].split())
    if all(gene.isdecimal() for gene in genes):
        raise format_error(path, "gene_list holds Entrez numbers; expected gene symbols")
    return Panel(content["stable_id"], _renamed(genes, symbol))


def assays(path: FilePath, symbol: Symbol) -> Iterator[Panel]:
    """Yield the panels of a table of regions, by SEQ_ASSAY_ID, as GENIE releases have it."""
    found: dict[str, set[str]] = {}
    with tabbed(path) as table:
        assay, gene = table.column("SEQ_ASSAY_ID"), table.column("Hugo_Symbol")
        included = table.find("includeInPanel")
        for _, fields in table.rows():
            genes = found.setdefault(fields[assay].strip(), set())
            if included is None or fields[included].strip().lower() not in _OUTSIDE:
                genes.add(fields[gene].strip())
    for name, genes in found.items():
        yield Panel(name, _renamed(genes - {"", "NA"}, symbol))


def _renamed(genes: Iterable[str], symbol: Symbol | None) -> frozenset[str]:
    return frozenset(genes if symbol is None else (symbol(gene, "") for gene in genes))


def panel_named(name: str, defined: Mapping[str, Panel]) -> Panel | None:
    """Return a panel that a study defines, else a public one; WES, WGS and the like are all genes.

    Case and punctuation of the name do not matter.
    """
    if name in defined:
        return defined[name]
    plain = plain_name(name)
    same = next((panel for own, panel in defined.items() if plain_name(own) == plain), None)
    if same is not None:
        return same
    if _WHOLE.fullmatch(name):
        return WHOLE
    genes = known_panels().get(plain)
    return None if genes is None else Panel(name, genes)
