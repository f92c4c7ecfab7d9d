"""Analysis: everything that a report rests on, computed once."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np

from caprese._core.arrays import BoolArray
from caprese._core.facts import Fact
from caprese._core.significance import LEVEL
from caprese._core.words import visible
from caprese.assessment.bootstrap import bootstrap
from caprese.assessment.comparison import Compared, compare
from caprese.assessment.confidence import UNDETERMINED, Confidence, Parents
from caprese.assessment.edge_tests import EdgeTests, edge_tests
from caprese.assessment.held_out import is_quick_to_judge, judge
from caprese.assessment.judgement import Judgement
from caprese.data.curation import Step
from caprese.data.dataset import Dataset
from caprese.data.inspection import Inspection, inspect
from caprese.errors import ConvergenceError
from caprese.fitting.estimate import can_place, error_intervals
from caprese.fitting.forest_em import RateIntervals
from caprese.io.data.annotations import Annotation
from caprese.methods import METHODS
from caprese.methods.evidence import PosteriorEvidence
from caprese.methods.fit import Fit, Fitted, Method, OrderedFit, fit_of
from caprese.methods.protocols import is_quick
from caprese.models.forest import ROOT
from caprese.models.noise import Noise
from caprese.patients.place import Placement, place
from caprese.plots.layout.sorting import by_progression
from caprese.report.support import EdgeSupport, bootstrap_support, posterior_support
from caprese.text.facts import sentence
from caprese.text.sentences import SHORT, Event, Sentence, listed, phrase, shown_names

# Default replicates of a method that infers from pair counts, and of one that must be refitted.
QUICK, SLOW = 1000, 100

FOLDS = 5  # of which one is held out, for a quick judgement
_FEW_SAMPLES = 20  # below which held-out samples are too few to judge by
_FEW_EVENTS = 10  # up to which slow methods are compared
_MANY_SAMPLES = 2000  # above which the edge tests use fewer permutations
_MOST_DIFFERENCES = 8  # between two models that are listed
_PERMUTATIONS, _FEW_PERMUTATIONS = 999, 199
_MANY_ENTRIES = 200_000  # of distinct genotypes, above which intervals of error rates are slow


@dataclass(frozen=True)
class ErrorRates:
    """Estimated error rates of the data, if the model is correct."""

    noise: Noise
    intervals: RateIntervals | None  # None where they were not computed
    posterior: bool = False  # whether they are posterior means, with posterior intervals


@dataclass(frozen=True)
class Analysis:
    """A fit of any model, and how far to trust it.

    Parameters
    ----------
    data
        The data that was fitted.
    fit
        The fit, with the log of the curation.
    inspection
        Properties of the data, and warnings.
    compared
        The fit and those of other methods; methods that did not converge are omitted.
    errors
        The error rates of highest likelihood; None if the model has none, or if their estimation
        did not converge.
    seed
        Seed of all random numbers.
    judgement
        How well the methods predict held-out samples, from a single split; None if the data is too
        large or too small for that.
    placement
        Where the samples stand; None if the model does not say what comes next, or if the
        estimation of its error rates did not converge.
    annotation
        A category for each sample, if there is one.
    """

    data: Dataset
    fit: Fit[Any, Any]
    inspection: Inspection
    compared: tuple[Compared, ...]
    errors: ErrorRates | None
    seed: int
    judgement: Judgement | None
    placement: Placement | None = field(default=None, kw_only=True)
    annotation: Annotation | None = field(default=None, kw_only=True)

    @cached_property
    def names(self) -> Mapping[str, Event]:
        """Each event as it is shown."""
        return shown_names(self.data.events)

    @property
    def warnings(self) -> tuple[Sentence, ...]:
        """Warnings about the data."""
        return tuple(self.in_words(fact) for fact in self.inspection.warnings)

    @property
    def notes(self) -> tuple[Sentence, ...]:
        """What the method notes about the fit."""
        return tuple(self.in_words(fact) for fact in self.fit.evidence.notes())

    def in_words(self, fact: Fact) -> Sentence:
        """Return a fact as a sentence, with names as the page shows them."""
        return sentence(fact, lambda name: self.names.get(name) or Event(visible(name, SHORT)))

    def name(self, event: int) -> Event:
        """Return an event as it is shown."""
        return self.names[self.data.events[event]]


@dataclass(frozen=True)
class OrderedAnalysis(Analysis):
    """A fit of a model with an order, and how far to trust each edge.

    Parameters
    ----------
    support
        How far to trust each edge.
    confidence
        Of a bootstrap of the fit; None if its evidence is a posterior.
    requested
        Number of replicates that were requested; an interrupted bootstrap has fewer.
    tests
        Tests of the edges; None if there are no edges, or if the evidence is a posterior.
    """

    fit: OrderedFit[Any, Any]
    support: EdgeSupport
    confidence: Confidence | None = None
    requested: int = 0
    tests: EdgeTests | None = None

    @cached_property
    def order(self) -> tuple[int, ...]:
        """Positions of the events, parents before their children, frequent events first."""
        found = by_progression(self.data.events, self.fit.counts.frequency, self.fit.model)
        return tuple(int(event) for event in found)

    @cached_property
    def remarks(self) -> tuple[Sentence, ...]:
        """Why each event has the parents it has."""
        return tuple(self.in_words(fact) for fact in self.fit.remarks())

    @property
    def constant(self) -> tuple[bool, ...]:
        """Whether each event is in none or in all of the samples, so that it cannot be placed."""
        counts = self.fit.counts
        return tuple((counts.never | counts.always).tolist())

    @cached_property
    def adjacency(self) -> BoolArray:
        """Whether i is a parent of j, for every pair i, j."""
        return np.asarray(self.fit.model.adjacency())

    def parents_of(self, event: int) -> tuple[int, ...]:
        """Return the positions of the parents of an event."""
        return tuple(np.flatnonzero(self.adjacency[:, event]).tolist())

    def parent_name(self, parent: int) -> Sentence:
        """Return the name of a parent, which may be ROOT or UNDETERMINED."""
        if parent == UNDETERMINED:
            return ("not determined",)
        return ("root",) if parent == ROOT else (self.name(parent),)

    def with_parents(self, event: int, parents: Sequence[int]) -> Sentence:
        """Return the sentence that an event has these parents; none stand for the root."""
        if tuple(parents) == (UNDETERMINED,):
            return phrase("{event} is not determined", event=self.name(event))
        return phrase(
            "{event} has {noun} {parents}",
            event=self.name(event),
            noun="parent" if len(parents) < 2 else "parents",
            parents=listed([self.parent_name(parent) for parent in parents or (ROOT,)]),
        )

    def differences(self, one: Parents, other: Parents) -> Sentence:
        """Return the parents in which a model differs from another; empty if they are the same."""
        found = [
            self.with_parents(event, one[event])
            for event in self.order
            if one[event] != other[event]
        ]
        return listed(found, separator="; ", most=_MOST_DIFFERENCES)


def analyse(
    method: Fitted,
    data: Dataset,
    *,
    log: tuple[Step, ...] = (),
    replicates: int | None = None,
    seed: int = 1,
    jobs: int | None = None,
    confidence: Confidence | None = None,
    annotation: Annotation | None = None,
) -> Analysis:
    """Compute everything that a report says about a fit.

    Each method is fitted to the data once; a fit that is given is used as it is.

    Parameters
    ----------
    method
        A method, or its fit to the data. All registered methods are compared with it, slow ones
        only up to 10 events.
    data
        The data.
    log
        The steps of the curation; by default those of the fit.
    replicates
        How often to resample the data; by default 1000, or 100 for slow methods. A fit whose
        evidence is a posterior needs no bootstrap, and gets none.
    seed, jobs
        As in `bootstrap`.
    confidence
        The result of a bootstrap of the fit with this seed, of fewer replicates if it was
        interrupted; by default the bootstrap is done here.
    annotation
        A category for each sample, shown beside what the report says of the samples.

    Examples
    --------
    >>> from caprese.data.embedded import acml
    >>> from caprese.methods import Caprese
    >>> found = analyse(Caprese(), acml(), replicates=50)
    >>> [type(one.fit.method).__name__ for one in found.compared]
    ['Caprese', 'Oncotree', 'LikelihoodForest', 'BayesForest', 'Capri', 'HCBN', 'CBN', 'MHN',
     'IndependentEvents']
    """
    data = Dataset.of(data)
    fit = fit_of(method, data).on(data)
    fit = replace(fit, log=log or fit.log)
    compared = _compared([fit, *other_methods(fit.method, data)], data)
    errors = _errors(fit, compared, data)
    found = inspect(data)
    judgement = _judgement(fit.method, compared, data, seed)
    own: Any = {"placement": _placement(fit, data, seed), "annotation": annotation}
    if not isinstance(fit, OrderedFit):
        return Analysis(data, fit, found, compared, errors, seed, judgement, **own)
    if needs_no_bootstrap(fit):
        constant = np.asarray(fit.counts.never | fit.counts.always)
        support = posterior_support(fit.evidence, constant)
        return OrderedAnalysis(
            data, fit, found, compared, errors, seed, judgement, support=support, **own
        )
    requested = default_replicates(fit.method) if replicates is None else replicates
    permutations = _PERMUTATIONS if fit.samples <= _MANY_SAMPLES else _FEW_PERMUTATIONS
    tests = edge_tests(fit, data, permutations=permutations, seed=seed) if fit.edges else None
    if confidence is None:
        confidence = bootstrap(fit, data, replicates=requested, seed=seed, jobs=jobs)
    return OrderedAnalysis(
        data,
        fit,
        found,
        compared,
        errors,
        seed,
        judgement,
        support=bootstrap_support(confidence),
        confidence=confidence,
        requested=requested,
        tests=tests,
        **own,
    )


def other_methods(method: Method, data: Dataset) -> list[Method]:
    """Return the other registered methods, by their defaults; slow ones only for few events."""
    registered = [kind() for kind in METHODS.values()]
    few = len(data.events) <= _FEW_EVENTS
    return [other for other in registered if other != method and (few or is_quick(other))]


def needs_no_bootstrap(fit: Fit[Any, Any]) -> bool:
    """Whether the evidence of a fit is a posterior, which says how far to trust each edge."""
    return isinstance(fit.evidence, PosteriorEvidence)


def default_replicates(method: Method) -> int:
    """Return the default number of replicates of a report, which is smaller for slow methods."""
    return QUICK if is_quick(method) else SLOW


def _compared(methods: Sequence[Fitted], data: Dataset) -> tuple[Compared, ...]:
    found: list[Compared] = []
    for method in methods:
        try:
            found += compare([method], data)
        except ConvergenceError:
            continue  # the report lists the methods it compares, and this one has no result
    return tuple(found)


def _judgement(
    method: Method, compared: Sequence[Compared], data: Dataset, seed: int
) -> Judgement | None:
    """Judge the methods that are compared by a single split, slow ones only on small data."""
    others = [one.fit.method for one in compared if one.fit.method != method]
    quick = [each for each in (method, *others) if is_quick_to_judge(each, data)]
    if len(data.samples) < _FEW_SAMPLES or method not in quick:
        return None
    try:
        return judge(quick, data, folds=FOLDS, held_out=1, seed=seed, jobs=1)
    except ConvergenceError:
        return None


def _placement(fit: Fit[Any, Any], data: Dataset, seed: int) -> Placement | None:
    try:
        model = fit.predictive
    except ConvergenceError:
        return None
    return place(fit, data, seed=seed) if can_place(model) else None


def _errors(fit: Fit[Any, Any], compared: Sequence[Compared], data: Dataset) -> ErrorRates | None:
    if isinstance(fit.evidence, PosteriorEvidence):
        return ErrorRates(fit.evidence.mean_noise, fit.evidence.intervals, posterior=True)
    if fit.recovery is not None and fit.recovery.intervals is not None:
        return ErrorRates(fit.recovery.noise, fit.recovery.intervals)
    own = next((one.estimate for one in compared if one.fit is fit), None)
    if own is None or own.noise is None:
        return None
    distinct, _ = data.genotypes()
    quick = distinct.values.size <= _MANY_ENTRIES
    return ErrorRates(own.noise, error_intervals(fit.model, own, data, LEVEL) if quick else None)
