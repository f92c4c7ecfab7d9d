"""Every reader of files, what it is fed with, and what is done with its answer.

An answer must be usable: a data set can be counted and fitted, a document printed and written.
"""

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from caprese import read_orders, write_orders
from caprese.assessment.confidence import Confidence
from caprese.assessment.judgement import Judgement
from caprese.cli.commands.show import _lines
from caprese.data.counts import Counts
from caprese.data.curation import curate
from caprese.data.dataset import Dataset
from caprese.data.inspection import inspect
from caprese.errors import DatasetError
from caprese.io.data.annotations import read_annotation
from caprese.io.data.maf import read_mapping
from caprese.io.data.panels import read_panel
from caprese.io.data.reading import Reading
from caprese.io.data.seen_orders import read_seen, with_seen_orders
from caprese.io.data.sources import read
from caprese.io.documents import document_text, inspection_text, read_document
from caprese.io.graphs.networks import to_networkx
from caprese.methods.caprese import Caprese
from caprese.models.base import OrderedModel
from caprese.text.fits import fit_lines
from caprese.text.inspection import inspection_lines
from caprese.text.style import plain
from fuzz import agreement, seeds
from fuzz.mutations import (
    damaged_bytes,
    damaged_json,
    damaged_study_archive,
    damaged_text,
    damaged_xml,
    damaged_zip,
)

SMALL = 20_000  # entries of a data set that is also fitted


@dataclass(frozen=True)
class Reader:
    """A reader of files: the name of its file, valid contents, how to damage one, and its call."""

    name: str
    seeds: Callable[[], tuple[bytes, ...]]
    damage: Callable
    call: Callable[[Path], None]


def use_data(path, **options):
    """Read data and do what `caprese inspect` and `caprese fit` do."""
    reading = read(path, **options)
    data = reading.data
    assert len(data.samples) == len(data.values)
    assert all(str(note).isprintable() for note in reading.notes)
    if data.values.size > SMALL or len(data.events) > 60:
        return
    Counts.of(data)
    found = inspect(data)
    inspection_lines(found, plain)
    inspection_text(found, reading.notes).encode()
    try:
        curated = curate(data)
    except DatasetError:  # nothing would be left
        return
    fit_lines(Caprese().fit(curated.data), style=plain)


def use_document(path):
    """Read a document and do what `caprese show` does: print it, as text and as JSON."""
    document = read_document(path)
    "\n".join(_lines(document, None)).encode("utf-8", "backslashreplace")
    document_text(document).encode()
    model = getattr(document, "model", document)
    if not isinstance(document, Confidence | Judgement) and isinstance(model, OrderedModel):
        to_networkx(document)


def use_orders(path, **options):
    """Read seen orders, write them, and let data have them, with and without other names."""
    found = read_seen(path, options)
    assert all(str(note).isprintable() for note in found.notes)
    if len(found.orders) > SMALL:
        return
    written = path.with_name("written.csv")
    write_orders(found.orders, written)
    assert not len(found.orders) or named(read_orders(written)) == named(found.orders)
    for events in (found.orders.events or ("a",), ("a", "TP53")):
        samples = found.orders.samples or ("p",)
        data = Dataset(np.ones((len(samples), len(events)), dtype=bool), events, samples)
        with_seen_orders(Reading(data), path, options, extra=True)


def named(orders):
    """What is seen, by names as they are read: without white space around them."""
    return {(*map(str.strip, seen[:3]), *seen[3:]) for seen in orders.rows()}


def use_study(path):
    """Store the files of a study, and read the folder."""
    try:
        files = json.loads(path.read_bytes())
    except ValueError:
        return
    folder = path.with_name("study")
    for old in [*folder.glob("case_lists/*"), *folder.glob("*.txt")]:
        old.unlink()
    for name, text in files.items() if isinstance(files, dict) else ():
        if name in seeds.STUDY and isinstance(text, str):
            target = folder / name
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(text.encode("utf-8", "surrogatepass"))
    folder.mkdir(exist_ok=True)
    use_data(folder, format="study")
    use_data(folder, format="study", per="patient", events="gene and kind", several="union")


def damaged_study(content, rng):
    """Damage the text of one file of a study, or omit it."""
    files = json.loads(content)
    name = rng.choice(list(files))
    if rng.random() < 0.1:
        del files[name]
    else:
        files[name] = damaged_text(files[name].encode(), rng).decode("utf-8", "surrogateescape")
    return json.dumps(files).encode()


