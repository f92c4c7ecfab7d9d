"""The tasks of a worker: each takes a request and returns what the page shows.

A task may be stopped at any report of progress. What it keeps goes back to the session, so that the
next task, in whichever process, goes on from there.
"""

import pickle
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

from caprese._core.checks import whole
from caprese._core.progress import tell
from caprese._core.words import duration
from caprese.app.answers import Answer, Request
from caprese.app.chosen import (
    curation_in,
    list_in,
    method_in,
    saved_choices,
    source_in,
    with_tables,
)
from caprese.app.views.data import curated_view, event_states, event_table, overview
from caprese.app.views.downloads import as_offered, files_view, offered, whole_recipe
from caprese.app.views.fits import (
    answer_view,
    best_method,
    comparison_view,
    confidence_view,
    event_view,
    fit_view,
    tree_view,
)
from caprese.app.views.groups import groups_view, told_of_table
from caprese.app.views.samples import patient_view, patients_view
from caprese.app.views.start import form_views
from caprese.app.views.what_if import what_if_view
from caprese.assessment import answer
from caprese.assessment.answer import answered
from caprese.assessment.bootstrap import RunningBootstrap
from caprese.assessment.confidence import Confidence
from caprese.assessment.edge_tests import edge_tests
from caprese.assessment.group_comparison import (
    compare_groups,
    default_permutations,
    fits_needed,
    parts_of,
)
from caprese.assessment.referee import BUDGET, Choice
from caprese.data.curation import Curated
from caprese.data.dataset import Dataset
from caprese.data.inspection import inspect
from caprese.errors import CapreseError, DatasetError, FormatError
from caprese.io.data.annotations import read_clinical, read_groups
from caprese.io.data.reading import Reading
from caprese.io.data.seen_orders import read_orders
from caprese.methods import method_text, name_of
from caprese.methods.caprese import Caprese
from caprese.methods.fit import Fit, Method, OrderedFit, new_fit
from caprese.methods.parameters import settings_of
from caprese.methods.protocols import GradualMethod
from caprese.patients.what_if import intervene
from caprese.recipe.files import write_kind
from caprese.recipe.loading import Curation, Loaded, Source
from caprese.recipe.parts import Bootstrap, Judging, Placing, Reporting
from caprese.recipe.recipe import Recipe
from caprese.recipe.results import (
    Results,
    begun,
    needed,
    needs_bootstrap,
    with_annotation,
    with_clinical,
    with_judgement,
    with_placement,
    with_predictor,
)
from caprese.recipe.saved import ANALYSIS, is_saved, unpack_analysis, write_analysis
from caprese.recipe.toml import write_recipe
from caprese.recipe.words import RECIPE, command_of_groups
from caprese.report.analysis import default_replicates
from caprese.text.comparison import choice_lines
from caprese.text.fits import expected_time

Send = Callable[[Answer], None]
Task = Callable[[Request, Send], Answer]

_MOST_REPLICATES = 10_000_000
_SECONDS, _SHARE = 0.3, 4  # between two pictures of what is done; and of the time, one in four
_FIT_FIRST, _PLACE_FIRST = "fit a method first", "place the samples first"
_GROUPS = ("progress", "thirds", "branch", "subtype")  # of survival; or those with an event


def warm_up() -> None:
    """Load what the first task would otherwise wait for."""
    from caprese.assessment.bootstrap import bootstrap
    from caprese.data.datasets import acml

    data = acml()
    fit = Caprese().fit(data)
    confidence = bootstrap(fit, data, replicates=20, jobs=1)
    form_views()
    curated_view(Curated(data))
    assert isinstance(fit, OrderedFit)
    tree_view(fit, confidence)
    confidence_view(data, fit, confidence, 20)


def _opened(request: Request) -> Results:
    """Return the results so far: parts that former tasks have kept as pickles."""
    if not request.kept:
        raise CapreseError("open a file first")
    return Results(**{name: pickle.loads(part) for name, part in request.kept.items()})


