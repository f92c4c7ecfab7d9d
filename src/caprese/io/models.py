"""Models as JSON files: a progression alone, such as the truth of a simulation."""

from typing import Any

from caprese.errors import CapreseError
from caprese.io.codec import decode, encode
from caprese.io.envelope import envelope, json_content, opened
from caprese.io.files import FilePath, format_error, replacing
from caprese.models.dag import ConjunctiveDag
from caprese.models.forest import Forest
from caprese.models.poset import Poset, TimedPoset

Model = Forest | ConjunctiveDag | Poset | TimedPoset

_VERSION = 1
_KINDS: dict[str, type[Model]] = {
    "forest": Forest,
    "dag": ConjunctiveDag,
    "poset": Poset,
    "timed poset": TimedPoset,
}


def write_model(model: Model, path: FilePath) -> None:
    """Write a forest, a DAG or a poset to a JSON file; `read_model` returns an equal one."""
    with replacing(path) as file:
        file.write(model_text(model))


def model_text(model: Model) -> str:
    """Return a model as JSON, as `write_model` writes it.

    Examples
    --------
    >>> print(model_text(Poset(("a", "b"), ((), (0,)))))
    {
      "format": "caprese model",
      "version": 1,
      "program": "caprese ...",
      "kind": "poset",
    ...
    """
    content = {"kind": kind_of_model(model), "model": encode(model)}
    return envelope("model", _VERSION, content)


def kind_of_model(model: Model) -> str:
    """Return what a model is called: forest, dag, poset or timed poset.

    Examples
    --------
    >>> kind_of_model(Poset(("a",), ((),)))
    'poset'
    """
    return next(name for name, each in _KINDS.items() if type(model) is each)


def read_model(path: FilePath) -> Model:
    """Read a forest, a DAG or a poset from a JSON file."""
    return decode_model(path, json_content(path))


def decode_model(path: FilePath, content: Any) -> Model:
    """Return the model in the content of a JSON file, which messages name."""
    parts = opened(path, content, "model", _VERSION, ("kind", "model"))
    if parts["kind"] not in _KINDS:
        kinds = ", ".join(_KINDS)
        raise format_error(path, f"kind must be one of {kinds}, got {parts['kind']!r}")
    try:
        model: Model = decode(_KINDS[parts["kind"]], parts["model"], "model")
    except CapreseError as error:
        raise format_error(path, str(error)) from None
    return model
