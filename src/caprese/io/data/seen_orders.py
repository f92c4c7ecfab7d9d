"""Orders that were seen within samples: read from files, matched with data, and written."""

import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

from caprese._core.checks import one_of
from caprese._core.files import STDIN, FilePath, format_error, replace_file, shown, text_lines
from caprese._core.names import short_barcode
from caprese._core.words import did_you_mean, listing, number_of
from caprese.data.seen_orders import Seen, SeenOrders
from caprese.errors import DatasetError, FormatError, Remedy
from caprese.io.data.options import check_options
from caprese.io.data.order_tables import (
    SeenReading,
    pairs_in,
    series_in,
    trees_in,
    trees_in_json,
)
from caprese.io.data.read_counts import OPTIONS, counts_in, has_counts
from caprese.io.data.reading import Note, Reading
from caprese.io.text.cells import table_text
from caprese.io.text.delimited import titled

ORDER_OPTIONS = ("mixed", *OPTIONS)
"""The options of `read_orders`."""

_JSON = re.compile(r"\s*(?:(?:var|let|const)\s+)?(?:[\w.$]+\s*=\s*)?\{")
_EXPECTED = (
    "expected sample, earlier, later; or sample, event, node, parent; or sample, event, time; or "
    "sample, event and read counts such as t_alt_count and t_depth"
)


def read_orders(path: FilePath, **options: Any) -> SeenOrders:
    r"""Read the order of events within samples from a file of any known format.

    The format is detected: a table of pairs with the columns sample, earlier, later, and if they
    are there confidence and nested; a table of trees with the columns sample, event, node, parent,
    one row for each event of a node; trees as nested JSON, as oncotreeVIS has them; a series with
    the columns sample (of a patient), event and time; or a table of variants with read counts, such
    as a MAF.

    Parameters
    ----------
    path
        A UTF-8 file, packed or not, or ``-`` for a table from standard input. The column of
        samples may also be named patient.
    options
        ``mixed``: whether `SeenOrders.mixed` is applied. For variants also ``pairs`` and ``depth``,
        as in `caprese.data.allele_fractions.orders_of_fractions`, and ``events``, as for a MAF.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "trees.csv")
    ...     _ = path.write_text("patient,event,node,parent\np,TP53,1,0\np,KRAS,2,1\n")
    ...     read_orders(path).rows()
    [Seen(sample='p', earlier='TP53', later='KRAS', confidence=1.0, nested=1.0)]
    """
    return read_seen(path, options).orders


def write_orders(orders: SeenOrders, path: FilePath, *, guard_formulas: bool = False) -> None:
    """Write seen orders as CSV: sample, earlier, later, confidence, nested.

    Parameters
    ----------
    orders
        The orders, such as those of a data set.
    path
        The file to write.
    guard_formulas
        As in `write_dataset`.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> orders = SeenOrders.from_rows([("p", "TP53", "KRAS", 0.9)])
    >>> with TemporaryDirectory() as folder:
    ...     write_orders(orders, Path(folder, "orders.csv"))
    ...     print(Path(folder, "orders.csv").read_text())
    sample,earlier,later,confidence,nested
    p,TP53,KRAS,0.9,1.0
    """
    rows = (Seen._fields, *orders.rows())
    replace_file(path, table_text(rows, guard_formulas=guard_formulas, number=repr))


def read_seen(path: FilePath, options: Mapping[str, Any]) -> SeenReading:
    """Read seen orders, with notes on what was left out; the options are those of `read_orders`."""
    given = dict(options)
    for name in given:
        one_of("the options of seen orders", name, ORDER_OPTIONS)
    check_options(given)
    mixed = given.pop("mixed", False)
    try:
        found = _detected(path, given)
        return replace(found, orders=found.orders.mixed()) if mixed else found
    except DatasetError as error:
        raise format_error(path, error.what(), remedy=error.remedy) from error


