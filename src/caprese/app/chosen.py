"""What was chosen on a page, read from JSON; the parts of a recipe check their values."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from caprese._core.checks import instance, whole
from caprese.errors import CapreseError, ParameterError
from caprese.io.data.options import option_value
from caprese.methods import make_method, name_of
from caprese.methods.caprese import Caprese
from caprese.methods.fit import Method
from caprese.methods.parameters import settings_of
from caprese.recipe.loading import Curation, Source
from caprese.recipe.parts import Bootstrap, Judging
from caprese.recipe.recipe import Recipe


def source_in(given: Mapping[str, Any]) -> Source:
    """Return the source; refuse options that name a path, as only uploaded files are opened."""
    texts = filter(None, map(str.strip, _text(given.get("options", ""), "options").split(";")))
    options = dict(map(_option, texts))
    if given.get("transposed") is True:
        options["transpose"] = True
    source = Source(given["source"], given.get("format") or None, options)
    for name in source.options_of_paths():
        raise CapreseError(f"the page cannot use the option {name!r}, which names a path")
    return with_tables(source, given)


def with_tables(source: Source, given: Mapping[str, Any]) -> Source:
    """Return a source with the tables beside the data: seen orders, patients and times."""
    files = instance("beside", given.get("beside", {}), dict, "fields with names")
    chosen = instance("columns", given.get("columns", {}), dict, "fields with names")
    if "orders" in files:
        extra = given.get("orders_extra") is True
        source = replace(source, orders=files["orders"], orders_extra=extra)
    if "patients" not in files:
        return source
    columns = {name: _text(chosen.get(name, ""), name) for name in ("patient", "time")}
    texts = {name: f"{files['patients']}:{title}" for name, title in columns.items() if title}
    if "patient" not in texts:
        raise CapreseError("choose the column that names the patient of each sample")
    times = (texts["time"],) if "time" in texts else ()
    return replace(source, patients=texts["patient"], sampled_at=times)


def _option(text: str) -> tuple[str, Any]:
    name, equals, value = text.partition("=")
    if not equals:
        raise ParameterError("an option of the format", "NAME=VALUE", text)
    return name, option_value(name, value)


def curation_in(given: Mapping[str, Any], events: Sequence[str]) -> Curation:
    """Return the curation; events are given by their position in the file.

    Events that are merged cannot be switched off.
    """
    merge = [
        {"into": name, "members": _named(members, events)}
        for name, members in _pairs(given.get("merge", ()), "merge")
    ]
    merged = {event for composite in merge for event in composite["members"]}
    exclude = sorted({*_named(given.get("exclude", ()), events)} - merged)
    return Curation.among({**given, "merge": tuple(merge), "exclude": exclude})


def _named(places: Any, events: Sequence[str]) -> list[str]:
    last = len(events) - 1
    return [events[whole("event", place, 0, last)] for place in list_in(places, "events")]


def method_in(given: Any) -> Method:
    """Return a method; parameters that are empty have their default."""
    rule = "fields with names"
    chosen = instance("method", given, dict, rule)
    parameters = instance("parameters", chosen.get("parameters", {}), dict, rule)
    texts = {name: _text(value, name).strip() for name, value in parameters.items()}
    name = _text(chosen.get("name"), "method")
    return make_method(name, {key: text for key, text in texts.items() if text})


def list_in(given: Any, name: str) -> list[Any]:
    """Return a list."""
    return list(instance(name, given, (list, tuple), "a list"))


def _pairs(given: Any, name: str) -> list[list[Any]]:
    pairs = [list_in(pair, name) for pair in list_in(given, name)]
    if any(len(pair) != 2 for pair in pairs):
        raise ParameterError(name, "a list of pairs", given)
    return pairs


def _text(given: Any, name: str) -> str:
    return str(instance(name, given, str, "text"))


def saved_choices(recipe: Recipe, events: Sequence[str]) -> dict[str, Any]:
    """Return what a saved analysis chose, as the page has it in its forms."""
    curation, bootstrap, judge = recipe.curation, recipe.bootstrap, recipe.judge
    done = recipe.outputs
    fields = ("at_least", "coverage", "top", "hypermutated")
    ticked = ("keep_constant", "keep_identical", "keep_all", "keep_unknown")
    merges = [
        {"name": each.into, "members": [events.index(name) for name in each.members]}
        for each in curation.merge
    ]
    return {
        "merges": merges,
        "curation": {name: getattr(curation, name) for name in (*fields, *ticked)},
        "method": _chosen(recipe.method or Caprese()),
        "other": None if recipe.second_method is None else _chosen(recipe.second_method),
        "bootstrap": None if bootstrap is None else {"replicates": bootstrap.replicates},
        "seed": (bootstrap or Bootstrap()).seed,
        "judge": {"budget": (judge or Judging()).budget or ""} if done.judgement else None,
        "patients": bool(done.patients),
    }


def _chosen(method: Method) -> dict[str, Any]:
    return {"name": name_of(method), "parameters": settings_of(method)}
