"""Make ``panels.json.gz`` from a folder of ``data_gene_panel_*.txt`` of the data hub of cBioPortal.

``python -m caprese.data.genes.make_panels FOLDER``, where FOLDER is a download of
https://github.com/cBioPortal/datahub/tree/master/reference_data/gene_panels.
"""

import gzip
import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path

from caprese.data.genes import PANELS, gene_book

_SYMBOL = re.compile(r"[A-Z][A-Za-z0-9.@-]*")


def panels_in(folder: Path) -> dict[str, list[str]]:
    """Return the genes of each panel of a folder, with today's symbols, each once."""
    found = {}
    for path in sorted(folder.glob("data_gene_panel_*.txt")):
        content = dict(_properties(path.read_text(encoding="utf-8")))
        genes = filter(_SYMBOL.fullmatch, content["gene_list"].split())
        found[content["stable_id"]] = sorted({gene_book().symbol(gene) for gene in genes})
    return dict(sorted(found.items()))


def _properties(text: str) -> Iterator[tuple[str, str]]:
    for line in text.splitlines():
        name, colon, value = line.partition(":")
        if colon:
            yield name.strip(), value.strip()


def packed(panels: dict[str, list[str]]) -> bytes:
    """Return the content of the file: the same bytes for the same panels."""
    text = json.dumps(panels, separators=(",", ":"))
    return gzip.compress(text.encode(), mtime=0)


if __name__ == "__main__":
    PANELS.write_bytes(packed(panels_in(Path(sys.argv[1]))))
