"""The data of a recipe: where it comes from, and how it is curated."""

import inspect
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal

from caprese._core.checks import one_of
from caprese._core.files import format_error
from caprese.data.curation import (
    LEAST_COVERAGE,
    Curated,
    DropEvents,
    DropHypermutated,
    DropSeldomKnown,
    KeepEvents,
    KeepFrequent,
    KeepMostFrequent,
    MergeEvents,
    PerPatient,
    Rule,
    Step,
    curate,
    divided,
    standard,
)
from caprese.data.curation.patients import Chosen, LostEvents
from caprese.data.dataset import Dataset
from caprese.data.datasets import EMBEDDED
from caprese.errors import DatasetError, ParameterError
from caprese.io.data.newick import with_isolates
from caprese.io.data.options import check_options
from caprese.io.data.patients import IN_NAMES, NONE, PatientSource
from caprese.io.data.reading import Reading
from caprese.io.data.seen_orders import with_seen_orders
from caprese.io.data.sources import READERS, check_option, format_of, read
from caprese.recipe.parts import Part, split_column, whole_from


@dataclass(frozen=True)
class Source(Part):
    """Where the data comes from.

    Parameters
    ----------
    name
        A path, the name of embedded data, or ``-`` for standard input.
    format
        The format; by default it is detected.
    options
        Options of the format, such as ``transpose`` of a table.
    orders
        A file of seen orders of events within samples, as for `read_orders`.
    orders_extra
        Whether these may be of samples and events that the data lacks, which are left out.
    orders_options
        Options of `read_orders`, such as ``pairs``.
    patients
        Which samples are of one patient: a table, as FILE or FILE:COLUMN; ``names`` if the names of
        the samples tell; ``none`` if each is of another patient.
    sampled_at
        When samples were taken: tables given likewise, or ``names``. Where the first leaves the
        order of the samples of a patient open, the others decide.
    sites
        A table of what samples were taken from.
    time_conflicts
        Whether times that contradict each other are an ``error``, or left ``unknown``.
    isolates
        A tree of the samples in Newick format: each branch is a series of an ancestor and a
        descendant.

    Examples
    --------
    >>> Source("ovarian").read().data
    <Dataset: 87 samples x 7 events>
    """

    name: str
    format: str | None = None
    options: dict[str, Any] = field(default_factory=dict)
    orders: str | None = None
    orders_extra: bool = False
    orders_options: dict[str, Any] = field(default_factory=dict)
    patients: str | None = None
    sampled_at: tuple[str, ...] = ()
    sites: str | None = None
    time_conflicts: Literal["error", "unknown"] = "error"
    isolates: str | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        for other in ("patients", "sampled_at", "sites"):
            if self.isolates is not None and getattr(self, other):
                raise ParameterError(
                    other, "omitted where isolates has a tree", getattr(self, other)
                )
        if not self.name.strip():
            raise ParameterError("name", "a file, a folder or the name of embedded data", self.name)
        self.needs("orders_extra", "orders")
        self.needs("orders_options", "orders")
        for name in self.options:
            check_option(name)
        check_options({**self.options, **self.orders_options})

    def read(
        self,
        only: Collection[str] | None = None,
        exclude: Collection[str] | None = None,
        *,
        every_sample: bool = False,
    ) -> Reading:
        """Return the data, and notes on how it was read; columns as in `caprese.read`.

        With `every_sample`, a format that gives one sample of each patient gives all.
        """
        options = self._of_every_sample() if every_sample or self.patients else self.options
        found = read(self.name, format=self.format, only=only, exclude=exclude, **options)
        if self.orders is not None:
            extra = self.orders_extra
            found = with_seen_orders(found, self.orders, self.orders_options, extra=extra)
        if self.isolates is not None:
            return with_isolates(found, self.isolates)
        return self._patient_source().read(found)

    def _of_every_sample(self) -> dict[str, Any]:
        """Return the options of the format, by which it gives all samples of a patient."""
        if self.name in EMBEDDED or "per" not in self._accepted():
            return self.options
        return {"per": "sample", **self.options}

    def _patient_source(self) -> PatientSource:
        told = self.patients
        return PatientSource(
            told if told in (None, IN_NAMES, NONE) else split_column(told),
            tuple(each if each == IN_NAMES else split_column(each) for each in self.sampled_at),
            None if self.sites is None else split_column(self.sites),
            self.time_conflicts,
        )

    def options_of_paths(self) -> list[str]:
        """Return the options that name a path."""
        if not self.options:
            return []
        accepted = self._accepted()
        named = [name for name in self.options if name in accepted]
        return [name for name in named if "Path" in str(accepted[name].annotation)]

    def _accepted(self) -> Mapping[str, inspect.Parameter]:
        name = one_of("format", self.format or format_of(self.name), READERS)
        return inspect.signature(READERS[name]).parameters

    @property
    def title(self) -> str:
        """The name of the data without its folder."""
        return "Standard input" if self.name == "-" else Path(self.name).name or self.name


