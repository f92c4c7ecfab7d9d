"""Data as lines of text: size of the table, its events, warnings, and the log of a curation."""

from collections.abc import Iterable, Sequence
from itertools import compress

import numpy as np

from caprese._core.arrays import BoolArray
from caprese._core.words import listing, number_of, percent, visible
from caprese.data.curation import Step
from caprese.data.inspection import Inspection, Pair
from caprese.text.columns import aligned, separated
from caprese.text.facts import in_words
from caprese.text.style import Style, plain

_MOST_EVENTS = 17  # rows of the table; of more events, the most and the least frequent are shown
_MOST_FOUND = 3  # lines below one heading
_SHORT = 30  # characters of a name where a line lists several
_LONGEST_READING = 200  # characters of the line that tells how a file was read


def inspection_lines(
    found: Inspection, style: Style = plain, width: int | None = None
) -> list[str]:
    """Return the lines that show an inspection: about sixty, whatever the size of the data."""
    return separated(
        aligned([*inspection_properties(found).items()], width=width),
        aligned(_event_rows(found), width=width),
        _findings(found),
        [f"warnings: {len(found.warnings) or 'none'}", *warning_lines(found, style)],
    )


def warning_lines(found: Inspection, style: Style = plain) -> list[str]:
    """Return the lines of the warnings."""
    return [style(f"! {warning}", "warning") for warning in in_words(found.warnings)]


def inspection_properties(found: Inspection) -> dict[str, str]:
    """Return the size of a table in numbers, by what they count."""
    carried = found.events_per_sample
    most = max(map(len, found.repeated), default=1)
    genotypes = f"{found.genotypes} distinct; samples with the most frequent one: {most}"
    unknown = f"{found.unknown} ({percent(found.unknown / found.entries, 1)}) unknown"
    return {
        "samples": str(found.samples),
        "events": f"{len(found.events)}, of which {np.count_nonzero(found.varies)} vary",
        "entries": f"{found.entries}, {unknown if found.unknown else 'all known'}",
        "events per sample": f"{carried[0]} to {carried[-1]}, median {np.median(carried):g}; "
        f"samples without events: {np.count_nonzero(carried == 0)}",
        "genotypes": genotypes if found.known.any() else "none known",
    }


def _event_rows(found: Inspection) -> list[list[str]]:
    """Return a row for each event that varies; of many, the most and the least frequent."""
    header = ["event", "present", "known", "frequency", "unknown", "remark"]
    columns = zip(
        (visible(event, _SHORT) for event in found.events),
        map(str, found.present),
        map(str, found.known),
        (percent(share, 1) for share in found.frequency),
        (percent(share, 1) for share in found.unknown_share),
        _remarks(found),
        strict=True,
    )
    return [header, *_ends([list(row) for row in compress(columns, found.varies)])]


def _ends(rows: list[list[str]]) -> list[list[str]]:
    """Return the first and the last rows, and between them the number of rows omitted."""
    if len(rows) <= _MOST_EVENTS:
        return rows
    last = _MOST_EVENTS // 2
    first = _MOST_EVENTS - last - 1
    gap = [f"… {len(rows) - first - last} more"] + [""] * (len(rows[0]) - 1)
    return [*rows[:first], gap, *rows[-last:]]


def _remarks(found: Inspection) -> list[str]:
    kinds: dict[str, BoolArray] = {
        "nearly always seen": found.nearly_always,
        "rare": found.rare,
        "often unknown": found.much_unknown,
    }
    return [", ".join(compress(kinds, flags)) for flags in zip(*kinds.values(), strict=True)]


def _findings(found: Inspection) -> list[str]:
    compared = found.compared
    limited = compared < np.count_nonzero(found.varies)
    return [
        f"events never known: {_chosen(found, found.never_known)}",
        f"events never seen: {_chosen(found, found.never)}",
        f"events always seen: {_chosen(found, found.always)}",
        *_section("groups of samples with the same genotype", map(_names, found.repeated)),
        *_section("groups of identical events", map(_names, found.identical)),
        *([f"pairs of the {compared} most frequent events that vary:"] if limited else []),
        *_section(
            "nearly identical pairs",
            (_together(pair, f"Jaccard index {pair.value:.2f}") for pair in found.nearly_identical),
        ),
        *_section(
            "mutually exclusive pairs",
            (_together(pair, f"adjusted p {pair.value:.2g}") for pair in found.exclusive),
        ),
        *_section(
            "equally frequent pairs that raise each other's probability, so neither is first",
            map(_names, found.unordered),
        ),
        *_section("pairs never known in the same sample", map(_names, found.apart)),
    ]


def _together(pair: Pair, measure: str) -> str:
    names = _names([pair.first, pair.second])
    return f"{names}: together in {pair.joint} of {pair.total} samples, {measure}"


def _chosen(found: Inspection, mask: BoolArray) -> str:
    return _names([*compress(found.events, mask)]) or "none"


def _section(title: str, items: Iterable[str]) -> list[str]:
    """Return a heading with the number of items, and the first of them below it."""
    listed = list(items)
    rest = len(listed) - _MOST_FOUND
    return [
        f"{title}: {len(listed) or 'none'}",
        *(f"  {item}" for item in listed[:_MOST_FOUND]),
        *([f"  … {rest} more"] if rest > 0 else []),
    ]


def _names(names: Sequence[str]) -> str:
    return listing([visible(name, _SHORT) for name in names], most=4)


def log_lines(log: Sequence[Step]) -> list[str]:
    """Return one line for each step of a curation; no lines if nothing was changed."""
    return [_line(step) for step in log]


def _line(step: Step) -> str:
    if step.what == "read":
        return visible(step.why, _LONGEST_READING)
    kind, names = ("sample", step.samples) if step.samples else ("event", step.events)
    what = number_of(len(names), kind)
    composite = visible(step.composite)
    done = {
        "drop": f"dropped {what}",
        "merge": f"merged {what} into {composite}",
        "add": f"added {composite} beside {what}",
        "split": f"split {composite} into {what}",
        "skip": f"skipped {what}",
    }[step.what]
    return f"{done}, {step.why}: {listing(_numbered_names(names, step.counts))}"


def _numbered_names(names: Sequence[str], counts: Sequence[tuple[int, int]]) -> list[str]:
    shown = [visible(name, _SHORT) for name in names]
    if not counts:
        return shown
    return [f"{name} ({k} of {n})" for name, (k, n) in zip(shown, counts, strict=True)]
