"""Gene panels: which genes were profiled, and in which samples."""

import re
from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass

import numpy as np

from caprese._core.arrays import BoolArray
from caprese._core.files import FilePath, format_error, shown, text_lines
from caprese._core.words import visible
from caprese.errors import Remedy
from caprese.io.text.delimited import Names, tabbed

_NONE = frozenset({"", "na", "n/a"})
_WHOLE = re.compile(r"w[egx]s|whole.?(exome|genome).*", re.IGNORECASE)


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


def panel_named(
    name: str,
    defined: Mapping[str, Panel],
    path: FilePath,
    *,
    line: int | None = None,
    profile: str | None = None,
) -> Panel:
    """Return the panel that a file names; WES, WXS, WGS and the like are all genes by default."""
    if name in defined:
        return defined[name]
    if _WHOLE.fullmatch(name):
        return WHOLE
    file = f"data_gene_panel_{visible(name)}.txt"
    problem = f"gene panel {shown(name)} is not defined; expected {file} in the folder"
    remedy = Remedy("panels", None, "names another folder")
    raise format_error(path, problem, line=line, name=profile, remedy=remedy)


def sample_panels(
    path: FilePath, profiles: Iterable[str], defined: Mapping[str, Panel]
) -> dict[str, Panel] | None:
    """Read the panel of each sample that is on one, from a matrix with a column per profile.

    None if the matrix has a column of none of the profiles.
    """
    samples, found = Names(path, "sample", "line"), dict[str, Panel]()
    with tabbed(path) as table:
        first = table.column("SAMPLE_ID")
        profile = next((name for name in profiles if table.find(name) is not None), None)
        place = first if profile is None else table.column(profile)
        for line, fields in table.rows():
            sample, name = fields[first].strip(), fields[place].strip()
            samples.add(sample, line=line, column=first + 1)
            if profile is not None and name.lower() not in _NONE:
                found[sample] = panel_named(name, defined, path, line=line, profile=profile)
    return None if profile is None else found
