"""Genotype counts: one genotype per line, and how many samples have it."""

import re
from collections import Counter
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass

import numpy as np

from caprese._core.arrays import sealed
from caprese._core.files import FilePath, format_error, shown, text_lines
from caprese.data.dataset import UNKNOWN, Dataset
from caprese.io.data.reading import Reading, check_cells, named
from caprese.io.text.cells import name_in
from caprese.io.text.delimited import ragged

MOST_SAMPLES = 10_000_000
"""Samples that a file of counts may add up to; more is taken for a typing error."""

GENOTYPE = re.compile(r"[01?]+")
_EVENTS = re.compile(r"#\s*events\s*:", re.IGNORECASE)
_GAP = re.compile(r"[\s,;]+")
_CODES = {"0": 0, "1": 1, UNKNOWN: 2}


def read_genotypes(path: FilePath) -> Reading:
    """Read how many samples have each genotype.

    A line holds a genotype, with ``0``, ``1`` or ``?`` (unknown) for each event, and a count:
    ``0110  12``. The events are named by a line ``# events: a b c d``, or by a first line of names;
    otherwise they are ``event 1``, ``event 2`` and so on. Names that contain spaces must be
    separated by tabs or commas.
    """
    names, counts = None, list[_Count]()
    with closing(text_lines(path)) as lines:
        for number, line in enumerate(lines, start=1):
            if _EVENTS.match(line):
                if names is not None or counts:
                    problem = "events are named once, before the first genotype"
                    raise format_error(path, problem, line=number)
                names = _names(line.partition(":")[2])
            elif _holds_names(line, names, counts):
                names = _names(line)
            elif line.strip() and not line.startswith("#"):
                counts.append(_count(path, number, line))
    if not counts:
        raise format_error(path, "no genotype; expected lines such as '0110 12'")
    events = names or [f"event {k}" for k in range(1, len(counts[0].genotype) + 1)]
    _check_lengths(path, counts, events, named=names is not None)
    times = Counter(count.genotype for count in counts)
    several = [genotype for genotype, number in times.items() if number > 1]
    notes = named("added the counts of", "genotype", several, "with several lines")
    return Reading(_dataset(path, counts, events), notes)


@dataclass(frozen=True)
class _Count:
    line: int
    genotype: str
    times: int


def _names(text: str) -> list[str]:
    delimiter = next((each for each in "\t,;" if each in text), None)
    return [name_in(name) for name in text.split(delimiter) if name.strip()]


def _holds_names(line: str, names: Sequence[str] | None, counts: Sequence[_Count]) -> bool:
    """Whether this is a first line of names: the first one, and not starting with a genotype."""
    if names is not None or counts or line.startswith("#") or not line.strip():
        return False
    return GENOTYPE.fullmatch(_GAP.split(line.strip())[0]) is None


def _count(path: FilePath, number: int, line: str) -> _Count:
    fields = _GAP.split(line.strip())
    if len(fields) != 2:
        raise ragged(path, number, len(fields), 2, ": a genotype and a count")
    genotype, times = fields
    if not GENOTYPE.fullmatch(genotype):
        problem = f"{shown(genotype)} is not a genotype; expected 0, 1 or ? for each event"
        raise format_error(path, problem, line=number, column=1)
    if not (times.isascii() and times.isdecimal()):
        problem = f"{shown(times)} is not a count; expected a whole number, 0 or more"
        raise format_error(path, problem, line=number, column=2)
    return _Count(number, genotype, int(times.lstrip("0")[:20] or 0))


def _check_lengths(
    path: FilePath, counts: Sequence[_Count], events: Sequence[str], *, named: bool
) -> None:
    for count in counts:
        if len(count.genotype) != len(events):
            length = f"genotype {shown(count.genotype)} has {len(count.genotype)} entries"
            reason = "the number of event names" if named else "as many as the first genotype"
            problem = f"{length}, expected {len(events)}: {reason}"
            raise format_error(path, problem, line=count.line, column=1)


def _dataset(path: FilePath, counts: Sequence[_Count], events: Sequence[str]) -> Dataset:
    total = sum(count.times for count in counts)
    if total > MOST_SAMPLES:
        worst = max(counts, key=lambda count: count.times)
        problem = f"the counts add up to more than {MOST_SAMPLES:,} samples"
        raise format_error(path, f"{problem}; this one is the largest", line=worst.line, column=2)
    if not total:
        raise format_error(path, "every count is 0; expected at least one sample")
    check_cells(path, total, len(events))
    rows = np.array([[_CODES[entry] for entry in count.genotype] for count in counts], np.uint8)
    codes = rows.repeat([count.times for count in counts], axis=0)
    try:
        return Dataset(sealed(codes == 1), tuple(events), known=sealed(codes != _CODES[UNKNOWN]))
    except ValueError as error:
        raise format_error(path, str(error)) from error