@dataclass(frozen=True, kw_only=True)
class Curation(Part):
    """How the data is curated: rules in the order of their application.

    Parameters
    ----------
    merge
        Events that become one, which is present where any of them is.
    only, exclude
        Events to keep or to drop; columns that are not kept may hold anything.
    hypermutated
        Drop samples with more events than this.
    coverage
        Drop events known in less than this proportion of samples.
    per_patient, lost_events
        Which samples of a patient count, as for `PerPatient`; where patients are known, one of
        each by default.
    at_least, top
        Drop events less frequent than this; keep so many of the most frequent.
    keep_constant, keep_identical, keep_unknown, keep_all
        Which of the `standard` rules not to apply. That of many events is also left out where
        `only`, `at_least` or `top` chooses events.

    Examples
    --------
    >>> Curation(top=2, coverage=0, keep_constant=True, keep_unknown=True).rules()
    (KeepMostFrequent(number=2, above=0), MergeIdentical(longest=60))
    """

    merge: tuple[MergeEvents, ...] = ()
    only: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    per_patient: Chosen | None = None
    lost_events: LostEvents = "keep"
    hypermutated: int | None = whole_from(0)
    coverage: float = LEAST_COVERAGE
    at_least: float | None = None
    top: int | None = whole_from(1)
    keep_constant: bool = False
    keep_identical: bool = False
    keep_unknown: bool = False
    keep_all: bool = False

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "merge", tuple(map(_composite, self.merge)))

    def rules(self, left_out: Collection[str] = ()) -> tuple[Rule, ...]:
        """Return the rules; columns that were left out while reading need none."""
        exclude = [name for name in self.exclude if name not in left_out]
        asked = (
            KeepEvents(self.only) if self.only else None,
            DropEvents(exclude) if exclude else None,
            None if self.hypermutated is None else DropHypermutated(self.hypermutated),
            DropSeldomKnown(least=self.coverage) if self.coverage else None,
            None if self.at_least is None else KeepFrequent(frequency=self.at_least),
            None if self.top is None else KeepMostFrequent(self.top),
        )
        usual = standard(
            coverage=0,  # before the rules that rank events
            constant=not self.keep_constant,
            identical=not self.keep_identical,
            unknown_samples=not self.keep_unknown,
            many=not (self.keep_all or self.only or self.at_least is not None or self.top),
        )
        each = PerPatient(by=self.per_patient or "primary", lost_events=self.lost_events)
        first = () if self.per_patient is None else (each,)
        return (*first, *self.merge, *(rule for rule in asked if rule is not None), *usual)

    def rules_for(self, source: Source, reading: Reading) -> tuple[Rule, ...]:
        """Return the rules for what was read: of patients that are known, one sample each.

        All samples if a source was asked for them.
        """
        if self.per_patient is not None or reading.data.patients is None:
            return self.rules(reading.left_out)
        by: Chosen = "all" if source.options.get("per") == "sample" else "primary"
        return replace(self, per_patient=by).rules(reading.left_out)


def _composite(given: Any) -> MergeEvents:
    """Return events to merge, also from a table of their names."""
    if isinstance(given, MergeEvents):
        return given
    if not isinstance(given, dict) or not given.keys() <= {"into", "members", "keep_members"}:
        raise ParameterError("merge", "a list of tables with into and members", given)
    if not isinstance(given.get("into"), str):
        raise ParameterError("into", "text", given.get("into"))
    if "members" not in given:
        raise ParameterError("members", "a list of two or more events", None)
    return MergeEvents(**given)


@dataclass(frozen=True)
class Loaded:
    """What was read, and the rules of curation that are to be applied to it."""

    source: Source
    reading: Reading
    rules: tuple[Rule, ...]

    def curated(self) -> Curated:
        """Return the curated data, and the log with the notes of the reader."""
        return self._after(self.rules)

    def divided(self) -> tuple[Curated, tuple[Rule, ...]]:
        """Return the data after the rules that look at names or single samples, and the others.

        Where samples are held out, the others are applied to each training part.
        """
        now, later = divided(self.rules)
        return self._after(now), later

    def series(self) -> Dataset | None:
        """Return the samples whose order is known, after the rules that look at single ones.

        None if there are none.
        """
        patients = self.reading.data.patients
        if patients is None or not len(patients.pairs()):
            return None
        now, _ = divided(self.rules)
        others = [rule for rule in now if not isinstance(rule, PerPatient)]
        lost = next(each.lost_events for each in now if isinstance(each, PerPatient))
        return self._after([PerPatient(by="series", lost_events=lost), *others]).data

    def _after(self, rules: Collection[Rule]) -> Curated:
        try:
            found = curate(self.reading.data, rules)
        except DatasetError as error:
            raise format_error(self.source.name, error.what(), remedy=error.remedy) from error
        notes = tuple(Step("read", str(note)) for note in self.reading.notes)
        return Curated(found.data, notes + found.log)


def load(source: Source, curation: Curation, used: Collection[str] = ()) -> Loaded:
    """Read the data for a curation.

    Columns that are excluded may hold anything: those that do not hold entries are not read, so
    that no rule has to drop them. If the events that are of use are given, all other columns may
    hold anything.
    """
    merged = {member for composite in curation.merge for member in composite.members}
    only = curation.only or used
    reading = source.read(
        only={*only, *merged} if only else None,
        exclude={*curation.exclude} - merged if curation.exclude else None,
        every_sample=curation.per_patient is not None,
    )
    return Loaded(source, reading, curation.rules_for(source, reading))
