"""The choice of a method and its parameters, made from the fields of the methods."""

import inspect
from dataclasses import Field, dataclass, fields
from types import UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from caprese.methods import METHODS
from caprese.methods.fit import Method
from caprese.recipe.recipe import typed

_YES_OR_NO: tuple[str, ...] = ("yes", "no")


@dataclass(frozen=True)
class Parameter:
    """A parameter as a field of a form.

    Parameters
    ----------
    name, about
        Its name, and what it does.
    default
        Its default as text; empty if there is none.
    words
        Words that it takes.
    only_words
        Whether it takes nothing else, so that it is chosen from a list.
    """

    name: str
    about: str
    default: str
    words: tuple[str, ...]
    only_words: bool

    @property
    def label(self) -> str:
        """The name in words."""
        return self.name.replace("_", " ")


@dataclass(frozen=True)
class MethodForm:
    """A method as a choice: its name, what it does, its parameters."""

    name: str
    about: str
    parameters: tuple[Parameter, ...]


def method_forms() -> list[MethodForm]:
    """Return all registered methods."""
    return [
        MethodForm(name, _about(method), tuple(_parameters(method)))
        for name, method in METHODS.items()
    ]


def _about(method: type[Method]) -> str:
    return (inspect.getdoc(method) or "").partition("\n")[0]


def _parameters(method: type[Method]) -> list[Parameter]:
    hints = get_type_hints(method)
    return [_parameter(each, hints[each.name]) for each in fields(method)]


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
