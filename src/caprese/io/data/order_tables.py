"""Seen orders as pairs of events, as series in time, and as trees: tables, or nested JSON."""

import re
from collections import defaultdict
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import date
from graphlib import CycleError, TopologicalSorter
from math import isfinite
from pathlib import Path
from typing import Any

import numpy as np

from caprese._core.budget import share
from caprese._core.files import FilePath, format_error, over_budget, shown
from caprese._core.words import number_of
from caprese.data.sample_trees import SampleTree, orders_of_trees
from caprese.data.seen_orders import Seen, SeenOrders
from caprese.io.data.reading import Note
from caprese.io.json.codec import json_content
from caprese.io.text.cells import name_in
from caprese.io.text.delimited import Titled, nameless

SAMPLE = ("sample", "sample_id", "tumor_sample_barcode", "patient", "patient_id")
"""Titles of the column of samples, the first that is there."""

Lines = Mapping[tuple[str, str], int]
"""The first line of each sample and event, as a pair of its kind and its name."""

_PER_PAIR = 600  # bytes of memory: names, positions, and copies
_ASSIGNMENT = re.compile(r"\s*(?:\w+\s+)?[\w.$]+\s*=")


@dataclass(frozen=True)
class SeenReading:
    """Seen orders read from a file, notes on what was left out, and where names stand."""

    orders: SeenOrders
    notes: tuple[Note, ...] = ()
    lines: Lines = field(default_factory=dict)


def pairs_in(table: Titled) -> SeenReading:
    """Read a table of pairs: sample, earlier, later; confidence and nested if they are there."""
    places = [table.column(*SAMPLE), table.column("earlier"), table.column("later")]
    numbers = [(name, table.find(name)) for name in ("confidence", "nested")]
    rows, lines = list[Seen](), dict[tuple[str, str], int]()
    for line, fields in table.rows:
        sample, earlier, later = (name_of(table, line, fields, place) for place in places)
        for kind, name in (("sample", sample), ("event", earlier), ("event", later)):
            lines.setdefault((kind, name), line)
        if earlier == later:
            raise table.wrong(line, places[2], f"{shown(later)} cannot come before itself")
        given = {
            name: table.number(line, fields, place, 1, "a probability")
            for name, place in numbers
            if place is not None
        }
        rows.append(Seen(sample, earlier, later, **given))
    refuse_header_alone(table, rows, "pair of events")
    return SeenReading(
        SeenOrders.from_rows(rows, source=source_in(table.path, "pairs")), lines=lines
    )


def trees_in(table: Titled) -> SeenReading:
    """Read a table of trees: sample, event, node, parent; a parent without a row is the root.

    A node may have several rows, one for each event, or one without an event.
    """
    sample, event = table.column(*SAMPLE), table.column("event")
    node, parent = table.column("node"), table.column("parent")
    nodes, lines = defaultdict[str, dict[str, _Node]](dict), dict[tuple[str, str], int]()
    for line, fields in table.rows:
        name, own = (name_of(table, line, fields, place) for place in (sample, node))
        above, arisen = fields[parent].strip(), name_in(fields[event])
        lines.setdefault(("sample", name), line)
        found = nodes[name].setdefault(own, _Node(line, above, []))
        if found.parent != above:
            problem = f"node {shown(own)} has another parent in line {found.line}"
            raise table.wrong(line, parent, problem)
        if arisen:
            lines.setdefault(("event", arisen), line)
            found.events.append(arisen)
    refuse_header_alone(table, nodes, "event of a node")
    trees = {name: _tree(table.path, name, own) for name, own in nodes.items()}
    return _of_trees(table.path, trees, lines)


def trees_in_json(path: FilePath) -> SeenReading:
    """Read nested trees: {"trees": {SAMPLE: {"tree": {"gene_events": {...}, "children": [...]}}}}.

    The JSON may stand behind ``name =``.
    """
    content = json_content(path, before=_ASSIGNMENT)
    trees = content.get("trees") if isinstance(content, dict) else None
    if not isinstance(trees, dict) or not trees:
        raise format_error(path, 'no trees; expected JSON with "trees", one for each sample')
    return _of_trees(path, {name: _nested(path, name, each) for name, each in trees.items()}, {})