def start(_request: Request, _send: Send) -> Answer:
    """Return the forms of the page."""
    return Answer({"fragments": form_views()})


def load(request: Request, _send: Send) -> Answer:
    """Read a file or embedded data, and curate it in the usual way; or open a saved analysis."""
    if is_saved(request.given["source"]):
        return _reopened(request)
    source = source_in(request.given)
    asked = [name for name in list_in(request.given.get("left_out", ()), "left_out") if name]
    reading = source.read(exclude=asked or None)
    events = reading.data.events
    off = tuple(sorted(set(asked) & set(events)))  # the others do not hold entries
    found = _curated(source, reading, Curation(exclude=off))
    return _answer(None, found, **_loaded(found, off))


def _loaded(found: Results, off: Iterable[str]) -> dict[str, Any]:
    """Return what is shown of data that was read, with the events that are switched off."""
    reading, source = found.reading, found.recipe.source
    events, inspected = reading.data.events, inspect(reading.data)
    return {
        "fragments": {
            "overview": overview(reading, inspected),
            "events": event_table(reading.data, inspected),
            "curated": curated_view(found.curated),
        },
        "off": [events.index(name) for name in off],
        "title": source.title,
        "states": event_states(events, found.curated.log),
    }


def _reopened(request: Request) -> Answer:
    """Open a saved analysis: read its data, and say what else was done with it."""
    recipe = unpack_analysis(request.given["source"], Path.cwd())
    source = with_tables(recipe.source, request.given)
    found = begun(Recipe(source=source, curation=recipe.curation))
    events, merged = found.reading.data.events, recipe.curation.merge
    off = [name for name in recipe.curation.exclude if name in events]
    chosen = saved_choices(recipe, events)
    inside = {member for each in merged for member in each.members}
    return _answer(None, found, **_loaded(found, set(off) - inside), chosen=chosen)


def curate(request: Request, _send: Send) -> Answer:
    """Curate the data as chosen on the page; what was done with the data before is forgotten."""
    before = _opened(request)
    reading, source = before.reading, before.recipe.source
    found = _curated(source, reading, curation_in(request.given, reading.data.events))
    states = event_states(reading.data.events, found.curated.log)
    return _answer(before, found, {"curated": curated_view(found.curated)}, states=states)


def _curated(source: Source, reading: Reading, curation: Curation) -> Results:
    """Return the curated data; the recipe also excludes columns that do not hold entries."""
    exclude = tuple(sorted({*curation.exclude, *reading.left_out}))
    recipe = Recipe(source=source, curation=replace(curation, exclude=exclude))
    loaded = Loaded(source, reading, curation.rules_for(source, replace(reading, left_out=())))
    return Results(recipe, reading, loaded.curated())


def fit(request: Request, send: Send) -> Answer:
    """Fit a method; and a second one, if it is chosen, to compare the two.

    What is done so far is sent as it comes, if the method can be looked at while it runs.
    """
    method, other = method_in(request.given.get("method")), request.given.get("other")
    second = None if other is None else method_in(other)
    before = _opened(request)
    data = before.curated.data

    def look(fit: Fit[Any, Any]) -> None:
        found, fragments = _fitted(before, fit)
        send(_answer(before, found, fragments, partial=True, **_facts(fit)))

    _foretell(filter(None, (method, second)), data, 1, send)
    found, fragments = _fitted(before, _fit(method, data, look))
    first = needed(found.fit, _FIT_FIRST)
    said, stopped = [_where_stopped(method, first)], first.method != method
    if isinstance(first, OrderedFit) and not needs_bootstrap(first):
        fragments["support"] = confidence_view(data, first, None, refuted=_refuted(before))
    if second is not None and not stopped:
        # What is done is sent, should the second be stopped.
        send(_answer(before, found, fragments, partial=True, **_facts(first)))
        compared = replace(_fit(second, data), log=before.curated.log)
        recipe = replace(found.recipe, second_method=compared.method)
        found = replace(found, recipe=recipe, second_fit=compared)
        fragments["comparison"] = comparison_view(found)
        said.append(_where_stopped(second, compared))
    facts = {**_facts(first), "said": " ".join(filter(None, said)), "stopped": stopped}
    return _answer(before, found, fragments, **facts)


