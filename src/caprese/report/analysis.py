"""Analysis: everything that a report rests on, computed once."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from caprese._core.significance import LEVEL
from caprese._core.words import number_of
from caprese.assessment.bootstrap import bootstrap
from caprese.assessment.comparison import Compared, compare
from caprese.assessment.confidence import Confidence
from caprese.assessment.directions import Direction, are_quick_to_turn, directions
from caprese.assessment.edge_tests import edge_tests
from caprese.assessment.held_out import is_quick_to_judge, judge
from caprese.assessment.judgement import Judgement
from caprese.data.curation import Step
from caprese.data.dataset import Dataset
from caprese.data.inspection import Inspection, inspect
from caprese.fitting.estimate import can_place, error_intervals
from caprese.fitting.forest_em import RateIntervals
from caprese.fitting.turned import can_be_told
from caprese.io.data.annotations import Annotation
from caprese.methods import METHODS
from caprese.methods.evidence import PosteriorEvidence
from caprese.methods.fit import Fit, Fitted, Method, OrderedFit, fit_of
from caprese.methods.protocols import CombiningMethod, is_quick
from caprese.models.noise import Noise
from caprese.patients.place import Placement, place
from caprese.report.order import AssessedOrder

# Default replicates of a method that infers from pair counts, and of one that must be refitted.
QUICK, SLOW = 1000, 100

FOLDS = 5  # of which one is held out, for a quick judgement
_FEW_SAMPLES = 20  # below which held-out samples are too few to judge by
_FEW_EVENTS = 10  # up to which slow methods are compared
_MANY_SAMPLES = 2000  # above which the edge tests use fewer permutations
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
    """A fit of any model, and how far to trust it; what was not computed is None."""

    data: Dataset
    inspection: Inspection
    fit: Fit[Any, Any]  # with the log of the curation
    seed: int  # of all random numbers
    compared: tuple[Compared, ...]  # the fit and those of other methods
    order: AssessedOrder | None = None  # None if the model has no order
    errors: ErrorRates | None = None  # of highest likelihood; None if the model has none
    judgement: Judgement | None = None  # from a single split, unless the data is large or small
    directions: tuple[Direction, ...] = ()  # what each edge rests on
    placement: Placement | None = None  # None if the model does not say what comes next
    annotation: Annotation | None = None  # a category for each sample

    @property
    def size(self) -> str:
        """What the trust in the edges rests on, such as "400 replicates"; empty without edges."""
        support = None if self.order is None else self.order.support
        return "" if support is None else number_of(support.number, support.noun)


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
    >>> from caprese.data.datasets import acml
    >>> from caprese.methods import Caprese
    >>> found = analyse(Caprese(), acml(), replicates=50)
    >>> [type(one.fit.method).__name__ for one in found.compared]
    ['Caprese', 'Oncotree', 'LikelihoodForest', 'BayesForest', 'Capri', 'HCBN', 'CBN', 'MHN',
     'IndependentEvents']
    """
    data = Dataset.of(data)
    fit = fit_of(method, data)
    fit = replace(fit, log=log or fit.log)
    compared = compare([fit, *other_methods(fit.method, data)], data)
    return Analysis(
        data,
        inspect(data),
        fit,
        seed,
        compared,
        order=_order(fit, data, confidence, replicates=replicates, seed=seed, jobs=jobs),
        errors=_errors(fit, data),
        judgement=_judgement(fit.method, compared, data, seed),
        directions=_found_directions(fit, data),
        placement=place(fit, data, seed=seed) if can_place(fit.predictive) else None,
        annotation=annotation,
    )


def _found_directions(fit: Fit[Any, Any], data: Dataset) -> tuple[Direction, ...]:
    if not are_quick_to_turn(fit):
        return ()
    return directions(fit, both=can_be_told(data, len(fit.model.edges)))


def _order(
    fit: Fit[Any, Any],
    data: Dataset,
    confidence: Confidence | None,
    *,
    replicates: int | None,
    seed: int,
    jobs: int | None,
) -> AssessedOrder | None:
    """Return the edges with a bootstrap and tests, unless the evidence needs none."""
    if not isinstance(fit, OrderedFit):
        return None
    if needs_no_bootstrap(fit):
        return AssessedOrder(fit)
    requested = default_replicates(fit.method) if replicates is None else replicates
    permutations = _PERMUTATIONS if fit.samples <= _MANY_SAMPLES else _FEW_PERMUTATIONS
    tests = edge_tests(fit, data, permutations=permutations, seed=seed) if fit.edges else None
    if confidence is None:
        confidence = bootstrap(fit, data, replicates=requested, seed=seed, jobs=jobs)
    return AssessedOrder(fit, confidence, requested, tests)


def other_methods(method: Method, data: Dataset) -> list[Method]:
    """Return the other registered methods, by their defaults; slow ones only for few events.

    Without mixtures of methods: their parts are among the others.
    """
    every = (kind() for kind in METHODS.values())
    registered = [each for each in every if not isinstance(each, CombiningMethod)]
    few = len(data.events) <= _FEW_EVENTS
    return [other for other in registered if other != method and (few or is_quick(other))]


def needs_no_bootstrap(fit: Fit[Any, Any]) -> bool:
    """Whether the evidence of a fit is a posterior, which says how far to trust each edge."""
    return isinstance(fit.evidence, PosteriorEvidence)


def default_replicates(method: Method) -> int:
    """Return the default number of replicates of a report, which is smaller for slow methods."""
    return QUICK if is_quick(method) else SLOW


def _judgement(
    method: Method, compared: Sequence[Compared], data: Dataset, seed: int
) -> Judgement | None:
    """Judge the methods that are compared by a single split, slow ones only on small data."""
    others = [one.fit.method for one in compared if one.fit.method != method]
    quick = [each for each in (method, *others) if is_quick_to_judge(each, data)]
    if len(data.samples) < _FEW_SAMPLES or method not in quick:
        return None
    return judge(quick, data, folds=FOLDS, held_out=1, seed=seed, jobs=1)


def _errors(fit: Fit[Any, Any], data: Dataset) -> ErrorRates | None:
    if isinstance(fit.evidence, PosteriorEvidence):
        return ErrorRates(fit.evidence.mean_noise, fit.evidence.intervals, posterior=True)
    if fit.recovery is not None and fit.recovery.intervals is not None:
        return ErrorRates(fit.recovery.noise, fit.recovery.intervals)
    found = fit.estimate
    if found.noise is None:
        return None
    distinct, _ = data.genotypes()
    quick = distinct.values.size <= _MANY_ENTRIES
    intervals = error_intervals(fit.model, found, data, LEVEL) if quick else None
    return ErrorRates(found.noise, intervals)
