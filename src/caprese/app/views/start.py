"""The forms of the page, made from the methods, formats and data that there are."""

import inspect
from collections.abc import Mapping
from dataclasses import Field, fields
from functools import cache
from types import UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from caprese._core.words import number_of
from caprese.app.views import html
from caprese.data.datasets import EMBEDDED
from caprese.io.data.sources import READERS
from caprese.methods import METHODS
from caprese.methods.parameters import typed
from caprese.methods.protocols import CombiningMethod
from caprese.report.glossary import GLOSSARY


def method_forms() -> list[dict[str, Any]]:
    """Return all registered methods as choices: name, what it does, parameters."""
    return [
        {
            "name": name,
            "about": (inspect.getdoc(method) or "").partition("\n")[0],
            "parameters": [_parameter(each, get_type_hints(method)) for each in fields(method)],
        }
        for name, method in METHODS.items()
    ]


def questions() -> list[dict[str, str]]:
    """Return the questions by which a method is chosen, each with the method that answers it.

    A tree is that of the first method; the best prediction, until methods were judged, a mixture.
    """
    first = next(iter(METHODS))
    mixing = (name for name, kind in METHODS.items() if isinstance(kind(), CombiningMethod))
    mixture = next(mixing, first)
    return [
        {"key": "tree", "title": "A tree to show", "method": first},
        {"key": "prediction", "title": "The best prediction", "method": mixture},
        {"key": "patients", "title": "My patients", "method": mixture},
    ]


def _parameter(declared: "Field[Any]", hints: Mapping[str, Any]) -> dict[str, Any]:
    """Return a parameter as a field of a form; with `only_words` it is chosen from a list."""
    hint = hints[declared.name]
    kinds = get_args(hint) if get_origin(hint) in (Union, UnionType) else (hint,)
    literal = [kind for kind in kinds if get_origin(kind) is Literal]
    words = tuple(word for kind in literal for word in get_args(kind) if isinstance(word, str))
    # Other kinds are those that cannot be typed, such as a model in place of the word.
    only = bool(words) and declared.metadata["parse"] is str
    if hint is bool:
        words, only = ("yes", "no"), True
    several = " Several are separated by semicolons." if declared.metadata.get("repeat") else ""
    return {
        "name": declared.name,
        "label": declared.name.replace("_", " "),
        "about": declared.metadata["about"] + several,
        "default": typed(declared.default),
        "words": words,
        "only_words": only,
    }


def form_views() -> dict[str, str]:
    """Return the forms, which depend on the methods and formats that there are."""
    forms = method_forms()
    return {
        "embedded": html("embedded", examples=_examples()),
        "formats": html("formats", names=list(READERS)),
        "questions": html("questions", questions=questions()),
        "method": html("method", forms=forms, key="method", optional=False),
        "other-method": html("method", forms=forms, key="other", optional=True),
        "judged": html("judged", forms=forms),
        "glossary-terms": html("glossary", glossary=GLOSSARY),
    }


@cache
def _examples() -> list[tuple[str, str]]:
    """Return the names of embedded data, and how large it is."""
    sizes = {name: data().values.shape for name, data in EMBEDDED.items()}
    return [
        (name, f"{number_of(samples, 'sample')}, {number_of(events, 'event')}")
        for name, (samples, events) in sizes.items()
    ]
