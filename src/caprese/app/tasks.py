"""The tasks of a worker: each takes a request and returns what the page shows.

A task may be stopped at any report of progress. What it keeps goes back to the desk, so that the
next task, in whichever process, goes on from there.
"""

import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from caprese._core.progress import tell
from caprese.app.answers import Answer, Request
from caprese.app.choices import (
    Choices,
    ChosenMethod,
    ChosenTable,
    Curation,
    Source,
    list_in,
    pairs_in,
    whole_number,
)
from caprese.app.downloads import offered, write_file
from caprese.app.pictures import comparison
from caprese.app.shelf import Shelf
from caprese.app.views.away import files_view
from caprese.app.views.data import curated_view, event_states, event_table, overview
from caprese.app.views.fits import comparison_view, event_view, fit_view, tree_view
from caprese.app.views.samples import patient_view, patients_view
from caprese.app.views.start import form_views
from caprese.app.views.trust import confidence_view, judgement_view, needs_bootstrap
from caprese.assessment.bootstrap import RunningBootstrap
from caprese.assessment.confidence import Confidence
from caprese.assessment.edge_tests import edge_tests
from caprese.assessment.held_out import judge
from caprese.data.curation import Curated, curate, divided
from caprese.data.dataset import Dataset
from caprese.data.inspection import inspect
from caprese.errors import CapreseError, DatasetError
from caprese.io.data.annotations import read_annotation, read_clinical
from caprese.methods import METHODS
from caprese.methods.caprese import Caprese
from caprese.methods.fit import Fit, Method, OrderedFit
from caprese.methods.protocols import GradualMethod, is_quick
from caprese.models.base import Order
from caprese.patients.groups import as_seen, associations
from caprese.patients.place import place
from caprese.patients.survival import survival
from caprese.report.analysis import default_replicates
from caprese.report.sections.patients import Patients
from caprese.text.fits import expected_time

Send = Callable[[Answer], None]
Task = Callable[[Request, Send], Answer]

_MANY_EVENTS = 50  # above which only the most frequent are kept at first
_FIRST = 20  # of them
_MOST_REPLICATES = 10_000_000
_SECONDS, _SHARE = 0.3, 4  # between two pictures of what is done; and of the time, one in four
_FOLDS = 10
_GROUPS = ("progress", "thirds", "branch", "subtype")  # of survival; or those with an event


def warm_up() -> None:
    """Load what the first task would otherwise wait for."""
    from caprese.assessment.bootstrap import bootstrap
    from caprese.data.embedded import acml

    data = acml()
    fit = Caprese().fit(data)
    confidence = bootstrap(fit, data, replicates=20, jobs=1)
    form_views()
    curated_view(Curated(data))
    assert isinstance(fit, OrderedFit)
    tree_view(fit, confidence)
    confidence_view(data, fit, confidence, 20)


def start(_request: Request, _send: Send) -> Answer:
    """Return the forms of the page."""
    return Answer({"fragments": form_views()})


def load(request: Request, _send: Send) -> Answer:
    """Read a file or embedded data, and curate it in the usual way."""
    shelf = Shelf({})
    source = Source.of(request.given)
    reading = source.read()
    shelf.put("reading", reading)
    events = reading.data.events
    off = tuple(name for name in source.left_out if name in events)  # columns of entries
    source = replace(source, left_out=reading.left_out)
    curation = Curation(exclude=off, top=_FIRST if len(events) > _MANY_EVENTS else None)
    shelf.put("choices", Choices(source, curation))
    found = inspect(reading.data)
    fragments = {
        "overview": overview(reading, found),
        "events": event_table(reading.data, found),
        **_curated(shelf, curation),
    }
    quick = [name for name, kind in METHODS.items() if is_quick(kind())]
    facts = {
        "off": [events.index(name) for name in off],
        "top": curation.top,
        "title": Path(source.name).name or source.name,
        "states": _states(shelf),
    }
    return _answer(shelf, fragments, quick=quick, **facts)


def curate_data(request: Request, _send: Send) -> Answer:
    """Curate the data as chosen on the page; events are given by their position in the file."""
    shelf = Shelf(request.kept)
    events = shelf.reading.data.events
    given = dict(request.given)

    def named(places: Any) -> list[str]:
        chosen = list_in(places, "events")
        return [events[whole_number(k, "event", 0, len(events) - 1)] for k in chosen]

    merge = [(name, named(members)) for name, members in pairs_in(given.get("merge", ()), "merge")]
    merged = {event for _, members in merge for event in members}
    exclude = [event for event in named(given.get("exclude", ())) if event not in merged]
    curation = Curation.of(given | {"exclude": exclude, "merge": merge})
    fragments = _curated(shelf, curation)
    chosen = shelf.choices
    shelf.put("choices", Choices(chosen.source, curation))
    return _answer(shelf, fragments, states=_states(shelf))


def _curated(shelf: Shelf, curation: Curation) -> dict[str, str]:
    curated = curation.apply(shelf.reading)
    shelf.put("curated", curated)
    return {"curated": curated_view(curated)}


