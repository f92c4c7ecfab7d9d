"""All that a report rests on, computed once."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from caprese._core.arrays import BoolArray
from caprese._core.facts import Fact
from caprese._core.words import visible
from caprese.assessment.bootstrap import bootstrap
from caprese.assessment.comparison import Compared, compare
from caprese.assessment.confidence import Confidence
from caprese.assessment.edge_tests import EdgeTests, edge_tests
from caprese.data.curation import Step
from caprese.data.dataset import Dataset
from caprese.data.inspection import Inspection, inspect
from caprese.errors import ConvergenceError
from caprese.fitting.forest_em import ForestEstimate, RateIntervals, rate_intervals
from caprese.methods import METHODS
from caprese.methods.base import Fit, Fitted, Method, OrderedFit, fit_of, is_quick
from caprese.models.noise import Noise
from caprese.plots.layout.sorting import by_progression
from caprese.text.facts import sentence
from caprese.text.sentences import SHORT, Event, Sentence, shown_names

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
    """A fit of any model, and what tells how far to trust it.

    Parameters
    ----------
    data
        What was fitted.
    fit
        The answer in question, with the log of the curation.
    inspection
        What to know of the data.
    compared
        What each method says, the one in question first; those that did not converge are omitted.
    errors
        The error rates under which the data is likeliest; None if they could not be estimated.
    seed
        Seed of everything that is random.
    """

    data: Dataset
    fit: Fit[Any, Any]
    inspection: Inspection
    compared: tuple[Compared, ...]
    errors: ErrorRates | None
    seed: int

    @cached_property
    def names(self) -> Mapping[str, Event]:
        """Each event as it is shown."""
        return shown_names(self.data.events)

    @property
    def warnings(self) -> tuple[Sentence, ...]:
        """What may spoil the fit."""
        return tuple(self.in_words(fact) for fact in self.inspection.warnings)

    def in_words(self, fact: Fact) -> Sentence:
        """Return a fact as a sentence, names in it as they are shown."""
        return sentence(fact, lambda name: self.names.get(name) or Event(visible(name, SHORT)))

    def name(self, event: int) -> Event:
        """Return an event as it is shown."""
        return self.names[self.data.events[event]]


@dataclass(frozen=True)
class OrderedAnalysis(Analysis):
    """A fit of a model with an order, and what tells how far to trust each edge.

    Parameters
    ----------
    confidence
        How often the answer came back.
    wanted
        How many replicates were asked for; fewer were done if there was an interruption.
    tests
        Tests of the edges; None if there are no edges.
    """

    fit: OrderedFit[Any, Any]
    confidence: Confidence
    wanted: int
    tests: EdgeTests | None

    @cached_property
    def order(self) -> tuple[int, ...]:
        """Positions of the events, parents before their children, the frequent ones first."""
        found = by_progression(self.data.events, self.fit.counts.frequency, self.fit.model)
        return tuple(int(event) for event in found)

    @cached_property
    def remarks(self) -> tuple[Sentence, ...]:
        """Why each event has the parents it has."""
        return tuple(self.in_words(fact) for fact in self.fit.remarks())

    @property
    def constant(self) -> tuple[bool, ...]:
        """Whether each event is in none or in all of the samples, so that nothing places it."""
        counts = self.fit.counts
        return tuple((counts.never | counts.always).tolist())

    @cached_property
    def adjacency(self) -> BoolArray:
        """Whether i is a parent of j, for every pair i, j."""
        return np.asarray(self.fit.model.adjacency())

    def parents_of(self, event: int) -> tuple[int, ...]:
        """Return the positions of the parents of an event."""
        return tuple(np.flatnonzero(self.adjacency[:, event]).tolist())


def analyse(
    method: Fitted,
    data: Dataset,
    *,
    log: tuple[Step, ...] = (),
    replicates: int | None = None,
    seed: int = 1,
    jobs: int | None = None,
    confidence: Confidence | None = None,
) -> Analysis:
    """Fit a method and compute all that a report says of the answer.

    Parameters
    ----------
    method
        The method in question, or a fit to the data; all others are compared with it.
    data
        What was observed.
    log
        What was done to the data before.
    replicates
        How often to resample; by default as `usual_replicates` says.
    seed, jobs
        As of `bootstrap`.
    confidence
        The result of a bootstrap of the fit with this seed, of fewer replicates if it was
        interrupted; by default the bootstrap is done here.

    Examples
    --------
    >>> from caprese.data.embedded import acml
    >>> from caprese.methods import Caprese
    >>> found = analyse(Caprese(), acml(), replicates=50)
    >>> [type(one.fit.method).__name__ for one in found.compared]
    ['Caprese', 'Oncotree', 'HCBN', 'CBN']
    """
    fit = fit_of(method, data)
    fit = replace(fit, log=log or fit.log)
    compared = _compared([fit, *_others(fit.method, data)], data)
    errors = _errors(fit, compared, data)
    if not isinstance(fit, OrderedFit):
        return Analysis(data, fit, inspect(data), compared, errors, seed)
    wanted = usual_replicates(fit.method) if replicates is None else replicates
    permutations = 999 if fit.samples <= _MANY_SAMPLES else 199
    tests = edge_tests(fit, data, permutations=permutations, seed=seed) if fit.edges else None
    if confidence is None:
        confidence = bootstrap(fit, data, replicates=wanted, seed=seed, jobs=jobs)
    return OrderedAnalysis(
        data, fit, inspect(data), compared, errors, seed, confidence, wanted, tests
    )


def usual_replicates(method: Method) -> int:
    """Return how many replicates a report draws if nobody says: fewer if each takes its time.

    Examples
    --------
    >>> from caprese.methods import HCBN, Caprese
    >>> usual_replicates(Caprese()), usual_replicates(HCBN())
    (1000, 100)
    """
    return QUICK if is_quick(method) else SLOW


def _others(method: Method, data: Dataset) -> list[Method]:
    """Return every other method as it comes, but slow ones only for few events."""
    usual = [kind() for kind in METHODS.values()]
    few = len(data.events) <= _FEW_EVENTS
    return [other for other in usual if other != method and (few or is_quick(other))]


def _compared(methods: Sequence[Fitted], data: Dataset) -> tuple[Compared, ...]:
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
    if own is None or own.noise is None:
        return None
    distinct, _ = data.genotypes()
    if isinstance(own, ForestEstimate) and distinct.values.size <= _LONG_WAIT:
        return ErrorRates(own.noise, rate_intervals(own, data))
    return ErrorRates(own.noise, None)
