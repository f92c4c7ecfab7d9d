"""Small files that would become enormous: each must be refused within the budget.

``python -m fuzz.bombs`` prints the size of each file and the peak memory of the process that
refuses it, with the default budget; ``--budget 200M`` sets another. The tests use a small one.
"""

import argparse
import bz2
import gzip
import io
import json
import lzma
import os
import re
import struct
import subprocess
import sys
import zipfile
from pathlib import Path
from tempfile import TemporaryDirectory

READING = r"""
import sys
from caprese.errors import CapreseError
from caprese.io.data.sources import read
from caprese.io.documents import read_document
path, kind = sys.argv[1:]
try:
    read_document(path) if kind == "document" else read(path, format=kind or None)
    print("read")
except CapreseError as error:
    print(error)
lines = open("/proc/self/status").read().split("\n")  # unlike ru_maxrss, not that of the parent
print(next(int(line.split()[1]) // 1024 for line in lines if line.startswith("VmHWM")))
"""


def streams(pack, chunk, times, head=b""):
    """A head and a chunk repeated so many times, packed piece by piece."""
    return pack(head) + pack(chunk) * times


ZEROS = bytes(2**24)
R_HEAD = b"RDX3\nX\n" + struct.pack(">iiii5s", 3, 0x40300, 0x30500, 5, b"UTF-8")
R_NAMED = R_HEAD + struct.pack(">iiii1s", 0x402, 1, 0x40009, 1, b"x")  # a pairlist of x = ...


def r_vector(length):
    """The start of an R file with a vector of so many integers."""
    return R_NAMED + struct.pack(">ii", 13, length)


def r_sequence(length):
    """An R file with the numbers from 1 on, as R stores them: the length, the first, the step."""
    symbols = b"".join(
        struct.pack(">iii", 1, 0x40009, len(name)) + name for name in (b"compact_intseq", b"base")
    )
    info = struct.pack(">i", 2) + symbols[: 12 + 14] + struct.pack(">i", 2) + symbols[26:]
    info += struct.pack(">iiii", 2, 13, 1, 13) + struct.pack(">i", 254)
    state = struct.pack(">iiddd", 14, 3, float(length), 1.0, 1.0)
    return R_NAMED + struct.pack(">i", 238) + info + state + struct.pack(">ii", 254, 254)


def r_nothing(length):
    """The start of an R file with a list of so many NULL."""
    return R_NAMED + struct.pack(">ii", 19, length)


def workbook(sheet, shared=("<sst/>",)):
    """An Excel file with this XML of a sheet."""
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr(
            "xl/workbook.xml",
            '<workbook xmlns:r="r"><sheets><sheet name="s" r:id="i"/></sheets></workbook>',
        )
        packed.writestr(
            "xl/_rels/workbook.xml.rels",
            '<Relationships><Relationship Id="i" Target="worksheets/s.xml"/></Relationships>',
        )
        for name, pieces in (("sharedStrings.xml", shared), ("worksheets/s.xml", sheet)):
            with packed.open(f"xl/{name}", "w", force_zip64=True) as part:
                for piece in pieces:
                    part.write(piece.encode())
    return content.getvalue()


def wide_sheet(rows):
    """Rows of which only the last column has a cell, below a header of 16,384 names."""
    names = "".join(f"<c t='str'><v>e{k}</v></c>" for k in range(16_384))
    yield f"<worksheet><sheetData><row r='1'>{names}</row>"
    for first in range(2, rows, 1000):
        yield "".join(
            f"<row r='{r}'><c r='XFD{r}'><v>1</v></c></row>" for r in range(first, first + 1000)
        )
    yield "</sheetData></worksheet>"