def series_in(table: Titled) -> SeenReading:
    """Read events of patients by time: sample, time, event, one row for each event that is there.

    What is there at an earlier time came before what is first seen later; whether one is in cells
    of the other is not known. Times are numbers or dates.
    """
    sample, event = table.column(*SAMPLE), table.column("event")
    column, lines = table.column("time"), dict[tuple[str, str], int]()
    first, scales = defaultdict[str, dict[str, float]](dict), dict[str, int]()
    for line, fields in table.rows:
        name, own = (name_of(table, line, fields, place) for place in (sample, event))
        scale, when = _time(table, line, fields, column)
        if len(scales | {scale: line}) > 1:
            problem = f"{shown(fields[column])} is a {scale}, line {min(scales.values())} has none"
            raise table.wrong(line, column, problem)
        scales.setdefault(scale, line)
        for kind, each in (("sample", name), ("event", own)):
            lines.setdefault((kind, each), line)
        first[name][own] = min(when, first[name].get(own, when))
    refuse_header_alone(table, first, "event of a time")
    found = _of_trees(table.path, {name: _chain(own) for name, own in first.items()}, lines)
    unknown = np.full(len(found.orders), 0.5)
    source = source_in(table.path, "series")
    return replace(found, orders=replace(found.orders, nested=unknown, source=source))


def _time(table: Titled, line: int, fields: list[str], column: int) -> tuple[str, float]:
    """Return a number, or a date as a number, and which of both it is."""
    text = fields[column].strip()
    with suppress(ValueError):
        return "date", float(date.fromisoformat(text).toordinal())
    with suppress(ValueError):
        if isfinite(number := float(text)):
            return "number", number
    raise table.wrong(line, column, f"{shown(text)} is no time; expected a number or 2026-01-31")


def _chain(first: Mapping[str, float]) -> SampleTree:
    """Return the times of a patient as a tree without branches: events by when they were seen."""
    times = sorted(set(first.values()))
    events = (tuple(name for name, when in first.items() if when == time) for time in times)
    return SampleTree(tuple(range(-1, len(times) - 1)), tuple(events))


@dataclass(frozen=True)
class _Node:
    line: int
    parent: str
    events: list[str]


def _tree(path: FilePath, sample: str, nodes: Mapping[str, _Node]) -> SampleTree:
    """Return a tree, parents first; refuse a node that is its own ancestor."""
    above = {name: [own.parent] * (own.parent in nodes) for name, own in nodes.items()}
    try:
        order = list(TopologicalSorter(above).static_order())
    except CycleError as error:
        name = min(error.args[1], key=lambda name: nodes[name].line)
        problem = f"node {shown(name)} of sample {shown(sample)} is its own ancestor"
        raise format_error(path, problem, line=nodes[name].line) from None
    place = {name: position for position, name in enumerate(order)}
    parents = (place.get(nodes[name].parent, -1) for name in order)
    return SampleTree(tuple(parents), tuple(tuple(nodes[name].events) for name in order))


def _nested(path: FilePath, sample: str, content: Any) -> SampleTree:
    parents, events = list[int](), list[tuple[str, ...]]()
    waiting = [(-1, content.get("tree") if isinstance(content, dict) else None)]
    while waiting:
        parent, node = waiting.pop()
        own, children = None, None
        if isinstance(node, dict):
            own, children = node.get("gene_events") or {}, node.get("children") or []
        if not isinstance(own, dict) or not isinstance(children, list):
            problem = f"the tree of sample {shown(sample)} is not one of nodes"
            raise format_error(path, f'{problem}; expected "gene_events": {{}} and "children": []')
        parents.append(parent)
        events.append(tuple(name.strip() for name in own))
        waiting += [(len(parents) - 1, child) for child in children]
    return SampleTree(tuple(parents), tuple(events))


def _of_trees(path: FilePath, trees: Mapping[str, SampleTree], lines: Lines) -> SeenReading:
    if sum(tree.number_of_pairs() for tree in trees.values()) > share(_PER_PAIR):
        raise over_budget(path, "the pairs of events on the branches of its trees")
    found = orders_of_trees(trees, source=source_in(path, "trees"))
    what = f"{number_of(found.recurring, 'event')}, in {number_of(found.left_out, 'pair')}"
    note = Note(f"orders: left out what recurs in the tree of a sample: {what}")
    return SeenReading(found.orders, (note,) * bool(found.recurring), lines)


def source_in(path: FilePath, what: str) -> str:
    """Return in words where orders come from."""
    return f"{what} in {Path(path).name}"


def refuse_header_alone(table: Titled, rows: object, what: str) -> None:
    """Refuse a table without rows."""
    if not rows:
        problem = f"there is only a header; expected one row per {what}"
        raise format_error(table.path, problem, line=table.line)


def name_of(table: Titled, line: int, fields: list[str], place: int) -> str:
    """Return the name in a cell; refuse an empty one."""
    name = name_in(fields[place])
    if not name:
        noun = table.titles[place]
        raise nameless(table.path, noun, line=line, column=place + 1)
    return name
