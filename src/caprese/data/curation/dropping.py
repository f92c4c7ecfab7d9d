"""Functions shared by the rules: dropping with a log, and checks of parameters."""

from collections.abc import Iterable, Sequence
from itertools import compress
from typing import Literal

import numpy as np

from caprese._core.arrays import BoolArray, IntArray
from caprese._core.spelling import did_you_mean
from caprese._core.words import listing
from caprese.data.curation.log import Curated, Step
from caprese.data.dataset import Dataset
from caprese.errors import DatasetError


def columns(data: Dataset, places: Sequence[int] | IntArray, names: Iterable[str]) -> Dataset:
    """Return the columns at these positions, with these names."""
    known = None if data.known is None else data.known[:, places]
    return Dataset(data.values[:, places], tuple(names), data.samples, known)


def without_events(data: Dataset, *cases: tuple[BoolArray, str]) -> Curated:
    """Drop the events of all cases; each case has a reason, and no event is in two cases."""
    stays, log = _cases("events", data.events, cases, data.tallies())
    if not log:
        return Curated(data)
    return Curated(columns(data, np.flatnonzero(stays), compress(data.events, stays)), log)


def without_samples(
    data: Dataset, *cases: tuple[BoolArray, str], counted: tuple[IntArray, IntArray]
) -> Curated:
    """Drop the samples of all cases, as `without_events` does events."""
    stays, log = _cases("samples", data.samples, cases, counted)
    return Curated(data.take_samples(np.flatnonzero(stays)) if log else data, log)


def _cases(
    kind: Literal["events", "samples"],
    names: Sequence[str],
    cases: Sequence[tuple[BoolArray, str]],
    counted: tuple[IntArray, IntArray],
) -> tuple[BoolArray, tuple[Step, ...]]:
    """Return what is left after all cases, and a step for each case that applies."""
    met = [(mask, why) for mask, why in cases if mask.any()]
    stays = ~np.any([np.zeros(len(names), dtype=bool), *(mask for mask, _ in met)], axis=0)
    if not met:
        return stays, ()
    if not stays.any():
        whys = "; ".join(why for _, why in met)
        all_of = f"none of the {len(names)} {kind}" if len(names) > 1 else f"no {kind[:-1]}"
        raise DatasetError(f"{all_of} would be left: {whys}")
    pairs, log = counted_pairs(names, counted), []
    for mask, why in met:
        gone = tuple(sorted(compress(names, mask)))
        counts = tuple(pairs[name] for name in gone)
        events, samples = (gone, ()) if kind == "events" else ((), gone)
        log.append(Step("drop", why, events, samples, counts=counts))
    return stays, tuple(log)


def counted_pairs(
    names: Sequence[str], counted: tuple[IntArray, IntArray]
) -> dict[str, tuple[int, int]]:
    """Return the two counts of each name."""
    numbers = zip(counted[0].tolist(), counted[1].tolist(), strict=True)
    return dict(zip(names, numbers, strict=True))


def in_list(
    data: Dataset, names: Sequence[str], must_exist: bool
) -> tuple[BoolArray, tuple[Step, ...]]:
    """Return which events are in the list; unknown names are an error, or a step of the log."""
    wanted = set(names)
    absent = tuple(sorted(wanted - set(data.events)))
    if absent and must_exist:
        meant = did_you_mean(absent[0], data.events)
        raise DatasetError(f"not among the events: {listing(map(repr, absent))}{meant}")
    listed = np.array([event in wanted for event in data.events])
    return listed, (Step("skip", "not among the events", absent),) if absent else ()


def checked_names(parameter: str, names: Sequence[str], least: int) -> tuple[str, ...]:
    """Return the distinct names in alphabetical order; refuse too few."""
    distinct = () if isinstance(names, str) else tuple(sorted(set(map(str, names))))
    if len(distinct) < least:
        raise ValueError(f"{parameter} must be a list of {least} or more names, got {names!r}")
    return distinct


def check_share(parameter: str, value: float) -> None:
    """Refuse a number outside [0, 1]."""
    if not 0 <= value <= 1:
        raise ValueError(f"{parameter} must be in [0, 1], got {value}")


def check_count(parameter: str, value: int, least: int) -> None:
    """Refuse a number that is not whole, or too small."""
    if value != int(value) or value < least:
        raise ValueError(f"{parameter} must be a whole number from {least}, got {value}")
