"""Models as JSON files, such as the true model of a simulation."""

from typing import Any

from caprese._core.files import FilePath, replacing, shown
from caprese.errors import FormatError, ModelError
from caprese.io.json.codec import decode, encode
from caprese.io.json.envelope import envelope, json_content, opened
from caprese.models.conditional import ConditionalDag
from caprese.models.dag import ConjunctiveDag
from caprese.models.forest import Forest
from caprese.models.hazards import Hazards
from caprese.models.independence import Independence
from caprese.models.poset import Poset, TimedPoset

StoredModel = Forest | ConjunctiveDag | ConditionalDag | Poset | TimedPoset | Hazards | Independence

_VERSION = 1
_KINDS: dict[str, type[StoredModel]] = {
    "forest": Forest,
    "dag": ConjunctiveDag,
    "conditional dag": ConditionalDag,
    "poset": Poset,
    "timed poset": TimedPoset,
    "hazards": Hazards,
    "independence": Independence,
}


def write_model(model: StoredModel, path: FilePath) -> None:
    """Write a model to a JSON file; `read_model` returns an equal one.

    Parameters
    ----------
    model
        A `Forest`, `ConjunctiveDag`, `ConditionalDag`, `Poset`, `TimedPoset`, `Hazards` or
        `Independence`.
    path
        The file to write.

    Raises
    ------
    ModelError
        If it is a model of another kind.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> model = Independence(("8q+", "-7q"), (0.5, 0.25))
    >>> with TemporaryDirectory() as folder:
    ...     write_model(model, f"{folder}/model.json")
    ...     read_model(f"{folder}/model.json") == model
    True
    """
    text = model_text(model)
    with replacing(path) as file:
        file.write(text)


def model_text(model: StoredModel) -> str:
    """Return a model as JSON, as `write_model` writes it."""
    kind = kind_of_model(model)
    if kind not in _KINDS:
        raise ModelError(f"model must be a {', '.join(_KINDS)}, got {kind}")
    return envelope("model", _VERSION, {"kind": kind, "model": encode(model)})


def kind_of_model(model: Any) -> str:
    """Return the kind of a model, such as forest or dag; the name of its class if it has none."""
    return next(
        (name for name, each in _KINDS.items() if type(model) is each), type(model).__name__
    )


def read_model(path: FilePath) -> StoredModel:
    """Read a model from a JSON file of `write_model`.

    Raises
    ------
    FormatError
        If the file holds no model; the message gives the place and the reason.
    """
    return decode_model(path, json_content(path))


def decode_model(path: FilePath, content: Any) -> StoredModel:
    """Return the model in the content of a JSON file; `path` is for error messages."""
    with opened(path, content, "model", _VERSION, ("kind", "model")) as parts:
        kind = decode(str, parts["kind"], "kind")
        if kind not in _KINDS:
            kinds = ", ".join(_KINDS)
            raise FormatError(f"kind must be one of {kinds}, got {shown(kind)}")
        model: StoredModel = decode(_KINDS[kind], parts["model"], "model")
    return model