def parquet(**columns):
    """A Parquet file of columns, compressed."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    content = io.BytesIO()
    pq.write_table(pa.table(columns), content, compression="zstd")
    return content.getvalue()


def long_booleans(rows):
    """Booleans that are all equal: a run and its length."""
    import pyarrow as pa

    return parquet(**{f"e{k}": pa.repeat(pa.scalar(True), rows) for k in range(2)})


def long_names(rows):
    """One long text as the name of every sample, stored once."""
    import pyarrow as pa

    texts = pa.DictionaryArray.from_arrays(pa.repeat(pa.scalar(0, pa.int32()), rows), ["x" * 10**6])
    return parquet(id=texts, a=pa.repeat(pa.scalar(True), rows))


def crossed(samples):
    """A MAF in which every variant has another sample and another gene."""
    lines = (f"G{k}\tMissense_Mutation\tp{k}" for k in range(samples))
    header = "Hugo_Symbol\tVariant_Classification\tTumor_Sample_Barcode"
    return gzip.compress("\n".join([header, *lines]).encode())


BOMBS = {
    "gzip, a line without end": (
        "a.csv.gz",
        lambda: streams(gzip.compress, b"1" * 2**24, 400, b"a\n"),
        "table",
    ),
    "gzip, rows without end": (
        "a.csv.gz",
        lambda: streams(gzip.compress, b"1\n" * 2**23, 400, b"a\n"),
        "table",
    ),
    "bzip2, a row in quotes without end": (
        "a.csv.bz2",
        lambda: streams(bz2.compress, b'"\n",' * 2**18, 6400, b"a\n"),
        "table",
    ),
    "xz, a line without end": (
        "a.csv.xz",
        lambda: streams(lzma.compress, b"1" * 2**24, 400, b"a\n"),
        "table",
    ),
    "bzip2 in an R file": (
        "a.rda",
        lambda: streams(bz2.compress, ZEROS, 400, r_vector(1_600_000_000)),
        "",
    ),
    "xz in an R file": (
        "a.rda",
        lambda: streams(lzma.compress, ZEROS, 400, r_vector(1_600_000_000)),
        "",
    ),
    "a compact sequence in an R file": ("a.rda", lambda: r_sequence(2_000_000_000), ""),
    "a list of nothing in an R file": (
        "a.rda",
        lambda: streams(gzip.compress, struct.pack(">i", 254) * 2**22, 32, r_nothing(2**27)),
        "",
    ),
    "booleans in Parquet": ("a.parquet", lambda: long_booleans(20_000_000), ""),
    "long names in Parquet": ("a.parquet", lambda: long_names(2_000_000), ""),
    "wide rows in Excel": ("a.xlsx", lambda: workbook(wide_sheet(60_000)), ""),
    "text in Excel": (
        "a.xlsx",
        lambda: workbook(["<worksheet/>"], ["<sst>", *["<si><t>ab</t></si>" * 100_000] * 320]),
        "",
    ),
    "a cell without end in Excel": (
        "a.xlsx",
        lambda: workbook(
            ["<worksheet><row><c t='str'><v>", *["1" * 2**20] * 20, "</v></c></row></worksheet>"]
        ),
        "",
    ),
    "samples and genes in a MAF": ("a.maf.gz", lambda: crossed(100_000), "maf"),
    "genotype counts": ("a.txt", lambda: b"01" * 2000 + b" 9999999\n", "genotypes"),
    "lists in JSON": (
        "a.json",
        lambda: streams(gzip.compress, b"[]," * 2**22, 80, b'{"format": ['),
        "document",
    ),
    "nodes in GraphML": (
        "a.graphml",
        lambda: streams(gzip.compress, b'<node id="a"/>' * 2**20, 80, b"<graphml><graph>"),
        "document",
    ),
    "a device without end": ("/dev/zero", None, "table"),
    "a device without end, as an R file": ("/dev/zero", None, "r"),
}


def peak(path, kind, budget):
    """Read a file in a process of its own; return its peak memory in MiB and what it printed."""
    environment = dict(os.environ) | ({"CAPRESE_MEMORY": budget} if budget else {})
    done = subprocess.run(
        [sys.executable, "-c", READING, str(path), kind],
        env=environment,
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    *lines, size = done.stdout.strip().split("\n") if done.returncode == 0 else ["", "-1"]
    return int(size), "\n".join(lines) or done.stderr[-300:]


def stored(name, content, folder):
    """Store a bomb in a folder, unless it is a device."""
    if content is None:
        return Path(name)
    path = Path(folder, name)
    path.write_bytes(content())
    return path


def main():
    """Measure every bomb."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--budget", default="", help="as in CAPRESE_MEMORY")
    parser.add_argument("--only", default="", help="bombs whose name holds this")
    given = parser.parse_args()
    for title, (name, content, kind) in BOMBS.items():
        if given.only not in title:
            continue
        with TemporaryDirectory() as folder:
            path = stored(name, content, folder)
            size = path.stat().st_size
            memory, message = peak(path, kind, given.budget)
        short = re.sub(r"^/tmp/\S+?(?=[,:])", "", message)[:150]
        print(json.dumps({"bomb": title, "bytes": size, "MiB": memory, "message": short}))


if __name__ == "__main__":
    main()