def _fit(
    method: Method, data: Dataset, look: Callable[[Fit[Any, Any]], None] | None = None
) -> Fit[Any, Any]:
    """Return a fit; of one that is stopped, what is done by then."""
    if not isinstance(method, GradualMethod):
        return new_fit(method, data)
    running = method.running_fit(data)
    _watched((done > 0 for done in running), lambda: look(running.fit) if look else None)
    if not running.done:
        raise KeyboardInterrupt
    return running.fit


def _foretell(methods: Iterable[Method], data: Dataset, times: int, send: Send) -> None:
    """Send about how long fits will take, if they take long."""
    said = filter(None, (expected_time(method, data, times) for method in methods))
    if words := "; ".join(said):
        send(Answer({"partial": True, "expected": f"{words[0].upper()}{words[1:]}."}))


def _watched(steps: Iterable[bool], look: Callable[[], None]) -> bool:
    """Run to the end, looking now and then if there is something to see; return if it got there."""
    due = time.monotonic() + _SECONDS
    try:
        for visible in steps:
            if visible and time.monotonic() > due:
                began = time.monotonic()
                look()
                ended = time.monotonic()
                due = ended + max(_SECONDS, _SHARE * (ended - began))
    except KeyboardInterrupt:
        return False
    return True


def _fitted(before: Results, fit: Fit[Any, Any]) -> tuple[Results, dict[str, str]]:
    """Return the results with a fit, without what rested on another, and what is shown of it."""
    fit = replace(fit, log=before.curated.log)
    old = before.recipe
    recipe = Recipe(source=old.source, curation=old.curation, method=fit.method, judge=old.judge)
    found = Results(recipe, before.reading, before.curated, fit=fit, judgement=before.judgement)
    shown = ("comparison", "groups", "support", "event", "patients", "patient")
    forgotten = dict.fromkeys(shown, "")
    return found, {"tree": tree_view(fit), "fit": fit_view(fit), **forgotten}


def _facts(found: Fit[Any, Any]) -> dict[str, Any]:
    return {
        "bootstrap": needs_bootstrap(found),
        "ordered": isinstance(found, OrderedFit),
        "replicates": default_replicates(found.method),
    }


def _where_stopped(method: Method, fit: Fit[Any, Any]) -> str:
    done = method_text(fit.method)
    return "" if fit.method == method else f"Stopped: this is the complete result of {done}."


def bootstrap(request: Request, send: Send) -> Answer:
    """Estimate the support of each edge; what is done so far is sent as it comes."""
    before = _opened(request)
    replicates = whole("replicates", request.given.get("replicates"), 1, _MOST_REPLICATES)
    seed = Bootstrap(seed=request.given.get("seed", 1)).seed
    fit, data = needed(before.fit, _FIT_FIRST), before.curated.data
    _foretell([fit.method], data, replicates, send)
    running = RunningBootstrap(fit, data, replicates=replicates, seed=seed)

    def steps() -> Iterator[bool]:
        for done in running:
            tell("replicates", done, replicates)
            yield done < replicates

    def look() -> None:
        found, fragments = _resampled(before, running.confidence, seed)
        send(_answer(before, found, fragments, partial=True, replicates=running.done))

    finished = _watched(steps(), look)
    if not running.done:
        raise KeyboardInterrupt
    found, fragments = _resampled(before, running.confidence, seed)
    assert isinstance(fit, OrderedFit)  # others have no bootstrap
    tests = edge_tests(fit, data, seed=seed) if fit.model.edges and finished else None
    refuted = _refuted(before)
    view = confidence_view(data, fit, found.confidence, replicates, tests, refuted)
    shown = {**fragments, "support": view, "event": ""}
    return _answer(before, found, shown, replicates=running.done)


