"""Genes: today's and earlier symbols, Entrez numbers, bands, and the panels that studies name."""

import csv
import gzip
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import MappingProxyType

HERE = Path(__file__).parent
PANELS = HERE / "panels.json.gz"

_PROTEIN = re.compile("p[0-9]+[A-Z].*|P14ARF|P16INK4A")  # ends names of the portal only


@dataclass(frozen=True)
class GeneBook:
    """What is known of genes: a symbol that is not listed here is taken for today's.

    Parameters
    ----------
    today
        Today's symbol of each earlier one, of each Entrez number, and of itself.
    bands
        The band of a gene, such as ``9p21.3``, by its symbol.
    """

    today: Mapping[str, str]
    bands: Mapping[str, str]

    def symbol(self, symbol: str, entrez: str = "") -> str:
        """Return today's symbol of a gene, from its Entrez number if that is listed.

        Examples
        --------
        >>> gene_book().symbol("WHSC1"), gene_book().symbol("MLL2", "8085")
        ('NSD2', 'KMT2D')
        >>> gene_book().symbol("CDKN2Ap16INK4A")
        'CDKN2A'
        """
        found = self.today.get(entrez) or self.today.get(symbol)
        if found is None and (protein := _PROTEIN.search(symbol)):
            ends = range(protein.start(), 0, -1)
            found = next((symbol[:end] for end in ends if symbol[:end] in self.today), None)
        return found or symbol

    def arm(self, symbol: str) -> str:
        """Return the arm of the chromosome on which a gene is, empty if it is not known.

        Examples
        --------
        >>> gene_book().arm("CDKN2A")
        '9p'
        """
        return re.sub(r"(?<=[pq]).*", "", self.bands.get(symbol, ""))

    def along(self, symbol: str) -> tuple[float, str]:
        """Return a key by which the genes of a chromosome are in their order, from p to q.

        Bands are counted from the centromere outwards. Within a band, genes are in the order of
        their symbols; those without a band come last.

        Examples
        --------
        >>> sorted(["CDKN2A", "JAK2", "NOTCH1", "ABL1"], key=gene_book().along)
        ['JAK2', 'CDKN2A', 'ABL1', 'NOTCH1']
        """
        _, arm, band = re.split("([pq])", self.bands.get(symbol, "qinf"))
        return (-float(band) if arm == "p" else float(band)), symbol


@cache
def gene_book() -> GeneBook:
    """Return the book of genes."""
    today: dict[str, str] = {}
    bands: dict[str, str] = {}
    with open(HERE / "genes.csv", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            symbol = row["symbol"]
            names = (symbol, row["entrez"], *row["earlier"].split())
            today |= dict.fromkeys(filter(None, names), symbol)
            if row["band"]:
                bands[symbol] = row["band"]
    return GeneBook(MappingProxyType(today), MappingProxyType(bands))


@cache
def known_panels() -> Mapping[str, frozenset[str]]:
    """Return the genes of public panels, by their `plain_name`.

    Examples
    --------
    >>> len(known_panels()[plain_name("MSK-IMPACT468")])
    469
    """
    content = json.loads(gzip.decompress(PANELS.read_bytes()))
    return MappingProxyType({plain_name(name): frozenset(genes) for name, genes in content.items()})


def plain_name(panel: str) -> str:
    """Return the name of a panel without case, punctuation and the name of MSK before it.

    Examples
    --------
    >>> plain_name("MSK-IMPACT468"), plain_name("impact_468")
    ('impact468', 'impact468')
    """
    plain = re.sub(r"[^a-z0-9]", "", panel.lower())
    return plain.removeprefix("msk")
