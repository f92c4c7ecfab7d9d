"""Placements as files: a table with one row per sample, or JSON."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from caprese._core.arrays import BoolArray, FloatArray
from caprese._core.files import FilePath, replace_file
from caprese.errors import FormatError
from caprese.io.json.codec import encode, envelope
from caprese.io.text.cells import table_text
from caprese.io.what_if import sample_outlook
from caprese.patients.groups import Associations
from caprese.patients.orders import Orders
from caprese.patients.place import UNUSUAL, Placement
from caprese.patients.survival import Survival
from caprese.patients.what_if_samples import SampleOutlooks

_DELIMITERS = {".csv": ",", ".tsv": "\t", ".tab": "\t", ".txt": "\t"}


def write_placement(
    placed: Placement,
    path: FilePath,
    *,
    orders: Mapping[str, Orders] | None = None,
    guard_formulas: bool = False,
) -> None:
    """Write a placement to a file: .json, or .csv or .tsv for a table with one row per sample.

    Parameters
    ----------
    placed
        The placement.
    path
        The file to write; its suffix gives the format.
    orders
        The likeliest orders of some samples, for JSON.
    guard_formulas
        As of `write_dataset`.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> import caprese
    >>> data = caprese.datasets.acml()
    >>> placed = caprese.place(caprese.Caprese().fit(data), data)
    >>> with TemporaryDirectory() as folder:
    ...     write_placement(placed, f"{folder}/patients.csv")
    ...     len(Path(folder, "patients.csv").read_text().splitlines())
    65
    """
    suffix = Path(path).suffix.lower()
    if suffix == ".json":
        text = placement_text(placed, orders or {})
    elif suffix in _DELIMITERS:
        text = placement_table(placed, delimiter=_DELIMITERS[suffix], guard_formulas=guard_formulas)
    else:
        raise FormatError(f"{path}: expected one of {', '.join(('.json', *_DELIMITERS))}")
    replace_file(path, text)


def placement_text(
    placed: Placement,
    orders: Mapping[str, Orders],
    tests: Associations | None = None,
    curves: Survival | None = None,
    outlooks: SampleOutlooks | None = None,
) -> str:
    """Return a placement as JSON: what concerns all samples, and one object per sample."""
    content = {
        "events": list(placed.events),
        "lacking": list(placed.lacking),
        "surplus": list(placed.surplus),
        "unusual": list(placed.unusual),
        "unusual_below": UNUSUAL,
        "simulated": placed.simulated,
        "seed": placed.seed,
        "noise": encode(placed.noise),
        "basis": [encode(fact) for fact in placed.basis],
        **({} if tests is None else {"clinical_tests": encode(tests.tests)}),
        **({} if curves is None else {"survival": _survival(curves)}),
        "samples": [
            _sample(placed, row, orders.get(sample))
            | ({} if outlooks is None else {"what_if": sample_outlook(outlooks, row)})
            for row, sample in enumerate(placed.samples)
        ],
    }
    return envelope("patients", content)


def placement_table(
    placed: Placement,
    outlooks: SampleOutlooks | None = None,
    *,
    delimiter: str = ",",
    guard_formulas: bool = False,
) -> str:
    """Return a placement as a table in text, one row per sample; empty where there is no number.

    What an intervention changes for each sample comes last.
    """
    columns = placed.columns() | ({} if outlooks is None else outlooks.columns())
    rows = zip(placed.samples, *columns.values(), strict=True)
    header = ("sample", *columns)
    return table_text((header, *rows), delimiter=delimiter, guard_formulas=guard_formulas)


def _survival(curves: Survival) -> dict[str, Any]:
    names = ("group", "samples", "deaths", "median", "median_low", "median_high")
    steps = ("times", "survival", "low", "high")
    own = {name: getattr(curves, name) for name in ("time", "status", "by")}
    test = {name: encode(getattr(curves, name)) for name in ("statistic", "degrees", "p_value")}
    groups = [
        {name: encode(getattr(curve, name)) for name in (*names, *steps)} for curve in curves.curves
    ]
    return {**own, "log_rank": test, "groups": groups}


def _sample(placed: Placement, row: int, orders: Orders | None) -> dict[str, Any]:
    """Return what is said of one sample."""
    mean, low, high = placed.counts[row].tolist()
    chances = placed.event_probabilities[row]
    content: dict[str, Any] = {
        "sample": placed.samples[row],
        "seen": _chosen(placed.events, placed.data.values[row]),
        "unknown": _chosen(placed.events, ~placed.known[row]),
        "likeliest": _chosen(placed.events, placed.genotypes[row]),
        "missed": _numbers(placed.events, chances, placed.missed[row] & placed.known[row]),
        "wrongly_seen": _numbers(placed.events, chances, placed.wrongly_seen[row]),
        "probabilities": _numbers(placed.events, chances),
        "events": {"mean": mean, "low": int(low), "high": int(high)},
        "log_probability": encode(float(placed.log_probabilities[row])),
        "typicality": float(placed.typicality[row]),
        "fits": bool(placed.typicality[row] >= UNUSUAL),
        "next": encode(placed.coming(row)),
    }
    if placed.subtypes.shape[1]:
        content["subtypes"] = placed.subtypes[row].tolist()
    if orders is not None:
        content["orders"] = encode(orders)
    return content


def _chosen(events: tuple[str, ...], chosen: BoolArray) -> list[str]:
    return [events[k] for k in np.flatnonzero(chosen)]


def _numbers(
    events: tuple[str, ...], values: FloatArray, chosen: BoolArray | None = None
) -> dict[str, Any]:
    places = range(len(events)) if chosen is None else np.flatnonzero(chosen)
    return {events[k]: encode(float(values[k])) for k in places}
