"""What a recipe gives."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypeVar

from caprese._core.checks import seconds
from caprese._core.facts import Fact
from caprese._core.files import format_error
from caprese._core.significance import KNOWN
from caprese._core.words import duration
from caprese.assessment.answer import Answer, answered
from caprese.assessment.bootstrap import bootstrap
from caprese.assessment.confidence import Confidence
from caprese.assessment.effects import EffectConfidence, bootstrap_effects, has_effects
from caprese.assessment.group_comparison import GroupComparison, compare_groups
from caprese.assessment.held_out import Candidate, judge
from caprese.assessment.judgement import Judgement
from caprese.assessment.known import KnownOrders, known_orders
from caprese.assessment.planning import PLAN_BUDGET, plan
from caprese.assessment.referee import BUDGET, choose
from caprese.data.curation import Curated, Rule, curate
from caprese.data.dataset import Dataset
from caprese.errors import CapreseError, DatasetError, ParameterError
from caprese.fitting.estimate import placing
from caprese.io.data.annotations import (
    Annotation,
    read_annotation,
    read_clinical,
    read_groups,
)
from caprese.io.data.reading import Reading
from caprese.io.documents import kind_of_document, read_document
from caprese.methods import METHODS, method_text, parse_method
from caprese.methods.fit import Fit, Method, OrderedFit, new_fit
from caprese.methods.independence import IndependentEvents
from caprese.methods.parameters import parse_noise
from caprese.methods.protocols import CombiningMethod, cost_of
from caprese.models.base import Order
from caprese.models.noise import Noise
from caprese.patients.groups import Associations, as_seen, associations
from caprese.patients.place import Placement, place
from caprese.patients.predictor import Predictor, predictor
from caprese.patients.rests_on import undetermined_orders
from caprese.patients.survival import Survival, check_curves, survival
from caprese.patients.what_if_samples import SampleOutlooks, intervene_in_samples
from caprese.recipe.loading import Loaded, load
from caprese.recipe.parts import (
    Bootstrap,
    Judging,
    Placing,
    Reporting,
    slow_factors,
    split_column,
)
from caprese.recipe.recipe import HELD, Recipe
from caprese.report.analysis import Analysis, analyse, default_replicates, needs_no_bootstrap

Part = TypeVar("Part")


@dataclass(frozen=True)
class Results:
    """What is known of an analysis; None for what was not asked for, or not yet."""

    recipe: Recipe
    reading: Reading
    curated: Curated
    fit: Fit[Any, Any] | None = None
    second_fit: Fit[Any, Any] | None = None
    confidence: Confidence | None = None
    effects: EffectConfidence | None = None
    judgement: Judgement | None = None
    predictor: Predictor | None = None
    placement: Placement | None = None
    tests: Associations | None = None
    curves: Survival | None = None
    annotation: Annotation | None = None
    groups: GroupComparison | None = None

    @property
    def loaded(self) -> Loaded:
        """The data before its curation."""
        rules = self.recipe.curation.rules_for(self.recipe.source, self.reading)
        return Loaded(self.recipe.source, self.reading, rules)

    @property
    def placed_in(self) -> Fit[Any, Any]:
        """The fit in which the samples stand: that of the predictor, if there is one."""
        return needed(self.fit) if self.predictor is None else self.predictor.fit


def needed(part: Part | None, before: str = "this needs what was not computed") -> Part:
    """Return a part of the results, or say what has to be done before."""
    if part is None:
        raise CapreseError(before)
    return part


def begun(recipe: Recipe) -> Results:
    """Read and curate the data of a recipe."""
    if any(part is not None and part.time is not None for part in (recipe.patients, recipe.report)):
        check_curves()
    loaded = load(recipe.source, recipe.curation)
    return Results(recipe, loaded.reading, loaded.curated())


def results(found: Results) -> Results:
    """Compute all that the files of a recipe show; without files, the fit."""
    kinds = {kind for kind, _ in found.recipe.outputs.files()} or {"fit"}
    for part, step in _STEPS:
        if any(
            part in HELD[kind].parts for kind in kinds - ({"report"} if part == "judge" else set())
        ):
            found = step(found)
    return found


def without_names(found: Results) -> Results:
    """Return the results that a report shows, with samples named by numbers."""
    return _with_confidence(_with_fit(numbered(found)))


def numbered(found: Results) -> Results:
    """Return the same with samples named by numbers, in the data and its annotation."""
    track = found.annotation and found.annotation.renamed(found.curated.numbers())
    return replace(found, curated=found.curated.without_names(), annotation=track)


def _with_fit(found: Results) -> Results:
    return replace(found, fit=found.recipe.fit(found.curated))


def _with_second_fit(found: Results) -> Results:
    second = replace(found.recipe, method=found.recipe.second_method)
    return replace(found, second_fit=second.fit(found.curated))


def _with_confidence(found: Results) -> Results:
    """Add a bootstrap; a report needs none if the method gives posterior probabilities."""
    fit, asked = needed(found.fit), found.recipe.bootstrap or Bootstrap()
    if not (found.recipe.outputs.confidence or needs_bootstrap(fit)):
        return found
    replicates = asked.replicates or default_replicates(fit.method)
    settings: Any = {"replicates": replicates, "seed": asked.seed, "kind": asked.kind}
    if has_effects(fit):
        return replace(found, effects=bootstrap_effects(fit, found.curated.data, **settings))
    noise = None if asked.errors is None else parse_noise(asked.errors)
    confidence = bootstrap(fit, found.curated.data, noise=noise, **settings)
    return replace(found, confidence=confidence)


def needs_bootstrap(fit: Fit[Any, Any]) -> bool:
    """Whether a bootstrap says how far to trust the edges of a fit."""
    return isinstance(fit, OrderedFit) and not needs_no_bootstrap(fit)


def with_judgement(found: Results, **settings: Any) -> Results:
    """Add how well methods predict held-out samples; training parts are curated one by one."""
    asked = found.recipe.judge or Judging()
    curated, rules = found.loaded.divided()
    settings["series"] = found.loaded.series()
    return replace(
        found, judgement=judged(asked, candidates_of(asked), curated.data, rules, **settings)
    )


def judged(
    asked: Judging,
    candidates: Mapping[str, Candidate],
    data: Dataset,
    rules: Sequence[Rule],
    **settings: Any,
) -> Judgement:
    """Return how well candidates, or all feasible methods, predict held-out samples."""
    settings |= {name: getattr(asked, name) for name in ("folds", "repeats", "seed")}
    held_out = 1 if asked.quick else None
    settings |= {"rules": rules, "held_out": held_out}
    found = judge(candidates or None, data, budget=asked.budget or BUDGET, **settings)
    if not asked.plan:
        return found
    budget = min(PLAN_BUDGET, seconds("budget", asked.budget or BUDGET))
    curated = curate(data, rules).data
    return replace(found, plan=plan(found, curated, methods=candidates, budget=budget))


def judgement_of_report(found: Results, **settings: Any) -> Judgement | None:
    """Return the judgement that a report shows: that of the results, if it has the method.

    None of too few samples.
    """
    asked, method, own = found.recipe.judge or Judging(), found.recipe.method, found.judgement
    if own is not None and (own.choice is None or method in (None, *own.choice.methods().values())):
        return own
    curated, rules = found.loaded.divided()
    if len(curated.data.samples) < asked.folds:
        return None
    settings["also"] = () if method is None else (method,)
    settings["series"] = found.loaded.series()
    return judged(asked, candidates_of(asked), curated.data, rules, **settings)


def analysed(
    found: Results,
    judgement: Judgement | None,
    jobs: int | None = None,
    announce: Callable[[float], object] | None = None,
) -> Analysis:
    """Return all that the report of the results says, with a fit and its bootstrap.

    The comparisons are those of `compared_in_report`.
    """
    fit, asked = needed(found.fit), found.recipe.bootstrap or Bootstrap()
    judging = found.recipe.judge or Judging()
    analysis = analyse(
        None if found.recipe.method is None else fit,
        found.curated.data,
        log=fit.log,
        replicates=asked.replicates or default_replicates(fit.method),
        seed=asked.seed,
        jobs=jobs,
        confidence=found.confidence if needs_bootstrap(fit) else None,
        annotation=found.annotation,
        budget=judging.budget or BUDGET,
        folds=judging.folds,
        judgement=judgement,
        **({} if announce is None else {"announce": announce}),
    )
    return replace(analysis, tests=found.tests, curves=found.curves, groups=found.groups)


def compared_in_report(found: Results) -> Results:
    """Return the results with what the report compares with its tables, and nothing else.

    The samples stand in the fit that the report shows.
    """
    asked = (found.recipe.report or Reporting()).comparison
    found = replace(found, groups=_compared_groups(found))
    if asked.annotation is None:
        return replace(found, tests=None, curves=None)
    fit, seed = needed(found.fit), (found.recipe.bootstrap or Bootstrap()).seed
    tests, curves = compared(asked, place(fit, found.curated.data, seed=seed), fit)
    return replace(found, tests=tests, curves=curves)


def _compared_groups(found: Results) -> GroupComparison | None:
    """Return whether the order differs between the groups of a table, if the report shows that."""
    table = (found.recipe.report or Reporting()).groups
    if table is None:
        return None
    path, column = split_column(table)
    groups, data = read_groups(path, column).categories, found.curated.data
    if not groups.keys() & set(data.samples):
        raise format_error(path, "it names none of the samples")
    seed = (found.recipe.bootstrap or Bootstrap()).seed
    try:
        return compare_groups(needed(found.fit).method, data, groups, seed=seed)
    except DatasetError as error:
        raise format_error(table, error.what(), remedy=error.remedy) from error


def known_of(
    found: Results,
    judgement: Judgement | None,
    *,
    threshold: float = KNOWN,
    jobs: int | None = None,
) -> KnownOrders:
    """Return which orders are known, beside the word of the judgement of a report.

    Without a method, or by the mixture that was judged, as the report has it: with the weights of
    the judgement. Else what the fit of the results says.
    """
    data, method = found.curated.data, found.recipe.method
    if found.fit is None or _is_judged_mixture(method, judgement):
        budget = (found.recipe.judge or Judging()).budget or BUDGET
        chosen = choose(data, fits=1, budget=budget) if judgement is None else judgement
        return answered(chosen, data, jobs=jobs).stated(threshold)
    word = Answer({}, judgement).word
    return replace(known_orders(found.fit, threshold=threshold), word=word)


def _is_judged_mixture(method: Method | None, judgement: Judgement | None) -> bool:
    chosen = None if judgement is None else judgement.choice
    mixes = isinstance(method, CombiningMethod)
    return mixes and chosen is not None and method in chosen.methods().values()


def candidates_of(asked: Judging) -> dict[str, Candidate]:
    """Return the methods, fits and models that are to be judged, by their texts."""
    return {text: _candidate(text) for text in asked.methods}


def _candidate(text: str) -> Candidate:
    """Return the method of this name, or the fit or model in a file, to be judged."""
    if text.partition(":")[0] in (*METHODS, *METHODS.problems):
        return parse_method(text)
    if not (Path(text).exists() or Path(text).suffix):
        raise ParameterError("method", f"a file or one of {', '.join(METHODS)}", text)
    document = read_document(text)
    if isinstance(document, Confidence | EffectConfidence | Judgement | KnownOrders):
        kind = kind_of_document(document)
        raise format_error(text, f"this is a {kind}, not a fit or a model")
    return document


def with_predictor(found: Results) -> Results:
    """Add the fit in which samples are placed, as it follows from a judgement."""
    asked = found.recipe.patients or Placing()
    method = found.recipe.method
    return replace(found, predictor=predicting(asked, method, found.loaded, found.curated))


def predicting(
    asked: Placing, method: Method | None, loaded: Loaded, curated: Curated, **settings: Any
) -> Predictor:
    """Return the fit in which samples are placed: of a method, or of what all methods say.

    A method that costs more than the budget is not judged, and used as it is; so is any with fewer
    samples than folds.
    """
    judging = Judging(budget=asked.budget, seed=asked.seed)
    training, rules = loaded.divided()
    data, candidates, fits = curated.data, {}, {}
    if method is not None:
        name, fit = method_text(method), new_fit(method, data)
        placing(fit.predictive)  # refuses a model in which samples have no place
        if unjudged := _not_judged(method, judging, training.data):
            return Predictor(replace(fit, log=curated.log), facts=unjudged)
        judging, candidates, fits = replace(judging, budget=None), {name: method}, {name: fit}
    elif len(data.samples) < judging.folds:
        few = (Fact("frequencies of few samples"),)
        return Predictor(IndependentEvents().fit(data), facts=few)
    judgement = judged(judging, candidates, training.data, rules, **settings)
    methods = judgement.choice.methods() if judgement.choice else candidates
    noise = None if asked.noise is None else parse_noise(asked.noise)
    given = noise if isinstance(noise, Noise) else None
    found = predictor(judgement, methods, data, noise=given, fits=fits)
    return replace(found, fit=replace(found.fit, log=curated.log))


def _not_judged(method: Method, judging: Judging, data: Dataset) -> tuple[Fact, ...]:
    """Return why a method is not judged; nothing if it is."""
    budget = seconds("budget", judging.budget or BUDGET)
    cost = cost_of(method, data) * judging.folds
    name: dict[str, str | float] = {"method": method_text(method)}
    if method == IndependentEvents() or len(data.samples) < judging.folds:
        return (Fact("not judged", values=name),)
    if cost > budget:
        times = {"time": duration(cost), "budget": duration(budget)}
        return (Fact("not judged within the budget", values=name | times),)
    return ()


def with_placement(found: Results) -> Results:
    """Add where the samples stand: in the predictor if there is one, else in the fit."""
    data, asked = found.curated.data, found.recipe.patients or Placing()
    if found.predictor is not None:
        return replace(found, placement=found.predictor.place(data, seed=asked.seed))
    return replace(found, placement=place(needed(found.fit), data, seed=asked.seed))


def outlooks(asked: Placing, placed: Placement, fit: Fit[Any, Any]) -> SampleOutlooks | None:
    """Return what blocked or slowed events change for each sample; None if not asked for."""
    if not asked.changes:
        return None
    factors = slow_factors(asked.slow)
    found = intervene_in_samples(placed, block=asked.block, slow=factors, target=asked.goal)
    rests = [((*asked.block, *factors), asked.target)]
    pairs = undetermined_orders(fit, rests, by_edges=placed.clock is placed.model)
    return replace(found, undetermined=None if pairs is None else pairs[0])


def with_clinical(found: Results) -> Results:
    """Add the tests against a clinical table, and the curves, as far as they are asked for."""
    asked = found.recipe.patients or Placing()
    tests, curves = compared(asked, needed(found.placement), found.placed_in)
    return replace(found, tests=tests, curves=curves)


def compared(
    asked: Placing, placed: Placement, fit: Fit[Any, Any]
) -> tuple[Associations | None, Survival | None]:
    """Return the tests against a clinical table, and the curves, as far as they are asked for."""
    if asked.annotation is None:
        return None, None
    table = read_clinical(asked.annotation)
    if asked.corrected and not placed.corrected:
        rates = "--noise FALSE_POSITIVE,FALSE_NEGATIVE, for a method that allows for errors"
        raise CapreseError(f"--corrected needs error rates: {rates}")
    chosen = placed if asked.corrected else as_seen(placed)
    times = [each for each in (asked.time, asked.status) if each is not None]
    order = fit.model if isinstance(fit.model, Order) else None
    try:
        tests = associations(chosen, table, without=times)
        if asked.time is None or asked.status is None:
            return tests, None
        by = asked.by or "progress"
        return tests, survival(chosen, table, asked.time, asked.status, by=by, order=order)
    except DatasetError as error:
        raise format_error(asked.annotation, error.what(), remedy=error.remedy) from error


def with_annotation(found: Results) -> Results:
    """Add a category of each sample, if the report shows one."""
    asked = found.recipe.report or Reporting()
    if asked.annotation is None:
        return found
    track = read_annotation(asked.annotation, asked.column)
    if not track.categories.keys() & set(found.curated.data.samples):
        raise format_error(asked.annotation, "the first column names none of the samples")
    return replace(found, annotation=track)


_STEPS: tuple[tuple[str, Callable[[Results], Results]], ...] = (
    ("method", _with_fit),
    ("second_method", _with_second_fit),
    ("bootstrap", _with_confidence),
    ("judge", with_judgement),
    ("patients", with_predictor),
    ("patients", with_placement),
    ("patients", with_clinical),
    ("report", with_annotation),
)
"""What is computed for each part of a recipe, in this order."""
