"""The forms of the page, made from the methods, formats and data that there are."""

import inspect
from dataclasses import Field, dataclass, fields
from functools import cache
from types import UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from caprese._core.words import number_of
from caprese.app.views.fragments import html
from caprese.data.datasets import EMBEDDED
from caprese.io.data.sources import READERS
from caprese.methods import METHODS
from caprese.methods.fit import Method
from caprese.recipe.recipe import typed
from caprese.report.glossary import GLOSSARY

_YES_OR_NO: tuple[str, ...] = ("yes", "no")


@dataclass(frozen=True)
class Parameter:
    """A parameter as a field of a form."""

    name: str
    about: str
    default: str  # as text; empty if there is none
    words: tuple[str, ...]
    only_words: bool  # so that it is chosen from a list

    @property
    def label(self) -> str:
        """The name in words."""
        return self.name.replace("_", " ")


@dataclass(frozen=True)
class MethodForm:
    """A method as a choice: its name, what it does, its parameters."""

    name: str
    about: str
    parameters: list[Parameter]


def method_forms() -> list[MethodForm]:
    """Return all registered methods."""
    return [_form(name, method) for name, method in METHODS.items()]


def _form(name: str, method: type[Method]) -> MethodForm:
    about = (inspect.getdoc(method) or "").partition("\n")[0]
    hints = get_type_hints(method)
    return MethodForm(name, about, [_parameter(each, hints[each.name]) for each in fields(method)])


def _parameter(declared: "Field[Any]", hint: Any) -> Parameter:
    if hint is bool:
        words, only = _YES_OR_NO, True
    else:
        kinds = get_args(hint) if get_origin(hint) in (Union, UnionType) else (hint,)
        literal = [kind for kind in kinds if get_origin(kind) is Literal]
        words = tuple(word for kind in literal for word in get_args(kind) if isinstance(word, str))
        # Other kinds are those that cannot be typed, such as a model in place of the word.
        only = bool(words) and declared.metadata["parse"] is str
    several = " Several are separated by semicolons." if declared.metadata.get("repeat") else ""
    about = declared.metadata["about"] + several
    return Parameter(declared.name, about, typed(declared.default), words, only)


def form_views() -> dict[str, str]:
    """Return the forms, which depend on the methods and formats that there are."""
    forms = method_forms()
    return {
        "embedded": html("embedded", examples=_examples()),
        "formats": html("formats", names=list(READERS)),
        "method": html("method", forms=forms, key="method", optional=False),
        "other-method": html("method", forms=forms, key="other", optional=True),
        "judged": html("judged", forms=forms),
        "glossary-terms": html("glossary", glossary=GLOSSARY),
    }


@cache
def _examples() -> list[tuple[str, str]]:
    """Return the names of embedded data, and how large it is."""
    sizes = ((name, data()) for name, data in EMBEDDED.items())
    return [
        (
            name,
            f"{number_of(len(data.samples), 'sample')}, {number_of(len(data.events), 'event')}",
        )
        for name, data in sizes
    ]