def data_reader(file, contents, damage, *variants):
    """A reader of data that is called with each of several options in turn."""

    def call(path):
        for options in variants or ({},):
            use_data(path, **options)

    return Reader(file, contents, damage, call)


READERS = {
    "table": data_reader(
        "data.csv",
        lambda: seeds.encoded(seeds.TABLES),
        damaged_text,
        {"format": "table"},
    ),
    "table, transposed": data_reader(
        "data.csv",
        lambda: seeds.encoded(seeds.TABLES),
        damaged_text,
        {"format": "table", "transpose": True, "exclude": ["a", "TP53"]},
    ),
    "detected": data_reader(
        "data.txt",
        lambda: seeds.encoded((*seeds.TABLES, *seeds.MAFS, *seeds.COPY_NUMBER, *seeds.GENOTYPES)),
        damaged_text,
    ),
    "maf": data_reader(
        "data.maf",
        lambda: seeds.encoded(seeds.MAFS),
        damaged_text,
        {"events": "gene and kind"},
    ),
    "maf, patients": data_reader(
        "data.maf",
        lambda: seeds.encoded(seeds.MAFS[1:]),
        damaged_text,
        {"barcode": "patient", "several": "union", "germline": True},
    ),
    "mapping": Reader(
        "map.csv",
        lambda: seeds.encoded(seeds.ANNOTATIONS),
        damaged_text,
        lambda path: read_mapping(path) and None,
    ),
    "copy-number": data_reader(
        "data_cna.txt",
        lambda: seeds.encoded(seeds.COPY_NUMBER),
        damaged_text,
        {"format": "copy-number"},
    ),
    "genotypes": data_reader(
        "counts.txt", lambda: seeds.encoded(seeds.GENOTYPES), damaged_text, {"format": "genotypes"}
    ),
    "study": Reader("study.json", seeds.studies, damaged_study, use_study),
    "options": Reader(
        "options.json",
        lambda: tuple(agreement.typed_options()),
        agreement.damaged_options,
        lambda path: agreement.use_options(path, use_data),
    ),
    "formats": Reader("table.json", agreement.tables, agreement.odd_table, agreement.use_formats),
    "archives": Reader("files.json", seeds.studies, damaged_study, agreement.use_archives),
    "study, zip": data_reader(
        "study.zip",
        lambda: seeds.archives(".zip"),
        damaged_study_archive,
        {"unknown_panels": "exclude"},
        {"regions": "arms", "together": "all kinds", "germline": True},
    ),
    "study, tar": data_reader(
        "study.tgz",
        lambda: seeds.archives(".tgz"),
        damaged_study_archive,
        {"per": "sample", "regions": "genes", "together": "losses"},
    ),
    "panel": Reader(
        "panel.txt", seeds.panels, damaged_text, lambda path: read_panel(path) and None
    ),
    "annotation": Reader(
        "stages.csv",
        lambda: seeds.encoded(seeds.ANNOTATIONS),
        damaged_text,
        lambda path: read_annotation(path) and None,
    ),
    "orders": Reader("orders.csv", lambda: seeds.encoded(seeds.ORDERS), damaged_text, use_orders),
    "orders, read counts": Reader(
        "counts.maf",
        lambda: seeds.encoded(seeds.READ_COUNTS),
        damaged_text,
        lambda path: use_orders(path, pairs="neighbours", mixed=True),
    ),
    "orders, json": Reader("trees.json", seeds.trees, damaged_json, use_orders),
    "excel": data_reader("data.xlsx", seeds.workbooks, damaged_zip),
    "parquet": data_reader("data.parquet", seeds.parquets, damaged_bytes),
    "r": data_reader("data.rda", seeds.r_files, damaged_bytes),
    "fit": Reader("fit.json", seeds.fits, damaged_json, use_document),
    "model": Reader("model.json", seeds.models, damaged_json, use_document),
    "confidence": Reader("confidence.json", seeds.confidences, damaged_json, use_document),
    "judgement": Reader("judgement.json", seeds.judgements, damaged_json, use_document),
    "graphml": Reader(
        "graph.graphml", lambda: seeds.graphs()[".graphml"], damaged_xml, use_document
    ),
    "edges, csv": Reader("graph.csv", lambda: seeds.graphs()[".csv"], damaged_text, use_document),
    "edges, tsv": Reader("graph.tsv", lambda: seeds.graphs()[".tsv"], damaged_text, use_document),
}
