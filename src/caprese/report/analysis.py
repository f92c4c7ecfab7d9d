"""Analysis: everything that a report rests on, computed once."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from caprese._core.significance import LEVEL
from caprese._core.words import number_of
from caprese.assessment.answer import Answer, answered
from caprese.assessment.bootstrap import bootstrap
from caprese.assessment.comparison import Compared, compare
from caprese.assessment.confidence import Confidence
from caprese.assessment.directions import Direction, are_quick_to_turn, directions
from caprese.assessment.edge_tests import edge_tests
from caprese.assessment.group_comparison import GroupComparison
from caprese.assessment.held_out import judge
from caprese.assessment.judgement import Judgement
from caprese.assessment.referee import BUDGET, choose
from caprese.data.curation import Step
from caprese.data.dataset import Dataset
from caprese.data.inspection import Inspection, inspect
from caprese.fitting.estimate import can_place, error_intervals
from caprese.fitting.forest_em import RateIntervals
from caprese.fitting.turned import can_be_told
from caprese.io.data.annotations import Annotation
from caprese.methods.caprese import Caprese
from caprese.methods.evidence import PosteriorEvidence
from caprese.methods.fit import Fit, Fitted, Method, OrderedFit, fit_of
from caprese.methods.protocols import is_quick
from caprese.models.noise import Noise
from caprese.patients.groups import Associations
from caprese.patients.place import Placement, place
from caprese.patients.survival import Survival
from caprese.report.order import AssessedOrder

# Default replicates of a method that infers from pair counts, and of one that must be refitted.
QUICK, SLOW = 1000, 100

FOLDS = 5  # by default, as in `judge`
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
    fit: Fit[Any, Any]  # of the method that was given, or of CAPRESE; with the log of the curation
    seed: int  # of all random numbers
    compared: tuple[Compared, ...]  # the fit and those of the judged methods
    leads: bool = True  # whether the method was given: then the report leads with its fit
    answer: Answer | None = None  # what the judged methods say together
    order: AssessedOrder | None = None  # None if the model has no order
    errors: ErrorRates | None = None  # of highest likelihood; None if the model has none
    directions: tuple[Direction, ...] = ()  # what each edge rests on; none of an order refuted
    placement: Placement | None = None  # None if the model does not say what comes next
    annotation: Annotation | None = None  # a category for each sample
    tests: Associations | None = None  # of the placement against a clinical table
    curves: Survival | None = None
    groups: GroupComparison | None = None  # whether the order differs between groups of samples

    @property
    def judgement(self) -> Judgement | None:
        """How well methods predict held-out samples; None of too few samples."""
        return None if self.answer is None else self.answer.judgement

    @property
    def size(self) -> str:
        """What the trust in the edges rests on, such as "400 replicates"; empty without edges."""
        support = None if self.order is None else self.order.support
        return "" if support is None else number_of(support.number, support.noun)


def _not_announced(_seconds: float) -> None:
    pass


def analyse(
    method: Fitted | None,
    data: Dataset,
    *,
    log: tuple[Step, ...] = (),
    replicates: int | None = None,
    seed: int = 1,
    jobs: int | None = None,
    confidence: Confidence | None = None,
    annotation: Annotation | None = None,
    budget: float | str = BUDGET,
    folds: int = FOLDS,
    judgement: Judgement | None = None,
    announce: Callable[[float], object] = _not_announced,
) -> Analysis:
    """Compute everything that a report says.

    All methods that are feasible within the budget are judged, and fitted to the data once; a fit
    that is given is used as it is.

    Parameters
    ----------
    method
        A method, or its fit to the data: the report leads with it. None: the report leads with
        what all judged methods know together, and shows the tree of CAPRESE in a section.
    data
        The data.
    log
        The steps of the curation; by default those of the fit.
    replicates
        How often to resample the data; by default 1000, or 100 for slow methods. A fit whose
        evidence is a posterior needs no bootstrap, and gets none.
    seed, jobs
        As in `bootstrap` and `judge`.
    confidence
        The result of a bootstrap of the fit with this seed, of fewer replicates if it was
        interrupted; by default the bootstrap is done here.
    annotation
        A category for each sample, shown beside what the report says of the samples.
    budget, folds
        As in `judge`. Fewer samples than folds are not judged.
    judgement
        The result of `judge` for this data; by default it is judged here.
    announce
        Called with the seconds that a plan will take, if the judgement leaves the order open.

    Examples
    --------
    >>> from caprese.data.datasets import acml
    >>> found = analyse(None, acml(), replicates=50, budget=1)
    >>> found.judgement.supports_order, found.answer.known
    (False, None)
    """
    data = Dataset.of(data)
    fit = fit_of(Caprese() if method is None else method, data)
    fit = replace(fit, log=log or fit.log)
    if judgement is None and len(data.samples) >= folds:
        own = () if method is None else (fit.method,)
        settings: Any = {"budget": budget, "folds": folds, "seed": seed, "jobs": jobs}
        judgement = judge(None, data, also=own, **settings)
    chosen = choose(data, fits=1, budget=budget) if judgement is None else judgement
    answer = answered(chosen, data, fits=[fit], jobs=jobs)
    answer = answer.planned(data, budget, announce)
    others = [each for each in answer.fits.values() if each.method != fit.method]
    order = _order(fit, data, confidence, replicates=replicates, seed=seed, jobs=jobs)
    return Analysis(
        data,
        inspect(data),
        fit,
        seed,
        compare([fit, *others], data),
        leads=method is not None,
        answer=answer,
        order=order and replace(order, refuted=answer.refuted),
        errors=_errors(fit, data),
        directions=() if answer.refuted else _found_directions(fit, data),
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


def needs_no_bootstrap(fit: Fit[Any, Any]) -> bool:
    """Whether the evidence of a fit is a posterior, which says how far to trust each edge."""
    return isinstance(fit.evidence, PosteriorEvidence)


def default_replicates(method: Method) -> int:
    """Return the default number of replicates of a report, which is smaller for slow methods."""
    return QUICK if is_quick(method) else SLOW


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