def _resampled(
    before: Results, confidence: Confidence, seed: int
) -> tuple[Results, dict[str, str]]:
    """Return the results with the support so far, and the tree with it."""
    asked = Bootstrap(replicates=confidence.replicates, seed=seed)
    found = replace(before, confidence=confidence, recipe=replace(before.recipe, bootstrap=asked))
    return found, {"tree": tree_view(needed(before.fit, _FIT_FIRST), confidence)}


def support(request: Request, _send: Send) -> Answer:
    """Say how far to trust what had to be ended before it could say so itself."""
    found = _opened(request)
    fit, confidence = needed(found.fit, _FIT_FIRST), found.confidence
    if not isinstance(fit, OrderedFit) or (confidence is None and needs_bootstrap(fit)):
        return Answer()
    replicates = whole("replicates", request.given.get("replicates", 0), 0, _MOST_REPLICATES)
    refuted, data = _refuted(found), found.curated.data
    view = confidence_view(data, fit, confidence, replicates, refuted=refuted)
    return Answer({"fragments": {"support": view, "event": ""}})


def _refuted(found: Results) -> bool:
    """Whether methods were judged before, and none supports an order."""
    return answer.Answer({}, found.judgement).refuted


def judge(request: Request, send: Send) -> Answer:
    """Say what the referee says of all methods that a budget allows, or of the chosen ones."""
    before, given = _opened(request), request.given
    methods = [method_in(each) for each in list_in(given.get("methods", ()), "methods")]
    asked = Judging(
        methods=tuple(map(method_text, methods)),
        budget=None if methods else given.get("budget") or None,
        seed=given.get("seed", 1),
    )
    curated, _ = before.loaded.divided()
    if len(curated.data.samples) < asked.folds:
        least = f"at least {asked.folds} samples are needed"
        raise DatasetError(f"{least}, there are {len(curated.data.samples)}")

    def announce(choice: Choice) -> None:
        send(Answer({"partial": True, "expected": f"{'. '.join(choice_lines(choice))}."}))

    found = replace(before, recipe=replace(before.recipe, judge=asked))
    found = with_judgement(found, announce=announce)
    own = () if found.fit is None else (found.fit,)
    data = found.curated.data

    def foretell(seconds: float) -> None:
        expected = f"Simulating how many samples would decide takes about {duration(seconds)}."
        send(Answer({"partial": True, "expected": expected}))

    said = answered(needed(found.judgement), data, fits=own)
    said = said.planned(data, asked.budget or BUDGET, foretell)
    best = best_method(said)
    facts = None if best is None else {"name": name_of(best), "parameters": settings_of(best)}
    return _answer(before, found, {"judgement": answer_view(said)}, best=facts)


def patients(request: Request, send: Send) -> Answer:
    """Say of each sample where it stands, after a judgement of the fitted method."""
    before = _opened(request)
    method = needed(before.fit, _FIT_FIRST).method
    _foretell([method], before.curated.data, Judging().folds, send)
    recipe = replace(before.recipe, patients=Placing(), report=None)
    plain = replace(before, recipe=recipe, tests=None, curves=None, annotation=None)
    found = with_placement(with_predictor(plain))
    return _answer(before, found, {"patients": patients_view(found)})


def clinical(request: Request, _send: Send) -> Answer:
    """Compare the samples with a clinical table that was uploaded beside the data."""
    before, given = _opened(request), request.given
    placed = needed(before.placement, _PLACE_FIRST)
    file, groups = given["name"], given.get("groups") or None
    both = given.get("time") and given.get("status")
    survival: Any = {name: given.get(name) or None for name in ("time", "status", "by") if both}
    asked = Placing(annotation=file, corrected=given.get("corrected") is True, **survival)
    shown = Reporting(annotation=file, column=groups) if groups else None
    recipe = replace(before.recipe, patients=asked, report=shown)
    found = with_annotation(with_clinical(replace(before, recipe=recipe, annotation=None)))
    titles = list(read_clinical(file).columns)
    fragments = {"patients": patients_view(found)}
    return _answer(before, found, fragments, titles=titles, by=[*_GROUPS, *placed.events])


