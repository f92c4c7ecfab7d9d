"""What a recipe gives."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypeVar

from caprese._core.checks import seconds
from caprese._core.facts import Fact
from caprese._core.files import format_error
from caprese._core.names import short_barcode
from caprese._core.words import duration
from caprese.assessment.bootstrap import bootstrap
from caprese.assessment.confidence import Confidence
from caprese.assessment.effects import EffectConfidence, bootstrap_effects, has_effects
from caprese.assessment.held_out import Candidate, judge
from caprese.assessment.judgement import Judgement
from caprese.assessment.known import KnownOrders
from caprese.assessment.planning import plan
from caprese.assessment.referee import BUDGET
from caprese.data.curation import Curated, Rule, curate
from caprese.data.dataset import Dataset
from caprese.errors import CapreseError, DatasetError, ParameterError
from caprese.fitting.estimate import placing
from caprese.io.data.annotations import Annotation, read_annotation, read_clinical
from caprese.io.data.reading import Reading
from caprese.io.documents import kind_of_document, read_document
from caprese.methods import METHODS, method_text, parse_method
from caprese.methods.fit import Fit, Method, OrderedFit, new_fit
from caprese.methods.independence import IndependentEvents
from caprese.methods.parameters import parse_noise
from caprese.methods.protocols import cost_of
from caprese.models.base import Order
from caprese.models.noise import Noise
from caprese.patients.groups import Associations, as_seen, associations
from caprese.patients.place import Placement, place
from caprese.patients.predictor import Predictor, predictor
from caprese.patients.survival import Survival, check_curves, survival
from caprese.recipe.loading import Loaded, load
from caprese.recipe.parts import Bootstrap, Judging, Placing, Reporting, split_column
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

    @property
    def loaded(self) -> Loaded:
        """The data before its curation."""
        rules = self.recipe.curation.rules(self.reading.left_out)
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
    if recipe.patients is not None and recipe.patients.time is not None:
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
    track = found.annotation and found.annotation.renamed(found.curated.numbers())
    plain = replace(found, curated=found.curated.without_names(), annotation=track)
    return _with_confidence(_with_fit(plain))


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
    groups = None if asked.groups is None else groups_of(asked.groups, data)
    held_out = 1 if asked.quick else None
    settings |= {"rules": rules, "groups": groups, "held_out": held_out}
    found = judge(candidates or None, data, budget=asked.budget or BUDGET, **settings)
    if not asked.plan:
        return found
    return replace(found, plan=plan(found, curate(data, rules).data, methods=candidates))


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
    return judged(asked, candidates_of(asked), curated.data, rules, **settings)


def analysed(found: Results, judgement: Judgement | None, jobs: int | None = None) -> Analysis:
    """Return all that the report of the results says, with a fit and its bootstrap."""
    fit, asked = needed(found.fit), found.recipe.bootstrap or Bootstrap()
    judging = found.recipe.judge or Judging()
    return analyse(
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
    )


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


def groups_of(text: str, data: Dataset) -> Any:
    """Return the groups of the samples: patients of barcodes, or categories from a table."""
    if text != "patient":
        return read_annotation(*split_column(text)).categories
    found = tuple(short_barcode(name, "patient") for name in data.samples)
    if found == data.samples:
        raise ParameterError(
            "groups", "a table: no sample has a name such as TCGA-02-0001-01", text
        )
    return found


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