def with_seen_orders(
    reading: Reading, path: FilePath, options: Mapping[str, Any], *, extra: bool = False
) -> Reading:
    """Return a reading whose data has the orders of a file, with notes on what was left out.

    A sample that the data lacks may be one whose name has something more at its start, or is
    another part of the same TCGA barcode, if there is just one.

    Parameters
    ----------
    reading
        The data.
    path, options
        As for `read_orders`.
    extra
        Whether the orders may be of samples and events that the data lacks, which are left out.
    """
    found, data = read_seen(path, options), reading.data
    matched = _matched(found.orders.samples, data.samples)
    notes = [*found.notes, *_matched_notes(matched)]
    orders = replace(
        found.orders, samples=tuple(matched.get(name, name) for name in found.orders.samples)
    )
    for kind, names, known in (
        ("sample", orders.samples, data.samples),
        ("event", orders.events, (*data.events, *reading.left_out)),
    ):
        lacking = [name for name in names if name not in set(known)]
        if lacking and not extra:
            raise _unknown(path, kind, lacking, known, found.lines)
        if lacking:
            what = f"left out {number_of(len(lacking), kind)} that the data lacks"
            notes.append(Note(f"orders: {what}: {listing(lacking)}"))
    result = data.with_orders(orders, extra=True)
    return reading.changed(result, [*notes, _size(result.orders, len(orders), len(data.samples))])


def _detected(path: FilePath, given: Mapping[str, Any]) -> SeenReading:
    """Read orders in the format that the start of a file shows."""
    start = _start(path)
    if _JSON.match(start):
        _refuse_options("trees", given)
        return trees_in_json(path)
    of_centre = "\t" in start and "hugo_symbol" in start.lower()
    with titled(path, quoted=not of_centre) as table:
        if {"earlier", "later"} <= {*table.titles}:
            _refuse_options("pairs of events", given)
            return pairs_in(table)
        if {"node", "parent"} <= {*table.titles}:
            _refuse_options("trees", given)
            return trees_in(table)
        if "time" in table.titles and not has_counts(table):
            _refuse_options("series", given)
            return series_in(table)
        if has_counts(table):
            return counts_in(table, **given)
        raise format_error(path, f"no columns of orders; {_EXPECTED}", line=table.line)


def _start(path: FilePath) -> str:
    """Return the first line that is no comment; nothing of a stream, which is read only once."""
    if path == STDIN or not Path(path).is_file():
        return ""
    with closing(text_lines(path)) as lines:
        return next((line for line in lines if line.strip() and not line.startswith("#")), "")


def _refuse_options(what: str, given: Mapping[str, Any]) -> None:
    for name in given:
        one_of(f"the options of {what}", name, ("mixed",))


def _matched(names: Sequence[str], samples: Sequence[str]) -> dict[str, str]:
    """Return the sample of each name that is no sample, but belongs to one alone."""
    owners = defaultdict[str, set[str]](set)
    for sample in samples:
        parts = sample.split("_")
        ends = {"_".join(parts[k:]) for k in range(1, len(parts))}
        for other in ends | _barcodes(sample):
            owners[other].add(sample)
    own, found = set(samples), dict[str, str]()
    for name in names:
        meant = owners.get(name, set()) | (_barcodes(name) & own)
        if name not in own and len(meant) == 1:
            found[name] = meant.pop()
    times = Counter([*found.values(), *own.intersection(names)])
    return {name: sample for name, sample in found.items() if times[sample] == 1}


def _barcodes(name: str) -> set[str]:
    """Return the shorter forms of a TCGA barcode; nothing else for other names."""
    return {short_barcode(name, "sample"), short_barcode(name, "patient")}


def _matched_notes(matched: Mapping[str, str]) -> list[Note]:
    pairs = listing(f"{name} is {sample}" for name, sample in matched.items())
    what = number_of(len(matched), "sample")
    return [Note(f"orders: matched {what} by a part of the name: {pairs}")] * bool(matched)


def _unknown(
    path: FilePath,
    kind: str,
    lacking: Sequence[str],
    known: Sequence[str],
    lines: Mapping[tuple[str, str], int],
) -> FormatError:
    """Return the error about samples or events that the data lacks."""
    name, more = lacking[0], len(lacking) - 1
    others = f" and {number_of(more, f'other {kind}')} are" if more else " is"
    problem = f"{kind} {shown(name)}{others} not in the data{did_you_mean(name, known)}"
    remedy = Remedy("orders_extra", True, "leaves out such orders")
    return format_error(path, problem, line=lines.get((kind, name)), remedy=remedy)


def _size(seen: SeenOrders | None, given: int, samples: int) -> Note:
    """Return the note on how many orders the data has."""
    number = 0 if seen is None else len(seen)
    if seen is None or not number:
        return Note("orders: no seen order is left, so everything is as without these orders")
    ordered = len(seen.ordered_samples())
    pairs = number_of(number, "pair") + f" of {given}" * (number < given)
    where = f"{ordered} of {number_of(samples, 'sample')}"
    return Note(f"orders: {pairs}, whose events are both present, in {where}")