def _states(shelf: Shelf) -> list[str]:
    return event_states(shelf.reading.data.events, shelf.curated.log)


def fit(request: Request, send: Send) -> Answer:
    """Fit a method; and a second one, if it is chosen, to compare the two.

    What is done so far is sent as it comes, if the method can be looked at while it runs.
    """
    shelf = Shelf(request.kept)
    chosen = ChosenMethod.of(request.given.get("method"))
    other = request.given.get("other")
    second = None if other is None else ChosenMethod.of(other)
    data = shelf.curated.data

    def look(found: Fit[Any, Any]) -> None:
        send(_answer(shelf, _fitted(shelf, found, chosen), partial=True, **_facts(found)))

    _foretell([each.method() for each in (chosen, second) if each], data, 1, send)
    found = _fit(chosen, data, look)
    fragments, facts = _fitted(shelf, found, chosen), _facts(found)
    said, stopped = [_where_stopped(chosen, found)], found.method != chosen.method()
    if isinstance(found, OrderedFit) and not needs_bootstrap(found):
        fragments["support"] = confidence_view(data, found, None)
    if second is not None and not stopped:
        send(_answer(shelf, fragments, partial=True, **facts))  # should the second be stopped
        compared = replace(_fit(second, data), log=shelf.curated.log)
        shelf.put("other", compared)
        done = second.done_by(compared.method)
        shelf.put("choices", replace(shelf.choices, other=done))
        fragments["comparison"] = _compared(shelf.fit, compared, (chosen, done))
        said.append(_where_stopped(second, compared))
    return _answer(shelf, fragments, **facts, said=" ".join(filter(None, said)), stopped=stopped)


def _fit(
    chosen: ChosenMethod, data: Dataset, look: Callable[[Fit[Any, Any]], None] | None = None
) -> Fit[Any, Any]:
    """Return a fit; of one that is stopped, what is done by then."""
    method = chosen.method()
    if not isinstance(method, GradualMethod):
        return method.fit(data)
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


def _fitted(shelf: Shelf, found: Fit[Any, Any], chosen: ChosenMethod) -> dict[str, str]:
    """Return the tree and the numbers of a fit, and keep it."""
    found = replace(found, log=shelf.curated.log)
    shelf.put("fit", found)
    method = chosen.done_by(found.method)
    kept = replace(shelf.choices, method=method, other=None, replicates=None, table=None)
    shelf.put("choices", kept)
    forgotten = ("comparison", "support", "event", "patients", "patient")
    return {"tree": tree_view(found), "fit": fit_view(found), **dict.fromkeys(forgotten, "")}


def _facts(found: Fit[Any, Any]) -> dict[str, Any]:
    return {
        "bootstrap": needs_bootstrap(found),
        "ordered": isinstance(found, OrderedFit),
        "replicates": default_replicates(found.method),
    }


def _where_stopped(chosen: ChosenMethod, found: Fit[Any, Any]) -> str:
    done = chosen.done_by(found.method)
    return "" if done == chosen else f"Stopped: this is the complete result of {done.text}."


def _compared(
    one: Fit[Any, Any], other: Fit[Any, Any], chosen: tuple[ChosenMethod, ChosenMethod]
) -> str:
    if not (isinstance(one, OrderedFit) and isinstance(other, OrderedFit)):
        raise CapreseError("only models with edges can be drawn side by side")
    titles = [each.text for each in chosen]
    return comparison_view((one, other), titles, comparison((one, other), chosen))


def bootstrap(request: Request, send: Send) -> Answer:
    """Estimate the support of each edge; what is done so far is sent as it comes."""
    shelf = Shelf(request.kept)
    replicates = whole_number(request.given.get("replicates"), "replicates", 1, _MOST_REPLICATES)
    seed = whole_number(request.given.get("seed"), "seed", 0, 2**63)
    found, data = shelf.fit, shelf.curated.data
    _foretell([found.method], data, replicates, send)
    running = RunningBootstrap(found, data, replicates=replicates, seed=seed)

    def steps() -> Iterator[bool]:
        for done in running:
            tell("replicates", done, replicates)
            yield done < replicates

    def look() -> None:
        fragments = _support(shelf, running.confidence, seed)
        send(_answer(shelf, fragments, partial=True, replicates=running.done))

    finished = _watched(steps(), look)
    if not running.done:
        raise KeyboardInterrupt
    confidence = running.confidence
    fragments = _support(shelf, confidence, seed)
    assert isinstance(found, OrderedFit)  # others have no bootstrap
    tests = edge_tests(found, data, seed=seed) if found.model.edges and finished else None
    view = confidence_view(data, found, confidence, replicates, tests)
    shown = {**fragments, "support": view, "event": ""}
    return _answer(shelf, shown, replicates=confidence.replicates)


