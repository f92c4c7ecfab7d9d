"""All that a report rests on, computed once."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from caprese.bootstrapping import bootstrap
from caprese.comparison import Compared, compare
from caprese.confidence import Confidence
from caprese.curation import Step
from caprese.dataset import Dataset
from caprese.errors import ConvergenceError
from caprese.estimation import MaximumLikelihood, RateIntervals, rate_intervals
from caprese.inspection import Inspection, inspect
from caprese.methods import METHODS
from caprese.methods.base import Fit, Method
from caprese.models.noise import Noise
from caprese.plots.sorting import by_progression
from caprese.report.words import Event, shown_names
from caprese.significance import EdgeTests, edge_tests

QUICK, SLOW = 1000, 100  # replicates: if pair counts suffice, and if each needs a fit of its own

_FEW_EVENTS = 10  # up to which slow methods are compared
_MANY_SAMPLES = 2000  # from which on children are scattered less often
_LONG_WAIT = 200_000  # entries of distinct genotypes from which on rates get no intervals


@dataclass(frozen=True)
class ErrorRates:
    """How often the data is wrong, if the answer is right; intervals only where sought."""

    noise: Noise
    intervals: RateIntervals | None


@dataclass(frozen=True)
class Analysis:
    """A fit, and everything that tells how far to trust it.

    Parameters
    ----------
    data
        What was fitted.
    fit
        The answer in question, with the log of the curation.
    inspection
        What to know of the data.
    confidence
        How often the answer came back.
    wanted
        How many replicates were asked for; fewer were done if there was an interruption.
    tests
        Tests of the edges; None if there are no edges.
    compared
        What each method says, the one in question first; those that did not settle are left out.
    errors
        The rates under which the data is likeliest; None if the search for them did not settle.
    """

    data: Dataset
    fit: Fit[Any, Any]
    inspection: Inspection
    confidence: Confidence
    wanted: int
    tests: EdgeTests | None
    compared: tuple[Compared, ...]
    errors: ErrorRates | None

    @cached_property
    def names(self) -> Mapping[str, Event]:
        """Each event as it is shown."""
        return shown_names(self.data.events)

    @cached_property
    def order(self) -> tuple[int, ...]:
        """Positions of the events, parents before their children, the frequent ones first."""
        found = by_progression(self.data.events, self.fit.counts.frequency, self.fit.model)
        return tuple(int(event) for event in found)

    @cached_property
    def remarks(self) -> tuple[str, ...]:
        """Why each event stands where it stands, names in it as they are shown."""
        shown = tuple(event.shown for event in self.names.values())
        counts = replace(self.fit.counts, events=shown)
        return tuple(self.fit.evidence.remarks(counts, self.fit.model))

    @property
    def warnings(self) -> tuple[str, ...]:
        """What may spoil the fit, names in it as they are shown."""
        found = self.inspection
        shown = {event: name.shown for event, name in self.names.items()}
        return replace(
            found,
            events=tuple(shown[event] for event in found.events),
            apart=tuple((shown[first], shown[second]) for first, second in found.apart),
        ).warnings

    @property
    def constant(self) -> tuple[bool, ...]:
        """Whether each event is in none or in all of the samples, so that nothing places it."""
        counts = self.fit.counts
        return tuple((counts.never | counts.always).tolist())

    def name(self, event: int) -> Event:
        """Return an event as it is shown."""
        return self.names[self.data.events[event]]

    def parents(self, event: int) -> tuple[int, ...]:
        """Return the positions of the parents of an event."""
        return tuple(np.flatnonzero(self.fit.model.adjacency()[:, event]).tolist())


def analyse(
    method: Method,
    data: Dataset,
    *,
    log: tuple[Step, ...] = (),
    replicates: int | None = None,
    seed: int = 1,
    jobs: int | None = None,
    progress: Callable[[int], None] | None = None,
) -> Analysis:
    """Fit a method and compute all that a report says of the answer.

    Parameters
    ----------
    method
        The method in question; all others are compared with it.
    data
        What was observed.
    log
        What was done to the data before.
    replicates
        How often to draw the data anew; see `usual_replicates` if left out.
    seed, jobs, progress
        As of `bootstrap`.

    Examples
    --------
    >>> from caprese.datasets import acml
    >>> from caprese.methods import Caprese
    >>> found = analyse(Caprese(), acml(), replicates=50)
    >>> [type(one.fit.method).__name__ for one in found.compared]
    ['Caprese', 'Oncotree', 'HCBN', 'CBN']
    """
    fit = replace(method.fit(data), log=log)
    wanted = usual_replicates(method) if replicates is None else replicates
    confidence = bootstrap(method, data, replicates=wanted, seed=seed, jobs=jobs, progress=progress)
    compared = _compared([method, *_others(method, data)], data)
    permutations = 999 if fit.samples <= _MANY_SAMPLES else 199
    return Analysis(
        data,
        fit,
        inspect(data),
        confidence,
        wanted,
        edge_tests(fit, data, permutations=permutations, seed=seed) if fit.model.edges else None,
        compared,
        _errors(fit, compared, data),
    )


def usual_replicates(method: Method) -> int:
    """Return how many replicates a report draws if nobody says: fewer if each takes its time.

    Examples
    --------
    >>> from caprese.methods import HCBN, Caprese
    >>> usual_replicates(Caprese()), usual_replicates(HCBN())
    (1000, 100)
    """
    return QUICK if _quick(method) else SLOW


def _quick(method: Method) -> bool:
    return bool(getattr(method, "counts_suffice", False))


def _others(method: Method, data: Dataset) -> list[Method]:
    """Return every other method as it comes, but slow ones only for few events."""
    usual = [kind() for kind in METHODS.values()]
    few = len(data.events) <= _FEW_EVENTS
    return [other for other in usual if other != method and (few or _quick(other))]


def _compared(methods: Sequence[Method], data: Dataset) -> tuple[Compared, ...]:
    found: list[Compared] = []
    for method in methods:
        try:
            found += compare([method], data)
        except ConvergenceError:
            continue  # the report tells whom it compares; one that has no answer is not among them
    return tuple(found)


def _errors(fit: Fit[Any, Any], compared: Sequence[Compared], data: Dataset) -> ErrorRates | None:
    if fit.recovery is not None and fit.recovery.intervals is not None:
        return ErrorRates(fit.recovery.noise, fit.recovery.intervals)
    own = next((one.estimate for one in compared if one.fit.method == fit.method), None)
    if own is None:
        return None
    distinct, _ = data.genotypes()
    if isinstance(own, MaximumLikelihood) and distinct.values.size <= _LONG_WAIT:
        return ErrorRates(own.noise, rate_intervals(own, data))
    return ErrorRates(own.noise, None)