def patient(request: Request, _send: Send) -> Answer:
    """Show all about one sample."""
    found = _opened(request)
    placed, fit = needed(found.placement, _PLACE_FIRST), found.placed_in
    row = whole("row", request.given.get("row"), 0, len(placed.samples) - 1)
    return Answer({"fragments": {"patient": patient_view(placed, fit, row)}})


def table(request: Request, _send: Send) -> Answer:
    """Say what a table that was uploaded beside the data holds, and its columns."""
    name = request.given["name"]
    try:
        orders = read_orders(name)
    except FormatError as no_orders:
        try:
            found = read_clinical(name)
        except FormatError:
            raise no_orders from None
        return Answer(told_of_table(found))
    return Answer({"holds": "orders", "samples": len({*orders.samples})})


def groups(request: Request, send: Send) -> Answer:
    """Compare groups of samples, by a column of a table, by the method of the fit."""
    found, given = _opened(request), request.given
    file, column = given["name"], str(given.get("column"))
    method, data = needed(found.fit, _FIT_FIRST).method, found.curated.data
    group = read_groups(file, column).categories
    if not group.keys() & set(data.samples):
        raise CapreseError(f"{file} names none of the samples")
    parts = {name: new_fit(method, part) for name, part in parts_of(data, group).items()}
    number = default_permutations(method)
    _foretell([method], data, fits_needed(next(iter(parts.values())), number), send)
    compared = compare_groups(method, data, group, permutations=number, jobs=1)
    said = command_of_groups(found.recipe, file, column)
    return Answer({"fragments": {"groups": groups_view(compared, parts, said)}})


def whatif(request: Request, _send: Send) -> Answer:
    """Show what follows in the model if an event is blocked."""
    fit = needed(_opened(request).fit, _FIT_FIRST)
    events = fit.model.events
    place = whole("event", request.given.get("event"), 0, len(events) - 1)
    return Answer({"fragments": {"what-if": what_if_view(intervene(fit, block=[events[place]]))}})


def event(request: Request, _send: Send) -> Answer:
    """Show the alternatives of an event, and the samples that carry it."""
    found = _opened(request)
    fit = needed(found.fit, _FIT_FIRST)
    place = whole("event", request.given.get("event"), 0, len(fit.model.events) - 1)
    view = event_view(found.curated, fit, found.confidence, place)
    return Answer({"fragments": {"event": view}})


def download(request: Request, _send: Send) -> Answer:
    """Write a file for the page to download."""
    found = _opened(request)
    kinds = {file.name: file.kind for file in offered(found)}
    name = str(request.given.get("name"))
    if name not in kinds:
        raise CapreseError(f"there is no file {name!r}")
    if name == RECIPE:
        write_recipe(whole_recipe(found), Path(request.files, name))
    elif name == ANALYSIS:
        write_analysis(whole_recipe(found), Path(request.files, name))
    else:
        write_kind(as_offered(found, kinds[name]), kinds[name], [name], request.files)
    return Answer({"file": name})


def _answer(
    before: Results | None, found: Results, fragments: Mapping[str, str], **facts: Any
) -> Answer:
    """Return an answer that keeps what has changed, and shows what can be downloaded by now."""
    parts = {each.name: getattr(found, each.name) for each in fields(found)}
    kept = {
        name: None if part is None else pickle.dumps(part, protocol=5)
        for name, part in parts.items()
        if part is not getattr(before, name, None)
    }
    return Answer({"fragments": {**fragments, "files": files_view(found)}, **facts}, kept)


_ALL: tuple[Task, ...] = (
    *(start, load, curate, fit, bootstrap, support, judge),
    *(patients, patient, clinical, table, groups, event, whatif, download),
)
TASKS = {task.__name__: task for task in _ALL}