def support(request: Request, _send: Send) -> Answer:
    """Say how far to trust what had to be ended before it could say so itself."""
    shelf = Shelf(request.kept)
    found, confidence = shelf.fit, shelf.confidence
    if not isinstance(found, OrderedFit) or (confidence is None and needs_bootstrap(found)):
        return Answer()
    requested = request.given.get("replicates", 0)
    replicates = whole_number(requested, "replicates", 0, _MOST_REPLICATES)
    view = confidence_view(shelf.curated.data, found, confidence, replicates)
    return Answer({"fragments": {"support": view, "event": ""}})


def _support(shelf: Shelf, confidence: Confidence, seed: int) -> dict[str, str]:
    """Return the tree with the support so far, and keep it."""
    shelf.put("confidence", confidence)
    shelf.put("choices", replace(shelf.choices, replicates=confidence.replicates, seed=seed))
    return {"tree": tree_view(shelf.fit, confidence)}


def judge_methods(request: Request, _send: Send) -> Answer:
    """Predict held-out samples by several methods; curation is repeated in each training part."""
    shelf = Shelf(request.kept)
    choices = shelf.choices
    given = [ChosenMethod.of(each) for each in list_in(request.given.get("methods"), "methods")]
    if not given:
        raise ValueError("choose a method to judge")
    seed = whole_number(request.given.get("seed"), "seed", 0, 2**63)
    now, later = divided(choices.curation.rules())
    curated = curate(shelf.reading.data, now)
    data = curated.data
    if len(data.samples) < _FOLDS:
        raise DatasetError(f"at least {_FOLDS} samples are needed, there are {len(data.samples)}")
    methods = {each.text: each.method() for each in given}
    found = judge(methods, data, rules=later, folds=_FOLDS, seed=seed)
    shelf.put("judgement", found)
    shelf.put("choices", replace(choices, judged=tuple(methods), seed=seed))
    return _answer(shelf, {"judgement": judgement_view(found)})


def patients(request: Request, _send: Send) -> Answer:
    """Say of each sample where it stands."""
    shelf = Shelf(request.kept)
    placed = place(shelf.fit, shelf.curated.data, seed=1)
    shelf.put("placement", placed)
    shelf.put("choices", replace(shelf.choices, table=None))
    view = patients_view(Patients(placed, shelf.fit))
    return _answer(shelf, {"patients": view})


def clinical(request: Request, _send: Send) -> Answer:
    """Compare the samples with a clinical table that was uploaded beside the data."""
    shelf = Shelf(request.kept)
    placed, found = shelf.placement, shelf.fit
    chosen = ChosenTable.of(request.given)
    table = read_clinical(chosen.file)
    compared = placed if chosen.corrected else as_seen(placed)
    times = [title for title in (chosen.time, chosen.status) if title]
    tests = associations(compared, table, without=times)
    curves = None
    if len(times) == 2:
        order = found.model if isinstance(found.model, Order) else None
        by = chosen.by or _GROUPS[0]
        curves = survival(compared, table, chosen.time, chosen.status, by=by, order=order)
    track = read_annotation(chosen.file, chosen.groups) if chosen.groups else None
    if track is not None and not track.categories.keys() & set(placed.samples):
        raise DatasetError(f"the first column of {chosen.file} names none of the samples")
    for name, value in (("tests", tests), ("survival", curves), ("annotation", track)):
        shelf.put(name, value)
    shelf.put("choices", replace(shelf.choices, table=chosen))
    fragments = {"patients": patients_view(Patients(placed, found, track, tests, curves))}
    return _answer(shelf, fragments, titles=list(table.columns), by=[*_GROUPS, *placed.events])


def patient(request: Request, _send: Send) -> Answer:
    """Show all about one sample."""
    shelf = Shelf(request.kept)
    placed = shelf.placement
    row = whole_number(request.given.get("row"), "row", 0, len(placed.samples) - 1)
    return Answer({"fragments": {"patient": patient_view(placed, shelf.fit, row)}})


def event(request: Request, _send: Send) -> Answer:
    """Show the alternatives of an event, and the samples that carry it."""
    shelf = Shelf(request.kept)
    found = shelf.fit
    place = whole_number(request.given.get("event"), "event", 0, len(found.model.events) - 1)
    view = event_view(shelf.curated, found, shelf.confidence, place)
    return Answer({"fragments": {"event": view}})


def download(request: Request, _send: Send) -> Answer:
    """Write a file for the page to take away."""
    shelf = Shelf(request.kept)
    name = str(request.given.get("name"))
    if name not in [file.name for file in offered(shelf)]:
        raise CapreseError(f"there is no file {name!r}")
    write_file(shelf, name, Path(request.files))
    return Answer({"file": name})


def _answer(shelf: Shelf, fragments: Mapping[str, str], **facts: Any) -> Answer:
    """Return an answer that also shows what can be taken away by now."""
    files = files_view(offered(shelf), shelf.choices)
    return shelf.answer(fragments={**fragments, "files": files}, **facts)


TASKS: Mapping[str, Task] = {
    "start": start,
    "load": load,
    "curate": curate_data,
    "fit": fit,
    "bootstrap": bootstrap,
    "support": support,
    "judge": judge_methods,
    "patients": patients,
    "patient": patient,
    "clinical": clinical,
    "event": event,
    "download": download,
}
