"""Models as JSON files: a progression alone, such as the truth of a simulation."""

from typing import Any

from caprese._core.files import FilePath, format_error, replacing
from caprese.errors import CapreseError
from caprese.io.json.codec import decode, encode
from caprese.io.json.envelope import envelope, json_content, opened
from caprese.models.dag import ConjunctiveDag
from caprese.models.forest import Forest
from caprese.models.independence import Independence
from caprese.models.poset import Poset, TimedPoset

StoredModel = Forest | ConjunctiveDag | Poset | TimedPoset | Independence

_VERSION = 1
_KINDS: dict[str, type[StoredModel]] = {
    "forest": Forest,
    "dag": ConjunctiveDag,
    "poset": Poset,
    "timed poset": TimedPoset,
    "independence": Independence,
}


def write_model(model: StoredModel, path: FilePath) -> None:
    """Write a forest, a DAG or a poset to a JSON file; `read_model` returns an equal one."""
    with replacing(path) as file:
        file.write(model_text(model))


def model_text(model: StoredModel) -> str:
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


def kind_of_model(model: StoredModel) -> str:
    """Return what a model is called: forest, dag, poset or timed poset.

    Examples
    --------
    >>> kind_of_model(Poset(("a",), ((),)))
    'poset'
    """
    return next(
        (name for name, each in _KINDS.items() if type(model) is each), type(model).__name__
    )


def read_model(path: FilePath) -> StoredModel:
    """Read a forest, a DAG or a poset from a JSON file."""
    return decode_model(path, json_content(path))


def decode_model(path: FilePath, content: Any) -> StoredModel:
    """Return the model in the content of a JSON file, which messages name."""
    parts = opened(path, content, "model", _VERSION, ("kind", "model"))
    if parts["kind"] not in _KINDS:
        kinds = ", ".join(_KINDS)
        raise format_error(path, f"kind must be one of {kinds}, got {parts['kind']!r}")
    try:
        model: StoredModel = decode(_KINDS[parts["kind"]], parts["model"], "model")
    except CapreseError as error:
        raise format_error(path, str(error)) from None
    return model
